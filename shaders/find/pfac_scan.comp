/* SPDX-License-Identifier: Apache-2.0 */
/* The second stage, one workgroup: how many hits are before each group, and how many there are. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/find/pfac.glsl"
#include "shaders/shared/workgroup_add.glsl"

void main() {
    uint before = 0;
    for (uint begin = 0; begin < groups; begin += 4 * PM_PFAC_LANES) {
        uint own[4], sum = 0;
        [[unroll]] for (uint k = 0; k < 4; k++) {
            const uint group = begin + 4 * lane + k;
            own[k] = group < groups ? group_hits.at[group] : 0;
            sum += own[k];
        }
        uint base = before + workgroup_inclusive_add(sum) - sum;
        before += sums[PM_PFAC_LANES - 1];
        [[unroll]] for (uint k = 0; k < 4; k++) {
            const uint group = begin + 4 * lane + k;
            if (group < groups)
                group_hits.at[group] = base;
            base += own[k];
        }
    }
    if (lane == 0)
        group_hits.at[groups] = total.at[0] = before;
}
