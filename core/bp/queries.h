/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The public queries that come down to a few, for a static index (pm_bp) and for a sequence that changes (pm_edit). The
 * file that includes this defines
 *   SEQUENCE          the type
 *   QUERY(name)       the public name of a query
 *   LENGTH(s)         the elements
 *   IS_OPEN(s, i)     whether element i is an open, i < n
 *   IS_BATCH(s)       whether the array has several sequences
 *   BEGIN_OF(s, i)    the first element of the sequence of element i < n,
 *   END_OF(s, i)      and the first behind it
 *   MIN_BEFORE(s, i)  the minimum of the excesses from the beginning of that sequence to P(i)
 *
 * The tree view: nodes are opens. Let P be the excess before an element, and e the end of a node at i: its close or its
 * sequence's end. The node's descendants are the opens between i and e. Its children are those at excess P(i) + 1, the
 * minimum there.
 */
#include "base/bp_index.h"

#define NO_LIMIT UINT64_MAX

uint64_t QUERY(rank_open)(const SEQUENCE *s, uint64_t i) {
    return s->queries.rank_open(s, i);
}

uint64_t QUERY(rank_close)(const SEQUENCE *s, uint64_t i) {
    return (i < LENGTH(s) ? i : LENGTH(s)) - s->queries.rank_open(s, i);
}

uint64_t QUERY(select_open)(const SEQUENCE *s, uint64_t k) {
    return s->queries.select_open(s, k);
}

/* P(end) from the beginning of the sequence of the element before. */
static int64_t excess_in_sequence(const SEQUENCE *s, uint64_t end) {
    return end == 0 ? 0 : s->queries.excess(s, end) - s->queries.excess(s, BEGIN_OF(s, end - 1));
}

int64_t QUERY(excess)(const SEQUENCE *s, uint64_t i) {
    const uint64_t end = i < LENGTH(s) ? i + 1 : LENGTH(s);
    return IS_BATCH(s) ? excess_in_sequence(s, end) : s->queries.excess(s, end);
}

uint64_t QUERY(find_close)(const SEQUENCE *s, uint64_t i) {
    return s->queries.find_close(s, i);
}

uint64_t QUERY(find_open)(const SEQUENCE *s, uint64_t i) {
    return s->queries.find_open(s, i);
}

uint64_t QUERY(enclose)(const SEQUENCE *s, uint64_t i) {
    return s->queries.enclose(s, i);
}

uint64_t QUERY(select_unmatched_close)(const SEQUENCE *s, uint64_t k) {
    return k < LENGTH(s) && !IS_BATCH(s) ? s->queries.search_forwards(s, 0, k + 1) : PM_BP_NONE;
}

uint64_t QUERY(select_unmatched_open)(const SEQUENCE *s, uint64_t k) {
    return k < LENGTH(s) && !IS_BATCH(s) ? s->queries.search_backwards(s, LENGTH(s), k + 1) : PM_BP_NONE;
}

static bool is_node(const SEQUENCE *s, uint64_t i) {
    return i < LENGTH(s) && IS_OPEN(s, i);
}

static int64_t excess(const SEQUENCE *s, uint64_t i) {
    return s->queries.excess(s, i);
}

/* Is element i + 1 an open of the sequence of element i? */
static bool is_node_behind(const SEQUENCE *s, uint64_t i) {
    return is_node(s, i + 1) && (!IS_BATCH(s) || i + 1 < END_OF(s, i));
}

/* The close of a node, or the end of its sequence. */
static uint64_t subtree_end(const SEQUENCE *s, uint64_t node) {
    const uint64_t close = s->queries.find_close(s, node);
    return close < LENGTH(s) ? close : END_OF(s, node);
}

/* Walks up from an element by `fall`, but not out of its sequence. */
static uint64_t ascend(const SEQUENCE *s, uint64_t node, uint64_t fall) {
    const uint64_t found = s->queries.search_backwards(s, node, fall);
    return found == PM_BP_NONE || found >= BEGIN_OF(s, node) ? found : PM_BP_NONE;
}

uint64_t QUERY(parent)(const SEQUENCE *s, uint64_t node) {
    return is_node(s, node) ? s->queries.enclose(s, node) : PM_BP_NONE;
}

/* A node's depth is its excess above the minimum excess before it; unmatched closes bring that below 0. */
uint64_t QUERY(depth)(const SEQUENCE *s, uint64_t node) {
    if (!is_node(s, node))
        return PM_BP_NONE;
    return (uint64_t)(excess(s, node) - MIN_BEFORE(s, node));
}

bool QUERY(is_leaf)(const SEQUENCE *s, uint64_t node) {
    return is_node(s, node) && !is_node_behind(s, node);
}

