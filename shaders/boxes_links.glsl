/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bases of tiles, as far as a block knows. A tile's base is that of the tile with the node just below its least height
 * (the last tile before it whose least height is less), intersected with the clips among that tile's survivors that lie
 * below. That is a linked list, and is made short by pointer doubling among the tiles of a block.
 */

shared ivec4 reaches[INVOCATIONS];
shared uint links[INVOCATIONS];

/* The last tile before `tile` that goes no higher than `height` at its least; PM_NO_LINK if there is none. */
uint tile_find(uint tile, int height) {
    uint node = leaves + tile;
    while (node % 2 == 0 || tree_least.at[node - 1] > height) {
        node /= 2;
        if (node <= 1)
            return PM_NO_LINK;
    }
    for (node--; node < leaves;) {
        node = 2 * node + 1;
        node -= tree_least.at[node] > height ? 1 : 0;
    }
    return node - leaves;
}

/* The intersection of the clips among the lowest `nodes` survivors of a tile. */
ivec4 survivors_intersect(uint tile, int nodes) {
    ivec4 clipped = EVERYWHERE;
    for (uint w = 0; w < PM_BOXES_TILE_WORDS && nodes > 0; w++) {
        const uint index = tile * PM_BOXES_TILE_WORDS + w;
        for (uint bits = tile_survivors.at[index]; bits != 0 && nodes > 0; bits &= bits - 1, nodes--) {
            const uint node = index * 32 + findLSB(bits);
            if (kind_of(node) == 1)
                clipped = min(clipped, box_read(node));
        }
    }
    return clipped;
}

void links_make(uint my_block) {
    const uint tile = my_block * INVOCATIONS + invocation, begin = my_block * INVOCATIONS;
    ivec4 reach = EVERYWHERE;
    uint link = PM_NO_LINK;
    if (tile < tiles) {
        const int low = tree_least.at[leaves + tile];
        link = tile_find(tile, low - 1);
        if (link != PM_NO_LINK) {
            const ivec2 record = tile_record.at[link];
            const int nodes = low - tree_least.at[leaves + link];
            reach = nodes == record.x - PM_BOXES_LEAST(record.y) ? tile_clipped.at[link]
                                                                 : survivors_intersect(link, nodes);
        }
    }
    reaches[invocation] = reach;
    links[invocation] = link;
    for (uint reached = 1; reached < INVOCATIONS; reached *= 2) {
        barrier();
        const bool more = link != PM_NO_LINK && link >= begin;
        const ivec4 next_reach = more ? reaches[link - begin] : EVERYWHERE;
        const uint next = more ? links[link - begin] : link;
        barrier();
        reach = min(reach, next_reach);
        link = next;
        reaches[invocation] = reach;
        links[invocation] = link;
    }
    if (tile < tiles) {
        base_to.at[tile] = reach_of_area(reach);
        link_to.at[tile] = link;
    }
}
