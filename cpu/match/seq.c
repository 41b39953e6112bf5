/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reference implementation: one plain stack.
 *
 * The stack needs no memory of its own. An open's match is what lay below it when it was pushed, so `match` itself
 * links every open on the stack to the next one down, and popping is following that link.
 */
#include "cpu/match/match.h"

void pmi_seq_match(const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    uint32_t top = PM_NONE;
    pm_bic unmatched = {0, 0};
    for (size_t i = 0; i < n; i++) {
        match[i] = top;
        if (pmi_bits_get(parens, i)) {
            top = (uint32_t)i;
            unmatched.open++;
        } else if (top != PM_NONE) {
            top = match[top];
            unmatched.open--;
        } else {
            unmatched.close++;
        }
    }
    *total = unmatched;
}

pm_status pmi_seq_match_masks(const uint64_t *opens, const uint64_t *closes, size_t n, uint32_t *match, pm_bic *total) {
    uint32_t top = PM_NONE;
    pm_bic unmatched = {0, 0};
    for (size_t i = 0; i < n; i++) {
        const bool open = pmi_bits_get(opens, i), close = pmi_bits_get(closes, i);
        if (open && close)
            return PM_INVALID_ARGUMENT;
        match[i] = top;
        if (open) {
            top = (uint32_t)i;
            unmatched.open++;
        } else if (close && top != PM_NONE) {
            top = match[top];
            unmatched.open--;
        } else if (close) {
            unmatched.close++;
        }
    }
    *total = unmatched;
    return PM_OK;
}
