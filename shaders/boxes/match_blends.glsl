/* SPDX-License-Identifier: Apache-2.0 */
/* The unions that blends are, as far as the tile knows. */

/* Goes through the chunk once more, with few branches again: in place of each blend and its end the union of the leaves
 * between, as far as they are of the chunk; of an end of another chunk's blend, of those before it. Returns the union of
 * all leaves. If nothing is clipped, leaves are still as they are given. */
ivec4 chunk_unite(pm_chunk chunk, uint own_blends, uint other_blends, bool is_clipped) {
    const uint begin = lane * PM_BOXES_CHUNK;
    ivec4 all = NOWHERE;
    uint open = 0;
    const uint told = chunk.blends | own_blends | other_blends;
    [[dont_unroll]] for (uint k = 0; k < PM_BOXES_CHUNK; k++) {
        const uint bit = 1u << k, at = place(begin + k);
        const bool is_leaf = (chunk.leaves & bit) != 0, is_own = (own_blends & bit) != 0;
        const uint node = findMSB(open), blend = is_own ? place(begin + node) : at;
        ivec4 reach = reaches[blend];
        if (is_leaf && !is_clipped) {
            reach = reach_of_box(reach);
            reaches[at] = reach;
        }
        if ((told & bit) != 0)
            reaches[at] = all;
        if (is_own) {
            reaches[blend] = all;
            open ^= 1u << node;
        }
        const bool is_blend = (chunk.blends & bit) != 0, adds = is_leaf && !reach_is_empty(reach) || is_own;
        all = mix(max(all, mix(NOWHERE, reach, bvec4(adds))), NOWHERE, bvec4(is_blend));
        open |= is_blend ? bit : 0;
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

/* A chunk of a tile without leaves: blends, and the ends given, which close blends, are nothing as far as is known. */
void chunk_clear(pm_chunk chunk, uint closers) {
    [[dont_unroll]] for (uint bits = chunk.blends | closers; bits != 0; bits &= bits - 1)
        reaches[place(lane * PM_BOXES_CHUNK + findLSB(bits))] = NOWHERE;
}

/* Of chunks begin ... end - 1. */
ivec4 unions_between(uint begin, uint end) {
    ivec4 all = NOWHERE;
    [[dont_unroll]] for (; begin < end; begin++)
        all = max(all, union_of(begin));
    return all;
}

/* Of the chunks before the lane's, each lane's being `all`. */
ivec4 unions_before(ivec4 all) {
    all = lanes_shuffle(all, (lane - 1) % PM_LANES);
    all = lane == 0 ? NOWHERE : all;
    [[unroll]] for (uint by = 1; by < PM_LANES; by *= 2) {
        const ivec4 below = lanes_shuffle(all, (lane - by) % PM_LANES);
        all = lane >= by ? max(all, below) : all;
    }
    return all;
}

/* Of those after it. */
ivec4 unions_after(ivec4 all) {
    all = lanes_shuffle(all, (lane + 1) % PM_LANES);
    all = lane == PM_LANES - 1 ? NOWHERE : all;
    [[unroll]] for (uint by = 1; by < PM_LANES; by *= 2) {
        const ivec4 above = lanes_shuffle(all, (lane + by) % PM_LANES);
        all = lane + by < PM_LANES ? max(all, above) : all;
    }
    return all;
}

/* Blends and ends whose other is in another chunk, or tile. A chunk's ends close nodes further and further to the left, so what
 * lies between grows by chunks. */
void blends_complete(ivec4 all, uint closers, pm_ends ends, uint outer_closers, uint left_open) {
    const uint begin = lane * PM_BOXES_CHUNK;
    uint from = lane; /* the first chunk of what is `between` */
    ivec4 between = NOWHERE;
    for (uint bits = closers; (bits & ends.other_blends) != 0; bits &= bits - 1, bytes_shift(ends.stack)) {
        if ((bits & -bits & ends.other_blends) == 0)
            continue;
        const uint node = ends.stack.x & 255, blend = place(node), end = place(begin + findLSB(bits));
        const uint after_blend = node / PM_BOXES_CHUNK + 1;
        between = max(between, unions_between(after_blend, from));
        from = after_blend;
        const ivec4 covered = max(max(reaches[blend], reaches[end]), between);
        reaches[blend] = covered;
        reaches[end] = covered;
    }
    if (lanes_ballot(outer_closers != 0) != 0) {
        const ivec4 before = unions_before(all);
        for (uint bits = outer_closers; bits != 0; bits &= bits - 1) {
            const uint end = place(begin + findLSB(bits));
            reaches[end] = max(reaches[end], before);
        }
    }
    if (lanes_ballot(left_open != 0) != 0) {
        const ivec4 after = unions_after(all);
        for (uint bits = left_open; bits != 0; bits &= bits - 1) {
            const uint blend = place(begin + findLSB(bits));
            reaches[blend] = max(reaches[blend], after);
        }
    }
}
