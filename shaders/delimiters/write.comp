/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sixth stage: the tokens, in order, as many as there is room for. With PM_LATE one that is told at a start is one
 * that began at the last start before that: of the lane's places, or those of the lanes before it, or of the tiles.
 * The kinds of tags are found later.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/delimiters/tokenizer.glsl"
#include "shaders/shared/workgroup_add.glsl"

#ifdef PM_LATE
#define ROUND 1024u /* tokens that a workgroup writes at a time */
#else
#define ROUND 2048u
#endif

shared uvec2 tokens[PM_STRUCTURE_LETTERS];       /* of the tables */
shared uint opens[PM_STRUCTURE_TILE_WORDS + 1u]; /* of a tile, from the word on in which its first token's bit is */
shared uint places[ROUND];                       /* at which tokens are told */

uint letter_at(uint place) {
    return bitfieldExtract(text.at[place / 16][place / 4 % 4], int(8 * (place % 4)), 8);
}

#ifdef PM_LATE
shared uint last_starts[ROUND];              /* before those places, and 1; 0: the token begins where it is told */
shared uint lane_lasts[PM_STRUCTURE_LANES];  /* the last start of each lane, and 1; 0: it has none */
shared uint tile_last;                       /* the last start before the tile, and 1 */
uvec2 starts;                                /* the lane's */

/* The last start before a tile or in the lanes before this one, and 1. */
uint last_before_lane() {
    uint other = lane;
    while (other > 0 && lane_lasts[other - 1] == 0)
        other--;
    return other > 0 ? lane_lasts[other - 1] : tile_last;
}

/* The last start before a place of the lane's, and 1. */
uint last_before(uint lane_place, uint word, uint bit) {
    const uint own = starts[word] & (1u << bit) - 1;
    if (own != 0)
        return lane_place + 32 * word + findMSB(own) + 1;
    if (word > 0 && starts.x != 0)
        return lane_place + findMSB(starts.x) + 1;
    return last_before_lane();
}

/* The starts of a tile's lanes. */
void starts_load(uint begin) {
    const uint place = begin + lane * PM_STRUCTURE_LANE_BYTES;
    starts = begins.at[starts_at(begin)];
    lane_lasts[lane] = starts.y != 0   ? place + findMSB(starts.y) + 33
                       : starts.x != 0 ? place + findMSB(starts.x) + 1
                                       : 0;
}

/* Behind a tile; all lanes must come. */
void starts_pass() {
    barrier();
    if (lane_lasts[lane] != 0)
        atomicMax(tile_last, lane_lasts[lane]);
}

/* Before a group the text may be, if not in code, in something that began in one of the groups before. */
void starts_begin(uint group) {
    const bool within = functions.at[group * PM_STRUCTURE_MANY_WORDS] != 0;
    if (lane == 0)
        tile_last = 0;
    barrier();
    for (uint done = 0; within && done < group; done += PM_STRUCTURE_LANES) {
        const uint last = done + lane < group ? counts.at[last_at(group - 1 - done - lane)] : 0;
        if (last != 0)
            atomicMax(tile_last, last);
        barrier();
        const bool is_known = tile_last != 0;
        barrier();
        if (is_known)
            break;
    }
}
#endif

/* Token `index` is told at place k of those that are gathered; its bit is one of those from word first_word on. */
void token_write(uint index, uint k, uint first_word) {
    uint place = places[k];
    uvec2 token = tokens[letter_at(place)];
    uint length = PM_STRUCTURE_OWN_LENGTH(token.y);
#ifdef PM_LATE
    if (last_starts[k] != 0) {
        length = PM_STRUCTURE_LATE_LENGTH(token.y) + place;
        place = last_starts[k] - 1;
        length -= place;
        token = tokens[letter_at(place)];
    }
#endif
    positions.at[index] = place;
    kinds.at[index] = (token.x & ~PM_STRUCTURE_TAG) >> 1;
    if (wants_lengths != 0)
        lengths.at[index] = length;
    if ((token.x & 1) != 0)
        atomicOr(opens[index / 32 - first_word], 1u << index % 32);
}

