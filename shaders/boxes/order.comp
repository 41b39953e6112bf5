/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which match takes the tiles of several blocks, an invocation for each tile; and how many workgroups each
 * dispatch of it has. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/shared/lanes.glsl"
#define PM_SCRATCH_ACCESS
#define PM_PARAMETERS PM_BOXES_ORDER_PARAMETERS
#include "shaders/boxes/memory.glsl"
#include "shaders/boxes/block.glsl"

#define tile_record pm_delimiters(part_address(tile_record_part))
#define block_record pm_delimiters(part_address(block_record_part))
#define tile_order pm_words(part_address(tile_order_part))

/* The dispatches for `all` tiles of a sort. */
void dispatches_tell(uint sort, uint all) {
    const uint pieces = (tiles + piece - 1) / piece;
    for (uint k = mine; k < pieces; k += BLOCK) {
        const uint at = 3 * (sort * pieces + k);
        dispatches.at[at] = min(max(all, k * piece) - k * piece, piece);
        dispatches.at[at + 1] = 1;
        dispatches.at[at + 2] = 1;
    }
}

void main() {
    const uint my_block = first + gl_WorkGroupID.x, tile = my_block * BLOCK + mine;
    ivec2 sparse = ivec2(0); /* tiles of blocks before, and of all */
    for (uint b = mine; b < blocks; b += BLOCK) {
        const int of_block = PM_BOXES_BLOCK_SPARSE(block_record.at[b].y);
        sparse += ivec2(b < my_block ? of_block : 0, of_block);
    }
    sparse = block_add(sparse);
    const int is_sparse = tile < tiles ? PM_BOXES_IS_SPARSE(tile_record.at[tile].y) : 0;
    int before;
    block_sum(ivec2(is_sparse, 0), before);
    const uint rank = uint(sparse.x + before); /* sparse tiles before this one */
    if (tile < tiles)
        tile_order.at[is_sparse != 0 ? tiles - 1 - rank : tile - rank] = tile;
    if (my_block == 0) {
        const bool alike = uint(sparse.y) < (tiles + PM_BOXES_SPARSE_SHARE - 1) / PM_BOXES_SPARSE_SHARE;
        dispatches_tell(PM_BOXES_OF_ALIKE, alike ? tiles : 0);
        dispatches_tell(PM_BOXES_OF_OTHERS, alike ? 0 : tiles - uint(sparse.y));
        dispatches_tell(PM_BOXES_OF_SPARSE, alike ? 0 : uint(sparse.y));
    }
}
