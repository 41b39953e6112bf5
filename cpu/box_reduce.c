/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the last element to the first, counting the ends that still look for their nodes: a node that nobody looks for
 * survives. Eight kinds at a time are reduced as numbers in the bytes of one word, and are looked at one by one only
 * where one of them survives.
 */
#include "cpu/box_reduce.h"

#include <string.h>

#define LANES 8u /* kinds in a word */
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

/* The bicyclic element of a word of kinds. */
static pm_bic reduce_word(uint64_t kinds) {
    const uint64_t opens = (kinds ^ kinds >> 1) & ONES, closes = kinds & kinds >> 1 & ONES;
    const uint64_t excess =
        opens * ONES + LANES * ONES - closes * ONES; /* after each, and LANES more: never negative */
    uint64_t least = least_bytes(excess, rotate(excess, 32));
    least = least_bytes(least, rotate(least, 16));
    least = least_bytes(least, rotate(least, 8)) & 0xff;
    if (least > LANES)
        least = LANES; /* before the first */
    return (pm_bic){LANES - least, (excess >> 56) - least};
}

static bool look_back_one(uint8_t kind, size_t i, looking_back *back) {
    if (kind > PM_END)
        return false;
    if (kind == PM_END)
        back->pending++;
    else if (kind != PM_LEAF && back->pending > 0)
        back->pending--;
    else if (kind != PM_LEAF)
        *back->survivor++ = (uint32_t)i;
    return true;
}

/* From `end` back to `begin`, one by one. */
static bool look_back_each(const uint8_t *kinds, size_t begin, size_t end, looking_back *back) {
    while (end > begin) {
        end--;
        if (!look_back_one(kinds[end], end, back))
            return false;
    }
    return true;
}

bool pm_box_reduce(const uint8_t *kinds, size_t begin, size_t end, uint32_t *survivors, pm_slice_effect *effect) {
    looking_back back = {.pending = 0, .survivor = survivors};
    size_t i = end;
    for (; i - begin >= LANES; i -= LANES) {
        const uint64_t word = load_kinds(kinds + i - LANES);
        if (word & NO_KIND)
            return false;
        const pm_bic bic = reduce_word(word);
        if (bic.open <= back.pending)
            back.pending += bic.close - bic.open;
        else
            look_back_each(kinds, i - LANES, i, &back);
    }
    if (!look_back_each(kinds, begin, i, &back))
        return false;
    effect->close = back.pending;
    effect->open = (uint32_t)(back.survivor - survivors);
    effect->survivors = survivors;
    return true;
}
