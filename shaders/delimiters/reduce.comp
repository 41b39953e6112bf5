/* SPDX-License-Identifier: Apache-2.0 */
/* The first stage: the function of each group; those of lanes are kept. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/delimiters/tokenizer.glsl"
#include "shaders/delimiters/functions.glsl"
#include "shaders/delimiters/read.glsl"

void main() {
    rows_load();
    barrier();
    const uint group = first + gl_WorkGroupID.x;
    function own = function_identity();
    for (uint t = 0; t < group_tiles; t++) {
        const uint tile = group * group_tiles + t, begin = tile * PM_STRUCTURE_TILE;
        if (begin >= n)
            break;
        const uint place = begin + lane * PM_STRUCTURE_LANE_BYTES;
        const function of_lane = lane_function(place, places_left(place));
        lane_function_store(tile, of_lane);
        own = function_compose(own, workgroup_compose(of_lane));
    }
    if (lane == 0)
        function_store(group, own);
}
