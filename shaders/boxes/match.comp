/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The third stage of boxes, a tile for each workgroup, which is one team; a lane has a chunk. Sparse tiles may be left to
 * boxes_match_sparse.comp.
 *
 * The tile lies in the workgroup's memory, a reach for each element, and what is known of an element stands in its place
 * there: first its box as it is given; of an end that closes a node of a tile before, that node; then what all clips above
 * leave of it; and of blends and their ends the unions. So no other stack is needed: a node's place in the tile is its
 * name.
 *
 * Loops over a chunk are not unrolled: where there are few tiles, instructions that have not been fetched yet are what
 * takes longest.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/lanes.glsl"
#define PM_SCRATCH_ACCESS
#include "shaders/boxes/boxes.glsl"
#include "shaders/boxes/words.glsl"
#include "shaders/boxes/chunk.glsl"
#include "shaders/boxes/match_tile.glsl"
#include "shaders/boxes/match_outer.glsl"
#include "shaders/boxes/match_clips.glsl"
#include "shaders/boxes/match_blends.glsl"

layout(constant_id = PM_CONSTANT_ORDERED) const bool is_ordered = false;

/* A tile that has nothing but leaves. */
void leaves_match(bool has_blends) {
    ivec4 all = NOWHERE;
    [[dont_unroll]] for (uint r = 0; r < PM_BOXES_CHUNK; r++) {
        const uint element = r * PM_LANES + lane, index = tile * PM_BOXES_TILE + element;
        const ivec4 reach = min(tile_base, reach_of_box(reaches[place(element)]));
        if (index >= n)
            break;
        results.at[index] = box_of_reach(reach);
        all = max(all, reach_of_area(reach));
    }
    if (lane < PM_BOXES_TILE_WORDS)
        tile_closers.at[tile * PM_BOXES_TILE_WORDS + lane] = 0;
    if (!has_blends)
        return;
    all = lanes_max(all);
    if (lane == 0)
        tree_covered.at[leaves + tile] = all;
}

void main() {
    tile = first + gl_WorkGroupID.x;
    if (is_ordered)
        tile = tile_order.at[tile];
    const int start = tile_start.at[tile], has = scene_has.at[0];
    const bool has_clips = (has & PM_BOXES_HAS_CLIPS) != 0, has_blends = (has & PM_BOXES_HAS_BLENDS) != 0;
    tile_base = base_from.at[tile];
    pm_chunk chunk = chunk_read(tile * PM_LANES + lane);
    chunk_match(chunk);
    const uint left_open = chunk.blends & lane_byte(tile_survivors.at[tile * PM_BOXES_TILE_WORDS + lane / 4]);
    const bool has_leaves = lanes_ballot(chunk.leaves != 0) != 0;
    const int least = tree_least.at[leaves + outer_begin() + lane];
    boxes_load(chunk.leaves | chunk.clips);
    if (lanes_ballot((chunk.clips | chunk.blends | chunk.ends) != 0) == 0) {
        leaves_match(has_blends);
        return;
    }
    tile_begin();

    /* Heights, and for each chunk the ones before it on whose survivors the stack goes on. */
    const int opened = bitCount(chunk.survivors), closed_here = bitCount(chunk.closers);
    const int my_end = int(lanes_inclusive_add(uint(opened - closed_here)));
    const int my_low = my_end - opened, my_start = my_low + closed_here;
    int windows[5];
    windows[0] = my_low;
    [[unroll]] for (uint k = 1; k < 5; k++) {
        const int before = int(lanes_shuffle_up(uint(windows[k - 1]), 1u << k - 1));
        windows[k] = lane >= 1u << k - 1 ? min(windows[k - 1], before) : windows[k - 1];
    }
    const uvec2 chunks = chunks_find(windows, ivec2(my_low, my_start));
    const uint below = chunks.x, top = chunks.y;
    const int last_window = int(lanes_shuffle_up(uint(windows[4]), 16));
    const int lows = lane >= 16 ? min(windows[4], last_window) : windows[4]; /* of all chunks up to this */
    const int lows_below = int(lanes_shuffle_up(uint(lows), 1)), lows_before = lane == 0 ? 0 : min(0, lows_below);
    low = int(lanes_shuffle(uint(lows), PM_LANES - 1));
    closes = uint(-low);
    chunk_record(lane) = int(chunk_pack(chunk, below, my_low));
    lanes_barrier();

    /* Ends that close nothing in the tile. */
    uint outer = chunk.closers;
    for (int inside = closed_here - max(0, lows_before - my_low); inside > 0; inside--)
        outer &= outer - 1;
    uint k = uint(-lows_before);
    for (uint bits = outer; bits != 0; bits &= bits - 1, k++)
        atomicOr(outer_place(k / 4), int((lane * PM_BOXES_CHUNK + findLSB(bits)) << k % 4 * 8));
    lanes_barrier();
    outer_match(start, least);
    const uint outer_closers = lane_byte(uint(outer_blends(lane / 4)));

    const int height = my_start - 1;
    if (has_clips) {
        survivors_intersect(chunk);
        lanes_barrier();
        survivors_complete(chunk, below, my_low);
    }
    pm_ends ends = chunk_close(chunk, top, height);
    chunk_walk(chunk, outer, has_clips, ends);
    lanes_barrier();

    if (has_blends || !has_clips) {
        const uint all_blends = ends.other_blends | outer_closers;
        ivec4 of_tile = NOWHERE;
        if (has_leaves) {
            const ivec4 all = chunk_unite(chunk, ends.own_blends, all_blends, has_clips);
            lanes_barrier();
            union_of(lane) = all;
            lanes_barrier();
            blends_complete(all, chunk.closers, ends, outer_closers, left_open);
            of_tile = lanes_max(all);
        } else {
            chunk_clear(chunk, all_blends | ends.own_blends);
        }
        if (lane == 0 && has_blends)
            tree_covered.at[leaves + tile] = of_tile;
        lanes_barrier();
    }
    /* Ends that close nothing at all. */
    uint bits = outer;
    for (uint q = uint(-lows_before); bits != 0; bits &= bits - 1, q++)
        if (q >= found)
            reaches[place(lane * PM_BOXES_CHUNK + findLSB(bits))] = NOWHERE;
    lanes_barrier();
    boxes_store();
}
