/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The third stage of `wide`: the match of every element. A workgroup of one team goes through consecutive tiles.
 *
 * The stack is an array in the workgroup's memory: at k % STACK the last open with key k. A part of a tile has as many
 * elements as the stack has entries, so within it levels differ by less, and no two keys that are both looked for meet
 * in one place; keys above the present level are dead. An entry stays from part to part; what a part needs and nothing
 * before it in this workgroup has left there is fetched before it (stack_fetch), from the survivors of the tiles that
 * own those levels, which the tree of least levels finds. It never lies in the tile itself: what an earlier part of that
 * opens, and a key of a later part could ask for, is still on the stack.
 *
 * In a tile, first lane = word: all positions of a word get their key, as bit slices, and the opens among them are
 * sorted into masks by key. Then lane = element, word by word: the lane's key gives a mask of the word's opens with
 * that key, and the nearest one below is the match; if there is none, the stack has it.
 */
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/lanes.glsl"
#define PM_WORDS_ACCESS
#include "shaders/algebra.glsl"
#include "shaders/wide.glsl"

layout(constant_id = PM_CONSTANT_STACK) const uint STACK = PM_TILE;
const uint PART_WORDS = STACK / 32;
#define BATCH 16u   /* words whose masks are kept at a time, half a tile */
#define AT_A_TIME 8u /* words whose masks are loaded at a time */

shared uint stack[STACK];

/* Of a word, the opens with a key of each value of the low three bits; positions with each value of the next two.
 * Strides let 16 lanes write, and 32 read, without two of them meeting in a bank. */
#define LOW_STRIDE 9u
#define LOW_GROUP 80u
#define HIGH_STRIDE 1u
#define HIGH_VALUE AT_A_TIME
#define HIGH_GROUP 32u
shared uint by_low[BATCH / AT_A_TIME * LOW_GROUP];
shared uint by_high[BATCH / AT_A_TIME * HIGH_GROUP];
/* Of a word, its elements one place up, so that bit b is the element before position b; and the level before that one.
 * While the stack is fetched: of a word, survivors, and the key of the lowest. */
shared uvec2 word_record[PM_LANES];

/* ---- Tiles of the superblock at hand, lane = tile ---- */

uint superblock;
uint tile_least;  /* least level */
uint tile_lowest; /* the lowest survivor */

void superblock_take(uint s) {
    const uint tile = s * PM_SUPERBLOCK_TILES + lane;
    const ivec2 record = tile_record.at[tile];
    superblock = s;
    tile_least = pm_constant_words(superblock_base).at[s] + uint(record.y);
    tile_lowest = tile * PM_TILE + uint(PM_TILE_LOWEST(record.x));
}

uint tree_begin(uint level) {
    return level == 0 ? 0 : level == 1 ? tree_1 : level == 2 ? tree_2 : tree_3;
}

/* The last tile before tile `before` that holds a level below `key`, and so the open that key asks for; its superblock
 * is taken. PM_NO_TILE if there is none. */
uint tile_find(uint before, uint key) {
    const uint own = before / PM_SUPERBLOCK_TILES;
    if (own != superblock)
        superblock_take(own);
    const uint near = lanes_ballot(lane < before % PM_SUPERBLOCK_TILES && tile_least < key);
    if (near != 0)
        return own * PM_SUPERBLOCK_TILES + findMSB(near);

    uint node = own, level = 0, found = 0;
    for (; level < tree_levels; level++) {
        const uint sisters = node & ~(PM_LANES - 1);
        const uint here = lane < node % PM_LANES ? pm_constant_words(tree).at[tree_begin(level) + sisters + lane] : key;
        found = lanes_ballot(here < key);
        if (found != 0) {
            node = sisters + findMSB(found);
            break;
        }
        node /= PM_LANES;
    }
    if (found == 0)
        return PM_NO_TILE;
    for (; level > 0; level--) {
        const uint child = node * PM_LANES + lane;
        node = node * PM_LANES + findMSB(lanes_ballot(pm_constant_words(tree).at[tree_begin(level - 1) + child] < key));
    }
    superblock_take(node);
    return node * PM_SUPERBLOCK_TILES + findMSB(lanes_ballot(tile_least < key));
}

/* ---- The stack before a tile ---- */

