/* SPDX-License-Identifier: Apache-2.0 */
/* The third stage of names, before a sum over tiles: how many names each tile has first. With PM_NUMBER the fifth: their
 * numbers. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/delimiters/names.glsl"
#include "shaders/shared/workgroup_add.glsl"

#define ROW (PM_TILE / PM_STRUCTURE_LANES) /* tokens of a lane */

/* Is it a token, and the first one that has its name? */
bool is_first(uint token) {
    return token < tokens() && names.at[token].y != 0 && slots.at[kinds.at[token]] == token;
}

void main() {
    const pmi_plan own = plan.at[0];
    const uint begin = gl_WorkGroupID.x * own.per_group, end = min(begin + own.per_group, own.count);
    for (uint unit = begin; unit < end; unit++) {
        const uint tile = own.first + unit, token = tile * PM_TILE + ROW * lane;
        uint first = 0;
        [[unroll]] for (uint k = 0; k < ROW; k++)
            first |= (is_first(token + k) ? 1 : 0) << k;
        const uint up_to = workgroup_inclusive_add(bitCount(first));
#ifdef PM_NUMBER
        uint number = firsts.at[tile] + up_to - bitCount(first);
        for (; first != 0; first &= first - 1)
            names.at[token + findLSB(first)].x = number++;
#else
        if (lane == PM_STRUCTURE_LANES - 1)
            firsts.at[tile] = up_to;
#endif
    }
}
