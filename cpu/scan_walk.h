/* SPDX-License-Identifier: Apache-2.0 */
/* One pass over a slice of a sequence, in which values of a monoid flow down its nodes or up. */
#ifndef PM_CPU_SCAN_WALK_H
#define PM_CPU_SCAN_WALK_H

#include <string.h>

#include "cpu/slice_stack.h"

/* A forest, its nodes numbered in preorder, and a value for each node. */
typedef struct pm_value_tree {
    const uint64_t *parens;
    size_t n;
    const pm_monoid *monoid;
    const void *values;
    void *out;
} pm_value_tree;

/* Elements begin ... end - 1, of which the first open is node `first`. */
typedef struct pm_node_range {
    size_t begin, end;
    uint32_t first;
} pm_node_range;

/* What lies below the stack of a slice going down. Where there is nothing: zeros. */
typedef struct pm_scan_outside {
    const pm_slice_effect *slices; /* of the sequence; their survivors are node numbers */
    pm_portion stack;              /* the nodes open before the slice */
    const uint32_t *survivors;     /* the slice's own, top first: */
    size_t survivor_count;         /* so many, which have their results already */
} pm_scan_outside;

/* A product that grows at its end or at its beginning. `value` and `spare` are room for a value each. */
typedef struct pm_product {
    void *value, *spare;
    bool some; /* of any factor yet */
} pm_product;

static inline const void *pm_value_of(const pm_value_tree *tree, uint32_t node) {
    return (const unsigned char *)tree->values + (size_t)node * tree->monoid->size;
}

static inline void *pm_result_of(const pm_value_tree *tree, uint32_t node) {
    return (unsigned char *)tree->out + (size_t)node * tree->monoid->size;
}

/* product = product times factor. */
void pm_product_append(pm_product *product, const pm_monoid *monoid, const void *factor);

/* product = factor times product. */
void pm_product_prepend(pm_product *product, const pm_monoid *monoid, const void *factor);

/* What comes down to a root, and to a node from its parent, whose result is there and which may be a root. */
void pm_scan_root(const pm_value_tree *tree, pm_scan scan, uint32_t root);
void pm_scan_child(const pm_value_tree *tree, pm_scan scan, uint32_t node, uint32_t parent, bool of_root);

/* Going down: the results of the range's nodes. `stack` has room for as many nodes. */
void pm_scan_walk(const pm_value_tree *tree, pm_scan scan, pm_node_range range, uint32_t *stack,
                  pm_scan_outside *outside);

/* Going up: the products of the range's nodes, as if all of them were closed at its end. `stack` has room for as many
 * nodes; `total`, which has no factor yet, receives the product of all, if it has a value. */
void pm_reduce_walk(const pm_value_tree *tree, pm_node_range range, uint32_t *stack, pm_product *total);

#endif
