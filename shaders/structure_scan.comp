/* SPDX-License-Identifier: Apache-2.0 */
/* The second stage, one workgroup: the state before each group, and the last one. */
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/structure.glsl"
#include "shaders/structure_functions.glsl"

#define ROW 4u /* groups of a lane at a time */

void main() {
    const uint count = groups();
    uint state = 0;
    for (uint begin = 0; begin < count; begin += ROW * PM_STRUCTURE_LANES) {
        uint own[ROW], function = function_identity(), all;
        [[unroll]] for (uint k = 0; k < ROW; k++) {
            const uint group = begin + ROW * lane + k;
            own[k] = group < count ? functions.at[group] : function_identity();
            function = function_compose(function, own[k]);
        }
        uint here = function_apply(workgroup_compose_before(function, all), state);
        state = function_apply(all, state);
        [[unroll]] for (uint k = 0; k < ROW; k++) {
            const uint group = begin + ROW * lane + k;
            if (group < count)
                functions.at[group] = here;
            here = function_apply(own[k], here);
        }
    }
    if (lane < PM_STRUCTURE_FOUND_WORDS)
        found.at[lane] = lane == PM_STRUCTURE_FOUND_STATE   ? state / FIELD
                         : lane == PM_STRUCTURE_FOUND_WRONG ? PM_STRUCTURE_NONE
                                                            : 0;
}
