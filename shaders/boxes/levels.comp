/* SPDX-License-Identifier: Apache-2.0 */
/* Of each of several blocks, an invocation for each tile: the heights of tiles' starts, and the block's part of the tree
 * of least heights. */
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/lanes.glsl"
#define PM_SCRATCH_ACCESS
#include "shaders/boxes/boxes.glsl"
#include "shaders/boxes/block.glsl"
#include "shaders/boxes/levels.glsl"

void main() {
    const uint my_block = first + gl_WorkGroupID.x, tile = my_block * BLOCK + mine;
    ivec2 blocks_before = ivec2(0);
    for (uint b = mine; b < blocks; b += BLOCK) {
        const ivec2 record = block_record.at[b];
        blocks_before = ivec2(blocks_before.x + (b < my_block ? record.x : 0), blocks_before.y | PM_BOXES_HAS(record.y));
    }
    int before;
    blocks_before = block_sum(blocks_before, before);
    const ivec2 record = tile < tiles ? tile_record.at[tile] : ivec2(0);
    block_sum(record, before);
    levels_make(my_block, blocks_before.x, record, before);
    if (my_block == 0 && mine == 0)
        scene_has.at[0] = blocks_before.y;
}
