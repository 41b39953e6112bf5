/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The third stage of boxes, of sparse tiles: few of their elements are nodes or ends, which are called marks here. A workgroup
 * is one team. A lane has a mark, in their order, and its height says by ballots which other one it is matched with; what clips
 * leave goes from node to node by pointer doubling. Only then each lane walks through its chunk: its leaves lie under what
 * stands at one of the marks, and what they cover between two of them is a segment; a blend is a range of segments.
 *
 * What is said of the tile in the workgroup's memory at the top of boxes_match.comp, which is for all other tiles, holds.
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
#include "shaders/boxes/sparse_marks.glsl"
#include "shaders/boxes/sparse_leaves.glsl"

void main() {
    tile = tile_order.at[tiles - 1 - first - gl_WorkGroupID.x];
    const int start = tile_start.at[tile], has = scene_has.at[0];
    const bool has_clips = (has & PM_BOXES_HAS_CLIPS) != 0, has_blends = (has & PM_BOXES_HAS_BLENDS) != 0;
    tile_base = base_from.at[tile];
    const pm_chunk chunk = chunk_read(tile * PM_LANES + lane);
    const uint some = bitCount(chunk.clips | chunk.blends | chunk.ends);
    const uint up_to = lanes_inclusive_add(some), before = up_to - some, all = lanes_shuffle(up_to, PM_LANES - 1);
    const int least = tree_least.at[leaves + outer_begin() + lane];
    boxes_load(chunk.leaves | chunk.clips);
    tile_begin();
    const pm_mark mark = marks_read(chunk, before, all);
    lanes_barrier();
    outer_match(start, least);
    const bool is_outer = mark.is_end && mark.own < 0;
    const bool closes_outer = is_outer && (uint(outer_blends(mark.element / 32)) >> mark.element % 32 & 1) != 0;

    const uint above = marks_intersect(mark, has_clips), above_start = outer_element(-1);
    lanes_barrier();
    if (lane < PM_BOXES_MARKS)
        union_of(lane) = NOWHERE;
    lanes_barrier();
    const ivec4 last = leaves_walk(chunk, before, all, above_start, above, has_blends);
    if (has_blends) {
        const uint blends = lanes_ballot(mark.is_blend);
        const bool closes_blend = mark.is_end && mark.own >= 0 && (blends >> mark.own & 1) != 0;
        const ivec4 covered = lane < all ? union_of(lane) : mix(NOWHERE, last, bvec4(lane == all));
        marks_unite(mark, mark.is_blend || closes_blend || closes_outer, covered);
        const ivec4 of_tile = lanes_max(covered);
        if (lane == 0)
            tree_covered.at[leaves + tile] = of_tile;
    }
    lanes_barrier();
    /* Ends that close nothing at all. */
    if (is_outer && uint(-mark.height) >= found)
        reaches[place(mark.element)] = NOWHERE;
    lanes_barrier();
    boxes_store();
}
