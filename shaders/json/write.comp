/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sixth stage: the brackets of each tile and what is in the gaps before them, the brackets before each word, the
 * places of tokens; and which tokens may not stand behind the one before, whatever their container is. What tells an
 * object from an array is noted: an object's first tokens and those behind its commas are strings with a colon behind
 * them.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/json/index.glsl"
#include "shaders/json/classes.glsl"
#include "shaders/json/order.glsl"

#define EXCHANGED uvec2 /* tokens, and above them brackets; the order, or what is in a gap */
#define NOTHING uvec2(0, nothing)

uint nothing = PM_INDEX_NOTHING;
bool of_gaps = false;

uvec2 compose(uvec2 before, uvec2 behind) {
    return uvec2(before.x + behind.x,
                 of_gaps ? gap_compose(before.y, behind.y) : order_compose(before.y, behind.y));
}

#include "shaders/json/exchange.glsl"

#define ROUND 2048u /* tokens that a workgroup writes at a time */
shared uint places[ROUND];
shared uint opens_of[PM_INDEX_TILE / 32 + 1]; /* of the tile's brackets, from the word of parens on that has the first */
shared uint wrong;

/* The tokens whose previous token is in `of`; `carry`: is the last one before the lane in it? A sum carries each bit
 * through the bytes up to the next token. */
uvec2 followers(uvec2 all, uvec2 of, bool carry) {
    return all & mask_add(mask_behind(of, carry ? 1 : 0), ~all);
}

/* The brackets that are in `of`, or have a byte in it in the gap before them. A sum carries such bytes through the gap
 * to the bracket that ends it. */
uvec2 reached(uvec2 all, uvec2 of, uint carry) {
    const uvec2 sum = mask_add(mask_add(~all, of & ~all), uvec2(carry, 0));
    return all & (of | sum);
}

/* Lists the brackets of a lane, the first of which is bracket `index` of the tile. */
void brackets_list(uvec2 all, uvec2 opens, uvec2 members, uvec2 elements, uint place, uint index, uint tile_first,
                   uvec2 all_tokens, uint token_index) {
    const uint token_last = tiles.at[tile_count()][PM_INDEX_TILE_TOKENS] - 1;
    [[unroll]] for (uint part = 0; part < 2; part++)
        for (uint left = all[part]; left != 0; left &= left - 1, index++) {
            const uint bit = findLSB(left), k = 32 * part + bit;
            if (index >= capacity - tile_first)
                return;
            uint flags = (planes[5][part] >> bit & 1) * PM_INDEX_OBJECT;
            flags |= (members[part] >> bit & 1) * PM_INDEX_MEMBER | (elements[part] >> bit & 1) * PM_INDEX_ELEMENT;
            const uint token = token_index + mask_count(all_tokens & mask_low(k));
            flags |= (token == 0 ? PM_INDEX_FIRST : 0) | (token == token_last ? PM_INDEX_LAST : 0);
            if ((opens[part] >> bit & 1) != 0) {
                flags |= PM_INDEX_OPEN;
                const uint at = tile_first % 32 + index;
                atomicOr(opens_of[at / 32], 1u << at % 32);
            }
            list.at[tile_first + index] = uvec2(place + k, flags);
        }
}

/* Stores the bits of brackets `begin` ... `end` - 1. A word that has others, too, gets these in addition. */
void opens_store(uint begin, uint end) {
    const uint first_word = begin / 32;
    for (uint word = first_word + lane; word < end / 32 + (end % 32 != 0 ? 1 : 0); word += PM_INDEX_LANES) {
        const uint own = opens_of[word - first_word];
        if (word * 32 >= begin && (word + 1) * 32 <= end && (word + 1) * 32 != 0)
            parens.at[word] = own;
        else
            atomicOr(parens.at[word], own);
    }
}

/* Writes where the tile's tokens are, `count` from token `tile_first` on; those of the lane begin with token `index` of
 * the tile. */
void positions_write(uvec2 all, uint place, uint index, uint tile_first, uint count) {
    for (uint done = 0; done < count; done += ROUND) {
        uint k = index;
        barrier();
        [[unroll]] for (uint part = 0; part < 2; part++)
            for (uint left = all[part]; left != 0; left &= left - 1, k++)
                if (k - done < ROUND)
                    places[k - done] = place + 32 * part + findLSB(left);
        barrier();
        for (uint t = lane; t < min(count - done, ROUND); t += PM_INDEX_LANES)
            if (tile_first + done + t < token_capacity)
                positions.at[tile_first + done + t] = places[t];
    }
}