uint64_t QUERY(first_child)(const SEQUENCE *s, uint64_t node) {
    return is_node(s, node) && is_node_behind(s, node) ? node + 1 : PM_BP_NONE;
}

/* Of children that are open at the end the outermost is the last one; else the element before the end is the close of
 * the last one. */
uint64_t QUERY(last_child)(const SEQUENCE *s, uint64_t node) {
    if (!is_node(s, node))
        return PM_BP_NONE;
    const uint64_t end = subtree_end(s, node);
    if (end == node + 1)
        return PM_BP_NONE;
    const int64_t open = excess(s, end) - excess(s, node) - 1;
    return open > 0 ? s->queries.search_backwards(s, end, (uint64_t)open) : s->queries.find_open(s, end - 1);
}

/* Between roots there may be unmatched closes, of which other siblings know nothing. */
uint64_t QUERY(next_sibling)(const SEQUENCE *s, uint64_t node) {
    const uint64_t close = s->queries.find_close(s, node);
    if (close >= LENGTH(s))
        return PM_BP_NONE;
    if (is_node_behind(s, close))
        return close + 1;
    if (s->queries.enclose(s, node) != PM_BP_NONE)
        return PM_BP_NONE;
    const uint64_t next = s->queries.select_open(s, s->queries.rank_open(s, close));
    return next < END_OF(s, node) ? next : PM_BP_NONE;
}

uint64_t QUERY(prev_sibling)(const SEQUENCE *s, uint64_t node) {
    if (!is_node(s, node) || node == 0 || is_node(s, node - 1))
        return PM_BP_NONE;
    const uint64_t begin = BEGIN_OF(s, node);
    if (node == begin)
        return PM_BP_NONE;
    const uint64_t open = s->queries.find_open(s, node - 1);
    if (open != PM_BP_NONE)
        return open;
    /* A root behind unmatched closes. All that comes after the last open closes, one after the other, its ancestors. */
    const uint64_t earlier = s->queries.rank_open(s, node);
    if (earlier == (begin == 0 ? 0 : s->queries.rank_open(s, begin)))
        return PM_BP_NONE;
    const uint64_t last = s->queries.select_open(s, earlier - 1);
    return s->queries.find_open(s, last + 1 + QUERY(depth)(s, last));
}

uint64_t QUERY(subtree_size)(const SEQUENCE *s, uint64_t node) {
    if (!is_node(s, node))
        return 0;
    return s->queries.rank_open(s, subtree_end(s, node)) - s->queries.rank_open(s, node);
}

uint64_t QUERY(degree)(const SEQUENCE *s, uint64_t node) {
    if (!is_node(s, node) || !is_node_behind(s, node))
        return 0;
    uint64_t last;
    return s->queries.count_min(s, node + 1, subtree_end(s, node) - 1, excess(s, node) + 1, NO_LIMIT, &last);
}

uint64_t QUERY(child)(const SEQUENCE *s, uint64_t node, uint64_t k) {
    if (!is_node(s, node) || !is_node_behind(s, node) || k == NO_LIMIT)
        return PM_BP_NONE;
    uint64_t child;
    const uint64_t found =
        s->queries.count_min(s, node + 1, subtree_end(s, node) - 1, excess(s, node) + 1, k + 1, &child);
    return found == k + 1 ? child : PM_BP_NONE;
}

uint64_t QUERY(level_ancestor)(const SEQUENCE *s, uint64_t node, uint64_t distance) {
    if (!is_node(s, node) || distance > node)
        return PM_BP_NONE;
    return distance == 0 ? node : ascend(s, node, distance);
}

bool QUERY(is_ancestor)(const SEQUENCE *s, uint64_t ancestor, uint64_t node) {
    return is_node(s, ancestor) && is_node(s, node) && ancestor <= node && node < subtree_end(s, ancestor);
}

/* The last open before `a` whose excess is below all between the two nodes; `a` itself, if it is. */
uint64_t QUERY(lca)(const SEQUENCE *s, uint64_t a, uint64_t b) {
    if (!is_node(s, a) || !is_node(s, b))
        return PM_BP_NONE;
    const uint64_t first = a < b ? a : b, second = a < b ? b : a;
    if (first == second)
        return first;
    if (IS_BATCH(s) && second >= END_OF(s, first))
        return PM_BP_NONE;
    const int64_t fall = excess(s, first) + 1 - s->queries.min(s, first + 1, second);
    return fall > 0 ? ascend(s, first, (uint64_t)fall) : first;
}

uint64_t QUERY(preorder_rank)(const SEQUENCE *s, uint64_t node) {
    return is_node(s, node) ? s->queries.rank_open(s, node) : PM_BP_NONE;
}

uint64_t QUERY(preorder_select)(const SEQUENCE *s, uint64_t k) {
    return s->queries.select_open(s, k);
}
