/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last stage of `simple` and `work-efficient`, and the only one where the sequence is one partition, as it always
 * is in `direct`: the match of every element. A partition's workgroups all make its tree, and that of the partitions
 * before it, and share its elements.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#define PM_PARAMETERS PM_PARTITION_PARAMETERS
#define PM_WORDS_ACCESS
uint n; /* elements */
#include "shaders/match/partition.glsl"
#include "shaders/match/before.glsl"

/* The tree over the first `count` > 0 partitions, `chunk` of them a leaf: the leaves. */
void before_begin(uint count, out uint chunk, out uint before_leaves) {
    chunk = (count + BEFORE_LEAVES - 1) / BEFORE_LEAVES;
    before_leaves = 1;
    while (before_leaves * chunk < count)
        before_leaves *= 2;
    for (uint leaf = gl_LocalInvocationIndex; leaf < before_leaves; leaf += INVOCATIONS) {
        uvec2 bic = uvec2(0);
        for (uint p = leaf * chunk; p < min((leaf + 1) * chunk, count); p++)
            bic = bic_join(bic, bic_unpack(pm_constant_words(bics).at[p]));
        before[before_leaves + leaf] = bic;
    }
}

/* The open that is under `pops` others on the stack after those partitions. */
uint before_match(uint count, uint chunk, uint before_leaves, uint pops) {
    if (before[1].y <= pops)
        return PM_NO_ELEMENT;
    const uint leaf = before_find(before_leaves, pops);
    uint p = min((leaf + 1) * chunk, count) - 1;
    for (; chunk > 1; p--) {
        const uint bic = pm_constant_words(bics).at[p];
        if (bic_open(bic) > pops)
            break;
        pops = pops_under(bic, pops);
    }
    return pm_constant_words(slices).at[p * PARTITION + pops];
}

void main() {
    n = uvec2(length) == uvec2(0) ? most : min(most, length.at[0]);
    const uint place = gl_WorkGroupID.x / shares, own = first + place;
    const uint begin = gl_WorkGroupID.x % shares * share;
    uint before_leaves = 0, chunk = 0;
    if (own > 0)
        before_begin(own, chunk, before_leaves);
    tree_begin(own * PARTITION_WORDS, leaves);
    barrier();
    for (uint nodes = leaves / 2, before_nodes = before_leaves / 2; nodes > 1 || before_nodes > 0;
         nodes /= 2, before_nodes /= 2) { /* both trees at once: each level costs a barrier */
        if (nodes > 1)
            tree_join(nodes);
        if (before_nodes > 0)
            before_join(before_nodes);
        barrier();
    }

    const uint start = own * PARTITION, end = min(begin + share, n - start);
    for (uint element = begin + gl_LocalInvocationIndex; element < end; element += INVOCATIONS) {
        bool inside;
        uint found = partition_match(element, leaves, inside);
        if (inside)
            found += start;
        else
            found = own > 0 ? before_match(own, chunk, before_leaves, found) : PM_NO_ELEMENT;
        match.at[place * PARTITION + element] = found;
    }
    if (own + 1 == partitions && begin == 0 && gl_LocalInvocationIndex == 0) {
        uvec2 total = tree_total() - uvec2(0, leaves * 32 - (n - start)); /* without what counted as opens past n */
        if (own > 0)
            total = bic_join(before[1], total);
        summary.at[0] = total.x;
        summary.at[1] = total.y;
    }
}
