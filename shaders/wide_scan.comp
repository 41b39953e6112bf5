/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second stage of `wide`, one workgroup: the level of each superblock's start, a tree of least levels, 32 children
 * a node, and the bicyclic element of the whole sequence. Each team takes consecutive rows of 32 superblocks.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lanes.glsl"
#define PM_WORDS_ACCESS coherent
#include "shaders/wide.glsl"

shared int team_half[PM_TEAMS_MAX]; /* half of what the team's superblocks change the level by, which is even */

/* Makes level `level` of the tree, which begins at `to`, of the `below` nodes that begin at `from`. */
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

void main() {
    parameters_take();
    const uint rows = (superblocks + PM_LANES - 1) / PM_LANES;
    const uint share = (rows + teams - 1) / teams;
    const uint begin = min(team * share, rows), end = min(begin + share, rows);

    int half_change = 0;
    for (uint i = begin * PM_LANES + lane; i < min(end * PM_LANES, superblocks); i += PM_LANES)
        half_change += superblock_sum.at[i].x / 2;
    half_change = int(lanes_add(uint(half_change)));
    if (lane == 0)
        team_half[team] = half_change;
    barrier();

    /* The superblocks' elements are half as many closes as they do not have more opens: past n there are only opens. */
    int before = 0, all = 0;
    for (uint t = 0; t < teams; t++) {
        before += t < team ? team_half[t] : 0;
        all += team_half[t];
    }
    const uint closes = superblocks * (PM_SUPERBLOCK / 2) - uint(all);
    uint level = closes + 2 * uint(before);
    for (uint row = begin; row < end; row++) {
        const uint i = row * PM_LANES + lane;
        const ivec2 sum = i < superblocks ? superblock_sum.at[i] : ivec2(0);
        const uint change = lanes_inclusive_add(uint(sum.x));
        if (i < superblocks) {
            const uint base = level + change - uint(sum.x);
            superblock_base.at[i] = base;
            tree.at[i] = base + uint(sum.y);
        }
        level += lanes_shuffle(change, PM_LANES - 1);
    }
    memoryBarrierBuffer();
    barrier();

    const uint begins[] = {0, tree_1, tree_2, tree_3};
    uint nodes = superblocks;
    for (uint l = 1; l < tree_levels; l++) {
        tree_level_make(begins[l - 1], nodes, begins[l]);
        nodes = (nodes + PM_LANES - 1) / PM_LANES;
    }
    if (team == 0) {
        /* The level that all begins at is one of them, and the only one where there is nothing. */
        const uint least = lanes_min(lane < nodes ? tree.at[begins[tree_levels - 1] + lane] : closes);
        if (lane == 0) {
            summary.at[0] = closes - least;
            summary.at[1] = n - closes - least;
        }
    }
}
