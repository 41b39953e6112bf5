/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the boxes of a scene are, from parents and without a stack: the second, independent formulation that the oracle
 * is tested against. Quadratic; for small scenes.
 */
#ifndef PM_TESTS_BOXES_DEFINITION_H
#define PM_TESTS_BOXES_DEFINITION_H

#include "parenmatch.h"

/* As pm_box_seq() for n <= 64 valid kinds. */
void definition_boxes(const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out);

/* The same of any n. Needs memory, and aborts without. */
void definition_boxes_long(const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out);

#endif
