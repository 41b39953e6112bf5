/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a forest, as depth vector or parent vector, to its balanced sequence. In preorder, the k opens before that of
 * node k are all closed before it too, except those of its ancestors; so it stands at 2k - depth. Verification returns
 * the first entry that makes a vector invalid.
 */
#include <string.h>

#include "base/slice.h"
#include "core/context/context.h"

#define NODES_MAX (UINT32_MAX / 2) /* so that 2 * nodes elements have 32-bit indices */

static pm_status nodes_check(size_t nodes, bool arrays_present) {
    if (nodes > NODES_MAX)
        return PM_TOO_LARGE;
    return nodes == 0 || arrays_present ? PM_OK : PM_INVALID_ARGUMENT;
}

/* A sequence of 2 * nodes closes, in which opens are then put. */
static void parens_clear(uint64_t *parens, size_t nodes) {
    if (nodes > 0)
        memset(parens, 0, pmi_bits_words(2 * nodes) * sizeof *parens);
}

/* Puts the k-th open. */
static void parens_open(uint64_t *parens, size_t k, size_t depth) {
    const size_t position = 2 * k - depth;
    parens[position / PM_WORD_BITS] |= UINT64_C(1) << position % PM_WORD_BITS;
}

/* Puts the opens of nodes of these depths (parens NULL: nowhere). Returns the first that cannot be, or `nodes`. */
static size_t open_by_depth(const uint32_t *depth, size_t nodes, uint64_t *parens) {
    uint32_t deepest = 0; /* that the next node may be: a child of the one before */
    for (size_t k = 0; k < nodes; k++) {
        if (depth[k] > deepest)
            return k;
        if (parens)
            parens_open(parens, k, depth[k]);
        deepest = depth[k] + 1;
    }
    return nodes;
}

pm_status pm_parens_from_depth(pm_context *context, const uint32_t *depth, size_t nodes, uint64_t *parens) {
    (void)context;
    const pm_status status = nodes_check(nodes, depth && parens);
    if (status != PM_OK)
        return status;
    parens_clear(parens, nodes);
    return open_by_depth(depth, nodes, parens) == nodes ? PM_OK : PM_INVALID_ARGUMENT;
}

/* What a verification comes to, by the first wrong entry or `nodes`. */
static pm_status verdict(size_t first, size_t nodes, size_t *wrong) {
    if (first == nodes)
        return PM_OK;
    if (wrong)
        *wrong = first;
    return PM_CORRUPT;
}

pm_status pm_depth_verify(pm_context *context, const uint32_t *depth, size_t nodes, size_t *wrong) {
    (void)context;
    const pm_status status = nodes_check(nodes, depth);
    return status == PM_OK ? verdict(open_by_depth(depth, nodes, NULL), nodes, wrong) : status;
}

/* A node's parent, PM_NONE for either way of saying that it is a root. */
static uint32_t parent_of(const uint32_t *parent, uint32_t node) {
    return parent[node] == node ? PM_NONE : parent[node];
}

/*
 * Numbers the nodes in preorder. Each parent has a list of its children, last first, and `nodes` itself stands for the
 * parent of the roots. Nodes discovered and not yet visited are a stack at the far end of `order`: together with the
 * visited ones at its near end they are never more than all. A node on a cycle, or below one, is never discovered.
 */
static pm_status preorder(const uint32_t *parent, uint32_t nodes, uint32_t *last_child, uint32_t *prev_sibling,
                          uint32_t *order) {
    for (uint32_t node = 0; node <= nodes; node++)
        last_child[node] = PM_NONE;
    for (uint32_t node = 0; node < nodes; node++) {
        const uint32_t above = parent_of(parent, node);
        if (above != PM_NONE && above >= nodes)
            return PM_INVALID_ARGUMENT;
        uint32_t *list = &last_child[above == PM_NONE ? nodes : above];
        prev_sibling[node] = *list;
        *list = node;
    }

    uint32_t visited = 0, discovered = nodes;
    for (uint32_t child = last_child[nodes]; child != PM_NONE; child = prev_sibling[child])
        order[--discovered] = child;
    while (discovered < nodes) {
        const uint32_t node = order[discovered++];
        order[visited++] = node;
        for (uint32_t child = last_child[node]; child != PM_NONE; child = prev_sibling[child])
            order[--discovered] = child;
    }
    return visited == nodes ? PM_OK : PM_INVALID_ARGUMENT;
}

