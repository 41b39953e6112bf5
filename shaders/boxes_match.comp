/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The third stage of boxes, a tile for each workgroup, which is one team; a lane has a chunk.
 *
 * The tile lies in the workgroup's memory, a reach for each element, and what is known of an element stands in its place
 * there: first its box as it is given; of an end that closes a node of a tile before, that node; then what all clips above
 * leave of it; and of blends and their ends the unions. So no other stack is needed: a node's place in the tile is its
 * name.
 *
 * Loops over a chunk are not unrolled: where there are few tiles, instructions that have not been fetched yet are what
 * takes longest.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/lanes.glsl"
#define PM_SCRATCH_ACCESS
#include "shaders/boxes.glsl"
#include "shaders/boxes_chunk.glsl"

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

/* ---- Nodes of tiles before ---- */

/* Tells that outer node `node` is the one at `height`. */
void outer_tell(uint node, int height) {
    reaches[place(outer_end(height))].x = int(node);
}

/* The nodes among survivors of tiles 32 * group and on, of those before `end`, that are on the stack at heights low ...
 * top. Returns the least height of these tiles. */
int group_tell(uint group, uint end, int start, int top) {
    const uint source = group * PM_LANES + lane;
    const int source_low = source < end ? tree_least.at[leaves + source] - start : 0x7fffffff;
    const int low_after = int(lanes_min_above(uint(source_low) ^ 0x80000000u) ^ 0x80000000u);
    const int to = min(top, low_after == 0x7fffffff ? top : low_after - 1), from = max(low, source_low);
    const bool few = to >= from && to - from < 4;
    if (few) { /* each lane by itself */
        const ivec4 low_words = pm_reaches(tile_survivors).at[2 * source];
        const ivec4 high_words = pm_reaches(tile_survivors).at[2 * source + 1];
        const uint words[] = {low_words.x,  low_words.y,  low_words.z,  low_words.w,
                              high_words.x, high_words.y, high_words.z, high_words.w};
        uint word = 0, bits = words[0];
        int height = source_low;
        [[unroll]] for (uint w = 1; w < PM_BOXES_TILE_WORDS; w++) {
            const int ones = bitCount(bits);
            const bool is_past = height + ones <= from;
            height += is_past ? ones : 0;
            bits = is_past ? words[w] : bits;
            word = is_past ? w : word;
        }
        [[dont_unroll]] for (; height <= to; height++) {
            while (bits == 0)
                bits = tile_survivors.at[source * PM_BOXES_TILE_WORDS + ++word];
            if (height >= from)
                outer_tell(source * PM_BOXES_TILE + word * 32 + findLSB(bits), height);
            bits &= bits - 1;
        }
    }
    for (uint many = lanes_ballot(to >= from && !few); many != 0; many &= many - 1) { /* all lanes together */
        const uint k = findLSB(many), of = group * PM_LANES + k;
        const int of_from = int(lanes_shuffle(uint(from), k)), of_to = int(lanes_shuffle(uint(to), k));
        uint bits = lane_byte(tile_survivors.at[of * PM_BOXES_TILE_WORDS + lane / 4]);
        const uint ones = bitCount(bits);
        int height = int(lanes_shuffle(uint(source_low), k)) + int(lanes_inclusive_add(ones) - ones);
        for (; bits != 0; bits &= bits - 1, height++)
            if (height >= of_from && height <= of_to)
                outer_tell(of * PM_BOXES_TILE + lane * PM_BOXES_CHUNK + findLSB(bits), height);
    }
    return lanes_min(source_low);
}

/* The last row of 32 tiles of which one before `end` has a least height of at most `height`; `end` becomes the end of those
 * that count in it. False if there is none. */
