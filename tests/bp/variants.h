/* SPDX-License-Identifier: Apache-2.0 */
/* Every kind of index: each implementation that this CPU runs, with levels of either width,
 * for sequences in the caches or not, and with pioneers. */
#ifndef PM_TESTS_BP_VARIANTS_H
#define PM_TESTS_BP_VARIANTS_H

#include "parenmatch.h"

/* Variants that each implementation makes; they follow one another. */
enum {
    BP_WAYS = 8
};

extern size_t bp_variant_count;

/* For cmocka: before and after the tests. */
int bp_variants_set_up(void **state);
int bp_variants_tear_down(void **state);

const char *bp_variant_name(size_t variant);

/* An index; the test fails if it cannot be made. */
pm_bp *bp_variant_create(size_t variant, const uint64_t *parens, uint64_t n);

#endif
