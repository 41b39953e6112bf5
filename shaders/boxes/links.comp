/* SPDX-License-Identifier: Apache-2.0 */
/* Bases of tiles, as far as each of several blocks knows; once the blocks' parts of the tree of least heights are there.
 * Above few blocks each makes the tree for itself. */
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/lanes.glsl"
#define PM_SCRATCH_ACCESS
#include "shaders/boxes/boxes.glsl"
#include "shaders/boxes/words.glsl"
#include "shaders/boxes/block.glsl"

shared int block_least[2 * BLOCK];
shared int top_least[2 * PM_BOXES_FEW_BLOCKS]; /* the tree's nodes down to blocks, which are few */

int tree_node(uint node) {
    return blocks <= PM_BOXES_FEW_BLOCKS && node < 2 * blocks ? top_least[node] : tree_least.at[node];
}

#include "shaders/boxes/links.glsl"

/* A node of the block's part of the tree, from where the tree is. */
int block_node(uint my_block, uint node) {
    const uint nodes = 1u << findMSB(node);
    return tree_least.at[(blocks + my_block) * nodes + node - nodes];
}

/* Each node from the blocks below it. A barrier must follow. */
void top_make(uint my_block) {
    if (mine == 0 || mine >= 2 * blocks)
        return;
    const uint nodes = 1u << findMSB(mine), below = blocks / nodes, first_below = blocks + (mine - nodes) * below;
    int low = 0x7fffffff;
    [[unroll]] for (uint k = 0; k < PM_BOXES_FEW_BLOCKS; k++)
        low = min(low, tree_least.at[first_below + min(k, below - 1)]);
    top_least[mine] = low;
    if (my_block == 0 && mine < blocks) /* for match */
        tree_least.at[mine] = low;
}

void main() {
    const uint my_block = first + gl_WorkGroupID.x;
    if (blocks <= PM_BOXES_FEW_BLOCKS)
        top_make(my_block);
    block_least[BLOCK + mine] = block_node(my_block, BLOCK + mine);
    if (mine > 0)
        block_least[mine] = block_node(my_block, mine);
    barrier();
    links_make(my_block);
}
