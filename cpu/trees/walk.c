/* SPDX-License-Identifier: Apache-2.0 */
/* The walks, from open to open. Going down, a node needs its parent's result alone; going up, a node that is closed
 * joins its parent's product, which has grown in its place in `out`. So the stack is of node numbers, not of values. */
#include "cpu/trees/walk.h"

static void product_take(pmi_product *product) {
    void *const taken = product->spare;
    product->spare = product->value;
    product->value = taken;
}

void pmi_product_append(pmi_product *product, const pm_monoid *monoid, const void *factor) {
    if (product->some)
        monoid->combine(product->spare, product->value, factor, monoid->user);
    else
        memcpy(product->spare, factor, monoid->size);
    product->some = true;
    product_take(product);
}

void pmi_product_prepend(pmi_product *product, const pm_monoid *monoid, const void *factor) {
    if (product->some)
        monoid->combine(product->spare, factor, product->value, monoid->user);
    else
        memcpy(product->spare, factor, monoid->size);
    product->some = true;
    product_take(product);
}

/* ---- Down */

void pmi_scan_root(const pmi_value_tree *tree, pm_scan_mode scan, uint32_t root) {
    const void *const down = scan == PM_SCAN_INCLUSIVE ? pmi_value_of(tree, root) : tree->monoid->identity;
    memcpy(pmi_result_of(tree, root), down, tree->monoid->size);
}

void pmi_scan_child(const pmi_value_tree *tree, pm_scan_mode scan, uint32_t node, uint32_t parent, bool of_root) {
    const pm_monoid *const monoid = tree->monoid;
    void *const result = pmi_result_of(tree, node);
    if (scan == PM_SCAN_INCLUSIVE)
        monoid->combine(result, pmi_result_of(tree, parent), pmi_value_of(tree, node), monoid->user);
    else if (!of_root)
        monoid->combine(result, pmi_result_of(tree, parent), pmi_value_of(tree, parent), monoid->user);
    else
        memcpy(result, pmi_value_of(tree, parent), monoid->size); /* the product of one value is that value */
}

/* The next node that the slice leaves open; PM_NONE after the last. */
static uint32_t next_survivor(pmi_scan_outside *outside) {
    return outside->survivor_count > 0 ? outside->survivors[--outside->survivor_count] : PM_NONE;
}

/* A node that has no node of its slice above it. */
static void scan_below_outside(const pmi_value_tree *tree, pm_scan_mode scan, uint32_t node,
                               const pmi_scan_outside *outside) {
    const pmi_slice_effect *const slices = outside->slices;
    const pmi_portion stack = outside->stack;
    if (stack.count > 0)
        pmi_scan_child(tree, scan, node, pmi_portion_top(slices, stack), pmi_portion_pop(slices, stack).count == 0);
    else
        pmi_scan_root(tree, scan, node);
}

/* Closes nodes: those of the slice's own stack first, then those below it. Returns the depth of the slice's stack. */
static size_t close_several(pmi_scan_outside *outside, size_t depth, size_t closes) {
    if (closes <= depth)
        return depth - closes;
    for (closes -= depth; closes > 0 && outside->stack.count > 0; closes--)
        outside->stack = pmi_portion_pop(outside->slices, outside->stack);
    return 0;
}

void pmi_scan_walk(const pmi_value_tree *tree, pm_scan_mode scan, pmi_node_range range, uint32_t *stack,
                   pmi_scan_outside *outside) {
    size_t depth = 0, seen = range.begin;
    uint32_t node = range.first, survivor = next_survivor(outside);
    for (size_t i; (i = pmi_bits_next(tree->parens, range.end, seen)) < range.end; seen = i + 1) {
        depth = close_several(outside, depth, i - seen);
        if (node == survivor)
            survivor = next_survivor(outside);
        else if (depth > 0)
            pmi_scan_child(tree, scan, node, stack[depth - 1], depth == 1 && outside->stack.count == 0);
        else
            scan_below_outside(tree, scan, node, outside);
        stack[depth++] = node++;
    }
}

/* ---- Up */

/* The top of the stack is closed: it joins its parent's product, or that of all. */
static size_t close_top(const pmi_value_tree *tree, const uint32_t *stack, size_t depth, pmi_product *total) {
    const void *const closed = pmi_result_of(tree, stack[depth - 1]);
    if (depth > 1) {
        void *const parent = pmi_result_of(tree, stack[depth - 2]);
        tree->monoid->combine(total->spare, parent, closed, tree->monoid->user);
        memcpy(parent, total->spare, tree->monoid->size);
    } else if (total->value) {
        pmi_product_append(total, tree->monoid, closed);
    }
    return depth - 1;
}

void pmi_reduce_walk(const pmi_value_tree *tree, pmi_node_range range, uint32_t *stack, pmi_product *total) {
    size_t depth = 0, seen = range.begin;
    uint32_t node = range.first;
    for (size_t i; (i = pmi_bits_next(tree->parens, range.end, seen)) < range.end; seen = i + 1) {
        for (size_t closes = i - seen; closes > 0 && depth > 0; closes--)
            depth = close_top(tree, stack, depth, total);
        memcpy(pmi_result_of(tree, node), pmi_value_of(tree, node), tree->monoid->size);
        stack[depth++] = node++;
    }
    while (depth > 0)
        depth = close_top(tree, stack, depth, total);
}
