/* SPDX-License-Identifier: Apache-2.0 */
/* The last stage of names: kinds of tags, by the numbers of those that have their names first. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/delimiters/names.glsl"
#include "shaders/delimiters/each.glsl"

void token_do(uint token) {
    if (names.at[token].y == 0)
        return;
    const uint holder = slots.at[kinds.at[token]]; /* none where the slots did not do */
    kinds.at[token] = kinds_before + (holder != PM_STRUCTURE_NONE ? names.at[holder].x : 0);
}
