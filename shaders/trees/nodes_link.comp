/* SPDX-License-Identifier: Apache-2.0 */
/* The last stage of nodes: an open's match is its parent, and a close ends its match. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/trees/nodes.glsl"

uint rank_of(uint element) {
    const uint before = (1u << element % 32) - 1u;
    return word_rank.at[element / 32] + bitCount(parens.at[element / 32] & before);
}

void main() {
    const uint matched = gl_WorkGroupID.x * PM_NODES_BLOCK, begin = first * PM_NODES_BLOCK + matched;
    for (uint k = me; k < PM_NODES_BLOCK && k < n - begin; k += PM_NODES_WORKGROUP) {
        const uint element = begin + k, found = match.at[matched + k];
        const uint rank = rank_of(element), of_match = found == PM_NO_ELEMENT ? PM_NO_ELEMENT : rank_of(found);
        const bool is_open = (parens.at[element / 32] >> element % 32 & 1) != 0;
        if (is_open && rank < nodes)
            parents.at[rank] = of_match;
        else if (!is_open && of_match < nodes)
            ends.at[of_match] = rank;
    }
}
