/* SPDX-License-Identifier: Apache-2.0 */
/* The second stage, one workgroup: the state before each tile. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/json/index.glsl"
#include "shaders/json/quoting.glsl"

void main() {
    const uint count = tile_count();
    uint state = 0;
    for (uint begin = 0; begin < count; begin += PM_INDEX_ROW * PM_INDEX_LANES) {
        const uint tile = begin + PM_INDEX_ROW * lane;
        uint own[PM_INDEX_ROW], row = NOTHING, all;
        [[unroll]] for (uint k = 0; k < PM_INDEX_ROW; k++) {
            own[k] = NOTHING;
            if (tile + k < count)
                own[k] = tiles.at[tile + k][PM_INDEX_TILE_QUOTING];
            row = compose(row, own[k]);
        }
        uint here = quoting_follow(workgroup_before(row, all), state);
        state = quoting_follow(all, state);
        [[unroll]] for (uint k = 0; k < PM_INDEX_ROW; k++) {
            if (tile + k < count)
                tiles.at[tile + k][PM_INDEX_TILE_QUOTING] = here;
            here = quoting_follow(own[k], here);
        }
    }
    if (lane < PM_INDEX_FOUND_WORDS)
        found.at[lane] = lane == PM_INDEX_FOUND_INSIDE ? state & PM_INDEX_ODD : 0;
}
