/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ordered forest that a sequence and its match are, and the relations between its nodes: written once, for nodes
 * named by their open's index and for nodes numbered in preorder.
 */
#ifndef PM_CORE_TREES_FOREST_H
#define PM_CORE_TREES_FOREST_H

#include "base/slice.h"
#include "core/context/context.h"

/* The rank of an element, the number of opens before it: a directory with a count for each word, and the bits of the
 * word. */
typedef struct pmi_rank {
    const uint64_t *parens;
    uint32_t *before; /* opens before each word */
} pmi_rank;

/* Builds the directory of n <= 2^32 - 1 elements, which stay the caller's. Returns false if there is no memory. */
bool pmi_rank_create(pmi_rank *rank, const pm_allocator *allocator, const uint64_t *parens, size_t n);

/* Frees the directory. */
void pmi_rank_destroy(pmi_rank *rank, const pm_allocator *allocator);

/* Returns the number of opens before element i < n. */
static inline uint32_t pmi_rank_open(const pmi_rank *rank, size_t i) {
    const uint64_t earlier = rank->parens[i / PM_WORD_BITS] & pmi_bits_low(i % PM_WORD_BITS);
    return rank->before[i / PM_WORD_BITS] + pmi_bits_count(earlier);
}

typedef struct pmi_forest {
    const uint64_t *parens;
    size_t n;
    const uint32_t *match; /* passed pmi_match_check() */
    const pmi_rank *rank;  /* numbers the nodes; NULL: a node's name is the index of its open */
} pmi_forest;

/* Writes to out[node] for each node, by its name, what the node relates to: a name, PM_NONE, or a count. */
typedef void pmi_forest_relation(const pmi_forest *forest, uint32_t *out);

pmi_forest_relation pmi_forest_depth, pmi_forest_parent, pmi_forest_prev_sibling, pmi_forest_next_sibling,
    pmi_forest_first_child, pmi_forest_subtree_size;

#endif
