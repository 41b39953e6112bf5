/* SPDX-License-Identifier: Apache-2.0 */
/* A tile in the workgroup's memory: where its elements are, and how a lane finds its way on the stack of nodes. */

const uint NO_CHUNK = 32;     /* stands for all that is outside the tile */
const uint NO_NODE = 0xffffu; /* likewise */

shared ivec4 reaches[PM_BOXES_TILE];
shared uint chunk_record[PM_LANES]; /* see chunk_pack */
shared uint chunk_blends[PM_LANES];
shared uint outer_place[PM_BOXES_TILE / 4]; /* of the ends of the tile that close nothing in it, a byte each */
shared uint outer_blends[PM_BOXES_TILE_WORDS]; /* of these, those that close blends; a bit an element */
shared ivec4 unions[2 * PM_LANES]; /* of each chunk, and of four from each on */

uint tile;
int low;         /* the tile's least height; heights here are relative to its start */
uint closes;     /* so many of its ends close nothing in it */
uint found;      /* of them, the first so many do close something */
ivec4 tile_base; /* base of the tile */

/* Where an element's reach is: so that neither lanes with neighbours, nor lanes with the same element of each chunk,
 * meet in a bank. */
uint place(uint element) {
    return element ^ (element >> 3 & 7);
}

/* A chunk's survivors, the last chunk before it with a lesser least height (or NO_CHUNK), and its own, from -256 on. */
uint chunk_pack(uint chunk_survivors, uint below, int chunk_low) {
    return chunk_survivors | below << 8 | uint(chunk_low + 256) << 16;
}

int chunk_low(uint record) {
    return int(record >> 16) - 256;
}

uint chunk_below(uint record) {
    return record >> 8 & 63;
}

/* The node of a chunk at a height that it holds one at. */
uint chunk_node(uint chunk, uint record, int height) {
    return chunk * PM_BOXES_CHUNK + bit_select(record & 255, uint(height - chunk_low(record)));
}

/* The node under a node on the stack, or NO_NODE; `height` is that of the node given, and becomes that of the other. */
uint node_under(uint node, inout int height) {
    uint chunk = node / PM_BOXES_CHUNK, record = chunk_record[chunk];
    height--;
    const uint lower = record & (1u << node % PM_BOXES_CHUNK) - 1u;
    if (lower != 0)
        return chunk * PM_BOXES_CHUNK + findMSB(lower);
    chunk = chunk_below(record);
    return chunk == NO_CHUNK ? NO_NODE : chunk_node(chunk, chunk_record[chunk], height);
}

/* The end that closes the outer node at a height, if one does. */
uint outer_end(int height) {
    const uint k = uint(-1 - height);
    return outer_place[k / 4] >> k % 4 * 8 & 255;
}

/* What the clips up to an outer node leave. */
ivec4 outer_reach(int height) {
    return -1 - height < int(closes) ? reaches[place(outer_end(height))] : tile_base;
}

/* What the clips up to a node leave; it may be an outer one. */
ivec4 node_reach(uint node, int height) {
    return node == NO_NODE ? outer_reach(height) : reaches[place(node)];
}

/* The last chunks before this one that go below x, and below y; NO_CHUNK if there is none. `windows`: the least of the 1,
 * 2, 4, 8, 16 chunks up to each. */
uvec2 chunks_find(int windows[5], ivec2 below) {
    ivec2 chunk = ivec2(int(lane) - 1);
    [[unroll]] for (int k = 4; k >= 0; k--) {
        const ivec2 window = ivec2(lanes_shuffle(uint(windows[k]), uint(max(chunk.x, 0))),
                                   lanes_shuffle(uint(windows[k]), uint(max(chunk.y, 0))));
        const bvec2 over = greaterThanEqual(window, below);
        chunk -= mix(ivec2(0), ivec2(1 << k), bvec2(over.x && chunk.x >= 0, over.y && chunk.y >= 0));
    }
    return uvec2(chunk.x < 0 ? NO_CHUNK : uint(chunk.x), chunk.y < 0 ? NO_CHUNK : uint(chunk.y));
}
