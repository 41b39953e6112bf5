/* SPDX-License-Identifier: Apache-2.0 */
/* Rank: how many opens come before an element. A directory of one count a word; the rest is counted inside the word. */
#ifndef PM_CORE_TREES_RANK_H
#define PM_CORE_TREES_RANK_H

#include "base/slice.h"
#include "core/context/context.h"

typedef struct pmi_rank {
    const uint64_t *parens;
    uint32_t *before; /* opens before each word */
} pmi_rank;

/* Builds the directory of n <= 2^32 - 1 elements, which stay the caller's. False when there is no memory. */
bool pmi_rank_create(pmi_rank *rank, const pm_allocator *allocator, const uint64_t *parens, size_t n);

/* Gives the directory's memory back. */
void pmi_rank_destroy(pmi_rank *rank, const pm_allocator *allocator);

/* Opens before element i < n. */
static inline uint32_t pmi_rank_open(const pmi_rank *rank, size_t i) {
    const uint64_t earlier = rank->parens[i / PM_WORD_BITS] & pmi_bits_low(i % PM_WORD_BITS);
    return rank->before[i / PM_WORD_BITS] + pmi_bits_count(earlier);
}

#endif
