/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ordered forest that a sequence and its match are, and the relations between its nodes: written once, for nodes
 * named by their open's index and for nodes numbered in preorder.
 */
#ifndef PM_CORE_FOREST_H
#define PM_CORE_FOREST_H

#include "core/rank.h"

typedef struct pm_forest {
    const uint64_t *parens;
    size_t n;
    const uint32_t *match; /* passed pm_match_check() */
    const pm_rank *rank;   /* numbers the nodes; NULL: a node's name is the index of its open */
} pm_forest;

/* Writes to out[node] for each node, by its name, what the node relates to: a name, PM_NONE, or a count. */
typedef void pm_forest_relation(const pm_forest *forest, uint32_t *out);

pm_forest_relation pm_forest_depth, pm_forest_parent, pm_forest_prev_sibling, pm_forest_next_sibling,
    pm_forest_first_child, pm_forest_subtree_size;

#endif
