/* SPDX-License-Identifier: Apache-2.0 */
/* What creating an index asks of the one file that knows which instructions and how many threads there are. */
#ifndef PM_CORE_BP_CREATE_H
#define PM_CORE_BP_CREATE_H

#include "base/bp_index.h"

/* The implementation that a context uses. */
const pmi_bp_kernel *pmi_bp_kernel_of(const pm_context *context);

/* Fills all lines, by as many threads as the context allows where that pays. */
void pmi_bp_fill_all_lines(const pm_context *context, struct pm_bp *bp);

#endif
