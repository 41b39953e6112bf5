/* SPDX-License-Identifier: Apache-2.0 */
/* The second stage of nodes, by one workgroup: from the blocks' opens to their ranks. Each invocation has consecutive
 * blocks. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/trees/nodes.glsl"

void main() {
    const uint share = (blocks + PM_NODES_WORKGROUP - 1) / PM_NODES_WORKGROUP;
    const uint begin = min(me * share, blocks), end = min(begin + share, blocks);
    uint opens = 0;
    for (uint block = begin; block < end; block++)
        opens += block_rank.at[block];
    uint rank = block_sum_up_to(opens);
    if (me == PM_NODES_WORKGROUP - 1)
        count.at[0] = min(rank, nodes);
    rank -= opens;
    for (uint block = begin; block < end; block++) {
        const uint here = block_rank.at[block];
        block_rank.at[block] = rank;
        rank += here;
    }
}
