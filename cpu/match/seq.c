/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reference implementation: one plain stack.
 *
 * The stack needs no memory of its own. An open's match is what lay below it when it was pushed, so `match` itself
 * links every open on the stack to the next one down, and popping is following that link.
 */
#include "cpu/match/match.h"

/* Matches n elements from `first` on. */
static inline pm_bic match_from(const uint64_t *parens, size_t first, size_t n, uint32_t *match) {
    uint32_t top = PM_NONE;
    pm_bic unmatched = {0, 0};
    for (size_t i = 0; i < n; i++) {
        match[i] = top;
        if (pmi_bits_get(parens, first + i)) {
            top = (uint32_t)i;
            unmatched.open++;
        } else if (top != PM_NONE) {
            top = match[top];
            unmatched.open--;
        } else {
            unmatched.close++;
        }
    }
    return unmatched;
}

void pmi_seq_match(const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    *total = match_from(parens, 0, n, match);
}

void pmi_seq_match_batch(const pmi_batch *batch) {
    for (size_t s = 0; s < batch->count; s++) {
        const uint64_t first = batch->offsets[s];
        const pm_bic total = match_from(batch->parens, first, pmi_batch_length(batch, s), batch->match + first);
        if (batch->totals)
            batch->totals[s] = total;
    }
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
