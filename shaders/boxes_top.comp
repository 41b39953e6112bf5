/* SPDX-License-Identifier: Apache-2.0 */
/* After the levels of several blocks, one workgroup: the tree of least heights above them. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/layout.h"
#define PM_SCRATCH_ACCESS coherent
#include "shaders/boxes.glsl"

layout(local_size_x = PM_BOXES_TOP) in;

void main() {
    for (uint nodes = blocks / 2; nodes > 0; nodes /= 2) {
        for (uint node = nodes + gl_LocalInvocationIndex; node < 2 * nodes; node += PM_BOXES_TOP)
            tree_least.at[node] = min(tree_least.at[2 * node], tree_least.at[2 * node + 1]);
        memoryBarrierBuffer();
        barrier();
    }
}
