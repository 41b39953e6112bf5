/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is this the match? A proof by induction: match[0] = none; after an open at i, match[i + 1] = i; after a close at i,
 * match[i + 1] is match[match[i]], or none if match[i] is.
 */
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/layout.h"

layout(local_size_x = 128) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer pm_words {
    uint at[];
};
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pm_chunks {
    uvec2 at[];
};
layout(push_constant, std430) uniform pm_verify_parameters {
#define PM_ADDRESS(type, name) type name;
#define PM_UINT(name) uint name;
    PM_VERIFY_PARAMETERS(PM_ADDRESS, PM_UINT)
};

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
