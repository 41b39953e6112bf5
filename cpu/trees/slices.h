/* SPDX-License-Identifier: Apache-2.0 */
/* The slices of a packed sequence, for threads to take: how many nodes each has, and what each does to the stack. */
#ifndef PM_CPU_TREES_SLICES_H
#define PM_CPU_TREES_SLICES_H

#include "cpu/threads.h"
#include "cpu/trees/walk.h"

typedef struct pmi_tree_slices {
    const pmi_value_tree *tree;
    unsigned threads;
    size_t slice_size; /* elements of each slice but the last */
    size_t count;
    uint32_t *first;          /* node of each slice; count + 1 entries */
    pmi_slice_effect *effect; /* of each slice; survivors are node numbers */
    uint32_t *survivors;      /* room for as many as there are nodes */
    pmi_portion last;         /* the stack after the last slice */
} pmi_tree_slices;

/* Counts the nodes, with all threads: fills in `first`. */
void pmi_tree_slices_count(pmi_tree_slices *slices);

/* Reduces every slice and scans them: fills in `effect`, `survivors`, `last`. */
void pmi_tree_slices_scan(pmi_tree_slices *slices);

static inline pmi_node_range pmi_tree_slice_range(const pmi_tree_slices *slices, size_t s) {
    const size_t begin = s * slices->slice_size, left = slices->tree->n - begin;
    return (pmi_node_range){begin, begin + pmi_min(left, slices->slice_size), slices->first[s]};
}

#endif
