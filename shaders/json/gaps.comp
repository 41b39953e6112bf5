/* SPDX-License-Identifier: Apache-2.0 */
/* The stage behind write, one workgroup: of the first bracket of each tile, what is in the gap before the tile. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/json/index.glsl"

#define EXCHANGED uint
#define NOTHING 0

uint compose(uint before, uint behind) {
    return gap_compose(before, behind);
}

#include "shaders/json/exchange.glsl"

/* Adds what is in the gap before a tile. */
void bracket_add(uint tile, uint gap) {
    const uint bracket = tiles.at[tile][PM_INDEX_TILE_BRACKETS];
    const uint flags = gap & (PM_INDEX_MEMBER | PM_INDEX_ELEMENT);
    if (flags != 0 && bracket < capacity)
        list.at[bracket].y |= flags;
}

void main() {
    const uint count = tile_count();
    uint before = 0;
    for (uint begin = 0; begin < count; begin += PM_INDEX_ROW * PM_INDEX_LANES) {
        const uint tile = begin + PM_INDEX_ROW * lane;
        uint own[PM_INDEX_ROW], row = NOTHING, all;
        [[unroll]] for (uint k = 0; k < PM_INDEX_ROW; k++) {
            own[k] = NOTHING;
            if (tile + k < count)
                own[k] = tiles.at[tile + k][PM_INDEX_TILE_QUOTING];
            row = compose(row, own[k]);
        }
        uint here = compose(before, workgroup_before(row, all));
        before = compose(before, all);
        [[unroll]] for (uint k = 0; k < PM_INDEX_ROW; k++) {
            if ((own[k] & PM_INDEX_BRACKET) != 0)
                bracket_add(tile + k, here);
            here = compose(here, own[k]);
        }
    }
}
