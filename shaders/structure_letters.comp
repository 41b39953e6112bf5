/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Before all other stages, where letters are not the text's bytes: which letter each place has. A lane goes down the
 * trie of all words from each of its places; from nearly all of them it does not get far. Most of a node's choices tell
 * a letter at once; some want that no word of the text goes on across an end of the pattern.
 */
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/structure.h"

layout(local_size_x = PM_STRUCTURE_LANES) in;
#define lane gl_LocalInvocationIndex

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

shared uint roots[256];

bool is_capital(uint byte) {
    return byte - 65 < 26;
}

/* A byte as the trie has it. */
uint folded(uint byte) {
    return fold != 0 && is_capital(byte) ? byte | 32 : byte;
}

uint byte_at(uint place) {
    return bitfieldExtract(text.at[place / 4], int(8 * (place % 4)), 8);
}

bool is_word_at(uint place) {
    const uint byte = byte_at(place);
    return is_capital(byte & ~32u) || byte - 48 < 10 || byte == 95 || byte >= 128;
}

/* No word of the text goes on across the place. */
bool parts_words(uint place) {
    return place == 0 || place >= n || !is_word_at(place - 1) || !is_word_at(place);
}

/* The choice at the end of the way down from a place, whose first byte leads to a node. */
uint choice_at(uint place, uint node) {
    uint choice = 0, next = place + 1;
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

uint letter_at(uint place, uint byte) {
    const uint node = roots[folded(byte)];
    if (node == 0)
        return 0;
    uint choice = choice_at(place, node), chosen = tables.at[choice];
    while ((chosen & PM_STRUCTURE_CHOICE_WORD) != 0 &&
           !(parts_words(place) && parts_words(place + PM_STRUCTURE_CHOICE_LENGTH(chosen))))
        chosen = tables.at[++choice];
    return PM_STRUCTURE_CHOICE_LETTER(chosen);
}

void main() {
    roots[lane] = tables.at[root + lane];
    barrier();
    const uint begin = (first + gl_WorkGroupID.x) * PM_STRUCTURE_TILE;
    for (uint k = 4 * lane; k < PM_STRUCTURE_TILE; k += 4 * PM_STRUCTURE_LANES) {
        const uint place = begin + k;
        if (place < n) {
            const uint word = text.at[place / 4];
            uint own = 0;
            for (uint i = 0; i < 4; i++)
                own |= place + i < n ? letter_at(place + i, word >> 8 * i & 255) << 8 * i : 0;
            letters.at[place / 4] = own;
        }
    }
}
