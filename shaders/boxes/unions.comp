/* SPDX-License-Identifier: Apache-2.0 */
/* After match: each block's part of the tree of unions. */
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/lanes.glsl"
#define PM_SCRATCH_ACCESS
#include "shaders/boxes/boxes.glsl"
#include "shaders/boxes/words.glsl"
#include "shaders/boxes/block.glsl"

shared ivec4 team_unions[PM_TEAMS_MAX];

void main() {
    if ((scene_has.at[0] & PM_BOXES_HAS_BLENDS) == 0)
        return;
    const uint my_block = first + gl_WorkGroupID.x, node = blocks + my_block, tile = my_block * BLOCK + mine;
    ivec4 reach = NOWHERE;
    if (tile < tiles)
        reach = tree_covered.at[leaves + tile];
    else
        tree_covered.at[leaves + tile] = reach;
    [[dont_unroll]] for (uint children = 2; children <= PM_LANES; children *= 2) {
        const ivec4 other = lanes_shuffle(reach, lane ^ children / 2);
        reach = max(reach, other);
        if (lane % children == 0)
            tree_covered.at[node * (BLOCK / children) + mine / children] = reach;
    }
    if (lane == 0)
        team_unions[team] = reach;
    barrier();
    if (team > 0)
        return;
    reach = lane < teams ? team_unions[lane % PM_TEAMS_MAX] : NOWHERE;
    [[dont_unroll]] for (uint children = 2; children <= teams; children *= 2) {
        const ivec4 other = lanes_shuffle(reach, lane ^ children / 2);
        reach = max(reach, other);
        if (lane % children == 0 && lane < teams)
            tree_covered.at[node * (teams / children) + lane / children] = reach;
    }
}
