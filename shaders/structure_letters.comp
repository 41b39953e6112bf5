/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Before all other stages, where letters are not the text's bytes: which letter each place has. Nearly all have the one
 * of nothing, so a filter by two bytes is asked first, by lanes with consecutive places; from those places that are left
 * whichever lane is free goes down the trie of all words. Most of a node's choices tell a letter at once; some want that
 * no word of the text goes on across an end of the pattern.
 */
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/structure.h"

layout(local_size_x = PM_STRUCTURE_LANES) in;
#define lane gl_LocalInvocationIndex

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer pm_text {
    uvec4 at[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer pm_input {
    uint at[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer pm_words {
    uint at[];
};
layout(push_constant, std430) uniform pm_structure_letters_parameters {
#define PM_ADDRESS(type, name) type name;
#define PM_UINT(name) uint name;
    PM_STRUCTURE_LETTERS_PARAMETERS(PM_ADDRESS, PM_UINT)
};

#define PART PM_STRUCTURE_PART

shared uint seconds[256]; /* of the tables */
shared uint queue[PART];  /* places at which a word may begin */
shared uint queued;
shared uint letters_found[PART / 4];

bool is_capital(uint byte) {
    return byte - 65 < 26;
}

/* A byte as the trie has it. */
uint folded(uint byte) {
    return fold != 0 && is_capital(byte) ? byte | 32 : byte;
}

uint byte_at(uint place) {
    return bitfieldExtract(text.at[place / 16][place / 4 % 4], int(8 * (place % 4)), 8);
}

bool is_word_at(uint place) {
    const uint byte = byte_at(place);
    return is_capital(byte & ~32u) || byte - 48 < 10 || byte == 95 || byte >= 128;
}

/* No word of the text goes on across the place. */
bool parts_words(uint place) {
    return place == 0 || place >= n || !is_word_at(place - 1) || !is_word_at(place);
}

/* The choice at the end of the way down from a place; 0: its first byte leads nowhere. */
uint choice_at(uint place) {
    uint node = tables.at[root + byte_at(place)], choice = 0, next = place + 1;
    while (node != 0) {
        choice = PM_STRUCTURE_NODE_CHOICE(tables.at[node]);
        node = next < n ? PM_STRUCTURE_NODE_CHILD(tables.at[node + 1]) : 0;
        const uint byte = next < n ? folded(byte_at(next)) : 0;
        next++;
        while (node != 0 && PM_STRUCTURE_NODE_BYTE(tables.at[node]) != byte)
            node = PM_STRUCTURE_NODE_SIBLING(tables.at[node + 1]);
    }
    return choice;
}

uint letter_at(uint place) {
    uint choice = choice_at(place);
    if (choice == 0)
        return 0;
    uint chosen = tables.at[choice];
    while ((chosen & PM_STRUCTURE_CHOICE_WORD) != 0 &&
           !(parts_words(place) && parts_words(place + PM_STRUCTURE_CHOICE_LENGTH(chosen))))
        chosen = tables.at[++choice];
    return PM_STRUCTURE_CHOICE_LETTER(chosen);
}

/* May a word begin with these two bytes, the first the lower one? 1 or 0. */
uint passes(uint bytes) {
    return seconds[bytes & 255] >> (bytes >> 8 & 31) & 1;
}

/* A bit for each of 16 places. */
uint candidates_at(uint place) {
    const uvec4 own = text.at[place / 16];
    const uint left = n - place, behind = left > 16 ? text.at[place / 16 + 1].x : 0;
    uint found = 0;
    [[unroll]] for (uint w = 0; w < 4; w++) {
        const uint next = w < 3 ? own[min(w + 1, 3)] : behind;
        [[unroll]] for (uint k = 0; k < 3; k++)
            found |= passes(own[w] >> 8 * k) << 4 * w + k;
        found |= passes(own[w] >> 24 | next << 8) << 4 * w + 3;
    }
    return left < 16 ? found & (1u << left) - 1 : found;
}

void enqueue(uint found, uint place) {
    uint to = found == 0 ? 0 : atomicAdd(queued, bitCount(found));
    for (; found != 0; found &= found - 1)
        queue[to++] = place + findLSB(found);
}

void main() {
    const uint tile = (first + gl_WorkGroupID.x) * PM_STRUCTURE_TILE;
    seconds[lane] = tables.at[root + 256 + lane];
    for (uint part = 0; part < PM_STRUCTURE_TILE && n - tile > part; part += PART) {
        const uint begin = tile + part, own = begin + 16 * lane;
        if (lane == 0)
            queued = 0;
        [[unroll]] for (uint k = 0; k < PART / 4; k += PM_STRUCTURE_LANES)
            letters_found[k + lane] = 0;
        barrier();
        enqueue(own < n ? candidates_at(own) : 0, own);
        barrier();
        for (uint i = lane; i < queued; i += PM_STRUCTURE_LANES) {
            const uint place = queue[i], at = place - begin;
            atomicOr(letters_found[at / 4], letter_at(place) << 8 * (at % 4));
        }
        barrier();
        [[unroll]] for (uint k = 0; k < PART / 4; k += PM_STRUCTURE_LANES)
            if (begin + 4 * (k + lane) < n)
                letters.at[begin / 4 + k + lane] = letters_found[k + lane];
        barrier();
    }
}
