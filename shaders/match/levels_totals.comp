/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Of many sequences that have been reduced and scanned as one: each one's unmatched closes and opens. Invocation =
 * sequence. With P the level, that is P at its beginning and at its end, less the least P from one to the other: of its
 * first and last tile by their elements, of the tiles and superblocks between by what reduce and scan left.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#define PM_WORDS_ACCESS
#include "shaders/match/levels.glsl"
#define PM_TOTALS
#include "shaders/match/levels_batch.glsl"

layout(local_size_x = PM_TOTALS_WORKGROUP) in;

shared uint byte_depth[256]; /* how far a byte's elements lead below the level they begin at */

void byte_depth_make() {
    for (uint byte = gl_LocalInvocationIndex; byte < 256; byte += PM_TOTALS_WORKGROUP) {
        int level = 0, least = 0;
        for (uint bit = 0; bit < 8; bit++) {
            level += (byte >> bit & 1) != 0 ? 1 : -1;
            least = min(least, level);
        }
        byte_depth[byte] = uint(-least);
    }
    barrier();
}

/* Elements from ... to - 1 of a tile, at least one: what they change the level by, and the least on the way, both
 * relative to where they begin. */
struct walk {
    int change, least;
};

walk tile_walk(uint tile, uint from, uint to) {
    walk w = walk(0, 0);
    for (uint k = from / 32; k <= (to - 1) / 32; k++) {
        const uint skip = k == from / 32 ? from % 32 : 0, taken = (k == (to - 1) / 32 ? (to - 1) % 32 + 1 : 32) - skip;
        const uint opens = ~(0xfffffffeu << (taken - 1)) & parens_word(tile * PM_TILE_WORDS + k) >> skip;
        const uint word = opens | 0xfffffffeu << (taken - 1); /* opens behind them make no level less */
        int level = w.change;
        for (uint b = 0; b < 32; b += 8) {
            const uint byte = word >> b & 255;
            w.least = min(w.least, level - int(byte_depth[byte]));
            level += 2 * bitCount(byte) - 8;
        }
        w.change += 2 * bitCount(opens) - int(taken);
    }
    return w;
}

uint tile_level(uint tile) {
    return superblock_base.at[tile / PM_SUPERBLOCK_TILES] + uint(PM_TILE_START(tile_record.at[tile].x));
}

uint tile_least_level(uint tile) {
    return superblock_base.at[tile / PM_SUPERBLOCK_TILES] + uint(tile_record.at[tile].y);
}

/* The least level of superblocks begin ... end - 1, by the tree. */
uint superblocks_least_level(uint begin, uint end) {
    const uint begins[] = {0, tree_1, tree_2, tree_3};
    uint least = 0xffffffffu;
    for (uint level = 0; begin < end; level++) {
        const bool top = level + 1 == tree_levels;
        while (begin < end && (top || begin % PM_LANES != 0))
            least = min(least, tree.at[begins[level] + begin++]);
        while (begin < end && end % PM_LANES != 0)
            least = min(least, tree.at[begins[level] + --end]);
        begin /= PM_LANES;
        end /= PM_LANES;
    }
    return least;
}

uint tiles_least_level(uint begin, uint end) {
    uint least = 0xffffffffu;
    while (begin < end && begin % PM_SUPERBLOCK_TILES != 0)
        least = min(least, tile_least_level(begin++));
    while (begin < end && end % PM_SUPERBLOCK_TILES != 0)
        least = min(least, tile_least_level(--end));
    return min(least, superblocks_least_level(begin / PM_SUPERBLOCK_TILES, end / PM_SUPERBLOCK_TILES));
}

uvec2 total_of(uint begin, uint end) {
    if (begin >= end)
        return uvec2(0);
    const uint tile = begin / PM_TILE, last = (end - 1) / PM_TILE;
    const walk here = tile_walk(tile, begin % PM_TILE, min(end - tile * PM_TILE, PM_TILE));
    if (tile == last)
        return uvec2(-here.least, here.change - here.least);
    const uint level = tile_level(tile + 1) - uint(here.change), last_level = tile_level(last);
    const walk there = tile_walk(last, 0, end - last * PM_TILE);
    const uint least = min(min(level + uint(here.least), last_level + uint(there.least)), tiles_least_level(tile + 1, last));
    return uvec2(level - least, last_level + uint(there.change) - least);
}

void main() {
    parameters_take();
    byte_depth_make();
    const uint k = gl_WorkGroupID.x * PM_TOTALS_WORKGROUP + gl_LocalInvocationIndex;
    if (k >= count)
        return;
    const uint sequence = first + k;
    const uvec2 total = total_of(offset_at(sequence), offset_at(sequence + 1));
    match.at[2 * sequence] = total.x;
    match.at[2 * sequence + 1] = total.y;
}
