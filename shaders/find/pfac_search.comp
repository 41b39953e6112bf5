/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first stage: where patterns begin, and how many hits that makes. Nearly all places are none, so the filters, in
 * the workgroup's memory, are asked first, by lanes with consecutive places; those that are left are queued, and walked
 * from by whichever lane is free.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/find/pfac.glsl"

#define NO_PLACE 0xffffu

shared uint long_filter[PM_PFAC_LONG_WORDS], short_filter[PM_PFAC_SHORT_WORDS];
shared uint queue[PM_PFAC_TILE / 2]; /* two places a word, relative to the tile */
shared uint queued;                  /* words */
shared uint begin_bits[PM_PFAC_TILE_WORDS];
shared uint tile_sum;

void filters_load() {
    for (uint i = lane; i < PM_PFAC_LONG_WORDS; i += PM_PFAC_LANES)
        long_filter[i] = filters.at[i];
    for (uint i = lane; i < PM_PFAC_SHORT_WORDS; i += PM_PFAC_LANES)
        short_filter[i] = filters.at[PM_PFAC_LONG_WORDS + i];
}

/* May a pattern begin with these four bytes? 1 or 0. */
uint passes(uint bytes) {
    bytes |= fold;
    const uint hash = PM_PFAC_LONG_HASH(bytes), word = long_filter[PM_PFAC_LONG_WORD(hash)];
    uint found = word >> PM_PFAC_LONG_BIT(hash) & word >> PM_PFAC_LONG_BIT_2(hash);
    if (shorts != 0)
        found |= short_filter[PM_PFAC_SHORT_WORD(bytes)] >> PM_PFAC_SHORT_BIT(bytes);
    return found & 1;
}

/* A bit for each of 16 places. */
uint candidates_at(uint place) {
    const uvec4 own = pm_text_fours(text).at[place / PM_PFAC_LANE_PLACES];
    const uint words[] = {own.x, own.y, own.z, own.w, text.at[place / 4 + 4]};
    uint found = 0;
    [[unroll]] for (uint w = 0; w < 4; w++) {
        found |= passes(words[w]) << 4 * w;
        [[unroll]] for (uint k = 1; k < 4; k++)
            found |= passes(words[w] >> 8 * k | words[w + 1] << 32 - 8 * k) << 4 * w + k;
    }
    return places - place < PM_PFAC_LANE_PLACES ? found & (1u << places - place) - 1 : found;
}

/* Appends the places whose bits are set, `base` being the first. */
void enqueue(uint found, uint base) {
    uint to = found == 0 ? 0 : atomicAdd(queued, (bitCount(found) + 1) / 2);
    while (found != 0) {
        uint pair = base + findLSB(found);
        found &= found - 1;
        pair |= (found == 0 ? NO_PLACE : base + findLSB(found)) << 16;
        found &= found - 1;
        queue[to++] = pair;
    }
}

/* Walks from the places in the queue; returns how many hits this lane has found. */
uint walk_queued(uint tile_begin) {
    uint hits_found = 0;
    for (uint i = lane; i < 2 * queued; i += PM_PFAC_LANES) {
        const uint place = queue[i / 2] >> 16 * (i % 2) & 0xffff;
        if (place == NO_PLACE)
            continue;
        const uvec2 longest = walk(tile_begin + place);
        if (longest.x == PM_PFAC_NONE)
            continue;
        atomicOr(begin_bits[place / 32], 1u << place % 32);
        hits_found += longest.y;
    }
    return hits_found;
}

void main() {
    filters_load();
    classes_load();
    if (lane < PM_PFAC_TILE_WORDS)
        begin_bits[lane] = 0;
    if (lane == 0)
        queued = tile_sum = 0;
    barrier();

    const uint group = first + gl_WorkGroupID.x;
    uint group_sum = 0;
    for (uint t = 0; t < group_tiles; t++) {
        const uint tile = group * group_tiles + t, begin = tile * PM_PFAC_TILE;
        if (begin >= places)
            break;
        const uint own = lane * PM_PFAC_LANE_PLACES;
        enqueue(places - begin > own ? candidates_at(begin + own) : 0, own);
        barrier();
        const uint found = walk_queued(begin);
        if (found != 0)
            atomicAdd(tile_sum, found);
        barrier();
        const uint sum = tile_sum;
        if (sum != 0 && lane < PM_PFAC_TILE_WORDS) {
            begins.at[tile * PM_PFAC_TILE_WORDS + lane] = begin_bits[lane];
            begin_bits[lane] = 0;
        }
        group_sum += sum;
        barrier();
        if (lane == 0) {
            tile_hits.at[tile] = sum;
            queued = tile_sum = 0;
        }
        barrier();
    }
    if (lane == 0)
        group_hits.at[group] = group_sum;
}
