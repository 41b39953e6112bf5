/* SPDX-License-Identifier: Apache-2.0 */
/* What the clips above them leave of the tile's elements. */

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
        base = reaches[place(chunk_node(below, uint(chunk_record(below)), my_low - 1))];
    for (uint link = below == NO_CHUNK ? lane : below;;) {
        const uint next = lanes_shuffle(link, link);
        const ivec4 more = lanes_shuffle(base, link);
        base = min(base, more);
        if (lanes_ballot(next != link) == 0)
            break;
        link = next;
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
