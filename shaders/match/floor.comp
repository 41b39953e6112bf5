/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For measurements: writes the output in the fastest way there is.
 *   PM_EXPAND  each element's bit of the input
 *   PM_COPY    a copy of something as long
 *   neither    something, and reads nothing
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/buffers.glsl"
#include "shaders/shared/layout.h"

layout(local_size_x = PM_FLOOR_WORKGROUP) in;
writeonly PM_BUFFER(pmi_fours, uvec4, 16);
readonly PM_BUFFER(pm_constant_fours, uvec4, 16);
readonly PM_BUFFER(pm_constant_words, uint, 4);
PM_PUSHED(PM_FLOOR_PARAMETERS);

/* The four words with index i. */
uvec4 four(uint i) {
#if defined PM_EXPAND
    const uint bits = pm_constant_words(uvec2(from)).at[i / 8] >> i % 8 * 4;
    return uvec4(bits, bits >> 1, bits >> 2, bits >> 3) & 1;
#elif defined PM_COPY
    return pm_constant_fours(uvec2(from)).at[i];
#else
    return uvec4(4 * i) + uvec4(0, 1, 2, 3);
#endif
}

void main() {
    const uint begin = gl_WorkGroupID.x * PM_FLOOR_FOURS + gl_LocalInvocationIndex;
    [[unroll]] for (uint k = 0; k < PM_FLOOR_FOURS; k += PM_FLOOR_WORKGROUP) {
        const uint i = begin + k;
        if (i < count)
            to.at[i] = four(i);
    }
}
