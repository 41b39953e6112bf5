/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs whose open and close are of two kinds. */
#include "base/slice.h"
#include "core/match/check.h"

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
