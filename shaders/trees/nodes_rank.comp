/* SPDX-License-Identifier: Apache-2.0 */
/* The third stage of nodes: the rank of each word. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/trees/nodes.glsl"

void main() {
    const uint block = first + gl_WorkGroupID.x, word = block * PM_NODES_WORKGROUP + me;
    const uint opens = bitCount(parens_word(word));
    const uint rank = block_rank.at[block] + block_sum_up_to(opens) - opens;
    if (word <= (n - 1) / 32)
        word_rank.at[word] = rank;
}