bool group_find(inout uint end, int height) {
    uint node = end, shift = 0, held = 0;
    for (;; node /= PM_LANES, shift += 5) {
        const uint sisters = node & ~(PM_LANES - 1);
        held = lanes_ballot(lane < node % PM_LANES && tree_least.at[(leaves >> shift) + sisters + lane] <= height);
        if (held != 0) {
            node = sisters + findMSB(held);
            break;
        }
        if (node < PM_LANES)
            return false;
    }
    for (; shift > 5; shift -= 5)
        node = node * PM_LANES +
               findMSB(lanes_ballot(tree_least.at[(leaves >> shift - 5) + node * PM_LANES + lane] <= height));
    end = shift == 0 ? end : (node + 1) * PM_LANES;
    return true;
}

/* Which nodes of tiles before the tile's outer ends close: their number, and in place of each end its node. */
void outer_find(int start) {
    int top = -1;
    for (uint end = tile; top >= low && end > 0;) {
        if (!group_find(end, top + start))
            break;
        const uint group = (end - 1) / PM_LANES;
        top = min(top, group_tell(group, end, start, top) - 1);
        end = group * PM_LANES;
    }
    found = uint(-1 - max(top, low - 1));
}

/* In place of each outer end what the clips up to its node leave. */
void outer_intersect() {
    ivec4 below = tile_base;
    for (uint row = (found + PM_LANES - 1) / PM_LANES; row-- > 0;) {
        const uint k = row * PM_LANES + lane;
        const bool mine = k < found;
        uint end = 0;
        ivec4 reach = EVERYWHERE;
        if (mine) {
            end = outer_end(-1 - int(k));
            const uint node = uint(reaches[place(end)].x), kind = kind_of(node);
            const ivec4 box = boxes.at[node];
            if (kind == 1)
                reach = reach_of_box(box);
            else {
                atomicOr(outer_blends[end / 32], 1u << end % 32);
                blend_closed.at[tile * PM_BOXES_TILE + end] = node;
            }
        }
        [[unroll]] for (uint by = 1; by < PM_LANES; by *= 2) {
            const ivec4 above = lanes_shuffle(reach, (lane + by) % PM_LANES);
            reach = lane + by < PM_LANES ? min(reach, above) : reach;
        }
        reach = min(reach, below);
        if (mine)
            reaches[place(end)] = reach;
        below = lanes_shuffle(reach, 0);
    }
    for (uint k = found + lane; k < closes; k += PM_LANES)
        reaches[place(outer_end(-1 - int(k)))] = tile_base;
    lanes_barrier();
}

/* ---- Clips ---- */

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

/* In place of each survivor what it and the clips under it in its chunk leave. */
void survivors_intersect(pm_chunk chunk) {
    ivec4 reach = EVERYWHERE;
    [[dont_unroll]] for (uint bits = chunk.survivors; bits != 0; bits &= bits - 1) {
        const uint at = place(lane * PM_BOXES_CHUNK + findLSB(bits));
        if ((chunk.clips & bits & -bits) != 0)
            reach = min(reach, reach_of_box(reaches[at]));
        reaches[at] = reach;
    }
}

/* The same with all clips above them, by pointer doubling from chunk to chunk. */
void survivors_complete(pm_chunk chunk, uint below, int my_low) {
    ivec4 base;
    if (below == NO_CHUNK)
        base = outer_reach(my_low - 1);
    else
        base = reaches[place(chunk_node(below, chunk_record[below], my_low - 1))];
    for (uint link = below; lanes_ballot(link != NO_CHUNK) != 0;) {
        const uint from = min(link, PM_LANES - 1);
        const ivec4 more = lanes_shuffle(base, from);
        const uint next = lanes_shuffle(link, from);
        base = link == NO_CHUNK ? base : min(base, more);
        link = link == NO_CHUNK ? link : next;
    }
    lanes_barrier();
    for (uint bits = chunk.survivors; bits != 0; bits &= bits - 1) {
        const uint at = place(lane * PM_BOXES_CHUNK + findLSB(bits));
        reaches[at] = min(base, reaches[at]);
    }
    lanes_barrier();
}

/* The nodes of other chunks that the chunk's ends close, a byte for each end. */
uint closed_node(uvec2 closed, uint k) {
    return (k < 4 ? closed.x : closed.y) >> k % 4 * 8 & 255;
}

