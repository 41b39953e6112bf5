/* SPDX-License-Identifier: Apache-2.0 */
/* Before `lookback`: no partition has been taken, none has a state, nothing is counted. */
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/layout.h"

layout(local_size_x_id = PM_CONSTANT_WORKGROUP) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer pm_words {
    uint at[];
};
layout(push_constant, std430) uniform pm_lookback_parameters {
#define PM_ADDRESS(type, name) type name;
#define PM_UINT(name) uint name;
    PM_LOOKBACK_PARAMETERS(PM_ADDRESS, PM_UINT)
};

void main() {
    const uint own = gl_GlobalInvocationID.x;
    if (own < partitions)
        states.at[own] = 0;
    if (own == 0)
        begun.at[0] = summary.at[0] = summary.at[1] = 0;
}