/* The places of a tile's tokens `done` ... done + ROUND - 1: of the lane's, the first is token `index`. */
void places_gather(uvec2 marks, uint place, uint index, uint done) {
    [[unroll]] for (uint i = 0; i < 2; i++)
        for (uint left = marks[i]; left != 0; left &= left - 1, index++)
            if (index - done < ROUND) {
                places[index - done] = place + 32 * i + findLSB(left);
#ifdef PM_LATE
                last_starts[index - done] =
                    (starts[i] >> findLSB(left) & 1) != 0 ? last_before(place, i, findLSB(left)) : 0;
#endif
            }
}

/* Tokens of a tile, `count` of them from token `before` on, of which the lane's begin with token `index` of the tile:
 * side by side, whichever lane's they are. */
void tile_write(uvec2 marks, uint place, uint index, uint before, uint count) {
    for (uint done = 0; done < count; done += ROUND) {
        places_gather(marks, place, index, done);
        barrier();
        const uint end = min(count - done, ROUND);
        for (uint k = lane; k < end; k += PM_STRUCTURE_LANES)
            token_write(before + done + k, k, before / 32);
        barrier();
    }
}

/* Stores the full words of tokens `begin` ... `end` - 1 of a group that begins with token `group_begin`; what is behind
 * them becomes the first. */
void opens_flush(uint begin, uint end, uint group_begin) {
    const uint first_word = begin / 32, count = end / 32 - first_word;
    uint own[2];
    [[unroll]] for (uint k = 0; k < 2; k++) {
        const uint word = lane + k * PM_STRUCTURE_LANES;
        own[k] = word <= count ? opens[word] : 0;
        if (word < count && (first_word + word) * 32 >= group_begin)
            parens.at[first_word + word] = own[k];
        else if (word < count)
            atomicOr(parens.at[first_word + word], own[k]);
    }
    const uint rest = opens[count];
    barrier();
    [[unroll]] for (uint k = 0; k < 2; k++)
        opens[lane + k * PM_STRUCTURE_LANES] = 0;
    if (lane == 0)
        opens[PM_STRUCTURE_TILE_WORDS] = 0;
    barrier();
    if (lane == 0)
        opens[0] = rest;
    barrier();
}

void main() {
    const uint group = first + gl_WorkGroupID.x, group_begin = counts.at[group];
    const uint group_end = min(counts.at[group + 1], capacity);
    if (group_begin >= group_end)
        return;
    tokens[lane] = uvec2(tables.at[2 * lane], tables.at[2 * lane + 1]);
    for (uint k = lane; k <= PM_STRUCTURE_TILE_WORDS; k += PM_STRUCTURE_LANES)
        opens[k] = 0;
    barrier();
#ifdef PM_LATE
    starts_begin(group);
#endif
    uint before = group_begin;
    for (uint t = 0; t < group_tiles && before < group_end; t++) {
        const uint begin = (group * group_tiles + t) * PM_STRUCTURE_TILE;
        const uvec2 marks = begins.at[begin / PM_STRUCTURE_LANE_BYTES + lane];
#ifdef PM_LATE
        starts_load(begin);
#endif
        const uint count = bitCount(marks.x) + bitCount(marks.y);
        const uint index = workgroup_inclusive_add(count) - count;
        const uint end = min(before + sums[PM_STRUCTURE_LANES - 1], capacity);
        tile_write(marks, begin + lane * PM_STRUCTURE_LANE_BYTES, index, before, end - before);
        opens_flush(before, end, group_begin);
#ifdef PM_LATE
        starts_pass();
#endif
        before = end;
    }
    if (lane == 0 && before % 32 != 0)
        atomicOr(parens.at[before / 32], opens[0]);
}
