/* SPDX-License-Identifier: Apache-2.0 */
/* Making pioneers (base/bp_index.h). */
#ifndef PM_CORE_BP_PIONEERS_H
#define PM_CORE_BP_PIONEERS_H

#include "base/bp_index.h"

/* Adds pioneers to an index that is finished. False when there is no memory. */
bool pmi_bp_add_pioneers(struct pm_bp *bp);

#endif
