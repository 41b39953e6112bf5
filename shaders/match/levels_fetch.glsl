/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stack before a tile, in the workgroup's memory: at k % STACK the last open with key k. Entries are fetched from the
 * survivors of the tiles or superblocks that own those keys, which the tree of least levels finds. Of a slice of a longer
 * sequence, keys that no tile owns are those of the stack that comes in from before it.
 */
#include "shaders/match/levels_search.glsl"

/* Entries. More of them are fetched less often, but where drivers give workgroups little memory, fewer of these run at a
 * time. */
layout(constant_id = PM_CONSTANT_STACK) const uint STACK = PM_TILE;
shared uint stack[STACK];

/* A small stack is for devices that are short of everything: there memory is not read further ahead than need be. */
const bool READ_AHEAD = STACK == PM_TILE;

/* Survivors of a superblock that are listed. Short sequences need no scan, and so have no lists. */
#ifdef PM_SHORT
#define LISTED 0u
#elif !defined(LISTED)
#define LISTED PM_LISTED
#endif

/* The entry for a key of the stack before the sequence, which is empty unless this is a slice. The top of that stack
 * has the key that is the level of the beginning. */
uint incoming_with(uint key) {
    if (PART == PM_PART_WHOLE)
        return PM_NO_ELEMENT;
    const uint below_top = superblock_level(0) - key;
    return below_top < incoming_count ? words_after(incoming, below_top).at[0] : PM_NO_ELEMENT;
}

/* ---- What tiles own ---- */

uint owned_base; /* index of the first element of the superblock that is expanded */

void owned_put(uint key, uint element) {
    stack[key % STACK] = owned_base + element;
}

#define ALONE /* as far as the worst inputs go */
#include "shaders/match/levels_owned.glsl"

/* ---- What superblocks own ---- */

/* Keys of a lane that it looks up in lists at once, so that it waits for memory less often. */
#ifndef LIST_KEYS
#define LIST_KEYS 1u
#endif

/* Entries for keys from ... high, each of which one of 32 superblocks owns and has in its list. Lane = superblock, from
 * `row` on; suffix: the least level of it and those after it, which does not fall from lane to lane. So the owner of a key
 * is the last one whose suffix is below it. */
void lists_fetch(uint row, uint suffix, uint from, uint high) {
    [[dont_unroll]] for (uint done = 0; done <= high - from; done += LIST_KEYS * PM_LANES) { /* lane = some keys */
        uint key[LIST_KEYS], found[LIST_KEYS];
        [[unroll]] for (uint j = 0; j < LIST_KEYS; j++) {
            key[j] = from + min(done + j * PM_LANES + lane, high - from);
            uint owner = 0;
            [[unroll]] for (uint by = PM_LANES / 2; by > 0; by /= 2)
                owner += lanes_shuffle(suffix, owner + by) < key[j] ? by : 0;
            const uint place = key[j] - lanes_shuffle(suffix, owner) - 1;
            found[j] = index_of((row + owner) * PM_SUPERBLOCK) +
                       pm_constant_words(superblock_base).at[PM_LIST(superblocks, row + owner) + place];
        }
        [[unroll]] for (uint j = 0; j < LIST_KEYS; j++)
            stack[key[j] % STACK] = found[j];
    }
}

/* ---- All ---- */

/*
 * Entries for `count` > 0 keys from `low` on, as they are before tile `before`. First from the tiles before it in its
 * superblock, lane = tile, each of which owns the keys above its least level, up to the least of the tiles between it and
 * `before`. Then from superblocks, 32 of them at a time, in the same way: from their lists, or, of one that owns more than
 * it lists, from its tiles.
 */
void stack_fetch(uint before, uint low, uint count) {
    for (;;) {
        const uint high = low + count - 1;
        if (high <= resume_key)
            before = min(before, resume_before);
        uint source = before / PM_SUPERBLOCK_TILES, tiles = before % PM_SUPERBLOCK_TILES;
        if (tiles != 0) {
            if (source != superblock)
                superblock_take(source);
            if (lanes_ballot(lane < tiles && tile_least < high) == 0)
                tiles = 0;
        }
        if (tiles == 0) {
            source = superblock_find(source, high);
            if (source == PM_NO_TILE) {
                for (uint k = lane; k < count; k += PM_LANES)
                    stack[(low + k) % STACK] = incoming_with(low + k);
                resume_key = high;
                resume_before = 0;
                return;
            }
            const uint row = source & ~(PM_LANES - 1);
            uint least = 0xffffffffu;
            if (row + lane <= source)
                least = superblocks_least(row);
            if (LISTED > 0 && high - lanes_shuffle(least, source - row) <= LISTED) {
                const uint above = lanes_min_above(least), highest = min(above, high), suffix = min(least, above);
                const uint unlisted = lanes_ballot(highest > least && highest - least > LISTED && highest >= low);
                uint from = max(low, lanes_shuffle(suffix, 0) + 1); /* the lowest key that lists have */
                if (unlisted != 0)
                    from = max(from, lanes_shuffle(highest, findMSB(unlisted)) + 1);
                lists_fetch(row, suffix, from, high);
                const uint next = from == low ? low : from - 1;
                before = (row + bitCount(lanes_ballot(suffix < next))) * PM_SUPERBLOCK_TILES;
                if (from == low) {
                    resume_key = low;
                    resume_before = before;
                    return;
                }
                count = from - low;
                continue;
            }
            superblock_take(source);
            tiles = PM_SUPERBLOCK_TILES;
        }
        const uint least = lane < tiles ? tile_least : 0xffffffffu;
        owned_base = index_of(source * PM_SUPERBLOCK);
        tiles_expand(source * PM_SUPERBLOCK_TILES, least, min(lanes_min_above(least), high), low, tile_lowest, tile_runs);
        const uint rest = lanes_min(least);
        before = source * PM_SUPERBLOCK_TILES;
        if (rest < low) {
            resume_key = low;
            resume_before = before + findMSB(lanes_ballot(least < low)) + 1;
            return;
        }
        count = rest - low + 1;
    }
}
