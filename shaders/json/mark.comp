/* SPDX-License-Identifier: Apache-2.0 */
/* The third stage: which bytes begin a token and which are brackets, now that the state before each tile is known; their
 * numbers and the order of each tile; and what is wrong with characters. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/json/index.glsl"
#include "shaders/json/classes.glsl"
#include "shaders/json/quoting.glsl"
#include "shaders/json/order.glsl"

shared uint order_of[PM_INDEX_LANES];
shared uint token_count, bracket_count, wrong;

/* The four bytes before a place of the text, the last one uppermost. */
uint bytes_before(uint place) {
    return place > 0 && place < n ? text.at[place / 16 - 1].w : 0x20202020;
}

/* Does the byte before a place that is outside strings belong to a scalar? */
bool scalar_before(uint bytes) {
    const uint byte = bytes >> 24, bracket = byte & ~0x20u;
    const bool is_operator = bracket == 0x5b || bracket == 0x5d || byte == 0x2c || byte == 0x3a;
    return !is_operator && byte != 0x22 && byte != 0x20 && byte != 0x09 && byte != 0x0a && byte != 0x0d;
}

/* ---- UTF-8, by table 3-7 of the Unicode Standard ---- */

uint at_least(uint byte, uint least) {
    return byte >= least ? 1 : 0;
}

/* Which of the next three bytes must go on with a character. */
uint continuations_before(uint bytes) {
    const uint a = bytes >> 24, b = bytes >> 16 & 0xff, c = bytes >> 8 & 0xff;
    return at_least(a, 0xc0) | at_least(b, 0xe0) | at_least(c, 0xf0) |
           (at_least(a, 0xe0) | at_least(b, 0xf0)) << 1 | at_least(a, 0xf0) << 2;
}

/* The bytes behind one that is `byte`. */
uvec2 behind_byte(uint byte, uint before) {
    return mask_behind(bytes_like(byte, 0), before >> 24 == byte ? 1 : 0);
}

bool characters_are_wrong(uint place) {
    const uint before = bytes_before(place);
    if (!mask_any(planes[7]) && (before & 0x80808000) == 0)
        return false;
    const uvec2 from_c0 = planes[7] & planes[6], from_e0 = from_c0 & planes[5], from_f0 = from_e0 & planes[4];
    const uvec2 behind_e0 = mask_behind(from_e0, 0), behind_f0 = mask_behind(from_f0, 0);
    uvec2 expected = mask_behind(from_c0 | behind_e0 | mask_behind(behind_f0, 0), 0);
    expected.x |= continuations_before(before);
    const uvec2 never = bytes_like(0xc0, 0x01) | (from_f0 & (planes[3] | (planes[2] & (planes[1] | planes[0]))));
    const uvec2 below_a0 = ~planes[5], below_90 = ~planes[5] & ~planes[4];
    uvec2 bad = never | (expected ^ (planes[7] & ~planes[6]));
    bad |= behind_byte(0xe0, before) & below_a0;
    bad |= behind_byte(0xed, before) & ~below_a0;
    bad |= behind_byte(0xf0, before) & below_90;
    bad |= behind_byte(0xf4, before) & ~below_90;
    const bool is_cut = place + PM_INDEX_LANE_BYTES == n && (from_c0.y >> 31 | from_e0.y >> 30 | from_f0.y >> 29) != 0;
    return mask_any(bad) || is_cut;
}

/* ---- Tokens ---- */

/* Puts the lanes' orders together. All lanes must come. */
uint workgroup_order(uint own) {
    order_of[lane] = own;
    barrier();
    for (uint by = 1; by < PM_INDEX_LANES; by *= 2) {
        if (lane % (2 * by) == 0) {
            own = order_compose(own, order_of[lane + by]);
            order_of[lane] = own;
        }
        barrier();
    }
    return own;
}

void main() {
    const uint tile = first + gl_WorkGroupID.x, place = tile * PM_INDEX_TILE + lane * PM_INDEX_LANE_BYTES;
    if (lane == 0)
        token_count = bracket_count = wrong = 0;
    planes_load(place);
    uint all;
    const uint before = workgroup_before(lane_quoting(), all);
    const uint state = quoting_follow(before, tiles.at[tile][PM_INDEX_TILE_QUOTING]);
    uint is_protected = state & PM_INDEX_PROTECTED;
    const bool was_inside = (state & PM_INDEX_ODD) != 0;
    const uvec2 backslashes = BACKSLASHES, quotes = QUOTES & ~bytes_protected(backslashes, is_protected);
    const uvec2 inside = mask_parity(quotes) ^ uvec2(was_inside ? ~0u : 0), not_outside = inside | quotes;
    const uvec2 opens = OPENS & ~not_outside, closes = CLOSES & ~not_outside, commas = COMMAS & ~not_outside,
                colons = COLONS & ~not_outside;
    const uvec2 operators = opens | closes | commas | colons, scalars = ~(not_outside | operators | white_bytes());
    const uint in_scalar = !was_inside && scalar_before(bytes_before(place)) ? 1 : 0;
    const uvec2 starts = scalars & ~mask_behind(scalars, in_scalar);
    const uvec2 strings = quotes & inside, all_tokens = operators | strings | starts;
    const uint word = place / PM_INDEX_LANE_BYTES;
    if (lane_has_word(place)) {
        tokens.at[word] = all_tokens;
        brackets.at[word] = opens | closes;
    }
    if (mask_any(backslashes & ~inside) || mask_any(CONTROLS & inside) || characters_are_wrong(place))
        wrong = 1;
    if (mask_any(all_tokens)) {
        atomicAdd(token_count, mask_count(all_tokens));
        atomicAdd(bracket_count, mask_count(opens | closes));
    }
    const uint order = workgroup_order(lane_order(all_tokens, opens, commas, colons, strings));
    if (lane == 0) {
        const uint quoting = tiles.at[tile][PM_INDEX_TILE_QUOTING];
        tiles.at[tile] = uvec4(quoting, token_count, bracket_count, order);
        if (wrong != 0)
            found.at[PM_INDEX_FOUND_WRONG] = 1;
    }
}
