/* SPDX-License-Identifier: Apache-2.0 */
/* The fourth stage, one workgroup: how many tokens are before each group, and how many there are; or with PM_NAMES
 * how many names that come first are before each tile of tokens, and how many there are. */
#version 460
#extension GL_GOOGLE_include_directive : require
#ifdef PM_NAMES
#include "shaders/delimiters/names.glsl"
#define PARTS tiles()
#define counts firsts
#else
#include "shaders/delimiters/tokenizer.glsl"
#define PARTS groups()
#endif
#include "shaders/shared/workgroup_add.glsl"

#define ROW 4u /* parts of a lane at a time */

void main() {
    const uint count = PARTS;
    uint before = 0;
    for (uint begin = 0; begin < count; begin += ROW * PM_STRUCTURE_LANES) {
        uint own[ROW], sum = 0;
        [[unroll]] for (uint k = 0; k < ROW; k++) {
            const uint part = begin + ROW * lane + k;
            own[k] = part < count ? counts.at[part] : 0;
            sum += own[k];
        }
        uint base = before + workgroup_inclusive_add(sum) - sum;
        before += sums[PM_STRUCTURE_LANES - 1];
        [[unroll]] for (uint k = 0; k < ROW; k++) {
            const uint part = begin + ROW * lane + k;
            if (part < count)
                counts.at[part] = base;
            base += own[k];
        }
    }
    if (lane == 0)
        counts.at[count] = before;
#ifndef PM_NAMES
    if (lane == 0)
        result.at[PM_STRUCTURE_RESULT_COUNT] = before;
#endif
}
