/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second stage of names: each name has a slot, and in it the first token that has the name. A slot that has a name
 * keeps it, so whoever reads an old token there reads one of that name. Most find theirs right, and write nothing.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#define PM_SLOTS_ACCESS coherent
#include "shaders/delimiters/names.glsl"
#include "shaders/delimiters/each.glsl"
#include "shaders/delimiters/name_bytes.glsl"

uint folded_all(uint bytes) {
    uint all = 0;
    [[unroll]] for (uint k = 0; k < 4; k++)
        all |= folded(bytes >> 8 * k & 255) << 8 * k;
    return all;
}

/* Have two tokens whose hashes and lengths are the same the same name? */
bool same_names(uint a, uint b, uint length) {
    const uint at_a = name_at(positions.at[a]), at_b = name_at(positions.at[b]);
    uint done = 0;
    for (; done < length; done += 4) {
        const uint differing = folded_all(bytes_at(at_a + done)) ^ folded_all(bytes_at(at_b + done));
        if ((length - done < 4 ? differing << 32 - 8 * (length - done) : differing) != 0)
            return false;
    }
    return done >= length;
}

void token_do(uint token) {
    const uvec2 name = names.at[token];
    const uint count = 2 * tokens();
    uint slot, low;
    kinds.at[token] = name.y != 0 ? 0 : kinds.at[token];
    if (name.y == 0)
        return;
    umulExtended(name.x, count, slot, low);
    for (uint probe = 0; probe < PM_STRUCTURE_PROBE_MOST; probe++) {
        uint holder = slots.at[slot];
        if (holder == PM_STRUCTURE_NONE)
            holder = atomicCompSwap(slots.at[slot], PM_STRUCTURE_NONE, token);
        const bool is_new = holder == PM_STRUCTURE_NONE;
        if (is_new || (names.at[holder] == name && same_names(token, holder, name.y))) {
            if (!is_new && token < holder)
                atomicMin(slots.at[slot], token);
            kinds.at[token] = slot;
            return;
        }
        slot = slot + 1 < count ? slot + 1 : 0;
    }
    found.at[PM_STRUCTURE_FOUND_LONG] = 1;
}
