/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The algebra of boxes, as base/box_algebra.h has it, with whole numbers in place of floating-point ones: of the same order,
 * so that nothing depends on how a device treats the smallest numbers, or zeros. A box's reach is how far it goes to
 * either side of the origin; intersection is the least of each, union the greatest. Zero has no sign, and a box that is
 * empty, or has a NaN, reaches nowhere: so does whatever it is intersected with, and to a union it adds nothing. Without branches.
 */

const ivec4 EVERYWHERE = ivec4(0x7fffffff); /* the intersection of no boxes */
const ivec4 NOWHERE = ivec4(-0x7fffffff);   /* the union of none */

/* From the bits of floating-point numbers to whole numbers of the same order, and back. */
ivec4 numbers_order(ivec4 bits) {
    return mix(bits, ivec4(0x80000000) - bits, lessThan(bits, ivec4(0)));
}

bool reach_is_empty(ivec4 reach) {
    return any(greaterThanEqual(-reach.xy, reach.zw));
}

/* Of what may be nothing: in its one form. */
ivec4 reach_of_area(ivec4 reach) {
    return mix(reach, NOWHERE, bvec4(reach_is_empty(reach)));
}

ivec4 reach_of_box(ivec4 box) {
    const int infinity = 0x7f800000;
    const ivec4 order = numbers_order(box);
    const ivec4 reach = ivec4(-order.x, -order.y, order.z, order.w);
    const bool has_nan = any(greaterThan(abs(order), ivec4(infinity)));
    return mix(reach, NOWHERE, bvec4(has_nan || reach_is_empty(reach)));
}

ivec4 box_of_reach(ivec4 reach) {
    const ivec4 box = numbers_order(ivec4(-reach.x, -reach.y, reach.z, reach.w));
    return mix(box, ivec4(0), bvec4(reach_is_empty(reach)));
}
