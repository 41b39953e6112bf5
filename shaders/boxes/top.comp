/* SPDX-License-Identifier: Apache-2.0 */
/* After the levels of many blocks, one workgroup: the tree of least heights above them. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/layout.h"
#define PM_SCRATCH_ACCESS
#include "shaders/boxes/boxes.glsl"

layout(local_size_x = PM_BOXES_TOP) in;

shared int least[2 * PM_BOXES_TOP];

void main() {
    /* Each invocation what lies below its own node of the last level that has no more nodes than invocations. */
    const uint me = gl_LocalInvocationIndex, bottom = min(blocks, PM_BOXES_TOP);
    for (uint nodes = blocks / 2; nodes >= bottom; nodes /= 2) {
        const uint mine = nodes / bottom;
        for (uint node = nodes + me * mine; node < nodes + (me + 1) * mine; node++)
            tree_least.at[node] = min(tree_least.at[2 * node], tree_least.at[2 * node + 1]);
    }
    if (me < bottom)
        least[bottom + me] = tree_least.at[bottom + me];
    for (uint nodes = bottom / 2; nodes > 0; nodes /= 2) {
        barrier();
        if (me < nodes) {
            const int low = min(least[2 * (nodes + me)], least[2 * (nodes + me) + 1]);
            least[nodes + me] = low;
            tree_least.at[nodes + me] = low;
        }
    }
}
