/* SPDX-License-Identifier: Apache-2.0 */
/* The first stage of boxes, four tiles for each team. */
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/lanes.glsl"
#define PM_SCRATCH_ACCESS
#include "shaders/boxes/boxes.glsl"
#include "shaders/boxes/words.glsl"
#include "shaders/boxes/tiles_reduce.glsl"

void main() {
    const uint index = (gl_WorkGroupID.x * teams + team) * PM_BOXES_TEAM_TILES;
    if (index < count)
        tiles_reduce(first + index, first + count);
}
