/* SPDX-License-Identifier: Apache-2.0 */
/* Scans of trees on one thread. Arguments are the public functions', already checked; n > 0. */
#ifndef PM_CPU_TREES_SEQ_H
#define PM_CPU_TREES_SEQ_H

#include "cpu/trees/walk.h"

/* Both may return PM_OUT_OF_MEMORY. `nodes` are the tree's. */
pm_status pmi_seq_scan(const pm_allocator *allocator, const pmi_value_tree *tree, size_t nodes, pm_scan_mode scan);
pm_status pmi_seq_reduce(const pm_allocator *allocator, const pmi_value_tree *tree, size_t nodes);

#endif
