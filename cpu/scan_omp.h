/* SPDX-License-Identifier: Apache-2.0 */
/* Scans of trees with several threads, each at work on slices of the sequence. */
#ifndef PM_CPU_SCAN_OMP_H
#define PM_CPU_SCAN_OMP_H

#include "cpu/scan_walk.h"
#include "cpu/slice_stack.h"

/* The division of n elements among at most `most` threads (0: as many as OpenMP gives); 1 thread where more would not
 * pay. */
pm_slice_plan pm_scan_plan_make(size_t n, unsigned most);

/* Both may return PM_OUT_OF_MEMORY. `nodes` are the tree's. */
pm_status pm_scan_parallel(const pm_allocator *allocator, const pm_slice_plan *plan, const pm_value_tree *tree,
                           size_t nodes, pm_scan scan);
pm_status pm_reduce_parallel(const pm_allocator *allocator, const pm_slice_plan *plan, const pm_value_tree *tree,
                             size_t nodes);

#endif
