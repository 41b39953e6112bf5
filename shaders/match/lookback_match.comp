/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pipeline `lookback`, after Levien, "The stack monoid revisited": one pass. A workgroup takes the next partition,
 * reduces it, publishes its state, matches what has its match inside, and looks back for the rest: over the states of
 * as many partitions as it has invocations, from there on along the link of the first of them, if it is known by then,
 * and so on, until all its elements have their matches and its own link is found.
 *
 * Nobody needs to be waited for: a partition whose state does not come is reduced by whoever wants it, who writes the
 * same that its own workgroup writes, and publishes its state.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#define PM_PARAMETERS PM_LOOKBACK_PARAMETERS
#define PM_WORDS_ACCESS coherent
#include "shaders/match/partition.glsl"
#include "shaders/match/before.glsl"
#include "shaders/shared/slice.glsl"

shared uint shared_own;
shared uint missing; /* one more than the last leaf whose state has not come; 0: all have */
shared bool unfinished;
shared uvec2 link; /* of the window's first partition */
shared uint unmatched;

/* What the invocation's elements wait for is, meanwhile, in their place of the output: how many are above the match on
 * the stack that is looked at. */
uint waiting = 0, closes = 0; /* a bit for each of them: it waits; it is a close */
bool link_wanted = false;     /* the same of the link, which is the first invocation's */
uint link_pops;

bool is_stalled(uint partition_index) {
    return stall > 0 && partition_index % stall == stall - 1;
}

/* ---- Publishing ---- */

/* What the workgroup has written comes before what it publishes. All invocations come here. */
void written() {
    memoryBarrierBuffer();
    barrier();
}

void reduced_tell(uint index, uvec2 total) {
    if (gl_LocalInvocationIndex == 0)
        atomicOr(states.at[index], PM_LOOKBACK_PACK(total.x, total.y));
}

/* The first invocation alone. */
void link_tell(uint index, uint to, uint gone) {
    links.at[2 * index] = to;
    links.at[2 * index + 1] = gone;
    memoryBarrierBuffer();
    atomicOr(states.at[index], PM_LOOKBACK_LINKED);
    link_wanted = false;
}

/* ---- The own partition ---- */

void own_match(uint own) {
    const uint start = own * PARTITION, end = min(PARTITION, n - start), to = start - first * PARTITION;
    for (uint k = 0, element = gl_LocalInvocationIndex; element < end; k++, element += INVOCATIONS) {
        bool inside;
        const uint found = partition_match(element, leaves, inside);
        match.at[to + element] = inside ? start + found : found;
        waiting |= inside ? 0 : 1u << k;
        closes |= (~words[element / 32] >> element % 32 & 1) << k;
    }
}

/* ---- Looking back ---- */

/* Lays the states of partitions begin ... begin + count - 1 into the tree's leaves. */
void window_fetch(uint begin, uint count, uint window_leaves) {
    const uint leaf = gl_LocalInvocationIndex;
    uint state = leaf < count ? 0 : PM_LOOKBACK_PACK(0, 0);
    for (uint look = 0; look < patience && (state & PM_LOOKBACK_REDUCED) == 0; look++)
        state = atomicOr(states.at[begin + leaf], 0);
    for (;;) {
        if (leaf == 0)
            missing = 0;
        barrier();
        if ((state & PM_LOOKBACK_REDUCED) == 0)
            atomicMax(missing, leaf + 1);
        barrier();
        const uint late_leaf = missing - 1;
        if (missing == 0)
            break;
        tree_make((begin + late_leaf) * PARTITION_WORDS, PARTITION_WORDS);
        slice_write((begin + late_leaf) * PARTITION);
        written();
        const uvec2 total = tree_total();
        reduced_tell(begin + late_leaf, total);
        if (leaf == late_leaf)
            state = PM_LOOKBACK_PACK(total.x, total.y);
        else if ((state & PM_LOOKBACK_REDUCED) == 0)
            state = atomicOr(states.at[begin + leaf], 0);
    }
    memoryBarrierBuffer(); /* slices come after states */
    if (leaf < window_leaves)
        before[window_leaves + leaf] = uvec2(PM_LOOKBACK_CLOSE(state), PM_LOOKBACK_OPEN(state));
}

