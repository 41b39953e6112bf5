/* SPDX-License-Identifier: Apache-2.0 */
/* Affine transforms of space, by rows: a times b transforms by b first. */
#version 460
#extension GL_GOOGLE_include_directive : require

struct pm_value {
    vec4 row[3];
};

pm_value pm_identity() {
    return pm_value(vec4[3](vec4(1, 0, 0, 0), vec4(0, 1, 0, 0), vec4(0, 0, 1, 0)));
}

pm_value pm_combine(pm_value a, pm_value b) {
    pm_value product;
    for (int i = 0; i < 3; i++)
        product.row[i] = a.row[i].x * b.row[0] + a.row[i].y * b.row[1] + a.row[i].z * b.row[2] +
                         vec4(0, 0, 0, a.row[i].w);
    return product;
}

#include "parenmatch/monoid.glsl"
