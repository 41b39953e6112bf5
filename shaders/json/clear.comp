/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fifth stage: a word of parens that brackets of two tiles share, or that is not full, gets its bits by one tile and
 * another, in any order; so it is 0 before. A workgroup does so for a tile for each of its lanes.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/json/index.glsl"

void main() {
    const uint tile = first + gl_WorkGroupID.x * PM_INDEX_LANES + lane;
    if (tile > tile_count())
        return;
    const uint bracket = min(tiles.at[tile][PM_INDEX_TILE_BRACKETS], capacity);
    if (bracket % 32 != 0)
        parens.at[bracket / 32] = 0;
}
