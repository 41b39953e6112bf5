/* SPDX-License-Identifier: Apache-2.0 */
/* The heights of a block's tiles' starts, and its part of the tree of least heights. */

shared int block_least[2 * BLOCK]; /* that part: node 1 is the block */

void least_tell(uint my_block, uint nodes, uint node, int low) {
    block_least[nodes + node] = low;
    tree_least.at[(blocks + my_block) * nodes + node] = low;
}

/* height: of the block's start; change: of the tile's; before: of those before it in the block. */
void levels_make(uint my_block, int height, ivec2 record, int before) {
    const uint tile = my_block * BLOCK + mine;
    const int start = height + before;
    int low = tile < tiles ? start + PM_BOXES_LEAST(record.y) : 0x7fffffff;
    if (tile < tiles)
        tile_start.at[tile] = start;
    least_tell(my_block, BLOCK, mine, low);
    [[dont_unroll]] for (uint children = 2; children <= PM_LANES; children *= 2) {
        const int other = int(lanes_shuffle(uint(low), lane ^ children / 2));
        low = min(low, other);
        if (lane % children == 0)
            least_tell(my_block, BLOCK / children, mine / children, low);
    }
    barrier();
    if (team == 0) {
        low = lane < teams ? block_least[teams + lane] : 0x7fffffff;
        [[dont_unroll]] for (uint children = 2; children <= teams; children *= 2) {
            const int other = int(lanes_shuffle(uint(low), lane ^ children / 2));
            low = min(low, other);
            if (lane % children == 0 && lane < teams)
                least_tell(my_block, teams / children, lane / children, low);
        }
    }
    barrier();
}