void closed_add(inout uvec2 closed, uint k, uint node) {
    const uint byte = node << k % 4 * 8;
    closed |= k < 4 ? uvec2(byte, 0) : uvec2(0, byte);
}

/* Finds the nodes of other chunks that the chunk's ends close; node is the one on top of the stack before it. */
uvec2 chunk_close(pm_chunk chunk, uint node, int height) {
    uvec2 closed = uvec2(0);
    [[dont_unroll]] for (uint bits = chunk.closers; bits != 0 && node != NO_NODE; bits &= bits - 1) {
        closed_add(closed, findLSB(bits), node);
        node = node_under(node, height);
    }
    return closed;
}

/* The same, and goes through the chunk: in place of each element what all clips above it leave; of an end, what those up
 * to the node that it closes leave. */
uvec2 chunk_walk(pm_chunk chunk, uint node, int height) {
    const uint begin = lane * PM_BOXES_CHUNK, nodes = chunk.clips | chunk.blends;
    uvec2 closed = uvec2(0);
    ivec4 outside = node_reach(node, height), context = outside;
    uint open = 0;
    [[dont_unroll]] for (uint k = 0; k < PM_BOXES_CHUNK; k++) {
        const uint bit = 1u << k, at = place(begin + k);
        if ((chunk.ends & bit) == 0) {
            ivec4 reach = reaches[at];
            if ((chunk.survivors & bit) == 0) {
                reach = min(context, mix(reach_of_box(reach), EVERYWHERE, bvec4(chunk.blends & bit)));
                reaches[at] = reach;
            }
            if ((nodes & bit) != 0) {
                open |= bit;
                context = reach;
            }
            continue;
        }
        if (open != 0) {
            reaches[at] = context;
            open ^= 1u << findMSB(open);
        } else {
            if (node != NO_NODE) {
                reaches[at] = context;
                closed_add(closed, k, node);
                node = node_under(node, height);
            } else {
                height--;
            }
            outside = node_reach(node, height);
        }
        context = outside;
        if (open != 0)
            context = reaches[place(begin + findMSB(open))];
    }
    return closed;
}

/* ---- Blends ---- */

/* Goes through the chunk once more: in place of each blend and its end the union of the leaves between, as far as they
 * are of the chunk; of an end of another chunk's blend, of those before it. Returns the union of all leaves. If nothing is
 * clipped, leaves are still as they are given. */
ivec4 chunk_unite(pm_chunk chunk, uint outer_closers, bool is_clipped) {
    const uint begin = lane * PM_BOXES_CHUNK;
    ivec4 all = NOWHERE;
    uint open = 0;
    [[dont_unroll]] for (uint k = 0; k < PM_BOXES_CHUNK; k++) {
        const uint bit = 1u << k, at = place(begin + k);
        if ((chunk.leaves & bit) != 0) {
            ivec4 reach = reaches[at];
            if (!is_clipped) {
                reach = reach_of_box(reach);
                reaches[at] = reach;
            }
            all = max(all, reach_of_area(reach));
        } else if ((chunk.blends & bit) != 0) {
            reaches[at] = all;
            all = NOWHERE;
            open |= bit;
        } else if ((chunk.clips & bit) != 0) {
            open |= bit;
        } else if ((chunk.ends & bit) != 0) {
            if (open != 0) {
                const uint node = findMSB(open);
                open ^= 1u << node;
                if ((chunk.blends >> node & 1) != 0) {
                    const uint blend = place(begin + node);
                    const ivec4 before = reaches[blend];
                    reaches[at] = all;
                    reaches[blend] = all;
                    all = max(all, before);
                }
            } else if ((outer_closers & bit) != 0) {
                reaches[at] = all;
            }
        }
    }
    for (uint bits = chunk.survivors & chunk.blends; bits != 0;) {
        const uint node = findMSB(bits), blend = place(begin + node);
        const ivec4 before = reaches[blend];
        bits ^= 1u << node;
        reaches[blend] = all;
        all = max(all, before);
    }
    return all;
}