static pm_status preorder_allocating(const pm_context *context, const uint32_t *parent, size_t nodes, uint32_t *order) {
    const pm_allocator allocator = pm_context_allocator(context);
    uint32_t *lists = pmi_memory_allocate(&allocator, 2 * nodes + 1, sizeof *lists);
    if (!lists)
        return PM_OUT_OF_MEMORY;
    const pm_status status = preorder(parent, (uint32_t)nodes, lists, lists + nodes + 1, order);
    pmi_memory_free(&allocator, lists);
    return status;
}

/*
 * Puts the opens of nodes that come in the given order (NULL: that of their numbers; parens NULL: nowhere). The parent
 * vector links the open nodes from the innermost outwards; those inside the next node's parent end before it, and a
 * parent that is not among them makes the order no preorder. Returns the first place in it of such a node, or `nodes`.
 */
static size_t open_in_order(const uint32_t *parent, size_t nodes, const uint32_t *order, uint64_t *parens) {
    uint32_t innermost = PM_NONE;
    size_t depth = 0; /* open nodes */
    for (size_t k = 0; k < nodes; k++) {
        const uint32_t node = order ? order[k] : (uint32_t)k;
        for (; innermost != parent_of(parent, node); depth--) {
            if (innermost == PM_NONE)
                return k;
            innermost = parent_of(parent, innermost);
        }
        if (parens)
            parens_open(parens, k, depth);
        depth++;
        innermost = node;
    }
    return nodes;
}

pm_status pm_parens_from_parent(pm_context *context, const uint32_t *parent, size_t nodes, uint64_t *parens,
                                uint32_t *order) {
    pm_status status = nodes_check(nodes, parent && parens);
    if (status == PM_OK && order && nodes > 0)
        status = preorder_allocating(context, parent, nodes, order);
    if (status != PM_OK)
        return status;
    parens_clear(parens, nodes);
    return open_in_order(parent, nodes, order, parens) == nodes ? PM_OK : PM_INVALID_ARGUMENT;
}

/* Returns the first node of the cycle that a node is on. */
static uint32_t min_of_cycle(const uint32_t *parent, uint32_t node) {
    uint32_t min = node;
    for (uint32_t above = parent[node]; above != node; above = parent[above])
        min = above < min ? above : min;
    return min;
}

/*
 * Returns the first node whose parent is not a node, or which is on a cycle; or `nodes`. From each node on the way
 * up is walked, to where a walk has been: if that was this walk, there is a cycle. `walks` has room for `nodes`
 * numbers.
 */
static uint32_t first_wrong_parent(const uint32_t *parent, uint32_t nodes, uint32_t *walks) {
    uint32_t first = nodes;
    for (uint32_t node = 0; node < nodes; node++)
        walks[node] = PM_NONE;
    for (uint32_t begin = 0; begin < first; begin++) { /* all that is wrong and less than `first` is seen from there */
        uint32_t node = begin, above;
        for (; walks[node] == PM_NONE; node = above) {
            walks[node] = begin;
            above = parent_of(parent, node);
            if (above == PM_NONE)
                break;
            if (above >= nodes) {
                first = node < first ? node : first;
                break;
            }
            if (walks[above] == begin) {
                const uint32_t min = min_of_cycle(parent, above);
                first = min < first ? min : first;
                break;
            }
        }
    }
    return first;
}

pm_status pm_parent_verify(pm_context *context, const uint32_t *parent, size_t nodes, bool in_preorder, size_t *wrong) {
    const pm_status status = nodes_check(nodes, parent);
    if (status != PM_OK || nodes == 0)
        return status;
    if (in_preorder)
        return verdict(open_in_order(parent, nodes, NULL, NULL), nodes, wrong);
    const pm_allocator allocator = pm_context_allocator(context);
    uint32_t *const walks = pmi_memory_allocate(&allocator, nodes, sizeof *walks);
    if (!walks)
        return PM_OUT_OF_MEMORY;
    const size_t first = first_wrong_parent(parent, (uint32_t)nodes, walks);
    pmi_memory_free(&allocator, walks);
    return verdict(first, nodes, wrong);
}
