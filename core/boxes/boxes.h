/* SPDX-License-Identifier: Apache-2.0 */
/* The choice between threads and a device for boxes, as measuring and tests need it. */
#ifndef PM_CORE_BOXES_BOXES_H
#define PM_CORE_BOXES_BOXES_H

#include "parenmatch.h"

/* pm_box_auto() with valid arguments and a context, n > 0, that considers the device however small n is. */
pm_status pmi_box_auto(pm_context *context, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out);

/* Returns the number of threads that pm_box_omp() uses for n elements. */
unsigned pmi_box_threads_of(const pm_context *context, size_t n);

/* Returns the share of a scene's elements whose kind differs from the one that most often follows the three kinds
 * before it, from a sample of some thousand elements. On a CPU each costs a mispredicted branch. Only the two lowest
 * bits of a kind count. */
double pmi_box_wrong_guesses(const uint8_t *kinds, size_t n);

#endif