/* The union of each chunk, and of the four from each on, as far as there are so many. */
void unions_make(ivec4 all) {
    unions[lane] = all;
    lanes_barrier();
    [[unroll]] for (uint k = 1; k < 4; k++)
        all = max(all, unions[min(lane + k, PM_LANES - 1)]);
    unions[PM_LANES + lane] = all;
    lanes_barrier();
}

/* Of chunks begin ... end - 1. */
ivec4 unions_between(uint begin, uint end) {
    ivec4 all = NOWHERE;
    [[dont_unroll]] for (; begin + 4 <= end; begin += 4)
        all = max(all, unions[PM_LANES + begin]);
    [[dont_unroll]] for (; begin < end; begin++)
        all = max(all, unions[begin]);
    return all;
}

/* Blends and ends whose other is in another chunk, or tile. A chunk's ends close nodes further and further to the left, so what
 * lies between grows by chunks. */
void blends_complete(pm_chunk chunk, uvec2 closed, uint chunk_closers, uint outer_closers, uint left_open) {
    const uint begin = lane * PM_BOXES_CHUNK;
    uint from = lane; /* the first chunk of what is `between` */
    ivec4 between = NOWHERE;
    for (uint bits = chunk_closers; bits != 0; bits &= bits - 1) {
        const uint k = findLSB(bits), node = closed_node(closed, k), blend = place(node), end = place(begin + k);
        const uint after_blend = node / PM_BOXES_CHUNK + 1;
        between = max(between, unions_between(after_blend, from));
        from = after_blend;
        const ivec4 all = max(max(reaches[blend], reaches[end]), between);
        reaches[blend] = all;
        reaches[end] = all;
    }
    if (outer_closers != 0) {
        const ivec4 before = max(between, unions_between(0, from));
        for (uint bits = outer_closers; bits != 0; bits &= bits - 1) {
            const uint end = place(begin + findLSB(bits));
            reaches[end] = max(reaches[end], before);
        }
    }
    if (left_open != 0) {
        const ivec4 after = unions_between(lane + 1, PM_LANES);
        for (uint bits = left_open; bits != 0; bits &= bits - 1) {
            const uint blend = place(begin + findLSB(bits));
            reaches[blend] = max(reaches[blend], after);
        }
    }
}

/* ---- The tile ---- */

void boxes_store() {
    [[dont_unroll]] for (uint r = 0; r < PM_BOXES_CHUNK; r++) {
        const uint element = r * PM_LANES + lane, index = tile * PM_BOXES_TILE + element;
        if (index < n)
            results.at[index] = box_of_reach(reaches[place(element)]);
    }
}

/* A tile that has nothing but leaves. */
void leaves_match(bool has_blends) {
    ivec4 all = NOWHERE;
    [[dont_unroll]] for (uint r = 0; r < PM_BOXES_CHUNK; r++) {
        const uint element = r * PM_LANES + lane, index = tile * PM_BOXES_TILE + element;
        const ivec4 reach = min(tile_base, reach_of_box(reaches[place(element)]));
        if (index >= n)
            break;
        results.at[index] = box_of_reach(reach);
        all = max(all, reach_of_area(reach));
    }
    if (lane < PM_BOXES_TILE_WORDS)
        tile_closers.at[tile * PM_BOXES_TILE_WORDS + lane] = 0;
    if (!has_blends)
        return;
    all = lanes_max(all);
    if (lane == 0)
        tree_covered.at[leaves + tile] = all;
}

