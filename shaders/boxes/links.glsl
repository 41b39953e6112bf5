/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bases of tiles, as far as a block knows. A tile's base is that of the tile with the node just below its least height
 * (the last tile before it whose least height is less), intersected with the clips among that tile's survivors that lie
 * below. That is a linked list, and is made short by pointer doubling: first among the tiles of a team, then among those
 * of the block.
 */

const uint BLOCK_ROUNDS = 5; /* a list has one tile of each team then, of which there are 32 at most */

shared ivec4 reaches[BLOCK];
shared uint links[BLOCK];
shared uint linked[BLOCK_ROUNDS];

/* The last tile before this one that goes no higher than `height` at its least; PM_NO_LINK if there is none. The block's
 * part of the tree is in the workgroup's memory. Includers have tree_node(), a node of the tree. */
uint tile_find(uint my_block, int height) {
    uint node = BLOCK + mine;
    while (node > 1 && (node % 2 == 0 || block_least[node - 1] > height))
        node /= 2;
    if (node > 1) {
        for (node--; node < BLOCK;) {
            node = 2 * node + 1;
            node -= block_least[node] > height ? 1 : 0;
        }
        return my_block * BLOCK + node - BLOCK;
    }
    node = blocks + my_block;
    while (node > 1 && (node % 2 == 0 || tree_node(node - 1) > height))
        node /= 2;
    if (node <= 1)
        return PM_NO_LINK;
    for (node--; node < leaves;) {
        node = 2 * node + 1;
        node -= tree_node(node) > height ? 1 : 0;
    }
    return node - leaves;
}

/* The intersection of the clips among the lowest `nodes` survivors of a tile, which has more: of whole words it is known. */
ivec4 survivors_intersect(uint tile, uint nodes) {
    const ivec4 low_words = pmi_extents(tile_survivors).at[2 * tile];
    const ivec4 high_words = pmi_extents(tile_survivors).at[2 * tile + 1];
    const uint words[] = {low_words.x,  low_words.y,  low_words.z,  low_words.w,
                          high_words.x, high_words.y, high_words.z, high_words.w};
    uint w = 0, survivors = words[0], before = 0, up_to = 0;
    [[unroll]] for (uint k = 1; k < PM_BOXES_TILE_WORDS; k++) {
        up_to += bitCount(words[k - 1]);
        const bool is_past = up_to <= nodes;
        w = is_past ? k : w;
        survivors = is_past ? words[k] : survivors;
        before = is_past ? up_to : before;
    }
    const uint word = tile * PM_BOXES_TILE_WORDS + w;
    const ivec4 below = w > 0 ? word_clipped.at[word - 1] : EVERYWHERE;
    const uint clips = tile_clips.at[word] & (1u << bit_select(survivors, nodes - before)) - 1u;
    return min(below, clips_intersect(word * 32, clips));
}

/* Of the tile that this one is linked to, the part that lies below this one. */
ivec4 link_reach(uint link) {
    if (link == PM_NO_LINK)
        return EVERYWHERE;
    const ivec2 record = tile_record.at[link];
    const int nodes = block_least[BLOCK + mine] - tree_least.at[leaves + link];
    if (nodes < record.x - PM_BOXES_LEAST(record.y))
        return survivors_intersect(link, uint(nodes));
    return word_clipped.at[(link + 1) * PM_BOXES_TILE_WORDS - 1];
}

void links_make(uint my_block) {
    const uint begin = my_block * BLOCK, tile = begin + mine, team_begin = begin + team * PM_LANES;
    if (mine < BLOCK_ROUNDS)
        linked[mine] = 0;
    uint link = tile < tiles ? tile_find(my_block, block_least[BLOCK + mine] - 1) : PM_NO_LINK;
    ivec4 reach = link_reach(link);
    while (lanes_ballot(link != PM_NO_LINK && link >= team_begin) != 0) {
        const bool more = link != PM_NO_LINK && link >= team_begin;
        const uint from = more ? link - team_begin : lane;
        const ivec4 next_reach = lanes_shuffle(reach, from);
        const uint next = lanes_shuffle(link, from);
        reach = min(reach, next_reach);
        link = more ? next : link;
    }
    reaches[mine] = reach;
    links[mine] = link;
    barrier();
    [[dont_unroll]] for (uint round = 0; round < BLOCK_ROUNDS; round++) {
        const bool more = link != PM_NO_LINK && link >= begin;
        if (more)
            linked[round] = 1;
        const ivec4 next_reach = more ? reaches[link - begin] : reach;
        const uint next = more ? links[link - begin] : link;
        barrier();
        if (linked[round] == 0)
            break;
        reach = min(reach, next_reach);
        link = next;
        reaches[mine] = reach;
        links[mine] = link;
        barrier();
    }
    if (tile < tiles) {
        base_to.at[tile] = reach_of_area(reach);
        link_to.at[tile] = link;
    }
}
