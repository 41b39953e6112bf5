/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stage behind the match: the partners, and what is wrong with containers. The match of a close is its open, that of
 * an open is the one it is in: so it is the container of the gap before either.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/json/index.glsl"

shared uint wrong;

/* Tells a close and its open where the other is. Returns whether bracket i of `count` may stand there. */
bool bracket_check(uint i, uint count) {
    const uvec2 own = list.at[i];
    const uint container = match.at[i];
    const bool is_last = (own.y & PM_INDEX_LAST) != 0;
    if (container == PM_NO_ELEMENT)
        return i == 0 && (own.y & (PM_INDEX_OPEN | PM_INDEX_FIRST)) == (PM_INDEX_OPEN | PM_INDEX_FIRST);
    const uvec2 open = list.at[container];
    const uint stranger = (open.y & PM_INDEX_OBJECT) != 0 ? PM_INDEX_ELEMENT : PM_INDEX_MEMBER;
    if ((own.y & PM_INDEX_OPEN) != 0)
        return (own.y & stranger) == 0;
    partners.at[i] = open.x;
    partners.at[container] = own.x;
    return ((own.y ^ open.y) & PM_INDEX_OBJECT) == 0 && (own.y & stranger) == 0 && (i + 1 < count || is_last);
}

void main() {
    if (lane == 0)
        wrong = 0;
    barrier();
    const pmi_plan own = plan.at[0];
    const uint begin = gl_WorkGroupID.x * own.per_group, end = min(begin + own.per_group, own.count);
    for (uint unit = begin; unit < end; unit++)
        [[unroll]] for (uint k = 0; k < PM_TILE; k += PM_INDEX_LANES) {
            const uint i = (own.first + unit) * PM_TILE + k + lane;
            if (i < own.n && !bracket_check(i, own.n))
                wrong = 1;
        }
    barrier();
    if (lane == 0 && wrong != 0)
        found.at[PM_INDEX_FOUND_WRONG] = 1;
}
