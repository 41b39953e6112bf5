/* SPDX-License-Identifier: Apache-2.0 */
/* For measurements: reads in the fastest way there is, and makes a word of it that a compiler cannot do without. */
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/layout.h"

layout(local_size_x = PM_FLOOR_WORKGROUP) in;
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer pm_fours {
    uvec4 at[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer pm_words {
    uint at[];
};
layout(push_constant, std430) uniform pm_floor_read_parameters {
#define PM_ADDRESS(type, name) type name;
#define PM_UINT(name) uint name;
    PM_FLOOR_READ_PARAMETERS(PM_ADDRESS, PM_UINT)
};

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
