/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of a given match: is it right, may it be followed, are the kinds of its pairs equal? The first is proved by
 * induction: what is on top of the stack before element i + 1 follows from element i and from matches already proved.
 * A wrong value is noticed before it is used as an index.
 */
#include "core/match/match.h"

pm_status pm_match_verify(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match, size_t *wrong) {
    (void)context;
    const pm_status status = pmi_arguments_check(n, parens && match);
    if (status != PM_OK)
        return status;
    uint32_t top = PM_NONE;
    for (size_t i = 0; i < n; i++) {
        if (match[i] != top) {
            if (wrong)
                *wrong = i;
            return PM_CORRUPT;
        }
        if (pmi_bits_get(parens, i))
            top = (uint32_t)i;
        else if (top != PM_NONE)
            top = match[top];
    }
    return PM_OK;
}

pm_status pmi_match_check(const uint64_t *parens, size_t n, const uint32_t *match, bool outputs_present) {
    const pm_status status = pmi_arguments_check(n, parens && match && outputs_present);
    if (status != PM_OK)
        return status;
    for (size_t i = 0; i < n; i++)
        if (match[i] != PM_NONE && (match[i] >= i || !pmi_bits_get(parens, match[i])))
            return PM_INVALID_ARGUMENT;
    return PM_OK;
}

pm_status pm_match_check_kinds(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                               const uint8_t *kinds, size_t capacity, uint32_t *mismatched, size_t *found) {
    (void)context;
    if (!found)
        return PM_INVALID_ARGUMENT;
    const pm_status status = pmi_match_check(parens, n, match, kinds && (mismatched || capacity == 0));
    if (status != PM_OK)
        return status;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (pmi_bits_get(parens, i) || match[i] == PM_NONE || kinds[match[i]] == kinds[i])
            continue;
        if (count < capacity)
            mismatched[count] = (uint32_t)i;
        count++;
    }
    *found = count;
    return PM_OK;
}
