/* SPDX-License-Identifier: Apache-2.0 */
/* Whole numbers of 64 bits and their sum, lower half first. */
#version 460
#extension GL_GOOGLE_include_directive : require
#define pm_value uvec2

pm_value pm_identity() {
    return uvec2(0);
}

pm_value pm_combine(pm_value a, pm_value b) {
    uint carry;
    const uint low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}

#include "parenmatch/monoid.glsl"
