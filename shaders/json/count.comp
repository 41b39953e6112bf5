/* SPDX-License-Identifier: Apache-2.0 */
/* The fourth stage, one workgroup: how many tokens and brackets are before each tile, and the order there; and of how
 * many there are. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/json/index.glsl"

#define EXCHANGED uvec4 /* as of a tile, without its quoting */
#define NOTHING uvec4(0, 0, 0, PM_INDEX_NOTHING)

uvec4 compose(uvec4 before, uvec4 behind) {
    return uvec4(0, before.yz + behind.yz, order_compose(before.w, behind.w));
}

#include "shaders/json/exchange.glsl"

void main() {
    const uint count = tile_count();
    uvec4 before = uvec4(0, 0, 0, PM_INDEX_AFTER_COLON);
    for (uint begin = 0; begin < count; begin += PM_INDEX_ROW * PM_INDEX_LANES) {
        const uint tile = begin + PM_INDEX_ROW * lane;
        uvec4 own[PM_INDEX_ROW], row = NOTHING, all;
        [[unroll]] for (uint k = 0; k < PM_INDEX_ROW; k++) {
            own[k] = NOTHING;
            if (tile + k < count)
                own[k] = tiles.at[tile + k];
            row = compose(row, own[k]);
        }
        uvec4 here = compose(before, workgroup_before(row, all));
        before = compose(before, all);
        [[unroll]] for (uint k = 0; k < PM_INDEX_ROW; k++) {
            if (tile + k < count)
                tiles.at[tile + k] = here;
            here = compose(here, own[k]);
        }
    }
    if (lane != 0)
        return;
    tiles.at[count] = before;
    found.at[PM_INDEX_FOUND_ORDER] = before.w;
    result.at[PM_INDEX_RESULT_TOKENS] = before.y;
    result.at[PM_INDEX_RESULT_BRACKETS] = before.z;
}
