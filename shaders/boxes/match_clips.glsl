/* SPDX-License-Identifier: Apache-2.0 */
/* What the clips above them leave of the tile's elements. */

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

/* The same with all clips above them, from chunk to chunk. */
void survivors_complete(pm_chunk chunk, uint below, int my_low) {
    const uint under =
        below == NO_CHUNK ? outer_element(my_low - 1) : chunk_node(below, uint(chunk_record(below)), my_low - 1);
    const ivec4 base = links_intersect(context_at(under), below == NO_CHUNK ? lane : below);
    lanes_barrier();
    for (uint bits = chunk.survivors; bits != 0; bits &= bits - 1) {
        const uint at = place(lane * PM_BOXES_CHUNK + findLSB(bits));
        reaches[at] = min(base, reaches[at]);
    }
    lanes_barrier();
}

/* What is known of a chunk's ends. */
struct pm_ends {
    uvec2 stack;       /* elements, a byte each: what the ends that close no node of the chunk close, in order, and the
                        * node under it; of outer nodes see outer_element */
    uint own_blends;   /* the ends that close a blend of the chunk: known after the walk */
    uint other_blends; /* and a blend of another chunk of the tile */
};

/* The first byte away. */
void bytes_shift(inout uvec2 bytes) {
    bytes = uvec2(bytes.x >> 8 | bytes.y << 24, bytes.y >> 8);
}

/* `top` is the chunk with the node on top of the stack before this chunk, whose height is given. */
pm_ends chunk_close(pm_chunk chunk, uint top, int height) {
    pm_ends ends = pm_ends(uvec2(0), 0, 0);
    uint record = 0, nodes = 0; /* of chunk `top`; those on the stack */
    uint bits = chunk.closers, shift = 0;
    bool more;
    do { /* not left from its midst: Mesa's software renderer is wrong then */
        if (nodes == 0 && top != NO_CHUNK) {
            record = uint(chunk_record(top));
            nodes = chunk_stack(record, height);
        }
        const uint node = findMSB(nodes);
        const uint element = top == NO_CHUNK ? outer_element(height) : top * PM_BOXES_CHUNK + node;
        ends.stack |= shift < 32 ? uvec2(element << shift, 0) : uvec2(0, element << shift - 32);
        shift += 8;
        if (top != NO_CHUNK) {
            ends.other_blends |= bits & -bits & -(record >> 23 + node & 1);
            nodes ^= 1u << node;
            top = nodes == 0 ? chunk_below(record) : top;
        }
        height--;
        more = bits != 0 && shift < 64;
        bits &= bits - 1;
    } while (more);
    return ends;
}

/* Goes through the chunk: in place of each element what all clips above it leave; of an end, what those up to the node that
 * it closes leave. Survivors and `outer` ends have it. Lanes have different kinds, so there are few branches; and no steps
 * where the scene has no clips, which is faster than a branch around them. */
void chunk_walk(pm_chunk chunk, uint outer, bool has_clips, inout pm_ends ends) {
    const uint begin = lane * PM_BOXES_CHUNK, nodes = chunk.clips | chunk.blends, boxed = chunk.clips | chunk.leaves;
    const uint open_places = ~(chunk.survivors | outer), steps = has_clips ? PM_BOXES_CHUNK : 0;
    ends.own_blends = has_clips ? 0 : chunk.ends & ~chunk.closers;
    uvec2 stack = ends.stack;
    uint open = 0, above = stack.x & 255; /* above: where it stands what all clips leave */
    [[dont_unroll]] for (uint k = 0; k < steps; k++) {
        const uint bit = 1u << k, at = place(begin + k);
        uint from = above;
        if ((chunk.ends & bit) != 0) {
            if (open != 0) {
                const uint own = findMSB(open);
                open ^= 1u << own;
                from = begin + own;
                ends.own_blends |= (chunk.blends >> own & 1) << k;
            } else {
                bytes_shift(stack);
            }
            above = open != 0 ? begin + findMSB(open) : stack.x & 255;
        }
        if ((open_places & bit) != 0) {
            ivec4 reach = context_at(from);
            if ((boxed & bit) != 0)
                reach = min(reach, reach_of_box(reaches[at]));
            reaches[at] = reach;
        }
        if ((nodes & bit) != 0) {
            open |= bit;
            above = begin + k;
        }
    }
}
