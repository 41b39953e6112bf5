/* SPDX-License-Identifier: Apache-2.0 */
/* The heights of a block's tiles' starts, and its part of the tree of least heights. */

shared int block_least[2 * INVOCATIONS]; /* node 1 is the block */

void levels_make(uint my_block, int height) {
    const uint tile = my_block * INVOCATIONS + invocation;
    const ivec2 record = tile < tiles ? tile_record.at[tile] : ivec2(0);
    const int start = height + block_inclusive_add(record.x) - record.x;
    const int low = tile < tiles ? start + PM_BOXES_LEAST(record.y) : 0x7fffffff;
    if (tile < tiles)
        tile_start.at[tile] = start;
    block_least[INVOCATIONS + invocation] = low;
    tree_least.at[leaves + tile] = low;
    for (uint nodes = INVOCATIONS / 2; nodes > 0; nodes /= 2) {
        barrier();
        if (invocation < nodes) {
            const uint node = nodes + invocation;
            block_least[node] = min(block_least[2 * node], block_least[2 * node + 1]);
            tree_least.at[leaves / INVOCATIONS * nodes + my_block * nodes + invocation] = block_least[node];
        }
    }
    barrier();
}
