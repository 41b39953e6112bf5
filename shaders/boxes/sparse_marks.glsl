/* SPDX-License-Identifier: Apache-2.0 */
/* A sparse tile's nodes and ends, its marks, of which each lane has one: what they are matched with, what clips leave of
 * them, and, once segments are known, unions. */

/* The lane's mark, if it has one. */
struct pm_mark {
    bool is_there, is_clip, is_blend, is_end;
    uint element;
    int height;
    int own;    /* the lane with the node that it closes, or under which it opens; -1 if that is not of the tile */
    uint until; /* of a node, the lane with its end; if it has none in the tile the first lane that has nothing */
};

/* Matches them, and lists the outer ends. `before`: of the chunk; `all`: of the tile. */
pm_mark marks_read(pm_chunk chunk, uint before, uint all) {
    [[dont_unroll]] for (uint bits = chunk.clips | chunk.blends | chunk.ends; bits != 0; bits &= bits - 1, before++) {
        const uint k = findLSB(bits);
        chunk_record(before) = int(lane * PM_BOXES_CHUNK + k | (chunk.clips >> k & 1) << 8 | (chunk.blends >> k & 1) << 9);
    }
    lanes_barrier();
    pm_mark mark;
    const uint record = lane < all ? uint(chunk_record(lane)) : 0;
    mark.element = record & 255;
    mark.is_there = lane < all;
    mark.is_clip = (record & 0x100) != 0;
    mark.is_blend = (record & 0x200) != 0;
    const bool is_node = record > 255;
    mark.is_end = mark.is_there && !is_node;
    const uint lower = (1u << lane) - 1u, nodes = lanes_ballot(is_node), ends = lanes_ballot(mark.is_end);
    mark.height = bitCount(nodes & lower) - bitCount(ends & lower);
    /* The last node before of the height below this, the first end after of the height above: bit by bit of heights. */
    uint below = nodes & lower, above = ends & ~lower & ~(1u << lane);
    const uint height = uint(mark.height + 32);
    [[unroll]] for (uint k = 0; k < 6; k++) {
        const bool bit = (height >> k & 1) != 0;
        const uint of_nodes = lanes_ballot(is_node && bit), of_ends = lanes_ballot(mark.is_end && bit);
        below &= of_nodes ^ (height - 1 >> k & 1) - 1u;
        above &= of_ends ^ (height + 1 >> k & 1) - 1u;
    }
    mark.own = findMSB(below);
    mark.until = above != 0 ? findLSB(above) : all;

    const bool is_outer = mark.is_end && mark.own < 0;
    const uint outer = uint(-mark.height);
    closes = bitCount(lanes_ballot(is_outer));
    low = -int(closes);
    if (is_outer)
        atomicOr(outer_place(outer / 4), int(mark.element << outer % 4 * 8));
    return mark;
}

/* In place of nodes and the ends that close them what the clips up to the node leave. Returns the element at which it stands
 * what those leave that are open after the lane's. */
uint marks_intersect(pm_mark mark, bool has_clips) {
    const bool is_inner = mark.own >= 0;
    const uint own = is_inner ? uint(mark.own) : lane;
    const uint of_own = lanes_shuffle(mark.element, own);
    const uint under = is_inner ? of_own : outer_element(mark.height - (mark.is_end ? 2 : 1));
    ivec4 reach = EVERYWHERE;
    if (has_clips) {
        if (mark.is_clip)
            reach = reach_of_box(reaches[place(mark.element)]);
        if (!is_inner)
            reach = min(reach, context_at(under));
        reach = links_intersect(reach, own);
        lanes_barrier();
    }
    if (mark.is_there && (is_inner || !mark.is_end))
        reaches[place(mark.element)] = reach;
    const uint under_own = lanes_shuffle(under, own);
    return mark.is_end ? under_own : mark.element;
}

/* In place of blends and their ends the unions of their segments, as far as they are of the tile. `covered`: the lane's
 * segment; `told`: whether the lane has such a one. */
void marks_unite(pm_mark mark, bool told, ivec4 covered) {
    ivec4 reach = NOWHERE;
    uint cursor = mark.is_end ? lane : mark.until;
    uint left = told ? cursor - (mark.is_end ? uint(mark.own) : lane) : 0; /* segments up to `cursor` */
    for (uint by = 1;; by *= 2) { /* covered: of `by` segments up to the lane's */
        const ivec4 more = lanes_shuffle(covered, cursor % PM_LANES);
        if ((left & by) != 0) {
            reach = max(reach, more);
            cursor -= by;
        }
        if (lanes_ballot(left >= 2 * by) == 0)
            break;
        const ivec4 below = lanes_shuffle(covered, (lane - by) % PM_LANES);
        covered = lane >= by ? max(covered, below) : covered;
    }
    if (told)
        reaches[place(mark.element)] = reach;
}
