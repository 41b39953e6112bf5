/* SPDX-License-Identifier: Apache-2.0 */
/* After match: each block's part of the tree of unions. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/layout.h"
#define PM_TREES_ACCESS
#include "shaders/boxes.glsl"

layout(local_size_x_id = PM_CONSTANT_WORKGROUP) in;
#define INVOCATIONS gl_WorkGroupSize.x /* as many as tiles of a block */
#define invocation gl_LocalInvocationIndex

shared ivec4 unions[INVOCATIONS];

void main() {
    if ((scene_has.at[0] & PM_BOXES_HAS_BLENDS) == 0)
        return;
    const uint my_block = first + gl_WorkGroupID.x, tile = my_block * INVOCATIONS + invocation;
    ivec4 reach = NOWHERE;
    if (tile < tiles)
        reach = tree_covered.at[leaves + tile];
    else
        tree_covered.at[leaves + tile] = reach;
    unions[invocation] = reach;
    for (uint nodes = INVOCATIONS / 2; nodes > 0; nodes /= 2) {
        barrier();
        if (invocation < nodes)
            reach = max(unions[2 * invocation], unions[2 * invocation + 1]);
        barrier();
        if (invocation < nodes) {
            unions[invocation] = reach;
            tree_covered.at[leaves / INVOCATIONS * nodes + my_block * nodes + invocation] = reach;
        }
    }
}
