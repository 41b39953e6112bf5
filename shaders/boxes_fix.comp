/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last stage of boxes, a tile for each team: blends that tiles cut. What is known of such a blend stands in two
 * places: of its own tile at the blend, of its end's tile at the end. What lies between is in the tree of unions. A
 * blend that is never closed goes on to the last tile.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lanes.glsl"
#define PM_TREES_ACCESS
#include "shaders/boxes.glsl"
#include "shaders/boxes_chunk.glsl"

void blend_complete(uint tile, uint end) {
    const uint blend = blend_closed.at[end];
    const ivec4 parts = max(reach_of_box(results.at[blend]), reach_of_box(results.at[end]));
    const ivec4 box = box_of_reach(max(parts, covered_between(blend / PM_BOXES_TILE + 1, tile)));
    results.at[blend] = box;
    results.at[end] = box;
}

/* The least height of later tiles, if it is above `height`. */
int least_after(uint tile, int height) {
    int low = 0x7fffffff;
    for (uint node = leaves + tile; node > 1 && low > height; node /= 2)
        low = node % 2 == 0 ? min(low, tree_least.at[node + 1]) : low;
    return low;
}

/* The tile's lowest `nodes` survivors are never closed. */
void blends_leave_open(uint tile, int nodes) {
    const ivec4 rest = covered_between(tile + 1, tiles);
    const uint begin = tile * PM_BOXES_TILE + lane * PM_BOXES_CHUNK;
    uint bits = lane_byte(tile_survivors.at[tile * PM_BOXES_TILE_WORDS + lane / 4]);
    int below = int(lanes_inclusive_add(bitCount(bits))) - bitCount(bits);
    for (; bits != 0 && below < nodes; bits &= bits - 1, below++) {
        const uint blend = begin + findLSB(bits);
        if (kind_of(blend) == 2)
            results.at[blend] = box_of_reach(max(reach_of_box(results.at[blend]), rest));
    }
}

void main() {
    const uint index = gl_WorkGroupID.x * teams + team;
    if (index >= count || (scene_has.at[0] & PM_BOXES_HAS_BLENDS) == 0)
        return;
    const uint tile = first + index;
    const uint begin = tile * PM_BOXES_TILE + lane * PM_BOXES_CHUNK;
    for (uint bits = lane_byte(tile_closers.at[tile * PM_BOXES_TILE_WORDS + lane / 4]); bits != 0; bits &= bits - 1)
        blend_complete(tile, begin + findLSB(bits));

    const int low = tree_least.at[leaves + tile], end = tile_start.at[tile] + tile_record.at[tile].x;
    if (end > low) {
        const int nodes = min(end, least_after(tile, low)) - low;
        if (nodes > 0)
            blends_leave_open(tile, nodes);
    }
}
