/* SPDX-License-Identifier: Apache-2.0 */
/* Scans of trees on one thread. Arguments are the public functions', already checked; n > 0. */
#ifndef PM_CPU_SCAN_SEQ_H
#define PM_CPU_SCAN_SEQ_H

#include "cpu/scan_walk.h"

/* Both may return PM_OUT_OF_MEMORY. `nodes` are the tree's. */
pm_status pm_scan_sequential(const pm_allocator *allocator, const pm_value_tree *tree, size_t nodes, pm_scan scan);
pm_status pm_reduce_sequential(const pm_allocator *allocator, const pm_value_tree *tree, size_t nodes);

#endif
