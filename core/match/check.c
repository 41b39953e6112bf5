/* SPDX-License-Identifier: Apache-2.0 */
/* Is a match that came from outside safe to follow? */
#include "core/match/check.h"
#include "base/slice.h"

pm_status pmi_match_check(const uint64_t *parens, size_t n, const uint32_t *match, bool outputs_present) {
    const pm_status status = pmi_arguments_check(n, parens && match && outputs_present);
    if (status != PM_OK)
        return status;
    for (size_t i = 0; i < n; i++)
        if (match[i] != PM_NONE && (match[i] >= i || !pmi_bits_get(parens, match[i])))
            return PM_INVALID_ARGUMENT;
    return PM_OK;
}
