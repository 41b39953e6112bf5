/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fifth stage, one workgroup: a word of parens that tokens of two groups share, or that is not full, gets its bits
 * by one group and another, in any order; so it is 0 before.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/delimiters/tokenizer.glsl"

void main() {
    for (uint group = lane; group <= groups(); group += PM_STRUCTURE_LANES) {
        const uint token = min(counts.at[group], capacity);
        if (token % 32 != 0)
            parens.at[token / 32] = 0;
    }
}
