/* SPDX-License-Identifier: Apache-2.0 */
/* Floating-point numbers of 64 bits, none of them a NaN, and the greater of two; of equal ones the latter, as zeros may
 * be. As whole numbers, of which those below zero grow towards it. */
#version 460
#extension GL_GOOGLE_include_directive : require
#define pm_value uvec2

pm_value pm_identity() {
    return uvec2(0, 0xfff00000u); /* minus infinity */
}

bool is_zero(uvec2 x) {
    return (x.y << 1 | x.x) == 0;
}

bool is_greater(uvec2 x, uvec2 y) {
    return x.y == y.y ? x.x > y.x : x.y > y.y;
}

pm_value pm_combine(pm_value a, pm_value b) {
    const bool a_negative = a.y >> 31 != 0, b_negative = b.y >> 31 != 0;
    const bool greater = is_zero(a) && is_zero(b)     ? false
                         : a_negative != b_negative ? b_negative
                         : a_negative               ? is_greater(b, a)
                                                    : is_greater(a, b);
    return greater ? a : b;
}

#include "parenmatch/monoid.glsl"
