/* SPDX-License-Identifier: Apache-2.0 */
/* After the unions of many blocks, one workgroup: the tree of unions above them. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/layout.h"
#define PM_SCRATCH_ACCESS
#include "shaders/boxes/boxes.glsl"

layout(local_size_x = PM_BOXES_TOP) in;

shared ivec4 covered[2 * PM_BOXES_TOP];

void main() {
    if ((scene_has.at[0] & PM_BOXES_HAS_BLENDS) == 0)
        return;
    /* Each invocation what lies below its own node of the last level that has no more nodes than invocations. */
    const uint me = gl_LocalInvocationIndex, bottom = min(blocks, PM_BOXES_TOP);
    for (uint nodes = blocks / 2; nodes >= bottom; nodes /= 2) {
        const uint mine = nodes / bottom;
        for (uint node = nodes + me * mine; node < nodes + (me + 1) * mine; node++)
            tree_covered.at[node] = max(tree_covered.at[2 * node], tree_covered.at[2 * node + 1]);
    }
    if (me < bottom)
        covered[bottom + me] = tree_covered.at[bottom + me];
    for (uint nodes = bottom / 2; nodes > 0; nodes /= 2) {
        barrier();
        if (me < nodes) {
            const ivec4 reach = max(covered[2 * (nodes + me)], covered[2 * (nodes + me) + 1]);
            covered[nodes + me] = reach;
            tree_covered.at[nodes + me] = reach;
        }
    }
}
