/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bases of tiles, as far as a block knows. A tile's base is that of the tile with the node just below its least height
 * (the last tile before it whose least height is less), intersected with the clips among that tile's survivors that lie
 * below. That is a linked list, and is made short by pointer doubling: first among the tiles of a team, then among those
 * of the block.
 */

const uint BLOCK_ROUNDS = 5; /* a list has one tile of each team then, of which there are 32 at most */
const int FEW_CLIPS = 16;    /* that a lane intersects by itself */

shared ivec4 reaches[BLOCK];
shared uint links[BLOCK];
shared uint linked[BLOCK_ROUNDS];

/* The last tile before this one that goes no higher than `height` at its least; PM_NO_LINK if there is none. The block's
 * part of the tree is in the workgroup's memory. */
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
    while (node > 1 && (node % 2 == 0 || tree_least.at[node - 1] > height))
        node /= 2;
    if (node <= 1)
        return PM_NO_LINK;
    for (node--; node < leaves;) {
        node = 2 * node + 1;
        node -= tree_least.at[node] > height ? 1 : 0;
    }
    return node - leaves;
}

/* The clips among survivors of which `nodes` are the lowest and wanted. */
uint clips_among(uint survivors, uint clips, int nodes) {
    [[dont_unroll]] for (int surplus = bitCount(survivors) - max(nodes, 0); surplus > 0; surplus--)
        survivors ^= 1u << findMSB(survivors);
    return survivors & clips;
}

/* A word of a tile's eight. */
uint word_of(ivec4 low_words, ivec4 high_words, uint w) {
    const ivec4 words = w < 4 ? low_words : high_words;
    const ivec2 half_words = w % 4 < 2 ? words.xy : words.zw;
    return uint(w % 2 == 0 ? half_words.x : half_words.y);
}

/* The intersection of the clips among the lowest `nodes` survivors of a tile, a lane by itself: it reads the words at once,
 * and of each four boxes at a time. Where there are too many clips it does nothing, and returns false. */
bool survivors_intersect(uint tile, int nodes, out ivec4 clipped) {
    const ivec4 low_survivors = pm_reaches(tile_survivors).at[2 * tile];
    const ivec4 high_survivors = pm_reaches(tile_survivors).at[2 * tile + 1];
    ivec4 low_clips = pm_reaches(tile_clips).at[2 * tile], high_clips = pm_reaches(tile_clips).at[2 * tile + 1];
    int clips = 0;
    [[dont_unroll]] for (uint w = 0; w < PM_BOXES_TILE_WORDS; w++) {
        const uint survivors = word_of(low_survivors, high_survivors, w);
        const uint kept = clips_among(survivors, word_of(low_clips, high_clips, w), nodes);
        nodes -= bitCount(survivors);
        clips += bitCount(kept);
        const bvec4 here = equal(uvec4(w % 4), uvec4(0, 1, 2, 3));
        low_clips = w < 4 ? mix(low_clips, ivec4(kept), here) : low_clips;
        high_clips = w < 4 ? high_clips : mix(high_clips, ivec4(kept), here);
    }
    clipped = EVERYWHERE;
    if (clips > FEW_CLIPS)
        return false;
    [[dont_unroll]] for (uint w = 0; w < PM_BOXES_TILE_WORDS; w++) {
        const uint begin = tile * PM_BOXES_TILE + w * 32;
        [[dont_unroll]] for (uint bits = word_of(low_clips, high_clips, w); bits != 0;) {
            uint node = 0;
            ivec4 box[4];
            [[unroll]] for (uint k = 0; k < 4; k++) { /* or the last one again */
                node = bits != 0 ? findLSB(bits) : node;
                bits &= bits - 1;
                box[k] = boxes.at[begin + node];
            }
            [[unroll]] for (uint k = 0; k < 4; k++)
                clipped = min(clipped, reach_of_box(box[k]));
        }
    }
    return true;
}

/* The same by all lanes of the team, for one tile. */
ivec4 survivors_intersect_together(uint tile, int nodes) {
    const uint index = tile * PM_BOXES_TILE_WORDS + lane / 4, begin = tile * PM_BOXES_TILE + lane * PM_BOXES_CHUNK;
    const uint survivors = lane_byte(tile_survivors.at[index]), clips = lane_byte(tile_clips.at[index]);
    const int ones = bitCount(survivors), below = int(lanes_inclusive_add(uint(ones))) - ones;
    ivec4 clipped = EVERYWHERE;
    [[dont_unroll]] for (uint bits = clips_among(survivors, clips, nodes - below); bits != 0; bits &= bits - 1)
        clipped = min(clipped, box_read(begin + findLSB(bits)));
    return lanes_min(clipped);
}

/* Of the tile that this one is linked to, the part that lies below this one. */
ivec4 link_reach(uint tile, uint link) {
    int nodes = 0;
    ivec4 reach = EVERYWHERE;
    if (link != PM_NO_LINK) {
        const ivec2 record = tile_record.at[link];
        nodes = block_least[BLOCK + mine] - tree_least.at[leaves + link];
        if (nodes == record.x - PM_BOXES_LEAST(record.y)) {
            nodes = 0;
            reach = tile_clipped.at[link];
        } else if (survivors_intersect(link, nodes, reach)) {
            nodes = 0;
        }
    }
    for (uint many = lanes_ballot(nodes > 0); many != 0; many &= many - 1) {
        const uint k = findLSB(many);
        const uint of = lanes_shuffle(link, k), of_nodes = lanes_shuffle(uint(nodes), k);
        const ivec4 together = survivors_intersect_together(of, int(of_nodes));
        reach = lane == k ? together : reach;
    }
    return reach;
}

void links_make(uint my_block) {
    const uint begin = my_block * BLOCK, tile = begin + mine, team_begin = begin + team * PM_LANES;
    if (mine < BLOCK_ROUNDS)
        linked[mine] = 0;
    uint link = tile < tiles ? tile_find(my_block, block_least[BLOCK + mine] - 1) : PM_NO_LINK;
    ivec4 reach = link_reach(tile, link);
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
