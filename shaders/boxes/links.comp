/* SPDX-License-Identifier: Apache-2.0 */
/* Bases of tiles, as far as each of several blocks knows; once the tree of least heights is there. */
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/lanes.glsl"
#define PM_SCRATCH_ACCESS
#include "shaders/boxes/boxes.glsl"
#include "shaders/boxes/words.glsl"
#include "shaders/boxes/block.glsl"

shared int block_least[2 * BLOCK];
#include "shaders/boxes/links.glsl"

/* A node of the block's part of the tree, from where the tree is. */
int block_node(uint my_block, uint node) {
    const uint nodes = 1u << findMSB(node);
    return tree_least.at[(blocks + my_block) * nodes + node - nodes];
}

void main() {
    const uint my_block = first + gl_WorkGroupID.x;
    block_least[BLOCK + mine] = block_node(my_block, BLOCK + mine);
    if (mine > 0)
        block_least[mine] = block_node(my_block, mine);
    barrier();
    links_make(my_block);
}
