/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stack before a tile, in the workgroup's memory: at k % 512 the last open with key k. Entries are fetched from the
 * survivors of the tiles that own those keys, which the tree of least levels finds. Of a slice of a longer sequence,
 * keys that no tile owns are those of the stack that comes in from before it.
 */
#include "shaders/wide_search.glsl"

shared uint stack[PM_STACK];

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
        stack[(begin + k) % PM_STACK] = open + (begin - key) + k;
}

/* Entries for keys low ... high from the survivors of one tile, whose keys begin at least + 1. */
void stack_fetch_tile(uint tile, uint least, uint low, uint high) {
    uint mask = pm_constant_words(survivors).at[tile * PM_TILE_WORDS + lane];
    const uint count = bitCount(mask), first_element = index_of(tile * PM_TILE);
    uint key = least + lanes_inclusive_add(count); /* of this lane's highest survivor */
    const uint lowest_key = key + 1 - count;
    mask = count > 0 && lowest_key <= high && key >= low ? mask : 0;
    const uint words = lanes_ballot(mask != 0);
    if (lanes_max(bitCount(mask)) <= bitCount(words)) { /* lane = word: from its highest survivor down */
        for (; mask != 0; mask = bits_drop_highest(mask), key--)
            if (key >= low && key <= high)
                stack[key % PM_STACK] = first_element + 32 * lane + findMSB(mask);
        return;
    }
    for (uint left = words; left != 0; left &= left - 1) { /* lane = element */
        const uint word = findLSB(left), opens = lanes_shuffle(mask, word);
        const uint element_key = lanes_shuffle(lowest_key, word) + bitCount(opens & ((1u << lane) - 1));
        if ((opens >> lane & 1) != 0 && element_key >= low && element_key <= high)
            stack[element_key % PM_STACK] = first_element + 32 * word + lane;
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
                stack[(low + k) % PM_STACK] = incoming_with(low + k);
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
            stack[highest % PM_STACK] = tile_lowest;
        const uint base = superblock * PM_SUPERBLOCK_TILES;
        for (uint many = lanes_ballot(needed && highest - least > 1); many != 0; many &= many - 1) {
            const uint tile = findLSB(many), least_of_tile = lanes_shuffle(least, tile);
            const uint highest_of_tile = lanes_shuffle(highest, tile);
            if ((tile_runs >> tile & 1) != 0) /* as deep inputs have them */
                stack_fetch_run(lanes_shuffle(tile_lowest, tile), least_of_tile + 1, low, highest_of_tile);
            else
                stack_fetch_tile(base + tile, least_of_tile, low, highest_of_tile);
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
