/* SPDX-License-Identifier: Apache-2.0 */
/* What an index of a deep sequence in the caches has beside what is saved: where far partners begin. */
#ifndef PM_CORE_BP_STRETCHES_H
#define PM_CORE_BP_STRETCHES_H

#include "base/bp_index.h"

/* Which kind a sequence is, by the lines of its index. */
pmi_bp_kind pmi_bp_kind_of(const struct pm_bp *bp);

/* Makes far_close and far_open of an index with narrow levels that has its other arrays, of no more than
 * PM_BP_NEAR_MOST elements. False when there is no memory. */
bool pmi_bp_add_stretches(struct pm_bp *bp);

#endif
