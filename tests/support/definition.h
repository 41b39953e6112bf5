/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What matching is, by prefix sums and without a stack: the second, independent formulation that the stack itself is
 * tested against. Quadratic; for small inputs.
 */
#ifndef PM_TESTS_SUPPORT_DEFINITION_H
#define PM_TESTS_SUPPORT_DEFINITION_H

#include "parenmatch.h"

/*
 * With P(i) the opens minus closes before i, not clamped: match[i] is the largest j < i with P(j) < P(i), or PM_NONE;
 * as many closes are unmatched as P falls below 0, and of opens what remains. An element in neither mask is neutral;
 * closes = NULL: every element that is not an open is a close. Allocates with malloc; aborts where that fails.
 */
pm_bic definition_match(const uint64_t *opens, const uint64_t *closes, size_t n, uint32_t *match);

#endif
