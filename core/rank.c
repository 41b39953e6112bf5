/* SPDX-License-Identifier: Apache-2.0 */
/* The rank directory. */
#include "core/rank.h"

bool pm_rank_create(pm_rank *rank, const pm_allocator *allocator, const uint64_t *parens, size_t n) {
    *rank = (pm_rank){parens, pm_memory_allocate(allocator, pm_bits_words(n), sizeof *rank->before)};
    if (!rank->before)
        return false;
    uint32_t opens = 0; /* bits past n count in the last word alone, which nobody comes after */
    for (size_t w = 0; w < pm_bits_words(n); w++) {
        rank->before[w] = opens;
        opens += pm_bits_count(parens[w]);
    }
    return true;
}

void pm_rank_destroy(pm_rank *rank, const pm_allocator *allocator) {
    pm_memory_free(allocator, rank->before);
    rank->before = NULL;
}
