/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes and their union. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/boxes/extent.glsl"
#define pm_value ivec4

pm_value pm_identity() {
    return ivec4(0); /* empty */
}

pm_value pm_combine(pm_value a, pm_value b) {
    return box_of_reach(max(reach_of_box(a), reach_of_box(b)));
}

#include "parenmatch/monoid.glsl"