void main() {
    tile = first + gl_WorkGroupID.x;
    const int start = tile_start.at[tile], has = scene_has.at[0];
    const bool has_clips = (has & PM_BOXES_HAS_CLIPS) != 0, has_blends = (has & PM_BOXES_HAS_BLENDS) != 0;
    tile_base = base_from.at[tile];
    const pm_chunk chunk = chunk_read(tile * PM_LANES + lane);
    const uint left_open = chunk.blends & lane_byte(tile_survivors.at[tile * PM_BOXES_TILE_WORDS + lane / 4]);
    boxes_load(chunk.leaves | chunk.clips);
    if (lanes_ballot((chunk.clips | chunk.blends | chunk.ends) != 0) == 0) {
        leaves_match(has_blends);
        return;
    }
    if (lane < PM_BOXES_TILE_WORDS)
        outer_blends[lane] = 0;
    outer_place[lane] = 0;
    outer_place[PM_LANES + lane] = 0;

    /* Heights, and for each chunk the ones before it on whose survivors the stack goes on. */
    const int opened = bitCount(chunk.survivors), closed_here = bitCount(chunk.closers);
    const int my_end = int(lanes_inclusive_add(uint(opened - closed_here)));
    const int my_low = my_end - opened, my_start = my_low + closed_here;
    int windows[5];
    windows[0] = my_low;
    [[unroll]] for (uint k = 1; k < 5; k++) {
        const int before = int(lanes_shuffle_up(uint(windows[k - 1]), 1u << k - 1));
        windows[k] = lane >= 1u << k - 1 ? min(windows[k - 1], before) : windows[k - 1];
    }
    const uvec2 chunks = chunks_find(windows, ivec2(my_low, my_start));
    const uint below = chunks.x, top = chunks.y;
    const int last_window = int(lanes_shuffle_up(uint(windows[4]), 16));
    const int lows = lane >= 16 ? min(windows[4], last_window) : windows[4]; /* of all chunks up to this */
    const int lows_below = int(lanes_shuffle_up(uint(lows), 1)), lows_before = lane == 0 ? 0 : min(0, lows_below);
    low = int(lanes_shuffle(uint(lows), PM_LANES - 1));
    closes = uint(-low);
    chunk_record[lane] = chunk_pack(chunk.survivors, below, my_low);
    chunk_blends[lane] = chunk.blends;
    lanes_barrier();

    /* Ends that close nothing in the tile. */
    uint outer = chunk.closers;
    for (int inside = closed_here - max(0, lows_before - my_low); inside > 0; inside--)
        outer &= outer - 1;
    uint k = uint(-lows_before);
    for (uint bits = outer; bits != 0; bits &= bits - 1, k++)
        atomicOr(outer_place[k / 4], (lane * PM_BOXES_CHUNK + findLSB(bits)) << k % 4 * 8);
    lanes_barrier();
    if (closes > 0) {
        outer_find(start);
        lanes_barrier();
        outer_intersect();
    }
    const uint blend_word = outer_blends[lane / 4];
    if (lane % 4 == 0)
        tile_closers.at[tile * PM_BOXES_TILE_WORDS + lane / 4] = blend_word;
    const uint outer_closers = lane_byte(blend_word);

    int height = my_start - 1;
    const uint node = top == NO_CHUNK ? NO_NODE : chunk_node(top, chunk_record[top], height);
    uvec2 closed;
    if (has_clips) {
        survivors_intersect(chunk);
        lanes_barrier();
        survivors_complete(chunk, below, my_low);
        closed = chunk_walk(chunk, node, height);
        lanes_barrier();
    } else {
        closed = chunk_close(chunk, node, height);
    }

    if (has_blends || !has_clips) {
        uint chunk_closers = 0; /* the chunk's ends of other chunks' blends */
        for (uint bits = chunk.closers & ~outer; bits != 0; bits &= bits - 1) {
            const uint k = findLSB(bits), other = closed_node(closed, k);
            chunk_closers |= (chunk_blends[other / PM_BOXES_CHUNK] >> other % PM_BOXES_CHUNK & 1) << k;
        }
        const ivec4 all = chunk_unite(chunk, outer_closers | chunk_closers, has_clips);
        unions_make(all);
        blends_complete(chunk, closed, chunk_closers, outer_closers, left_open);
        const ivec4 of_tile = lanes_max(all);
        if (lane == 0 && has_blends)
            tree_covered.at[leaves + tile] = of_tile;
        lanes_barrier();
    }
    /* Ends that close nothing at all. */
    uint bits = outer;
    for (uint q = uint(-lows_before); bits != 0; bits &= bits - 1, q++)
        if (q >= found)
            reaches[place(lane * PM_BOXES_CHUNK + findLSB(bits))] = NOWHERE;
    lanes_barrier();
    boxes_store();
}
