/* SPDX-License-Identifier: Apache-2.0 */
/* For measurements: reads in the fastest way there is, and makes a word of it that a compiler cannot do without. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/buffers.glsl"
#include "shaders/shared/layout.h"

layout(local_size_x = PM_FLOOR_WORKGROUP) in;
readonly PM_BUFFER(pmi_fours, uvec4, 16);
writeonly PM_BUFFER(pm_words, uint, 4);
PM_PUSHED(PM_FLOOR_READ_PARAMETERS);

void main() {
    const uint begin = gl_WorkGroupID.x * PM_FLOOR_FOURS + gl_LocalInvocationIndex;
    uvec4 sum = uvec4(0);
    [[unroll]] for (uint k = 0; k < PM_FLOOR_FOURS; k += PM_FLOOR_WORKGROUP) {
        const uint i = begin + k;
        if (i < count)
            sum += from.at[i];
    }
    if (sum == uvec4(0x9e3779b1u))
        to.at[0] = begin;
}
