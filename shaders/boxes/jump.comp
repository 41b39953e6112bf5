/* SPDX-License-Identifier: Apache-2.0 */
/* A step of pointer jumping among all tiles: each base takes in what it is linked to, and so on, and its last link. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/layout.h"
#define PM_SCRATCH_ACCESS
#include "shaders/boxes/boxes.glsl"

layout(local_size_x = 128) in;

void main() {
    const uint index = gl_GlobalInvocationID.x;
    if (index >= count)
        return;
    const uint tile = first + index;
    uint link = link_from.at[tile];
    ivec4 base = base_from.at[tile];
    [[dont_unroll]] for (uint hops = 1; hops < PM_BOXES_HOPS && link != PM_NO_LINK; hops++) {
        base = min(base, base_from.at[link]);
        link = link_from.at[link];
    }
    base_to.at[tile] = reach_of_area(base);
    link_to.at[tile] = link;
}
