/* SPDX-License-Identifier: Apache-2.0 */
/* The first stage of boxes, a tile for each team. */
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/lanes.glsl"
#define PM_SCRATCH_ACCESS
#include "shaders/boxes.glsl"
#include "shaders/boxes_chunk.glsl"
#include "shaders/boxes_tile_reduce.glsl"

void main() {
    const uint index = gl_WorkGroupID.x * teams + team;
    if (index < count)
        tile_reduce(first + index);
}
