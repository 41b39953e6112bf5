/* SPDX-License-Identifier: Apache-2.0 */
/* Bits of a word of 32 elements, and numbers in bit slices: one for each bit of a word, their bits across four words. */

/* The lowest `count` set bits of x; count is at most their number. */
uint bits_keep_lowest(uint x, int count) {
    uint below = 0; /* the greatest such that at most `count` set bits lie below it */
    for (uint step = 16; step > 0; step /= 2)
        below += bitCount(x & ((1u << (below + step)) - 1u)) <= count ? step : 0;
    return bitCount(x) <= count ? x : x & ((1u << below) - 1u);
}

/* x without its highest set bit; x is not 0. */
uint bits_drop_highest(uint x) {
    return x ^ 1u << findMSB(x);
}

/* Slice by slice x + y, modulo 16. */
uvec4 planes_add(uvec4 x, uvec4 y) {
    uvec4 sum = x ^ y;
    uint carry = x.x & y.x;
    sum.y ^= carry;
    carry = (x.y & y.y) | (carry & (x.y | y.y));
    sum.z ^= carry;
    carry = (x.z & y.z) | (carry & (x.z | y.z));
    sum.w ^= carry;
    return sum;
}

/* At each position the number of set bits at and below it, modulo 16. */
uvec4 planes_prefix_count(uint bits) {
    uvec4 count = uvec4(bits, 0, 0, 0);
    for (uint by = 1; by < 32; by *= 2)
        count = planes_add(count, count << by);
    return count;
}
