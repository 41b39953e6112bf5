/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Of a slice, after scan: lists the tiles that look further back than it begins, and perhaps others; a team takes a
 * superblock. Such a tile is one whose least level no element before it in the slice lies below. Where the least of a
 * superblock is no such level, none of its tiles is; elsewhere each of them counts whose least level none of the
 * superblock's tiles before it lies below.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/lanes.glsl"
#define PM_WORDS_ACCESS
#include "shaders/match/levels.glsl"
#include "shaders/match/levels_search.glsl"
#include "shaders/match/levels_far.glsl"

#define QUADS (PM_SUPERBLOCK_TILES / PM_FAR_QUAD)

/* Of the superblock at hand, a bit for each of its tiles that is to be listed. */
uint tiles_far() {
    uint before = lanes_shuffle_up(tile_least, 1); /* the least of the tiles before this lane's */
    before = lane == 0 ? 0xffffffffu : before;
    for (uint by = 1; by < PM_LANES; by *= 2) {
        const uint below = lanes_shuffle_up(before, by);
        before = lane >= by ? min(before, below) : before;
    }
    const uint tile = superblock * PM_SUPERBLOCK_TILES + lane;
    return lanes_ballot(tile_least <= before && tile * PM_TILE < n);
}

/* Lane = quad. */
void quads_list(uint tiles) {
    const uint mine = lane < QUADS ? tiles >> lane * PM_FAR_QUAD & ((1u << PM_FAR_QUAD) - 1) : 0;
    const uint all = lanes_ballot(mine != 0);
    pm_words far = far_list();
    uint begin = 0;
    if (lane == 0)
        begin = atomicAdd(far.at[PM_FAR_COUNT], bitCount(all));
    begin = lanes_shuffle(begin, 0);
    if (mine != 0)
        far.at[PM_FAR_BEGIN + begin + bitCount(all & ((1u << lane) - 1))] = far_quad(superblock * QUADS + lane, mine);
}

void main() {
    parameters_take();
    const uint begin = first + gl_WorkGroupID.x * per_group, end = min(begin + per_group, first + count);
    for (uint s = begin + team; s < end; s += teams) {
        superblock_take(s);
        if (superblock_find(s, lanes_min(tile_least)) == PM_NO_TILE)
            quads_list(tiles_far());
    }
}
