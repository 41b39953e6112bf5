/* SPDX-License-Identifier: Apache-2.0 */
/* What the files behind pm_bp share, and what tests do that callers cannot. */
#ifndef PM_CORE_BP_BP_H
#define PM_CORE_BP_BP_H

#include "base/bp_index.h"

/* pm_bp_create_with() with levels of the width asked for: wide ones are else for sequences alone that tests cannot
 * hold. */
pm_status pmi_bp_create_wide(pm_context *context, const pm_bp_options *options, const uint64_t *parens, uint64_t n,
                             bool wide, pm_bp **bp);

/* Sets the queries of an index that has its arrays to those of the context's implementation, and adds what they need.
 * False when there is no memory. */
bool pmi_bp_set_queries(struct pm_bp *bp, const pm_context *context);

#endif
