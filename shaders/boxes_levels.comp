/* SPDX-License-Identifier: Apache-2.0 */
/* Of each block, an invocation for each tile: the heights of tiles' starts, and the block's part of the tree of least
 * heights. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/layout.h"
#define PM_TREES_ACCESS
#include "shaders/boxes.glsl"
#include "shaders/boxes_block.glsl"
#include "shaders/boxes_levels.glsl"

void main() {
    const uint my_block = first + gl_WorkGroupID.x;
    ivec2 before = ivec2(0);
    for (uint b = invocation; b < blocks; b += INVOCATIONS) {
        const ivec2 record = block_record.at[b];
        before += ivec2(b < my_block ? record.x : 0, 0);
        before.y |= record.y;
    }
    before = block_sum(before);
    levels_make(my_block, before.x);
    if (my_block == 0 && invocation == 0)
        scene_has.at[0] = before.y;
}
