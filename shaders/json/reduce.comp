/* SPDX-License-Identifier: Apache-2.0 */
/* The first stage: the quoting of each tile. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/json/index.glsl"
#include "shaders/json/classes.glsl"
#include "shaders/json/quoting.glsl"

void main() {
    const uint tile = first + gl_WorkGroupID.x;
    planes_load(tile * PM_INDEX_TILE + lane * PM_INDEX_LANE_BYTES);
    const uint all = workgroup_all(lane_quoting());
    if (lane == 0)
        tiles.at[tile][PM_INDEX_TILE_QUOTING] = all;
}
