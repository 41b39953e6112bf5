/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ordered forest that a sequence and its match are, and the relations between its nodes: written once, for nodes
 * named by their open's index and for nodes numbered in preorder.
 */
#ifndef PM_CORE_TREES_FOREST_H
#define PM_CORE_TREES_FOREST_H

#include "core/trees/rank.h"

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
