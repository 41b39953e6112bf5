/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last stage of `simple` and `work-efficient`, and the only one where the sequence is one partition, as it always is
 * in `direct`: the match of every element. A partition's workgroups all make its tree, and that of the partitions
 * before it, and share its elements.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#define PM_WORDS_ACCESS
#include "shaders/partition.glsl"
#include "shaders/before.glsl"

void main() {
    const uint place = gl_WorkGroupID.x / shares, own = first + place;
    const uint begin = gl_WorkGroupID.x % shares * share;
    uint before_leaves = 0, chunk = 0;
    if (own > 0)
        chunk = before_make(own, before_leaves);
    tree_make(own * PARTITION_WORDS, leaves);

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
