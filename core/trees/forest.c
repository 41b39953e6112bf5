/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Relations between the nodes of a forest. None needs a stack: the match has each open's parent, and the elements
 * next to an open determine its siblings and children.
 */
#include "core/trees/forest.h"

/* ---- Rank ---- */

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

/* ---- Relations ---- */

/* Returns the name of the node that opens at an index; PM_NONE for PM_NONE. */
static inline uint32_t node_name(const pmi_forest *forest, uint32_t open) {
    return forest->rank && open != PM_NONE ? pmi_rank_open(forest->rank, open) : open;
}

/* Returns the first open at or after an index, or n; for loops over all opens in order. */
static inline size_t next_open(const pmi_forest *forest, size_t i) {
    return pmi_bits_next(forest->parens, forest->n, i);
}

void pmi_forest_parent(const pmi_forest *forest, uint32_t *out) {
    for (size_t open = next_open(forest, 0); open < forest->n; open = next_open(forest, open + 1))
        out[node_name(forest, (uint32_t)open)] = node_name(forest, forest->match[open]);
}

/* Parents come before their children. */
void pmi_forest_depth(const pmi_forest *forest, uint32_t *out) {
    for (size_t open = next_open(forest, 0); open < forest->n; open = next_open(forest, open + 1)) {
        const uint32_t parent = forest->match[open];
        out[node_name(forest, (uint32_t)open)] = parent == PM_NONE ? 0 : out[node_name(forest, parent)] + 1;
    }
}

/* A subtree is its root and its children's subtrees; children come after their parents, so backwards. */
void pmi_forest_subtree_size(const pmi_forest *forest, uint32_t *out) {
    for (size_t open = next_open(forest, 0); open < forest->n; open = next_open(forest, open + 1))
        out[node_name(forest, (uint32_t)open)] = 1;
    for (size_t i = forest->n; i-- > 0;)
        if (pmi_bits_get(forest->parens, i) && forest->match[i] != PM_NONE)
            out[node_name(forest, forest->match[i])] += out[node_name(forest, (uint32_t)i)];
}

void pmi_forest_first_child(const pmi_forest *forest, uint32_t *out) {
    for (size_t open = next_open(forest, 0); open < forest->n; open = next_open(forest, open + 1)) {
        const bool leaf = open + 1 == forest->n || !pmi_bits_get(forest->parens, open + 1);
        out[node_name(forest, (uint32_t)open)] = leaf ? PM_NONE : node_name(forest, (uint32_t)(open + 1));
    }
}

/*
 * The open of the previous sibling. Among roots that is the root before, over any unmatched closes between; this one
 * then takes its place in *last_root. Elsewhere the element before is the parent, or the close of the sibling.
 */
static uint32_t sibling_before(const pmi_forest *forest, size_t open, uint32_t *last_root) {
    if (forest->match[open] == PM_NONE) {
        const uint32_t before = *last_root;
        *last_root = (uint32_t)open;
        return before;
    }
    return pmi_bits_get(forest->parens, open - 1) ? PM_NONE : forest->match[open - 1];
}

void pmi_forest_prev_sibling(const pmi_forest *forest, uint32_t *out) {
    uint32_t last_root = PM_NONE;
    for (size_t open = next_open(forest, 0); open < forest->n; open = next_open(forest, open + 1))
        out[node_name(forest, (uint32_t)open)] = node_name(forest, sibling_before(forest, open, &last_root));
}

/* A node has no next sibling until one finds it to be its previous. */
void pmi_forest_next_sibling(const pmi_forest *forest, uint32_t *out) {
    uint32_t last_root = PM_NONE;
    for (size_t open = next_open(forest, 0); open < forest->n; open = next_open(forest, open + 1)) {
        const uint32_t node = node_name(forest, (uint32_t)open);
        const uint32_t before = sibling_before(forest, open, &last_root);
        out[node] = PM_NONE;
        if (before != PM_NONE)
            out[node_name(forest, before)] = node;
    }
}
