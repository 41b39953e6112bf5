/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of the shaders that make the index of a JSON text; masks of 64 bits; quoting and order. */
#include "shaders/shared/buffers.glsl"
#include "shaders/shared/layout.h"
#include "shaders/match/plan.h"
#include "shaders/json/layout.h"

layout(local_size_x = PM_INDEX_LANES) in;
#define lane gl_LocalInvocationIndex

readonly PM_BUFFER(pmi_text, uvec4, 16);
PM_BUFFER(pmi_tiles, uvec4, 16);
PM_BUFFER(pmi_masks, uvec2, 8);
PM_BUFFER(pm_words, uint, 4);
readonly PM_BUFFER(pmi_plans, pmi_plan, 4);
PM_PUSHED(PM_INDEX_PARAMETERS);

uint tile_count() {
    return n / PM_INDEX_TILE + (n % PM_INDEX_TILE != 0 ? 1 : 0);
}

/* Words are there in whole eights. */
bool lane_has_word(uint place) {
    return place < n || place - n < 511 - (n - 1) % 512;
}

/* ---- Masks ---- */

uvec2 mask_add(uvec2 a, uvec2 b) {
    uint carry;
    const uint low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}

uvec2 mask_subtract(uvec2 a, uvec2 b) {
    uint borrow;
    const uint low = usubBorrow(a.x, b.x, borrow);
    return uvec2(low, a.y - b.y - borrow);
}

/* A byte further on; `carry` is the first bit. */
uvec2 mask_behind(uvec2 mask, uint carry) {
    return uvec2(mask.x << 1 | carry, mask.y << 1 | mask.x >> 31);
}

bool mask_any(uvec2 mask) {
    return (mask.x | mask.y) != 0;
}

uint mask_count(uvec2 mask) {
    return bitCount(mask.x) + bitCount(mask.y);
}

bool mask_get(uvec2 mask, uint k) {
    return (mask[k / 32] >> k % 32 & 1) != 0;
}

/* The last bit of a mask that has some. */
uint mask_last(uvec2 mask) {
    return mask.y != 0 ? 32 + findMSB(mask.y) : findMSB(mask.x);
}

uint bits_low(uint count) {
    return count >= 32 ? ~0u : (1u << count) - 1;
}

/* The first `count` bits. */
uvec2 mask_low(uint count) {
    return uvec2(bits_low(count), count > 32 ? bits_low(count - 32) : 0);
}

/* Of each bit the parity of those up to and with it. */
uvec2 mask_parity(uvec2 mask) {
    [[unroll]] for (uint by = 1; by < 32; by *= 2)
        mask ^= mask << by;
    mask.y ^= (mask.x & 0x80000000) != 0 ? ~0u : 0;
    return mask;
}

/* ---- Quoting ---- */

uint quoting_case(uint before, uint behind, uint is_protected) {
    const uint first = before >> 2 * is_protected & 3;
    return (behind >> 2 * (first & PM_INDEX_PROTECTED) & 3) ^ (first & PM_INDEX_ODD);
}

/* Of a stretch of text and the one behind it. */
uint quoting_compose(uint before, uint behind) {
    return quoting_case(before, behind, 0) | quoting_case(before, behind, 1) << 2;
}

/* The state behind a stretch. */
uint quoting_follow(uint quoting, uint state) {
    return (quoting >> 2 * (state & PM_INDEX_PROTECTED) & 3) ^ (state & PM_INDEX_ODD);
}

/* ---- Order ---- */

uint order_compose(uint before, uint behind) {
    if (behind == PM_INDEX_NOTHING)
        return before;
    if (behind != PM_INDEX_STRING)
        return behind;
    if (before == PM_INDEX_NOTHING)
        return PM_INDEX_STRING;
    return before == PM_INDEX_AFTER_OPEN || before == PM_INDEX_AFTER_COMMA ? PM_INDEX_AFTER_KEY : PM_INDEX_AFTER_VALUE;
}

/* ---- Gaps ---- */

uint gap_compose(uint before, uint behind) {
    return (behind & PM_INDEX_BRACKET) != 0 ? behind : before | behind;
}
