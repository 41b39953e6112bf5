/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The opens that tiles of one superblock own, each with its key: of a tile's survivors those from its least key up to some
 * key. The shader says where they go:
 *
 *   void owned_put(uint key, uint element)   takes one; elements are counted from the superblock's first
 *   READ_AHEAD                               are the survivors of the next tile to be read while one is expanded?
 *   ALONE                                    if defined, no other team works while this one waits, so that steps count
 *                                            more than instructions
 */

/* Tiles that own at most this many are expanded all at once, lane = tile, if they are at least FEW_TILES. */
#ifndef FEW_OWNED
#define FEW_OWNED 16u
#endif
#define FEW_TILES 4u

/* Keys low ... high of a run of opens, which begins with `open` and key `key`. */
void run_expand(uint open, uint key, uint low, uint high) {
    const uint begin = max(low, key);
    for (uint k = lane; k <= high - begin; k += PM_LANES)
        owned_put(begin + k, open + (begin - key) + k);
}

/* Lane = word. */
uint tile_survivors(uint tile) {
    return pm_constant_words(survivors).at[tile * PM_TILE_WORDS + lane];
}

/* Keys low ... high of one tile's survivors, whose keys begin at least + 1. mask: tile_survivors(); first: its first
 * element. */
void tile_expand(uint mask, uint first, uint least, uint low, uint high) {
    const uint opens_of_word = bitCount(mask);
    uint key = least + lanes_inclusive_add(opens_of_word); /* of this lane's highest survivor */
    const uint lowest_key = key + 1 - opens_of_word;
    mask = opens_of_word > 0 && lowest_key <= high && key >= low ? mask : 0;
    const uint words = lanes_ballot(mask != 0);
    if (lanes_max(bitCount(mask)) <= bitCount(words)) { /* lane = word: from its highest survivor down */
        for (; mask != 0; mask = bits_drop_highest(mask), key--)
            if (key - low <= high - low)
                owned_put(key, first + 32 * lane + findMSB(mask));
        return;
    }
    for (uint left = words; left != 0; left &= left - 1) { /* lane = element */
        const uint word = findLSB(left), opens = lanes_shuffle(mask, word);
        const uint element_key = lanes_shuffle(lowest_key, word) + bitCount(opens & ((1u << lane) - 1));
        if ((opens >> lane & 1) != 0 && element_key >= low && element_key <= high)
            owned_put(element_key, first + 32 * word + lane);
    }
}

/* Lane = tile: keys `key` ... `last` of each, from its lowest survivor, at position `lowest`, up. */
void few_expand(uint tile, uint lowest, uint key, uint last, uint low) {
    const uint begin = tile * (PM_TILE_WORDS / 4), first = tile % PM_SUPERBLOCK_TILES * PM_TILE;
    uint four = lowest / 256 * 2;
    [[dont_unroll]] for (uint step = 0; step < PM_TILE_WORDS / 8; step++) {
        if (lanes_ballot(key <= last) == 0)
            break;
        uvec4 words[2] = {uvec4(0), uvec4(0)};
        if (key <= last) {
            words[0] = pm_constant_fours(survivors).at[begin + four];
            words[1] = pm_constant_fours(survivors).at[begin + four + 1];
        }
#ifdef ALONE
        uint present = 0; /* a bit for each word that has opens */
        [[unroll]] for (uint w = 0; w < 8; w++)
            present |= words[w / 4][w % 4] != 0 ? 1u << w : 0;
        [[dont_unroll]] for (; present != 0 && key <= last; present &= present - 1) {
            const uint w = findLSB(present);
            const uvec4 four_words = (w & 4) != 0 ? words[1] : words[0];
            const uvec2 two = (w & 2) != 0 ? four_words.zw : four_words.xy;
            uint bits = (w & 1) != 0 ? two.y : two.x;
            [[dont_unroll]] for (; bits != 0 && key <= last; bits &= bits - 1, key++)
                if (key >= low)
                    owned_put(key, first + 128 * four + 32 * w + findLSB(bits));
        }
#else
        [[unroll]] for (uint w = 0; w < 8; w++)
            for (uint bits = words[w / 4][w % 4]; bits != 0 && key <= last; bits &= bits - 1, key++)
                if (key >= low)
                    owned_put(key, first + 128 * four + 32 * w + findLSB(bits));
#endif
        four += 2;
    }
}

/* Lane = tile of the superblock whose first tile is `base`: keys least + 1 ... highest of each, without those below low.
 * lowest: position of its lowest survivor in the superblock; runs: of all tiles, a bit each: are the survivors one run? */
void tiles_expand(uint base, uint least, uint highest, uint low, uint lowest, uint runs) {
    const bool needed = highest > least && highest >= low;
    if (needed && highest - least == 1)
        owned_put(highest, lowest);
    const bool several = needed && highest - least > 1;
    const uint many = lanes_ballot(several);
    for (uint left = many & runs; left != 0; left &= left - 1) { /* as deep inputs have them */
        const uint tile = findLSB(left), key = lanes_shuffle(least, tile) + 1;
        run_expand(lanes_shuffle(lowest, tile), key, low, lanes_shuffle(highest, tile));
    }
    uint left = many & ~runs;
    if (FEW_OWNED > 0 && bitCount(left) >= FEW_TILES) {
        const bool few = (left >> lane & 1) != 0 && highest - least <= FEW_OWNED;
        const uint all_few = lanes_ballot(few);
        if (bitCount(all_few) >= FEW_TILES) {
            few_expand(base + lane, lowest % PM_TILE, few ? least + 1 : 1, few ? highest : 0, low);
            left &= ~all_few;
        }
    }
    uint next = READ_AHEAD && left != 0 ? tile_survivors(base + findLSB(left)) : 0;
    while (left != 0) { /* the next tile's survivors are on their way meanwhile */
        const uint tile = findLSB(left);
        const uint mask = READ_AHEAD ? next : tile_survivors(base + tile);
        left &= left - 1;
        if (READ_AHEAD && left != 0)
            next = tile_survivors(base + findLSB(left));
        tile_expand(mask, tile * PM_TILE, lanes_shuffle(least, tile), low, lanes_shuffle(highest, tile));
    }
}
