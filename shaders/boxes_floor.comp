/* SPDX-License-Identifier: Apache-2.0 */
/* For measurements: reads kinds and boxes, and writes as many boxes, in the fastest way there is. */
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/boxes_layout.h"

layout(local_size_x = PM_BOXES_FLOOR_WORKGROUP) in;
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer pm_words {
    uint at[];
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer pm_reaches {
    ivec4 at[];
};
layout(push_constant, std430) uniform pm_boxes_floor_parameters {
#define PM_ADDRESS(type, name) type name;
#define PM_UINT(name) uint name;
    PM_BOXES_FLOOR_PARAMETERS(PM_ADDRESS, PM_UINT)
};

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
