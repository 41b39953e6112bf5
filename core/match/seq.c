/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions of the plain stack. */
#include "core/match/match.h"

pm_status pm_match_seq(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    (void)context; /* the sequential stack needs neither memory nor settings */
    pm_bic sum = {0, 0};
    const pm_status status = pmi_arguments_check(n, parens && match);
    if (status == PM_OK && n > 0)
        pmi_seq_match(parens, n, match, &sum);
    return pmi_total_store(status, sum, total);
}

pm_status pm_match_masks(pm_context *context, const uint64_t *opens, const uint64_t *closes, size_t n, uint32_t *match,
                         pm_bic *total) {
    (void)context;
    pm_bic sum = {0, 0};
    pm_status status = pmi_arguments_check(n, opens && closes && match);
    if (status == PM_OK && n > 0)
        status = pmi_seq_match_masks(opens, closes, n, match, &sum);
    return pmi_total_store(status, sum, total);
}
