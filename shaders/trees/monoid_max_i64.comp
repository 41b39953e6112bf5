/* SPDX-License-Identifier: Apache-2.0 */
/* Whole numbers of 64 bits with a sign and the greater of two, lower half first. */
#version 460
#extension GL_GOOGLE_include_directive : require
#define pm_value uvec2

pm_value pm_identity() {
    return uvec2(0, 0x80000000u);
}

pm_value pm_combine(pm_value a, pm_value b) {
    const bool greater = a.y == b.y ? a.x > b.x : int(a.y) > int(b.y);
    return greater ? a : b;
}

#include "parenmatch/monoid.glsl"
