/* SPDX-License-Identifier: Apache-2.0 */
/* A step of pointer doubling among all tiles: each base takes in what it is linked to, and its link. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/layout.h"
#define PM_SCRATCH_ACCESS
#include "shaders/boxes.glsl"

layout(local_size_x = 128) in;

void main() {
    const uint index = gl_GlobalInvocationID.x;
    if (index >= count)
        return;
    const uint tile = first + index, link = link_from.at[tile];
    const ivec4 base = base_from.at[tile];
    base_to.at[tile] = link == PM_NO_LINK ? base : reach_of_area(min(base, base_from.at[link]));
    link_to.at[tile] = link == PM_NO_LINK ? link : link_from.at[link];
}
