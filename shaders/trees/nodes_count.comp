/* SPDX-License-Identifier: Apache-2.0 */
/* The first stage of nodes: how many opens each block has. And that no node has an end yet. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/trees/nodes.glsl"

void main() {
    const uint block = first + gl_WorkGroupID.x;
    const uint sum = block_sum_up_to(bitCount(parens_word(block * PM_NODES_WORKGROUP + me)));
    if (me == PM_NODES_WORKGROUP - 1)
        block_rank.at[block] = sum;
    const uint begin = block * PM_NODES_BLOCK; /* a block's share of nodes, which have no more than elements */
    for (uint node = begin + me; node < begin + PM_NODES_BLOCK && node < nodes; node += PM_NODES_WORKGROUP)
        ends.at[node] = PM_NO_ELEMENT;
}
