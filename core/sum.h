/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sum over words in four lanes, to notice damage to a file. What a step does to its lane can be undone, so that one
 * damaged word always shows; more of them do but for a chance of 2^-64. No defence against malice.
 */
#ifndef PM_CORE_SUM_H
#define PM_CORE_SUM_H

#include <stddef.h>
#include <stdint.h>

typedef struct pm_sum {
    uint64_t lane[4];
    uint64_t words;
} pm_sum;

extern const pm_sum pm_sum_empty;

/* Goes on with `count` words of 8 bytes, of whatever the bytes are. */
void pm_sum_words(pm_sum *sum, const void *words, size_t count);

/* What it comes to. */
uint64_t pm_sum_end(const pm_sum *sum);

/* The sum of these words alone. */
uint64_t pm_sum_of(const void *words, size_t count);

#endif
