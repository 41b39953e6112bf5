/* SPDX-License-Identifier: Apache-2.0 */
/* Before `lookback`: no partition has been taken, none has a state, nothing is counted. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/buffers.glsl"
#include "shaders/shared/layout.h"

layout(local_size_x_id = PM_CONSTANT_WORKGROUP) in;
PM_BUFFER(pm_words, uint, 4);
PM_PUSHED(PM_LOOKBACK_PARAMETERS);

void main() {
    const uint own = gl_GlobalInvocationID.x;
    if (own < partitions)
        states.at[own] = 0;
    if (own == 0)
        begun.at[0] = summary.at[0] = summary.at[1] = 0;
}
