/* SPDX-License-Identifier: Apache-2.0 */
/* The first stage behind the match where there are tags: their names' hashes and lengths; and no slot has a name. */
#version 460
#extension GL_GOOGLE_include_directive : require
#define PM_SLOTS_ACCESS writeonly
#include "shaders/delimiters/names.glsl"
#include "shaders/delimiters/each.glsl"
#include "shaders/delimiters/name_bytes.glsl"

/* The 32-bit finish of Appleby's MurmurHash3, behind Fowler, Noll and Vo's FNV-1a. */
uint mixed(uint hash) {
    hash = (hash ^ hash >> 16) * 0x85ebca6bu;
    hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
    return hash ^ hash >> 16;
}

bool ends_name(uint byte) {
    return byte == 32 || byte - 9 < 5 || byte == (name_ends & 255) || byte == name_ends >> 8;
}

/* A name of the text's: something ends it. */
uvec2 name_read(uint place) {
    uint hash = 0x811c9dc5u;
    for (uint length = 0; length < PM_STRUCTURE_NAME_MOST + 4; length += 4) {
        const uint bytes = bytes_at(place + length);
        [[unroll]] for (uint k = 0; k < 4; k++) {
            const uint byte = bytes >> 8 * k & 255;
            if (ends_name(byte) && length + k <= PM_STRUCTURE_NAME_MOST)
                return uvec2(mixed(hash), length + k);
            hash = (hash ^ folded(byte)) * 0x01000193u;
        }
    }
    found.at[PM_STRUCTURE_FOUND_LONG] = 1;
    return uvec2(0, 0);
}

void token_do(uint token) {
    const uint place = positions.at[token];
    slots.at[2 * token] = PM_STRUCTURE_NONE;
    slots.at[2 * token + 1] = PM_STRUCTURE_NONE;
    names.at[token] = uvec2(0, 0);
    if (begins_tag(place))
        names.at[token] = name_read(name_at(place));
}
