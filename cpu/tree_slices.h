/* SPDX-License-Identifier: Apache-2.0 */
/* The slices of a packed sequence, for threads to take: how many nodes each has, and what each does to the stack. */
#ifndef PM_CPU_TREE_SLICES_H
#define PM_CPU_TREE_SLICES_H

#include "cpu/division.h"
#include "cpu/scan_walk.h"

typedef struct pm_tree_slices {
    const pm_value_tree *tree;
    unsigned threads;
    size_t slice_size; /* elements of each slice but the last */
    size_t count;
    uint32_t *first;         /* node of each slice; count + 1 entries */
    pm_slice_effect *effect; /* of each slice; survivors are node numbers */
    uint32_t *survivors;     /* room for as many as there are nodes */
    pm_portion last;         /* the stack after the last slice */
} pm_tree_slices;

/* Counts the nodes, with all threads: fills in `first`. */
void pm_tree_slices_count(pm_tree_slices *slices);

/* Reduces every slice and scans them: fills in `effect`, `survivors`, `last`. */
void pm_tree_slices_scan(pm_tree_slices *slices);

static inline pm_node_range pm_tree_slice_range(const pm_tree_slices *slices, size_t s) {
    const size_t begin = s * slices->slice_size, left = slices->tree->n - begin;
    return (pm_node_range){begin, begin + pm_least(left, slices->slice_size), slices->first[s]};
}

#endif
