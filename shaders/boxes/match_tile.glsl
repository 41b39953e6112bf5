/* SPDX-License-Identifier: Apache-2.0 */
/* A tile in the workgroup's memory: where its elements are, and how a lane finds its way on the stack of nodes. */

const uint NO_CHUNK = 32; /* stands for all that is outside the tile */
/* In place of an element, stands for the base of the tile. Where the last element is an outer end, it is just that:
 * its node is the lowest of all then that anything before it lies under. */
const uint BASE = PM_BOXES_TILE - 1;

/* So many workgroups run at a time as there is memory for. So what comes last, the union of each chunk, takes the place of
 * all that is known of chunks and ends before: the other macros here. */
shared ivec4 reaches[PM_BOXES_TILE + PM_LANES];

#define union_of(chunk) reaches[PM_BOXES_TILE + (chunk)]
#define word_shared(k) union_of((k) / 4)[(k) % 4]
#define chunk_record(chunk) word_shared(chunk) /* see chunk_pack */
/* Of the ends of the tile that close nothing in it, in order, four to a word; those that close blends, a bit an element. */
#define outer_place(k) word_shared(PM_LANES + (k))
#define outer_blends(k) word_shared(3 * PM_LANES + (k))
#define TILE_PLACE (PM_BOXES_TILE + PM_LANES - 1) /* where the base of the tile is */

uint tile;
int low;         /* the tile's least height; heights here are relative to its start */
uint closes;     /* number of its ends that close nothing in it */
uint found;      /* the first of these, as many as do close something */
ivec4 tile_base; /* base of the tile */
uint base_place; /* the place of BASE */

/* Where an element's reach is: so that neither lanes with neighbours, nor lanes with the same element of each chunk,
 * meet in a bank. */
uint place(uint element) {
    return element ^ (element >> 3 & 7);
}

/* A chunk's survivors, the last chunk before it with a lesser least height (or NO_CHUNK), its own, from -256 on, and its
 * blends. */
uint chunk_pack(pm_chunk chunk, uint below, int chunk_low) {
    return chunk.survivors | below << 8 | uint(chunk_low + 256) << 14 | chunk.blends << 23;
}

int chunk_low(uint record) {
    return int(record >> 14 & 511) - 256;
}

uint chunk_below(uint record) {
    return record >> 8 & 63;
}

/* A chunk's survivors up to the one at a height that it holds one at. */
uint chunk_stack(uint record, int height) {
    uint above = record & 255;
    [[dont_unroll]] for (int h = chunk_low(record); h < height; h++)
        above &= above - 1;
    return record & (above ^ above - 1) & 255;
}

/* The node of a chunk at a height that it holds one at. */
uint chunk_node(uint chunk, uint record, int height) {
    return chunk * PM_BOXES_CHUNK + findMSB(chunk_stack(record, height));
}

/* The end that closes the outer node at a height, if one does. */
uint outer_end(int height) {
    const uint k = uint(-1 - height);
    return uint(outer_place(k / 4)) >> k % 4 * 8 & 255;
}

/* The element at which it stands what the clips up to an outer node leave: the end that closes it, or BASE. */
uint outer_element(int height) {
    return -1 - height < int(closes) ? outer_end(height) : BASE;
}

/* What stands at an element. */
ivec4 context_at(uint element) {
    return reaches[element == BASE ? base_place : place(element)];
}

/* The last chunks before this one that go below x, and below y; NO_CHUNK if none does. `windows`: the least of the 1,
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

/* By pointer doubling: the intersection of what lanes have from the lane's own on, from each to the one that it is linked
 * to, up to one that is linked to itself. */
ivec4 links_intersect(ivec4 reach, uint link) {
    for (;;) {
        const uint next = lanes_shuffle(link, link);
        const ivec4 more = lanes_shuffle(reach, link);
        reach = min(reach, more);
        if (lanes_ballot(next != link) == 0)
            break;
        link = next;
    }
    return reach;
}

/* ---- The tile from and to where the scene is */

/* The box of each element that has one, as it is given. All are on their way at a time; for an element without box that
 * of the tile's first is read. */
void boxes_load(uint with_box) {
    const uint begin = tile * PM_BOXES_TILE;
    ivec4 box[PM_BOXES_CHUNK];
    [[unroll]] for (uint r = 0; r < PM_BOXES_CHUNK; r++) {
        const uint element = r * PM_LANES + lane;
        const uint of_chunk = lanes_shuffle(with_box, element / PM_BOXES_CHUNK);
        box[r] = boxes.at[begin + ((of_chunk >> element % PM_BOXES_CHUNK & 1) != 0 ? element : 0)];
    }
    [[unroll]] for (uint r = 0; r < PM_BOXES_CHUNK; r++)
        reaches[place(r * PM_LANES + lane)] = box[r];
}

void boxes_store() {
    [[dont_unroll]] for (uint r = 0; r < PM_BOXES_CHUNK; r++) {
        const uint element = r * PM_LANES + lane, index = tile * PM_BOXES_TILE + element;
        if (index < n)
            results.at[index] = box_of_reach(reaches[place(element)]);
    }
}

/* Nothing is known of ends yet. */
void tile_begin() {
    if (lane < PM_BOXES_TILE_WORDS)
        outer_blends(lane) = 0;
    if (lane == 0)
        reaches[TILE_PLACE] = tile_base;
    outer_place(lane) = 0;
    outer_place(PM_LANES + lane) = 0;
}
