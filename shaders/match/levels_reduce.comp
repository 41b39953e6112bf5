/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first stage of `levels`: of each tile its survivors, its level and its least level, of each superblock their sums.
 * Eight lanes share a tile, four words each; a team does four tiles at a time.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/lanes.glsl"
#define PM_WORDS_ACCESS
#include "shaders/shared/algebra.glsl"
#include "shaders/match/levels.glsl"

#define LANES_PER_TILE 8u
#define TILES_AT_A_TIME (PM_LANES / LANES_PER_TILE)
#define STEPS (PM_SUPERBLOCK_TILES / TILES_AT_A_TIME) /* of a superblock */
#define PENDING_MAX 8u

/*
 * What a byte does when `pending` closes come from its right, at [256 * pending + byte]: in bits 0 ... 7 the opens that
 * survive, above them 8 + the change of the number pending. With eight or more pending no open survives.
 */
shared uint byte_table[256 * (PENDING_MAX + 1)];

/* Of each tile: its end's level and its least, relative to its start; the positions of its lowest and, times 1024, of
 * its highest survivor. */
shared int tile_end[PM_REDUCE_SUPERBLOCKS * PM_SUPERBLOCK_TILES];
shared int tile_least[PM_REDUCE_SUPERBLOCKS * PM_SUPERBLOCK_TILES];
shared uint tile_extremes[PM_REDUCE_SUPERBLOCKS * PM_SUPERBLOCK_TILES];

void byte_table_make() {
    for (uint byte = team * PM_LANES + lane; byte < 256; byte += teams * PM_LANES) {
        uint opens = 0, change = 8;
        for (uint bit = 0; bit < 8; bit++) {
            if ((byte >> bit & 1) != 0)
                opens |= 1u << bit;
            else if (opens != 0)
                opens = bits_drop_highest(opens);
            else
                change++;
        }
        for (uint pending = 0; pending <= PENDING_MAX; pending++) {
            byte_table[256 * pending + byte] = opens | change << 8;
            if (opens != 0) {
                opens = bits_drop_highest(opens);
                change--;
            }
        }
    }
}

/* Survivors of four words on their own; `closes` receives their unmatched closes. */
uvec4 words_survivors(uvec4 words, out uint closes) {
    uvec4 survivors = uvec4(0);
    uint pending = 0;
    [[unroll]] for (int w = 3; w >= 0; w--)
        [[unroll]] for (int b = 24; b >= 0; b -= 8) {
            const uint entry = byte_table[256 * min(pending, PENDING_MAX) + bitfieldExtract(words[w], b, 8)];
            survivors[w] |= (entry & 255) << b;
            pending += (entry >> 8) - 8;
        }
    closes = pending;
    return survivors;
}

/* Without the highest `drop` ones; none is left if there are no more than that. */
uvec4 words_drop_highest(uvec4 survivors, int drop) {
    int cut = -1, cut_drop = 0; /* the word that loses some but not all */
    [[unroll]] for (int w = 3; w >= 0; w--) {
        const int count = bitCount(survivors[w]);
        if (drop > 0 && drop < count) {
            cut = w;
            cut_drop = drop;
        }
        survivors[w] = drop < count ? survivors[w] : 0;
        drop = max(drop - count, 0);
    }
    const uint whole = cut == 0 ? survivors.x : cut == 1 ? survivors.y : cut == 2 ? survivors.z : survivors.w;
    const uint kept = bits_keep_lowest(whole, bitCount(whole) - cut_drop);
    [[unroll]] for (int w = 0; w < 4; w++)
        survivors[w] = w == cut ? kept : survivors[w];
    return survivors;
}

/* The lowest set bit's position; 128 or more if no bit is set. */
uint words_lowest(uvec4 words) {
    return words.x != 0   ? findLSB(words.x)
           : words.y != 0 ? 32 + findLSB(words.y)
           : words.z != 0 ? 64 + findLSB(words.z)
           : words.w != 0 ? 96 + findLSB(words.w)
                          : PM_TILE;
}

