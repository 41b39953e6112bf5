/* SPDX-License-Identifier: Apache-2.0 */
/* Of each of several blocks, an invocation for each tile: the heights of tiles' starts, and the block's part of the tree
 * of least heights. Of few blocks each looks at the tiles of all, instead of their sums. */
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/lanes.glsl"
#define PM_SCRATCH_ACCESS
#include "shaders/boxes/boxes.glsl"
#include "shaders/boxes/block.glsl"
#include "shaders/boxes/levels.glsl"

/* What the invocation's share of the blocks before changes the height by, and which nodes are in that of all. */
ivec2 blocks_look(uint my_block) {
    ivec2 sum = ivec2(0);
    for (uint b = mine; b < blocks; b += BLOCK) {
        const ivec2 record = block_record.at[b];
        sum = ivec2(sum.x + (b < my_block ? record.x : 0), sum.y | PM_BOXES_HAS(record.y));
    }
    return sum;
}

/* The same where there are few, by their tiles, all on their way together; past the last it is that again. */
ivec2 tiles_look(uint my_block) {
    ivec2 record[PM_BOXES_FEW_BLOCKS], sum = ivec2(0);
    [[unroll]] for (uint b = 0; b < PM_BOXES_FEW_BLOCKS; b++)
        record[b] = tile_record.at[min(b * BLOCK + mine, tiles - 1)];
    [[unroll]] for (uint b = 0; b < PM_BOXES_FEW_BLOCKS; b++)
        sum = ivec2(sum.x + (b < my_block ? record[b].x : 0), sum.y | PM_BOXES_HAS(record[b].y));
    return sum;
}

void main() {
    const uint my_block = first + gl_WorkGroupID.x, tile = my_block * BLOCK + mine;
    const bool are_few = blocks <= PM_BOXES_FEW_BLOCKS;
    const ivec2 record = tile < tiles ? tile_record.at[tile] : ivec2(0);
    int before;
    const ivec2 blocks_before = block_sum(are_few ? tiles_look(my_block) : blocks_look(my_block), before);
    const ivec2 sum = block_sum(ivec2(record.x, PM_BOXES_HAS(record.y)), before);
    levels_make(my_block, blocks_before.x, record, before);
    if (my_block == 0 && mine == 0)
        scene_has.at[0] = blocks_before.y;
    if (are_few) { /* for the order of tiles */
        const int sparse = block_add(ivec2(PM_BOXES_IS_SPARSE(record.y), 0)).x;
        if (mine == 0)
            block_record.at[my_block] = ivec2(sum.x, PM_BOXES_BLOCK_PACK(sparse, sum.y));
    }
}
