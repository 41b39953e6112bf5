/* SPDX-License-Identifier: Apache-2.0 */
/* The second stage, one workgroup: the state before each group, and the last one. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/delimiters/tokenizer.glsl"
#include "shaders/delimiters/functions.glsl"

#define ROW 4u /* groups of a lane at a time */

function function_of_group(uint group, uint count) {
    if (group < count)
        return function_load(group);
    return function_identity();
}

void main() {
    const uint count = groups();
    uint state = 0;
    for (uint begin = 0; begin < count; begin += ROW * PM_STRUCTURE_LANES) {
        const uint own = begin + ROW * lane;
        function row = function_identity(), all;
        for (uint k = 0; k < ROW; k++)
            row = function_compose(row, function_of_group(own + k, count));
        uint here = function_get(workgroup_compose_before(row, all), state);
        state = function_get(all, state);
        for (uint k = 0; k < ROW && own + k < count; k++) {
            const uint next = function_get(function_load(own + k), here);
            state_store(own + k, here);
            here = next;
        }
    }
    if (lane < PM_STRUCTURE_FOUND_WORDS)
        found.at[lane] = lane == PM_STRUCTURE_FOUND_STATE   ? state / STATE(1)
                         : lane == PM_STRUCTURE_FOUND_WRONG ? PM_STRUCTURE_NONE
                                                            : 0;
}
