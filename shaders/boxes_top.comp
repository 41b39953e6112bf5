/* SPDX-License-Identifier: Apache-2.0 */
/* After the levels of several blocks, one workgroup: the tree of least heights above them. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/layout.h"
#define PM_TREES_ACCESS coherent
#include "shaders/boxes.glsl"
#include "shaders/boxes_block.glsl"

void main() {
    for (uint nodes = leaves / block / 2; nodes > 0; nodes /= 2) {
        for (uint node = nodes + invocation; node < 2 * nodes; node += INVOCATIONS)
            tree_least.at[node] = min(tree_least.at[2 * node], tree_least.at[2 * node + 1]);
        memoryBarrierBuffer();
        barrier();
    }
}
