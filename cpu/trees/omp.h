/* SPDX-License-Identifier: Apache-2.0 */
/* Scans of trees with several threads, each at work on slices of the sequence. */
#ifndef PM_CPU_TREES_OMP_H
#define PM_CPU_TREES_OMP_H

#include "cpu/slice_stack.h"
#include "cpu/trees/walk.h"

/* The division of n elements among at most `most` threads (0: as many as OpenMP gives); 1 thread where more would not
 * pay. */
pmi_slice_plan pmi_scan_plan_make(size_t n, unsigned most);

/* Both may return PM_OUT_OF_MEMORY. `nodes` are the tree's. */
pm_status pmi_omp_scan(const pm_allocator *allocator, const pmi_slice_plan *plan, const pmi_value_tree *tree,
                       size_t nodes, pm_scan_mode scan);
pm_status pmi_omp_reduce(const pm_allocator *allocator, const pmi_slice_plan *plan, const pmi_value_tree *tree,
                         size_t nodes);

#endif
