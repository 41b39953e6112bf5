/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is this the match? A proof by induction: match[0] = none; after an open at i, match[i + 1] = i; after a close at i,
 * match[i + 1] is match[match[i]], or none if match[i] is.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/buffers.glsl"
#include "shaders/shared/layout.h"

layout(local_size_x = 128) in;
PM_BUFFER(pm_words, uint, 4);
readonly PM_BUFFER(pmi_chunks, uvec2, 8);
PM_PUSHED(PM_VERIFY_PARAMETERS);

uint match_at(uint i) {
    return pm_words(chunks.at[i >> chunk_shift]).at[i & ((1u << chunk_shift) - 1)];
}

/* What match[i] must be, if the matches before it are right. */
uint expected(uint i) {
    if (i == 0)
        return PM_NO_ELEMENT;
    const uint previous = i - 1;
    if ((parens.at[previous / 32] >> previous % 32 & 1) != 0)
        return previous;
    const uint opened = match_at(previous);
    return opened < previous ? match_at(opened) : PM_NO_ELEMENT;
}

void main() {
    const uint all = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    const uint mine = gl_GlobalInvocationID.x;
    const uint rounds = mine < count ? (count - mine - 1) / all + 1 : 0; /* count may be all but 2^32 */
    for (uint round = 0; round < rounds; round++) {
        const uint i = first + mine + round * all;
        if (match_at(i) != expected(i)) {
            atomicAdd(wrong.at[0], 1);
            atomicMin(wrong.at[1], i);
        }
    }
}
