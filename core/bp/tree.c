/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree view: nodes are opens. With P the excess before an element and e the end of a node at i, its close or n, the
 * node's descendants are the opens between i and e, and its children those at excess P(i) + 1, the minimum there.
 */
#include "base/bp_index.h"

#define NO_LIMIT UINT64_MAX

static bool is_node(const pm_bp *bp, uint64_t i) {
    return i < bp->view.n && pmi_bits_get(bp->view.parens, i);
}

static int64_t excess(const pm_bp *bp, uint64_t i) {
    return bp->queries.excess(bp, i);
}

/* The close of a node, or n. */
static uint64_t subtree_end(const pm_bp *bp, uint64_t node) {
    const uint64_t close = bp->queries.find_close(bp, node);
    return close < bp->view.n ? close : bp->view.n;
}

uint64_t pm_bp_parent(const pm_bp *bp, uint64_t node) {
    return is_node(bp, node) ? bp->queries.enclose(bp, node) : PM_BP_NONE;
}

/* Does the top row of the range-min tree show that no excess is below 0? */
static bool never_below(const pm_bp *bp) {
    if (bp->rows == 0)
        return false;
    const unsigned top = bp->rows - 1;
    int64_t all = 0; /* negative if one is */
    for (uint64_t k = 0; k < bp->row_length[top]; k++)
        all |= bp->view.wide ? ((const int64_t *)bp->min[top])[k] : ((const int32_t *)bp->min[top])[k];
    return all >= 0;
}

/* A node's depth is its excess above the minimum excess before it; unmatched closes bring that below 0. */
uint64_t pm_bp_depth(const pm_bp *bp, uint64_t node) {
    if (!is_node(bp, node))
        return PM_BP_NONE;
    return (uint64_t)(excess(bp, node) - (never_below(bp) ? 0 : bp->queries.min(bp, 0, node)));
}

bool pm_bp_is_leaf(const pm_bp *bp, uint64_t node) {
    return is_node(bp, node) && !is_node(bp, node + 1);
}

uint64_t pm_bp_first_child(const pm_bp *bp, uint64_t node) {
    return is_node(bp, node) && is_node(bp, node + 1) ? node + 1 : PM_BP_NONE;
}

/* Of children that are open at the end the outermost is the last one; else the element before the end is the close of
 * the last one. */
uint64_t pm_bp_last_child(const pm_bp *bp, uint64_t node) {
    if (!is_node(bp, node))
        return PM_BP_NONE;
    const uint64_t end = subtree_end(bp, node);
    if (end == node + 1)
        return PM_BP_NONE;
    const int64_t open = excess(bp, end) - excess(bp, node) - 1;
    return open > 0 ? bp->queries.search_backwards(bp, end, (uint64_t)open) : bp->queries.find_open(bp, end - 1);
}

/* Between roots there may be unmatched closes, of which other siblings know nothing. */
uint64_t pm_bp_next_sibling(const pm_bp *bp, uint64_t node) {
    const uint64_t close = bp->queries.find_close(bp, node);
    if (close >= bp->view.n)
        return PM_BP_NONE;
    if (is_node(bp, close + 1))
        return close + 1;
    if (bp->queries.enclose(bp, node) != PM_BP_NONE)
        return PM_BP_NONE;
    return bp->queries.select_open(bp, bp->queries.rank_open(bp, close));
}

uint64_t pm_bp_prev_sibling(const pm_bp *bp, uint64_t node) {
    if (!is_node(bp, node) || node == 0 || is_node(bp, node - 1))
        return PM_BP_NONE;
    const uint64_t open = bp->queries.find_open(bp, node - 1);
    if (open != PM_BP_NONE)
        return open;
    /* A root behind unmatched closes. All that comes after the last open closes, one after the other, its ancestors. */
    const uint64_t earlier = bp->queries.rank_open(bp, node);
    if (earlier == 0)
        return PM_BP_NONE;
    const uint64_t last = bp->queries.select_open(bp, earlier - 1);
    return bp->queries.find_open(bp, last + 1 + pm_bp_depth(bp, last));
}

uint64_t pm_bp_subtree_size(const pm_bp *bp, uint64_t node) {
    if (!is_node(bp, node))
        return 0;
    return bp->queries.rank_open(bp, subtree_end(bp, node)) - bp->queries.rank_open(bp, node);
}

uint64_t pm_bp_degree(const pm_bp *bp, uint64_t node) {
    if (!is_node(bp, node) || !is_node(bp, node + 1))
        return 0;
    uint64_t last;
    return bp->queries.count_min(bp, node + 1, subtree_end(bp, node) - 1, excess(bp, node) + 1, NO_LIMIT, &last);
}

uint64_t pm_bp_child(const pm_bp *bp, uint64_t node, uint64_t k) {
    if (!is_node(bp, node) || !is_node(bp, node + 1) || k == NO_LIMIT)
        return PM_BP_NONE;
    uint64_t child;
    const uint64_t found =
        bp->queries.count_min(bp, node + 1, subtree_end(bp, node) - 1, excess(bp, node) + 1, k + 1, &child);
    return found == k + 1 ? child : PM_BP_NONE;
}

uint64_t pm_bp_level_ancestor(const pm_bp *bp, uint64_t node, uint64_t distance) {
    if (!is_node(bp, node) || distance > node)
        return PM_BP_NONE;
    return distance == 0 ? node : bp->queries.search_backwards(bp, node, distance);
}

bool pm_bp_is_ancestor(const pm_bp *bp, uint64_t ancestor, uint64_t node) {
    return is_node(bp, ancestor) && is_node(bp, node) && ancestor <= node && node < subtree_end(bp, ancestor);
}

/* The last open before `a` whose excess is below all between the two nodes; `a` itself, if it is. */
uint64_t pm_bp_lca(const pm_bp *bp, uint64_t a, uint64_t b) {
    if (!is_node(bp, a) || !is_node(bp, b))
        return PM_BP_NONE;
    const uint64_t first = a < b ? a : b, second = a < b ? b : a;
    if (first == second)
        return first;
    const int64_t fall = excess(bp, first) + 1 - bp->queries.min(bp, first + 1, second);
    return fall > 0 ? bp->queries.search_backwards(bp, first, (uint64_t)fall) : first;
}

uint64_t pm_bp_preorder_rank(const pm_bp *bp, uint64_t node) {
    return is_node(bp, node) ? bp->queries.rank_open(bp, node) : PM_BP_NONE;
}

uint64_t pm_bp_preorder_select(const pm_bp *bp, uint64_t k) {
    return bp->queries.select_open(bp, k);
}
