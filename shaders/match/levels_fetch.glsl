/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stack before a tile, in the workgroup's memory: at k % STACK the last open with key k. Entries are fetched from the
 * survivors of the tiles that own those keys, which the tree of least levels finds. Of a slice of a longer sequence,
 * keys that no tile owns are those of the stack that comes in from before it.
 */
#include "shaders/match/levels_search.glsl"

/* Entries. More of them are fetched less often, but where drivers give workgroups little memory, fewer of these run at a
 * time. */
layout(constant_id = PM_CONSTANT_STACK) const uint STACK = PM_TILE;
shared uint stack[STACK];

/* A small stack is for devices that are short of everything: there memory is not read further ahead than need be. */
const bool READ_AHEAD = STACK == PM_TILE;

/* The entry for a key of the stack before the sequence, which is empty unless this is a slice. The top of that stack
 * has the key that is the level of the beginning. */
uint incoming_with(uint key) {
    if (PART == PM_PART_WHOLE)
        return PM_NO_ELEMENT;
    const uint below_top = superblock_level(0) - key;
    return below_top < incoming_count ? words_after(incoming, below_top).at[0] : PM_NO_ELEMENT;
}

/* Entries for keys low ... high from a run of opens, which begins with `open` and key `key`. */
void stack_fetch_run(uint open, uint key, uint low, uint high) {
    const uint begin = max(low, key);
    for (uint k = lane; k <= high - begin; k += PM_LANES)
        stack[(begin + k) % STACK] = open + (begin - key) + k;
}

/* Lane = word. */
uint tile_survivors(uint tile) {
    return pm_constant_words(survivors).at[tile * PM_TILE_WORDS + lane];
}

/* Entries for keys low ... high from the survivors of one tile, whose keys begin at least + 1. mask: tile_survivors(). */
void stack_fetch_tile(uint mask, uint tile, uint least, uint low, uint high) {
    const uint count = bitCount(mask), first_element = index_of(tile * PM_TILE);
    uint key = least + lanes_inclusive_add(count); /* of this lane's highest survivor */
    const uint lowest_key = key + 1 - count;
    mask = count > 0 && lowest_key <= high && key >= low ? mask : 0;
    const uint words = lanes_ballot(mask != 0);
    if (lanes_max(bitCount(mask)) <= bitCount(words)) { /* lane = word: from its highest survivor down */
        for (; mask != 0; mask = bits_drop_highest(mask), key--)
            if (key - low <= high - low)
                stack[key % STACK] = first_element + 32 * lane + findMSB(mask);
        return;
    }
    for (uint left = words; left != 0; left &= left - 1) { /* lane = element */
        const uint word = findLSB(left), opens = lanes_shuffle(mask, word);
        const uint element_key = lanes_shuffle(lowest_key, word) + bitCount(opens & ((1u << lane) - 1));
        if ((opens >> lane & 1) != 0 && element_key >= low && element_key <= high)
            stack[element_key % STACK] = first_element + 32 * word + lane;
    }
}

/* Entries for `count` > 0 keys from `low` on, as they are before tile `before`. */
void stack_fetch(uint before, uint low, uint count) {
    for (;;) {
        const uint high = low + count - 1;
        if (high <= resume_key)
            before = min(before, resume_before);
        const uint source = tile_find(before, high);
        if (source == PM_NO_TILE) {
            for (uint k = lane; k < count; k += PM_LANES)
                stack[(low + k) % STACK] = incoming_with(low + k);
            resume_key = high;
            resume_before = 0;
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
        const uint many = lanes_ballot(needed && highest - least > 1);
        for (uint left = many & tile_runs; left != 0; left &= left - 1) { /* as deep inputs have them */
            const uint tile = findLSB(left), key = lanes_shuffle(least, tile) + 1;
            stack_fetch_run(lanes_shuffle(tile_lowest, tile), key, low, lanes_shuffle(highest, tile));
        }
        uint left = many & ~tile_runs;
        if (READ_AHEAD) { /* the next tile's survivors are on their way meanwhile */
            uint next = left != 0 ? tile_survivors(base + findLSB(left)) : 0;
            while (left != 0) {
                const uint tile = findLSB(left), mask = next;
                left &= left - 1;
                if (left != 0)
                    next = tile_survivors(base + findLSB(left));
                stack_fetch_tile(mask, base + tile, lanes_shuffle(least, tile), low, lanes_shuffle(highest, tile));
            }
        } else {
            for (; left != 0; left &= left - 1) {
                const uint tile = findLSB(left), mask = tile_survivors(base + tile);
                stack_fetch_tile(mask, base + tile, lanes_shuffle(least, tile), low, lanes_shuffle(highest, tile));
            }
        }
        const uint rest = lanes_min(least);
        if (rest < low) {
            resume_key = low;
            resume_before = base + findMSB(lanes_ballot(least < low)) + 1;
            return;
        }
        before = base;
        count = rest - low + 1;
    }
}
