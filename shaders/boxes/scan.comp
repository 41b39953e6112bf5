/* SPDX-License-Identifier: Apache-2.0 */
/* The second stage of boxes where all tiles are one block: one workgroup does all of it. And the first, where there is no
 * more than four tiles for each of its teams. */
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/lanes.glsl"
#define PM_SCRATCH_ACCESS coherent
#include "shaders/boxes/boxes.glsl"
#include "shaders/boxes/words.glsl"
#include "shaders/boxes/block.glsl"
#include "shaders/boxes/levels.glsl"
#define tree_node(node) tree_least.at[node]
#include "shaders/boxes/links.glsl"
#include "shaders/boxes/tiles_reduce.glsl"

void main() {
    if (tiles <= teams * PM_BOXES_TEAM_TILES) {
        if (team * PM_BOXES_TEAM_TILES < tiles)
            tiles_reduce(team * PM_BOXES_TEAM_TILES, tiles);
        memoryBarrierBuffer();
        barrier();
    }
    const ivec2 record = mine < tiles ? tile_record.at[mine] : ivec2(0);
    int before;
    const ivec2 sum = block_sum(ivec2(record.x, PM_BOXES_HAS(record.y)), before);
    if (mine == 0)
        scene_has.at[0] = sum.y;
    levels_make(0, 0, record, before);
    memoryBarrierBuffer();
    barrier();
    links_make(0);
}
