/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is this the match of that sequence? By induction: what is on top of the stack before element i + 1 follows from
 * element i and from matches already proved. A wrong value is noticed before it is used as an index.
 */
#include "base/arguments.h"
#include "base/slice.h"

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
