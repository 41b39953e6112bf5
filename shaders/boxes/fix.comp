/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last stage of boxes, one tile or four for each team: blends that tiles cut. What is known of such a blend stands in two
 * places: of its own tile at the blend, of its end's tile at the end. What lies between is in the tree of unions. A
 * blend that is never closed goes on to the last tile.
 *   PM_SHORT  of few tiles, whose unions fit the workgroup's memory: no tree has been made of them.
 */
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/lanes.glsl"
#define PM_SCRATCH_ACCESS
#include "shaders/boxes/boxes.glsl"
#include "shaders/boxes/words.glsl"

#ifdef PM_SHORT

shared ivec4 tile_unions[PM_BOXES_SHORT], row_unions[PM_BOXES_SHORT / 32]; /* rows are 32 tiles */

void unions_load() {
    for (uint row = team; row * PM_LANES < tiles; row += teams) {
        const uint tile = row * PM_LANES + lane;
        ivec4 all = tile < tiles ? tree_covered.at[leaves + tile] : NOWHERE;
        tile_unions[tile] = all;
        all = lanes_max(all);
        if (lane == 0)
            row_unions[row] = all;
    }
    barrier();
}

ivec4 unions_between(uint begin, uint end) {
    ivec4 all = NOWHERE;
    [[dont_unroll]] while (begin < end) {
        const bool is_row = begin % 32 == 0 && begin + 32 <= end;
        all = max(all, is_row ? row_unions[begin / 32] : tile_unions[begin]);
        begin += is_row ? 32 : 1;
    }
    return all;
}

bool nothing_is_covered() {
    return false;
}

#else

void unions_load() {}

/* As where there are no leaves: then all blends are nothing, which match has written. */
bool nothing_is_covered() {
    const bool is_there = blocks <= PM_BOXES_FEW_BLOCKS ? lane < blocks : lane == 0;
    const uint top = blocks <= PM_BOXES_FEW_BLOCKS ? blocks : 1;
    return lanes_ballot(is_there && !reach_is_empty(tree_covered.at[top + (is_there ? lane : 0)])) == 0;
}

ivec4 unions_between(uint begin, uint end) {
    return covered_between(begin, end);
}

#endif

/* An end that closes a blend of a tile before. */
void blend_complete(uint end) {
    const uint blend = blend_closed.at[end];
    const ivec4 of_blend = results.at[blend], of_end = results.at[end];
    const ivec4 between = unions_between(blend / PM_BOXES_TILE + 1, end / PM_BOXES_TILE);
    const ivec4 box = box_of_reach(max(max(reach_of_box(of_blend), reach_of_box(of_end)), between));
    results.at[blend] = box;
    results.at[end] = box;
}

/* All such ends of the team's tiles, of which the lane has a word: 32 at a time, wherever they are. */
void blends_complete(uint word) {
    const bool is_there = lane / PM_BOXES_TILE_WORDS < per_team && word / PM_BOXES_TILE_WORDS < first + count;
    const uint ends = is_there ? tile_closers.at[word] : 0;
    const uint up_to = lanes_inclusive_add(bitCount(ends)), all = lanes_shuffle(up_to, PM_LANES - 1);
    [[dont_unroll]] for (uint k = lane; k - lane < all; k += PM_LANES) {
        uint of = 0; /* the lane with the k-th end */
        [[unroll]] for (uint step = PM_LANES / 2; step > 0; step /= 2)
            of += lanes_shuffle(up_to, of + step - 1) <= k ? step : 0;
        const uint its_ends = lanes_shuffle(ends, of), rank = k + bitCount(its_ends) - lanes_shuffle(up_to, of);
        if (k < all)
            blend_complete((word - lane + of) * 32 + bit_select(its_ends, rank));
    }
}

/* Lanes that ask for one tile together, each other levels of the tree; and levels of each that 2^31 elements can have. */
const uint ASKING = PM_LANES / PM_BOXES_TEAM_TILES, ASKED_MOST = (23 + ASKING - 1) / ASKING;

/* The least height of tiles after the one for which ASKING lanes ask. */
int least_after(uint tile) {
    int least[ASKED_MOST], low = 0x7fffffff;
    [[unroll]] for (uint k = 0; k < ASKED_MOST; k++) {
        const uint node = leaves + tile >> lane % ASKING + k * ASKING;
        least[k] = node % 2 == 0 && node > 1 ? tree_least.at[node + 1] : 0x7fffffff;
    }
    [[unroll]] for (uint k = 0; k < ASKED_MOST; k++)
        low = min(low, least[k]);
    [[unroll]] for (uint by = 1; by < ASKING; by *= 2) {
        const int other = int(lanes_shuffle(uint(low), lane ^ by));
        low = min(low, other);
    }
    return low;
}

/* How many of the tile's survivors, the lowest ones, are never closed. */
int left_open(uint tile) {
    const int low = tree_least.at[leaves + tile], end = tile_start.at[tile] + tile_record.at[tile].x;
    const int after = least_after(tile);
    return end > low ? max(min(end, after) - low, 0) : 0;
}

/* Those of them that are blends; four rows of 32 elements at a time. */
void blends_leave_open(uint tile, int nodes) {
    const ivec4 rest = unions_between(tile + 1, tiles);
    [[dont_unroll]] for (uint four = 2 * tile; four < 2 * tile + 2 && nodes > 0; four++) {
        const ivec4 open = pmi_extents(tile_survivors).at[four];
        const ivec4 open_blends = open & ~pmi_extents(tile_clips).at[four];
        const uint element = four * 128 + lane;
        ivec4 box[4];
        bool asked[4];
        [[unroll]] for (uint w = 0; w < 4; w++) {
            asked[w] = (open_blends[w] >> lane & 1) != 0 && bitCount(open[w] & (1 << lane) - 1) < nodes;
            box[w] = asked[w] ? results.at[element + 32 * w] : ivec4(0);
            nodes -= bitCount(open[w]);
        }
        [[unroll]] for (uint w = 0; w < 4; w++)
            if (asked[w])
                results.at[element + 32 * w] = box_of_reach(max(reach_of_box(box[w]), rest));
    }
}

void main() {
    const uint index = (gl_WorkGroupID.x * teams + team) * per_team;
    if ((scene_has.at[0] & PM_BOXES_HAS_BLENDS) == 0)
        return;
    unions_load();
    if (index >= count || nothing_is_covered())
        return;
    const uint tile = first + index;
    blends_complete(tile * PM_BOXES_TILE_WORDS + lane);
    const uint asking_for = lane / ASKING;
    const bool is_there = asking_for < per_team && index + asking_for < count;
    const int all_nodes = left_open(is_there ? tile + asking_for : tile), nodes = is_there ? all_nodes : 0;
    for (uint left = lanes_ballot(nodes > 0 && lane % ASKING == 0); left != 0; left &= left - 1) {
        const uint k = findLSB(left);
        blends_leave_open(tile + k / ASKING, int(lanes_shuffle(uint(nodes), k)));
    }
}