/* The highest set bit's position; 0 if no bit is set. */
uint words_highest(uvec4 words) {
    return words.w != 0   ? 96 + findMSB(words.w)
           : words.z != 0 ? 64 + findMSB(words.z)
           : words.y != 0 ? 32 + findMSB(words.y)
           : words.x != 0 ? findMSB(words.x)
                          : 0;
}

/* Four tiles, of which this lane has four words, those with index `index`; slot says where in the workgroup's memory the
 * first of them goes. */
void tiles_reduce(uint index, uvec4 words, uint slot) {
    const uint l = lane % LANES_PER_TILE; /* this lane's place in its tile */
    uint closes;
    uvec4 alive = words_survivors(words, closes);

    const int change = 2 * (bitCount(words.x) + bitCount(words.y) + bitCount(words.z) + bitCount(words.w)) - 128;
    int end = change; /* level at this lane's end, relative to the tile's start */
    [[unroll]] for (uint by = 1; by < LANES_PER_TILE; by *= 2) {
        const int left = int(lanes_shuffle_up(uint(end), by));
        end += l >= by ? left : 0;
    }
    int least = end - change - int(closes); /* from this lane to the tile's last one */
    int least_above = end;                  /* from the lane above this one */
    [[unroll]] for (uint by = 1; by < LANES_PER_TILE; by *= 2) {
        const int right = int(lanes_shuffle(uint(least), lane + by));
        if (l + by < LANES_PER_TILE)
            least = min(least, right);
    }
    const int right = int(lanes_shuffle(uint(least), lane + 1));
    if (l + 1 < LANES_PER_TILE)
        least_above = right;

    alive = words_drop_highest(alive, end - least_above);
    pmi_fours(survivors).at[index] = alive;
    uint lowest = l * 128 + words_lowest(alive), highest = lowest < PM_TILE ? l * 128 + words_highest(alive) : 0;
    [[unroll]] for (uint by = 1; by < LANES_PER_TILE; by *= 2) {
        lowest = min(lowest, lanes_shuffle(lowest, lane ^ by));
        highest = max(highest, lanes_shuffle(highest, lane ^ by));
    }
    const uint tile = slot + lane / LANES_PER_TILE;
    if (l == 0) {
        tile_least[tile] = least;
        tile_extremes[tile] = highest * PM_TILE + lowest % PM_TILE;
    }
    if (l == LANES_PER_TILE - 1)
        tile_end[tile] = end;
}

/* One superblock, lane = tile. */
void superblock_reduce(uint superblock, uint slot) {
    const int change = tile_end[slot + lane];
    const int end = int(lanes_inclusive_add(uint(change)));
    const int start = end - change, least = start + tile_least[slot + lane];
    const int superblock_least = lanes_min(least);
    const int lowest = int(tile_extremes[slot + lane] % PM_TILE), highest = int(tile_extremes[slot + lane] / PM_TILE);
    const int run = end - least == highest - lowest + 1 ? 1 : 0;
    tile_record.at[superblock * PM_SUPERBLOCK_TILES + lane] = ivec2(PM_TILE_PACK(start, lowest, run), least);
    if (lane == PM_LANES - 1)
        superblock_sum.at[superblock] = ivec2(end, superblock_least);
}

void main() {
    parameters_take();
    const uint begin = first + gl_WorkGroupID.x * per_group;
    const uint mine = min(per_group, first + count - begin);
    const uint steps = mine * STEPS, first_index = begin * (PM_SUPERBLOCK / 128) + lane;
    uvec4 next = team < steps ? parens_four_words(first_index + team * PM_LANES) : uvec4(0);
    byte_table_make(); /* while the first words are on their way */
    barrier();
    for (uint step = team; step < steps; step += teams) { /* the next words are on their way meanwhile */
        const uvec4 words = next;
        if (step + teams < steps)
            next = parens_four_words(first_index + (step + teams) * PM_LANES);
        tiles_reduce(first_index + step * PM_LANES, words, step * TILES_AT_A_TIME);
    }
    barrier();
    for (uint k = team; k < mine; k += teams)
        superblock_reduce(begin + k, k * PM_SUPERBLOCK_TILES);
}
