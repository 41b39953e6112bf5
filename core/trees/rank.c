/* SPDX-License-Identifier: Apache-2.0 */
/* Building the rank directory, one count a word. */
#include "core/trees/rank.h"

bool pmi_rank_create(pmi_rank *rank, const pm_allocator *allocator, const uint64_t *parens, size_t n) {
    *rank = (pmi_rank){parens, pmi_memory_allocate(allocator, pmi_bits_words(n), sizeof *rank->before)};
    if (!rank->before)
        return false;
    uint32_t opens = 0; /* bits past n count in the last word alone, which nobody comes after */
    for (size_t w = 0; w < pmi_bits_words(n); w++) {
        rank->before[w] = opens;
        opens += pmi_bits_count(parens[w]);
    }
    return true;
}

void pmi_rank_destroy(pmi_rank *rank, const pm_allocator *allocator) {
    pmi_memory_free(allocator, rank->before);
    rank->before = NULL;
}
