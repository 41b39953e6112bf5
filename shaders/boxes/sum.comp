/* SPDX-License-Identifier: Apache-2.0 */
/* Before the scan of many blocks: what each changes the height by, and which nodes are in it. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/lanes.glsl"
#define PM_SCRATCH_ACCESS
#include "shaders/boxes/boxes.glsl"
#include "shaders/boxes/block.glsl"

void main() {
    const uint my_block = first + gl_WorkGroupID.x, tile = my_block * BLOCK + mine;
    const ivec2 record = tile < tiles ? tile_record.at[tile] : ivec2(0);
    int before;
    const ivec2 sum = block_sum(ivec2(record.x, PM_BOXES_HAS(record.y)), before);
    const int sparse = block_add(ivec2(PM_BOXES_IS_SPARSE(record.y), 0)).x;
    if (mine == 0)
        block_record.at[my_block] = ivec2(sum.x, PM_BOXES_BLOCK_PACK(sparse, sum.y));
}