/* What is found there is done with, the rest waits for what lies under the window; `by` has been popped meanwhile. */
void window_match(uint own, uint begin, uint window_leaves, uint by) {
    const uvec2 all = before[1];
    const uint to = (own - first) * PARTITION + gl_LocalInvocationIndex;
    for (uint left = waiting; left != 0; left &= left - 1) {
        const uint k = findLSB(left);
        uint pops = match.at[to + k * INVOCATIONS] + by;
        if (all.y > pops) {
            const uint index = begin + before_find(window_leaves, pops);
            match.at[to + k * INVOCATIONS] = slices.at[index * PARTITION + pops];
            waiting &= ~(1u << k);
        } else {
            match.at[to + k * INVOCATIONS] = pops - all.y + all.x;
        }
    }
    if (link_wanted) {
        link_pops += by;
        if (all.y > link_pops) {
            const uint index = begin + before_find(window_leaves, link_pops);
            link_tell(own, index, link_pops);
        } else {
            link_pops = link_pops - all.y + all.x;
        }
    }
}

void look_back(uint own) {
    uint end = own, by = 0; /* the stack looked at is the one after partition end - 1, without its last `by` opens */
    while (end > 0) {
        const uint count = min(end, min(INVOCATIONS, BEFORE_LEAVES)), begin = end - count;
        uint window_leaves = 1;
        while (window_leaves < count)
            window_leaves *= 2;
        window_fetch(begin, count, window_leaves);
        if (gl_LocalInvocationIndex == 0)
            unfinished = false;
        barrier();
        for (uint nodes = window_leaves / 2; nodes > 0; nodes /= 2) {
            before_join(nodes);
            barrier();
        }
        window_match(own, begin, window_leaves, by);
        if (waiting != 0 || link_wanted)
            unfinished = true;
        if (gl_LocalInvocationIndex == 0) {
            const bool known = (atomicOr(states.at[begin], 0) & PM_LOOKBACK_LINKED) != 0;
            memoryBarrierBuffer();
            /* A link takes the place of the first partition's closes; without it the way goes to its neighbour. */
            link = known ? uvec2(links.at[2 * begin], links.at[2 * begin + 1]) : uvec2(begin - 1, 0);
            link.y -= known ? before[window_leaves].x : 0;
        }
        barrier();
        if (!unfinished || link.x == PM_NO_ELEMENT)
            break;
        end = link.x + 1; /* which is 0 past the first partition */
        by = link.y;
        barrier();
    }
}

/* ---- */

void main() {
    if (gl_LocalInvocationIndex == 0) {
        shared_own = atomicAdd(begun.at[0], 1);
        unmatched = 0;
    }
    barrier();
    const uint own = shared_own;
    const bool is_last = own + 1 == partitions;
    tree_make(own * PARTITION_WORDS, leaves);
    uvec2 total = tree_total();
    if (!is_last) {
        slice_write(own * PARTITION);
        written();
        if (!is_stalled(own))
            reduced_tell(own, total);
    }
    link_wanted = gl_LocalInvocationIndex == 0 && !is_last && !is_stalled(own);
    link_pops = total.x;
    own_match(own);
    look_back(own);

    if (link_wanted)
        link_tell(own, PM_NO_ELEMENT, 0);
    const uint to = (own - first) * PARTITION + gl_LocalInvocationIndex;
    atomicAdd(unmatched, bitCount(waiting & closes));
    for (; waiting != 0; waiting &= waiting - 1)
        match.at[to + findLSB(waiting) * INVOCATIONS] = PM_NO_ELEMENT;
    if (late != 0 && is_stalled(own) && !is_last)
        reduced_tell(own, total);
    barrier();
    if (gl_LocalInvocationIndex == 0) {
        const uint past_n = is_last ? leaves * 32 - (n - own * PARTITION) : 0; /* which counted as opens */
        atomicAdd(summary.at[0], unmatched);
        atomicAdd(summary.at[1], total.y - past_n - total.x + unmatched);
    }
}