/* Entries for keys low ... high from the survivors of one tile, whose keys begin at least + 1. */
void stack_fetch_tile(uint tile, uint least, uint low, uint high) {
    uint mask = pm_constant_words(survivors).at[tile * PM_TILE_WORDS + lane];
    const uint count = bitCount(mask);
    uint key = least + lanes_inclusive_add(count); /* of this lane's highest survivor */
    const uint lowest_key = key + 1 - count;
    mask = count > 0 && lowest_key <= high && key >= low ? mask : 0;
    const uint words = lanes_ballot(mask != 0);
    const uint first_element = tile * PM_TILE;
    if (lanes_max(bitCount(mask)) <= bitCount(words)) { /* lane = word: from its highest survivor down */
        for (; mask != 0; mask = bits_drop_highest(mask), key--)
            if (key >= low && key <= high)
                stack[key % STACK] = first_element + 32 * lane + findMSB(mask);
        return;
    }
    lanes_barrier(); /* lane = element */
    word_record[lane] = uvec2(mask, lowest_key);
    lanes_barrier();
    for (uint left = words; left != 0; left &= left - 1) {
        const uint word = findLSB(left);
        const uvec2 record = word_record[word];
        const uint element_key = record.y + bitCount(record.x & ((1u << lane) - 1));
        if ((record.x >> lane & 1) != 0 && element_key >= low && element_key <= high)
            stack[element_key % STACK] = first_element + 32 * word + lane;
    }
}

/* Entries for `count` > 0 keys from `low` on, as they are before tile `before`. */
void stack_fetch(uint before, uint low, uint count) {
    for (;;) {
        const uint high = low + count - 1;
        const uint source = tile_find(before, high);
        if (source == PM_NO_TILE) {
            for (uint k = lane; k < count; k += PM_LANES)
                stack[(low + k) % STACK] = PM_NO_ELEMENT;
            return;
        }
        /* All tiles of that superblock at once: each holds the keys above its least level, up to the least of the
         * tiles between it and here. */
        const uint least = lane <= source % PM_SUPERBLOCK_TILES ? tile_least : 0xffffffffu;
        const uint highest = min(lanes_min_above(least), high);
        const bool needed = highest > least && highest >= low;
        if (needed && highest - least == 1)
            stack[highest % STACK] = tile_lowest;
        const uint base = superblock * PM_SUPERBLOCK_TILES;
        for (uint many = lanes_ballot(needed && highest - least > 1); many != 0; many &= many - 1) {
            const uint tile = findLSB(many);
            stack_fetch_tile(base + tile, lanes_shuffle(least, tile), low, lanes_shuffle(highest, tile));
        }
        const uint rest = lanes_min(least);
        if (rest < low)
            return;
        before = base;
        count = rest - low + 1;
    }
}

/* ---- A tile ---- */

/* Lane = word: the key at bit b is level + 2 * (set bits of `before` at and below b) - b - 1. Modulo 32 and relative to
 * `level`, its lowest bit is whether b is even, and the four above are set bits - b / 2 - 1 = set bits + ~(b / 2). */
void word_sort(uint word, uint before, uint level) {
    const uvec4 not_half_position = uvec4(0x33333333u, 0x0f0f0f0fu, 0x00ff00ffu, 0x0000ffffu);
    const uvec4 key = planes_add(planes_prefix_count(before), not_half_position);
    const uint even = 0x55555555u, group = word / AT_A_TIME, w = word % AT_A_TIME;
    [[unroll]] for (uint low = 0; low < 8; low++)
        by_low[group * LOW_GROUP + w * LOW_STRIDE + low] = before & ((low & 1) != 0 ? even : ~even) &
                                                           ((low & 2) != 0 ? key.x : ~key.x) &
                                                           ((low & 4) != 0 ? key.y : ~key.y);
    [[unroll]] for (uint high = 0; high < 4; high++)
        by_high[group * HIGH_GROUP + high * HIGH_VALUE + w * HIGH_STRIDE] =
            ((high & 1) != 0 ? key.z : ~key.z) & ((high & 2) != 0 ? key.w : ~key.w);
    word_record[word] = uvec2(before, level);
}

/* Lane = element: eight words of group `group`; the first element is `element` and its match goes to `to`, both for
 * lane 0; `room` elements from this lane's first on exist. */
