/* SPDX-License-Identifier: Apache-2.0 */
/* Scans of trees on one thread (seq.c), and on several, each at work on slices of the sequence (omp.c). The public
 * functions have checked the arguments; n > 0; `nodes` is the number of the tree's nodes. All four may return
 * PM_OUT_OF_MEMORY. */
#ifndef PM_CPU_TREES_SCAN_H
#define PM_CPU_TREES_SCAN_H

#include "cpu/trees/walk.h"

pm_status pmi_seq_scan(const pm_allocator *allocator, const pmi_value_tree *tree, size_t nodes, pm_scan_mode scan);
pm_status pmi_seq_reduce(const pm_allocator *allocator, const pmi_value_tree *tree, size_t nodes);
pm_status pmi_omp_scan(const pm_allocator *allocator, const pmi_slice_plan *plan, const pmi_value_tree *tree,
                       size_t nodes, pm_scan_mode scan);
pm_status pmi_omp_reduce(const pm_allocator *allocator, const pmi_slice_plan *plan, const pmi_value_tree *tree,
                         size_t nodes);

/* Divides n elements among at most `most` threads (0: as many as OpenMP gives); 1 thread where more would not pay. */
pmi_slice_plan pmi_scan_plan_make(size_t n, unsigned most);

#endif
