/* SPDX-License-Identifier: Apache-2.0 */
/* The first stage: the function of each group. */
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/structure.glsl"
#include "shaders/structure_functions.glsl"
#include "shaders/structure_read.glsl"

/* That of all lanes; all must come. */
uint workgroup_compose(uint own) {
    barrier();
    functions_up_to[lane] = own;
    barrier();
    for (uint by = 1; by < PM_STRUCTURE_LANES; by *= 2) {
        if (lane % (2 * by) == 0) {
            own = function_compose(own, functions_up_to[lane + by]);
            functions_up_to[lane] = own;
        }
        barrier();
    }
    return functions_up_to[0];
}

void main() {
    rows_load();
    barrier();
    const uint group = first + gl_WorkGroupID.x;
    uint function = function_identity();
    for (uint t = 0; t < group_tiles; t++) {
        const uint begin = (group * group_tiles + t) * PM_STRUCTURE_TILE;
        if (begin >= n)
            break;
        const uint place = begin + lane * PM_STRUCTURE_LANE_BYTES;
        function = function_compose(function, workgroup_compose(lane_function(place, places_left(place))));
    }
    if (lane == 0)
        functions.at[group] = function;
}
