/* SPDX-License-Identifier: Apache-2.0 */
/* A monoid of one's own: matrices of two by two whole numbers, modulo 2^32. See parenmatch/monoid.glsl. */
#version 460
#extension GL_GOOGLE_include_directive : require

struct pm_value {
    uint m[2][2];
};

pm_value pm_identity() {
    return pm_value(uint[2][2](uint[2](1, 0), uint[2](0, 1)));
}

pm_value pm_combine(pm_value a, pm_value b) {
    pm_value product;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            product.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j];
    return product;
}

#include "parenmatch/monoid.glsl"
