/* SPDX-License-Identifier: Apache-2.0 */
/* One pass over a slice of a sequence, in which values of a monoid flow down its nodes or up. */
#ifndef PM_CPU_TREES_WALK_H
#define PM_CPU_TREES_WALK_H

#include <string.h>

#include "cpu/slice_stack.h"

/* A forest, its nodes numbered in preorder, and a value for each node. */
typedef struct pmi_value_tree {
    const uint64_t *parens;
    size_t n;
    const pm_monoid *monoid;
    const void *values;
    void *out;
} pmi_value_tree;

/* Elements begin ... end - 1, of which the first open is node `first`. */
typedef struct pmi_node_range {
    size_t begin, end;
    uint32_t first;
} pmi_node_range;

/* What lies below the stack of a slice going down. Where there is nothing: zeros. */
typedef struct pmi_scan_outside {
    const pmi_slice_effect *slices; /* of the sequence; their survivors are node numbers */
    pmi_portion stack;              /* the nodes open before the slice */
    const uint32_t *survivors;      /* the slice's own, top first: */
    size_t survivor_count;          /* their number; they have their results already */
} pmi_scan_outside;

/* A product that grows at its end or at its beginning. `value` and `spare` are room for a value each. */
typedef struct pmi_product {
    void *value, *spare;
    bool some; /* of any factor yet */
} pmi_product;

static inline const void *pmi_value_of(const pmi_value_tree *tree, uint32_t node) {
    return (const unsigned char *)tree->values + (size_t)node * tree->monoid->size;
}

static inline void *pmi_result_of(const pmi_value_tree *tree, uint32_t node) {
    return (unsigned char *)tree->out + (size_t)node * tree->monoid->size;
}

/* product = product times factor. */
void pmi_product_append(pmi_product *product, const pm_monoid *monoid, const void *factor);

/* product = factor times product. */
void pmi_product_prepend(pmi_product *product, const pm_monoid *monoid, const void *factor);

/* What comes down to a root, and to a node from its parent, whose result is there and which may be a root. */
void pmi_scan_root(const pmi_value_tree *tree, pm_scan_mode scan, uint32_t root);
void pmi_scan_child(const pmi_value_tree *tree, pm_scan_mode scan, uint32_t node, uint32_t parent, bool of_root);

/* Going down: the results of the range's nodes. `stack` has room for as many nodes. */
void pmi_scan_walk(const pmi_value_tree *tree, pm_scan_mode scan, pmi_node_range range, uint32_t *stack,
                   pmi_scan_outside *outside);

/* Going up: the products of the range's nodes, as if all of them were closed at its end. `stack` has room for as many
 * nodes; `total`, which has no factor yet, receives the product of all, if it has a value. */
void pmi_reduce_walk(const pmi_value_tree *tree, pmi_node_range range, uint32_t *stack, pmi_product *total);

#endif
