/* SPDX-License-Identifier: Apache-2.0 */
/* The sequential stack. Arguments are the public functions', already checked; n > 0; total may not be NULL. */
#ifndef PM_CPU_MATCH_SEQ_H
#define PM_CPU_MATCH_SEQ_H

#include "base/slice.h"

void pmi_seq_match(const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total);

/* PM_INVALID_ARGUMENT for an element that is both open and close. */
pm_status pmi_seq_match_masks(const uint64_t *opens, const uint64_t *closes, size_t n, uint32_t *match, pm_bic *total);

#endif
