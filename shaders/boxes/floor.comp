/* SPDX-License-Identifier: Apache-2.0 */
/* For measurements: reads kinds and boxes, and writes as many boxes, in the fastest way there is. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/boxes/layout.h"
#include "shaders/shared/buffers.glsl"

layout(local_size_x = PM_BOXES_FLOOR_WORKGROUP) in;
readonly PM_BUFFER(pm_words, uint, 4);
PM_BUFFER(pmi_extents, ivec4, 16);
PM_PUSHED(PM_BOXES_FLOOR_PARAMETERS);

void main() {
    const uint begin = gl_WorkGroupID.x * PM_BOXES_FLOOR_ELEMENTS + gl_LocalInvocationIndex;
    const uint word = gl_WorkGroupID.x * PM_BOXES_FLOOR_WORKGROUP + gl_LocalInvocationIndex;
    const uint four_kinds = word < (n + 3) / 4 ? kinds.at[word] : 0;
    [[unroll]] for (uint k = 0; k < PM_BOXES_FLOOR_ELEMENTS; k += PM_BOXES_FLOOR_WORKGROUP) {
        const uint i = begin + k;
        if (i < n)
            results.at[i] = boxes.at[i] + ivec4(four_kinds == 0xffffffffu ? 1 : 0);
    }
}