void words_match(uint group, uint element, uint to, uint room) {
    const uint up_to_lane = (2u << lane) - 1;
    uint place[AT_A_TIME], nearest[AT_A_TIME], later[AT_A_TIME];
    [[unroll]] for (uint w = 0; w < AT_A_TIME; w++) {
        const uvec2 record = word_record[group * AT_A_TIME + w];
        const uint key = 2 * bitCount(record.x & up_to_lane) - lane - 1;
        const uint same = by_low[group * LOW_GROUP + w * LOW_STRIDE + key % 8] &
                          by_high[group * HIGH_GROUP + key / 8 % 4 * HIGH_VALUE + w * HIGH_STRIDE];
        place[w] = (record.y + key) % STACK;
        nearest[w] = same & up_to_lane;
        later[w] = same & ~up_to_lane;
    }
    [[unroll]] for (uint w = 0; w < AT_A_TIME; w++) {
        uint found = stack[place[w]];
        if (nearest[w] != 0)
            found = element + 32 * w + findMSB(nearest[w]) - 1;
        lanes_barrier();
        if (later[w] == 0) /* of the lanes with this key the last ones, which agree */
            stack[place[w]] = found;
        if (32 * w < room)
            match.at[to + 32 * w + lane] = found;
        lanes_barrier();
    }
}

void main() {
    parameters_take();
    const uint begin = first + gl_WorkGroupID.x * per_group, end = min(begin + per_group, first + count);
    superblock_take(begin / PM_SUPERBLOCK_TILES);
    const uint l = begin % PM_SUPERBLOCK_TILES;
    uint level = pm_constant_words(superblock_base).at[superblock] + uint(PM_TILE_START(tile_record.at[begin].x));
    const uint least_ahead = lanes_min(lane >= l && lane < l + per_group ? tile_least : 0xffffffffu);
    int known = 1; /* keys level + known ... level are on the stack */
    uint words = parens_word(begin * PM_TILE_WORDS + lane), last_word = 0;

    for (uint tile = begin; tile < end; tile++) {
        if (tile / PM_SUPERBLOCK_TILES != superblock)
            superblock_take(tile / PM_SUPERBLOCK_TILES);
        const uint least = tile == begin ? least_ahead : lanes_shuffle(tile_least, tile % PM_SUPERBLOCK_TILES);
        const uint below = lanes_shuffle_up(words, 1);
        const uint before = words << 1 | (lane == 0 ? last_word : below) >> 31;
        const uint change = 2 * bitCount(words) - 32;
        const uint end_change = lanes_inclusive_add(change);
        const uint word_level = level + end_change - change - ((before & 1) != 0 ? 1 : -1);
        const uint tile_change = lanes_shuffle(end_change, PM_LANES - 1);
        /* No element's level is higher; and no key that is looked for in a part of 512 elements is 512 or more below the
         * bound of a word in it. So no part takes for lost what an earlier part of its tile has opened. */
        const int highest = lanes_max(int(end_change - change + bitCount(words << 1)));
        last_word = lanes_shuffle(words, PM_LANES - 1);
        if (tile + 1 < end)
            words = parens_word((tile + 1) * PM_TILE_WORDS + lane);

        const uint start = tile * PM_TILE + lane, tile_level = level;
        const uint room = start < n ? n - start : 0;
        for (uint part = 0;;) {
            const bool is_tile = PART_WORDS == PM_TILE_WORDS;
            const int low = max(int(least - level), 1 - int(STACK));
            if (low < known) {
                stack_fetch(tile, level + uint(low), uint(known - low));
                known = low;
            }
            [[dont_unroll]] for (uint batch = part; batch < part + PART_WORDS; batch += BATCH) {
                lanes_barrier();
                if (lane / BATCH == batch / BATCH)
                    word_sort(lane % BATCH, before, word_level);
                lanes_barrier();
                [[dont_unroll]] for (uint group = 0; group < BATCH / AT_A_TIME; group++) {
                    const uint done = 32 * (batch + group * AT_A_TIME);
                    words_match(group, tile * PM_TILE + done, (tile - match_tile) * PM_TILE + done,
                                room > done ? room - done : 0);
                }
            }
            /* What this tile may have put in the place of a key it did not ask for is lost. */
            const int known_from = max(known, highest + int(tile_level - level) + 1 - int(STACK));
            uint change_so_far = tile_change;
            if (!is_tile)
                change_so_far = lanes_shuffle(end_change, part + PART_WORDS - 1);
            known = min(known_from - int(tile_level + change_so_far - level), 1);
            level = tile_level + change_so_far;
            part += PART_WORDS;
            if (is_tile || part == PM_TILE_WORDS)
                break;
        }
    }
}
