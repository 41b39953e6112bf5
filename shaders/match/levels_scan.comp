/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second stage of `levels`. The first workgroup: the level of each superblock's start, a tree of least levels, 32 children
 * a node, and the bicyclic element of the whole sequence; of a slice an empty list for far. Each team takes consecutive rows of 32 superblocks. Meanwhile the
 * other workgroups list the lowest survivors of each superblock, so that a fetch finds them at once.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/lanes.glsl"
#define PM_WORDS_ACCESS coherent
#include "shaders/shared/algebra.glsl"
#include "shaders/match/levels.glsl"
#include "shaders/match/levels_far.glsl"

shared int team_half[PM_TEAMS_MAX]; /* half of what the team's superblocks change the level by, which is even */

/* The superblock's sum; nothing past the last one. */
ivec2 sum_of(uint superblock) {
    return superblock < superblocks ? superblock_sum.at[superblock] : ivec2(0);
}

/* Makes the level of the tree that begins at `to`, of the `below` nodes that begin at `from`. */
void tree_level_make(uint from, uint below, uint to) {
    for (uint node = team; node * PM_LANES < below; node += teams) {
        const uint child = node * PM_LANES + lane;
        const uint least = lanes_min(child < below ? tree.at[from + child] : 0xffffffffu);
        if (lane == 0)
            tree.at[to + node] = least;
    }
    memoryBarrierBuffer();
    barrier();
}

void scan() {
    const uint rows = (superblocks + PM_LANES - 1) / PM_LANES;
    const uint share = (rows + teams - 1) / teams;
    const uint begin = min(team * share, rows), end = min(begin + share, rows);

    int half_change = 0;
    for (uint i = begin * PM_LANES + lane; i < end * PM_LANES; i += 4 * PM_LANES) { /* four on their way at a time */
        ivec2 sums[4];
        [[unroll]] for (uint k = 0; k < 4; k++)
            sums[k] = i + k * PM_LANES < end * PM_LANES ? sum_of(i + k * PM_LANES) : ivec2(0);
        half_change += (sums[0].x + sums[1].x + sums[2].x + sums[3].x) / 2;
    }
    half_change = int(lanes_add(uint(half_change)));
    if (lane == 0)
        team_half[team] = half_change;
    barrier();

    int before = 0, all = 0;
    for (uint t = 0; t < teams; t++) {
        before += t < team ? team_half[t] : 0;
        all += team_half[t];
    }
    const uint closes = superblocks_closes(all);
    uint level = closes + 2 * uint(before);
    ivec2 sum = sum_of(begin * PM_LANES + lane);
    for (uint row = begin; row < end; row++) {
        const uint i = row * PM_LANES + lane;
        const ivec2 next = sum_of(i + PM_LANES);
        const uint change = lanes_inclusive_add(uint(sum.x)), base = level + change - uint(sum.x);
        const uint least = i < superblocks ? base + uint(sum.y) : 0xffffffffu, row_least = lanes_min(least);
        if (i < superblocks) {
            superblock_base.at[i] = base;
            tree.at[i] = least;
        }
        if (lane == 0 && tree_levels > 1)
            tree.at[tree_1 + row] = row_least;
        level += lanes_shuffle(change, PM_LANES - 1);
        sum = next;
    }
    memoryBarrierBuffer();
    barrier();

    const uint begins[] = {0, tree_1, tree_2, tree_3};
    uint nodes = tree_levels > 1 ? rows : superblocks;
    for (uint l = 2; l < tree_levels; l++) {
        tree_level_make(begins[l - 1], nodes, begins[l]);
        nodes = (nodes + PM_LANES - 1) / PM_LANES;
    }
    if (team == 0) {
        /* The level that all begins at is one of them, and the only one where there is nothing. */
        const uint least = lanes_min(lane < nodes ? tree.at[begins[tree_levels - 1] + lane] : closes);
        if (lane == 0)
            summary_write(closes, least);
        if (PART == PM_PART_SLICE && superblocks > 0 && lane < PM_FAR_BEGIN)
            far_list().at[lane] = 0;
    }
}

/* ---- Lists ---- */

#ifndef LISTED
#define LISTED PM_LISTED
#endif
const bool READ_AHEAD = true;
uint list_begin; /* of the superblock at hand */

/* Keys are counted from the superblock's least level. */
void owned_put(uint key, uint element) {
    superblock_base.at[list_begin + key - 1] = element;
}

#include "shaders/match/levels_owned.glsl"

/* Lane = tile: of every `parts`-th tile, from tile `part` on. */
void superblock_list(uint superblock, uint part, uint parts) {
    const uint base = superblock * PM_SUPERBLOCK_TILES;
    const ivec2 record = tile_record.at[base + lane], sum = superblock_sum.at[superblock];
    const uint least = uint(record.y - sum.y), end = uint(sum.x - sum.y);
    const uint highest = min(min(lanes_min_above(least), end), LISTED);
    list_begin = PM_LIST(superblocks, superblock);
    tiles_expand(base, least, lane % parts == part ? highest : 0, 1,
                 lane * PM_TILE + uint(PM_TILE_LOWEST(record.x)), lanes_ballot(PM_TILE_RUN(record.x) != 0));
}

void main() {
    parameters_take();
    if (gl_WorkGroupID.x == 0) {
        scan();
        return;
    }
    const uint parts = PM_LIST_TEAMS(superblocks), step = (gl_NumWorkGroups.x - 1) * teams;
    for (uint k = (gl_WorkGroupID.x - 1) * teams + team; k < superblocks * parts; k += step)
        superblock_list(k / parts, k % parts, parts);
}
