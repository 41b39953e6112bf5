/* SPDX-License-Identifier: Apache-2.0 */
/* The second stage of boxes where all tiles are one block: one workgroup does all of it. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/layout.h"
#define PM_TREES_ACCESS coherent
#include "shaders/boxes.glsl"
#include "shaders/boxes_block.glsl"
#include "shaders/boxes_levels.glsl"
#include "shaders/boxes_links.glsl"

void main() {
    const ivec2 record = invocation < tiles ? tile_record.at[invocation] : ivec2(0);
    const int has = block_sum(ivec2(0, PM_BOXES_HAS(record.y))).y;
    if (invocation == 0)
        scene_has.at[0] = has;
    levels_make(0, 0);
    memoryBarrierBuffer();
    barrier();
    links_make(0);
}
