/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the last element to the first, counting the ends that still look for their nodes: a node that nobody looks for
 * survives. A block of kinds is reduced as numbers in the bytes of a few words, and is looked at one by one only where
 * one of them survives.
 */
#include "cpu/box_reduce.h"

#include <string.h>

#define LANES 8u          /* kinds in a word */
#define BLOCK (4 * LANES) /* kinds reduced together: as many numbers, and BLOCK more, fit 7 bits */
#define ONES                                                                                                           \
    UINT64_C(0x0101010101010101)           /* 1 in every byte; times a word: each byte with all bytes before it added  \
                                            */
#define HIGHS UINT64_C(0x8080808080808080) /* the bit that tells which byte of two is less */
#define NO_KIND UINT64_C(0xfcfcfcfcfcfcfcfc) /* the bits that no kind has */

/* What has been found, looking back. */
typedef struct looking_back {
    uint64_t pending; /* ends that look for their nodes */
    uint32_t *survivor;
} looking_back;

/* The first kind in the lowest byte. */
static uint64_t load_kinds(const uint8_t *kinds) {
    uint64_t word;
    memcpy(&word, kinds, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = pm_bits_reverse_bytes(word);
#endif
    return word;
}

/* The lesser of each two bytes, all below 0x80. */
static uint64_t least_bytes(uint64_t a, uint64_t b) {
    const uint64_t not_less = ((a | HIGHS) - b) & HIGHS, a_is_less = ~((not_less >> 7) * 0xff);
    return (a & a_is_less) | (b & ~a_is_less);
}

static uint64_t rotate(uint64_t x, unsigned by) {
    return x >> by | x << (64 - by);
}

/* The bicyclic element of a block of kinds, and all kinds of it in one. */
static pm_bic reduce_block(const uint8_t *kinds, uint64_t *all) {
    uint64_t least = BLOCK * ONES, before = 0; /* nodes begun less those ended, before each word */
    for (unsigned k = 0; k < BLOCK; k += LANES) {
        const uint64_t word = load_kinds(kinds + k);
        const uint64_t opens = (word ^ word >> 1) & ONES, closes = word & word >> 1 & ONES;
        const uint64_t excess = (opens - closes + before) * ONES + BLOCK * ONES; /* after each: never negative */
        least = least_bytes(least, excess);
        before = (excess >> 56) - BLOCK;
        *all |= word;
    }
    least = least_bytes(least, rotate(least, 32));
    least = least_bytes(least, rotate(least, 16));
    least = least_bytes(least, rotate(least, 8)) & 0xff;
    return (pm_bic){BLOCK - least, before + BLOCK - least};
}

/* Without a branch, as nobody can guess which nodes survive. There is room for one more survivor wherever it is
 * written. */
static void look_back_one(uint8_t kind, size_t i, looking_back *back) {
    const uint64_t is_node = (kind ^ kind >> 1) & 1u, is_end = kind & kind >> 1 & 1u;
    const uint64_t is_looked_for = is_node & (back->pending > 0);
    *back->survivor = (uint32_t)i;
    back->survivor += is_node ^ is_looked_for;
    back->pending += is_end - is_looked_for;
}

/* From `end` back to `begin`, one by one. */
static void look_back_each(const uint8_t *kinds, size_t begin, size_t end, looking_back *back) {
    looking_back here = *back;
    while (end > begin) {
        end--;
        look_back_one(kinds[end], end, &here);
    }
    *back = here;
}

bool pm_box_reduce(const uint8_t *kinds, size_t begin, size_t end, uint32_t *survivors, pm_slice_effect *effect) {
    looking_back back = {.pending = 0, .survivor = survivors};
    uint64_t all = 0;
    size_t i = end;
    for (; i - begin >= BLOCK; i -= BLOCK) {
        const pm_bic bic = reduce_block(kinds + i - BLOCK, &all);
        if (bic.open <= back.pending)
            back.pending += bic.close - bic.open;
        else
            look_back_each(kinds, i - BLOCK, i, &back);
    }
    for (size_t k = begin; k < i; k++)
        all |= kinds[k];
    look_back_each(kinds, begin, i, &back);
    effect->close = back.pending;
    effect->open = (uint32_t)(back.survivor - survivors);
    effect->survivors = survivors;
    return (all & NO_KIND) == 0;
}
