/* SPDX-License-Identifier: Apache-2.0 */
/* The order of a lane's tokens. */
uint lane_order(uvec2 all, uvec2 opens, uvec2 commas, uvec2 colons, uvec2 strings) {
    if (!mask_any(all))
        return PM_INDEX_NOTHING;
    const uint last = mask_last(all);
    if (mask_get(strings, last)) {
        const uvec2 others = all & mask_low(last);
        if (!mask_any(others))
            return PM_INDEX_STRING;
        return mask_get(opens | commas, mask_last(others)) ? PM_INDEX_AFTER_KEY : PM_INDEX_AFTER_VALUE;
    }
    return mask_get(opens, last)    ? PM_INDEX_AFTER_OPEN
           : mask_get(commas, last) ? PM_INDEX_AFTER_COMMA
           : mask_get(colons, last) ? PM_INDEX_AFTER_COLON
                                    : PM_INDEX_AFTER_VALUE;
}
