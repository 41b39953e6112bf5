/* SPDX-License-Identifier: Apache-2.0 */
/* A sparse tile's leaves: a lane has those of its chunk. A segment is what lies between two marks. */

/* A part of a segment. */
void segment_add(uint segment, ivec4 reach) {
    if (reach_is_empty(reach))
        return;
    atomicMax(union_of(segment).x, reach.x);
    atomicMax(union_of(segment).y, reach.y);
    atomicMax(union_of(segment).z, reach.z);
    atomicMax(union_of(segment).w, reach.w);
}

/* Goes through the chunk: in place of each leaf what the clips above it leave. Unions of these are added up in the
 * workgroup's memory for segments that a mark ends; returns that of the last segment. `above`: as marks_intersect() has
 * it; `start`: the same before the tile. */
ivec4 leaves_walk(pm_chunk chunk, uint before, uint all, uint start, uint above, bool has_blends) {
    const uint begin = lane * PM_BOXES_CHUNK, some = chunk.clips | chunk.blends | chunk.ends;
    const uint above_first = lanes_shuffle(above, (before - 1) % PM_LANES);
    uint rank = before;
    ivec4 context = context_at(before == 0 ? start : above_first), covered = NOWHERE, head = NOWHERE;
    [[dont_unroll]] for (uint k = 0; k < PM_BOXES_CHUNK; k++) {
        const uint bit = 1u << k, at = place(begin + k), above_next = lanes_shuffle(above, rank);
        if ((chunk.leaves & bit) != 0) {
            const ivec4 reach = min(context, reach_of_box(reaches[at]));
            reaches[at] = reach;
            covered = max(covered, reach_of_area(reach));
        }
        if ((some & bit) != 0) {
            if (rank == before)
                head = covered;
            else
                union_of(rank) = covered;
            covered = NOWHERE;
            context = context_at(above_next);
            rank++;
        }
    }
    if (!has_blends)
        return NOWHERE;
    segment_add(before, head);
    if (rank < all)
        segment_add(rank, covered);
    const ivec4 last = lanes_max(mix(NOWHERE, covered, bvec4(rank == all)));
    lanes_barrier();
    return last;
}
