/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The third stage: the hits, in order, those of one place by pattern. Where patterns begin is known, and so few are
 * these places that it costs little to go down the trie from them once more. Each lane has a place.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/find/pfac.glsl"
#include "shaders/shared/workgroup_add.glsl"

#define LANE_WORDS 4u /* of a step, that a lane has */

shared uint places_up_to[PM_PFAC_LANES]; /* places of a step at which patterns begin, up to each lane's own */

/* Words of places first_word ... first_word + 3, none if the tile has no hits. */
uvec4 words_of(uint first_word, uint tile_end) {
    const uint tile = first_word / PM_PFAC_TILE_WORDS;
    uvec4 words = uvec4(0);
    if (tile < tile_end && tile_hits.at[tile] != 0)
        [[unroll]] for (uint k = 0; k < LANE_WORDS; k++)
            words[k] = begins.at[first_word + k];
    return words;
}

/* The place of the bit that has `below` set bits below it. */
uint select_bit(uint word, uint below) {
    for (; below > 0; below--)
        word &= word - 1;
    return findLSB(word);
}

/* The place of a step, that begins with first_word, which has `below` places before it. */
uint place_of(uint first_word, uint tile_end, uint below) {
    uint owner = 0; /* the first lane that has more places up to it */
    [[unroll]] for (uint by = PM_PFAC_LANES / 2; by > 0; by /= 2)
        owner += places_up_to[owner + by - 1] <= below ? by : 0;
    const uint own = first_word + owner * LANE_WORDS;
    const uvec4 words = words_of(own, tile_end);
    below -= owner > 0 ? places_up_to[owner - 1] : 0;
    uint k = 0;
    while (below >= bitCount(words[k]))
        below -= bitCount(words[k++]);
    return (own + k) * 32 + select_bit(words[k], below);
}

/* Writes those hits of a place for which there is room; hit_index is the first's. */
void hits_write(uint place, uvec2 longest, uint hit_index) {
    uint carry;
    const uint low = uaddCarry(start_low, place, carry), high = start_high + carry;
    const uint chain = patterns.at[longest.x].x;
    uint begin = hit_index < hit_first ? min(hit_first - hit_index, longest.y) : 0;
    for (uint k = begin; k < longest.y && hit_index + k - hit_first < hit_room; k++) {
        const uint pattern = chains.at[chain + k];
        hits.at[hit_index + k - hit_first] = uvec4(low, high, patterns.at[pattern].y, pattern);
    }
}

void main() {
    const uint group = first + gl_WorkGroupID.x;
    uint before = group_hits.at[group];
    const uint hits_end = group_hits.at[group + 1];
    const bool wanted = before < hits_end && hits_end > hit_first && (before < hit_first || before - hit_first < hit_room);
    if (!wanted)
        return;
    classes_load();
    const uint tile_begin = group * group_tiles;
    const uint tile_end = min(tile_begin + group_tiles, (places + PM_PFAC_TILE - 1) / PM_PFAC_TILE);
    for (uint tile = tile_begin; tile < tile_end; tile += PM_PFAC_STEP_TILES) {
        const uint first_word = tile * PM_PFAC_TILE_WORDS;
        const uvec4 own = words_of(first_word + lane * LANE_WORDS, tile_end);
        const ivec4 counts = bitCount(own);
        places_up_to[lane] = workgroup_inclusive_add(counts.x + counts.y + counts.z + counts.w);
        barrier();
        const uint step_places = places_up_to[PM_PFAC_LANES - 1];
        for (uint done = 0; done < step_places; done += PM_PFAC_LANES) {
            uint place = 0;
            uvec2 longest = uvec2(0);
            if (done + lane < step_places) {
                place = place_of(first_word, tile_end, done + lane);
                longest = walk(place);
            }
            const uint up_to = before + workgroup_inclusive_add(longest.y);
            before += sums[PM_PFAC_LANES - 1];
            hits_write(place, longest, up_to - longest.y);
        }
    }
}