void main() {
    const uint tile = first + gl_WorkGroupID.x, place = tile * PM_INDEX_TILE + lane * PM_INDEX_LANE_BYTES;
    const uint word = place / PM_INDEX_LANE_BYTES;
    const bool in_words = lane_has_word(place);
    const uvec4 before_tile = tiles.at[tile];
    for (uint k = lane; k <= PM_INDEX_TILE / 32; k += PM_INDEX_LANES)
        opens_of[k] = 0;
    if (lane == 0)
        wrong = 0;
    planes_load(place);
    uvec2 all_tokens = uvec2(0);
    if (in_words)
        all_tokens = tokens.at[word];
    const uvec2 opens = OPENS & all_tokens, closes = CLOSES & all_tokens, commas = COMMAS & all_tokens,
                colons = COLONS & all_tokens, strings = QUOTES & all_tokens;
    const uvec2 all_brackets = opens | closes, starts = all_tokens & ~(all_brackets | commas | colons | strings);
    const uint order = lane_order(all_tokens, opens, commas, colons, strings);
    uvec2 all, before = workgroup_before(uvec2(mask_count(all_tokens) | mask_count(all_brackets) << 16, order), all);
    const uint token_index = before.x & 0xffff, bracket_index = before.x >> 16;
    const uint after = order_compose(before_tile.w, before.y);
    if (in_words)
        before_words.at[word] = before_tile.z + bracket_index;

    const uvec2 separators = commas | colons, others = starts | opens;
    const uvec2 begun = followers(all_tokens, commas | opens, after == PM_INDEX_AFTER_OPEN || after == PM_INDEX_AFTER_COMMA);
    const uvec2 separated = followers(all_tokens, separators, after == PM_INDEX_AFTER_COLON || after == PM_INDEX_AFTER_COMMA);
    const uvec2 expected = begun | separated;
    const uvec2 behind_key = followers(all_tokens, strings & begun, after == PM_INDEX_AFTER_KEY);
    const uvec2 unexpected = (strings | others) & ~expected, too_early = separators & expected;
    const uvec2 unfinished = closes & separated, no_key = colons & ~behind_key;
    if (mask_any(unexpected | too_early | unfinished | no_key))
        wrong = 1;

    const uvec2 elements = (begun & others) | (behind_key & ~colons);
    uvec2 behind_last = uvec2(~0u);
    uint gap = 0;
    if (mask_any(all_brackets)) {
        gap = PM_INDEX_BRACKET;
        behind_last = ~mask_low(mask_last(all_brackets) + 1);
    }
    gap |= mask_any(colons & behind_last) ? PM_INDEX_MEMBER : 0;
    gap |= mask_any(elements & behind_last) ? PM_INDEX_ELEMENT : 0;
    of_gaps = true;
    nothing = 0;
    uvec2 tile_gap;
    const uint gap_before = workgroup_before(uvec2(0, gap), tile_gap).y;
    const uvec2 with_member = reached(all_brackets, colons, (gap_before & PM_INDEX_MEMBER) != 0 ? 1 : 0);
    const uvec2 with_element = reached(all_brackets, elements, (gap_before & PM_INDEX_ELEMENT) != 0 ? 1 : 0);
    if (before_tile.z < capacity)
        brackets_list(all_brackets, opens, with_member, with_element, place, bracket_index, before_tile.z, all_tokens,
                      before_tile.y + token_index);
    barrier();
    const uint bracket_end = min(before_tile.z + (all.x >> 16), capacity);
    if (before_tile.z < bracket_end)
        opens_store(before_tile.z, bracket_end);
    if (before_tile.y < token_capacity)
        positions_write(all_tokens, place, token_index, before_tile.y, all.x & 0xffff);
    if (lane == 0) {
        tiles.at[tile][PM_INDEX_TILE_QUOTING] = tile_gap.y;
        if (wrong != 0)
            found.at[PM_INDEX_FOUND_WRONG] = 1;
    }
}
