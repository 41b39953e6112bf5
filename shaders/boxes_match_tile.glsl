/* SPDX-License-Identifier: Apache-2.0 */
/* A tile in the workgroup's memory: where its elements are, and how a lane finds its way on the stack of nodes. */

const uint NO_CHUNK = 32;     /* stands for all that is outside the tile */
const uint NO_NODE = 0xffffu; /* likewise */

/* So many workgroups run at a time as there is memory for. So what comes last, the union of each chunk, takes the place of
 * all that is known of chunks and ends before: see chunk_record, chunk_blends, outer_place. */
shared ivec4 reaches[PM_BOXES_TILE];
shared ivec4 unions[PM_LANES];
shared uint outer_blends[PM_BOXES_TILE_WORDS]; /* of outer_place, those that close blends; a bit an element */

#define word_shared(k) unions[(k) / 4][(k) % 4]
#define chunk_record(chunk) word_shared(chunk) /* see chunk_pack */
#define chunk_blends(chunk) word_shared(PM_LANES + (chunk))
/* Of the ends of the tile that close nothing in it, in order, four to a word. */
#define outer_place(k) word_shared(2 * PM_LANES + (k))

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
    uint survivors = record & 255;
    [[dont_unroll]] for (int h = chunk_low(record); h < height; h++)
        survivors &= survivors - 1;
    return chunk * PM_BOXES_CHUNK + findLSB(survivors);
}

/* The node under a node on the stack, or NO_NODE; `height` is that of the node given, and becomes that of the other. */
uint node_under(uint node, inout int height) {
    uint chunk = node / PM_BOXES_CHUNK, record = uint(chunk_record(chunk));
    height--;
    const uint lower = record & (1u << node % PM_BOXES_CHUNK) - 1u;
    if (lower != 0)
        return chunk * PM_BOXES_CHUNK + findMSB(lower);
    chunk = chunk_below(record);
    return chunk == NO_CHUNK ? NO_NODE : chunk_node(chunk, uint(chunk_record(chunk)), height);
}

/* The end that closes the outer node at a height, if one does. */
uint outer_end(int height) {
    const uint k = uint(-1 - height);
    return uint(outer_place(k / 4)) >> k % 4 * 8 & 255;
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
