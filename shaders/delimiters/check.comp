/* SPDX-License-Identifier: Apache-2.0 */
/* The stage behind the match: pairs of two kinds, closes that close nothing, opens that are in no other. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/delimiters/tokenizer.glsl"

shared uint wrong, top, mismatched;

void token_check(uint i) {
    const bool open = (parens.at[i / 32] >> i % 32 & 1) != 0;
    const uint partner = match.at[i];
    if (open && partner == PM_NO_ELEMENT)
        atomicMax(top, i + 1);
    if (open || (partner != PM_NO_ELEMENT && kinds.at[partner] == kinds.at[i]))
        return;
    atomicMin(wrong, i);
    if (partner != PM_NO_ELEMENT)
        atomicAdd(mismatched, 1);
}

void main() {
    if (lane == 0) {
        wrong = PM_STRUCTURE_NONE;
        top = mismatched = 0;
    }
    barrier();
    const pmi_plan own = plan.at[0];
    const uint begin = gl_WorkGroupID.x * own.per_group, end = min(begin + own.per_group, own.count);
    for (uint unit = begin; unit < end; unit++)
        [[unroll]] for (uint k = 0; k < PM_TILE; k += PM_STRUCTURE_LANES) {
            const uint i = (own.first + unit) * PM_TILE + k + lane;
            if (i < own.n)
                token_check(i);
        }
    barrier();
    if (lane != 0)
        return;
    if (wrong != PM_STRUCTURE_NONE)
        atomicMin(found.at[PM_STRUCTURE_FOUND_WRONG], wrong);
    if (top != 0)
        atomicMax(found.at[PM_STRUCTURE_FOUND_TOP], top);
    if (mismatched != 0)
        atomicAdd(found.at[PM_STRUCTURE_FOUND_MISMATCHED], mismatched);
}
