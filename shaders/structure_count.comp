/* SPDX-License-Identifier: Apache-2.0 */
/* The fourth stage, one workgroup: how many tokens are before each group, and how many there are. */
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/structure.glsl"
#include "shaders/workgroup_add.glsl"

#define ROW 4u /* groups of a lane at a time */

void main() {
    const uint count = groups();
    uint before = 0;
    for (uint begin = 0; begin < count; begin += ROW * PM_STRUCTURE_LANES) {
        uint own[ROW], sum = 0;
        [[unroll]] for (uint k = 0; k < ROW; k++) {
            const uint group = begin + ROW * lane + k;
            own[k] = group < count ? counts.at[group] : 0;
            sum += own[k];
        }
        uint base = before + workgroup_inclusive_add(sum) - sum;
        before += sums[PM_STRUCTURE_LANES - 1];
        [[unroll]] for (uint k = 0; k < ROW; k++) {
            const uint group = begin + ROW * lane + k;
            if (group < count)
                counts.at[group] = base;
            base += own[k];
        }
    }
    if (lane == 0)
        counts.at[count] = result.at[PM_STRUCTURE_RESULT_COUNT] = before;
}
