/* SPDX-License-Identifier: Apache-2.0 */
/* Building an index in steps, the first of which, the lines, several threads may share. */
#ifndef PM_CORE_BP_BUILD_H
#define PM_CORE_BP_BUILD_H

#include "base/bp_index.h"
#include "core/context/context.h"

/* An index for n <= PM_BP_MOST elements, its sequence known and its arrays not. NULL when there is no memory. */
struct pm_bp *pmi_bp_allocate_empty(const pm_allocator *allocator, const uint64_t *parens, uint64_t n, bool wide);

/* An index for n <= PM_BP_MOST elements: room for all but the hints, nothing filled in yet. NULL when there is none. */
struct pm_bp *pmi_bp_allocate(const pm_allocator *allocator, const uint64_t *parens, uint64_t n, bool wide);

/* Fills the lines of superblocks first ... first + count - 1. */
void pmi_bp_fill_lines(struct pm_bp *bp, const pmi_bp_kernel *kernel, uint64_t first, uint64_t count);

/* Fills in what follows from the lines. False when there is no memory for the hints. */
bool pmi_bp_finish(struct pm_bp *bp);

/* Bytes of the index's arrays but the hints, which lie one behind the other; and pm_bp's pointers to these. */
size_t pmi_bp_arrays_size(const struct pm_bp *bp);
void pmi_bp_place_arrays(struct pm_bp *bp, const void *memory);

/* Hints for the number of opens, and their bytes. */
uint64_t pmi_bp_hint_count(const struct pm_bp *bp);
size_t pmi_bp_hints_size(const struct pm_bp *bp);

/* Bytes that must follow the arrays, as a row's end may be read past. */
#define PM_BP_SLACK (PM_BP_FAN_OUT * sizeof(int64_t))

#endif
