/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the last element to the first, counting the ends that still look for their nodes: a node that nobody looks for
 * survives. A block of kinds is reduced as numbers in the bytes of vectors or of words, and is looked at one by one
 * only where one of them survives. Where no more nodes begin in it than ends look for some, none does, and counting is
 * enough.
 */
#include "cpu/boxes/boxes.h"

#include <assert.h>

#include "cpu/boxes/leaves.h"

/* What has been found, looking back. */
typedef struct looking_back {
    uint64_t pending; /* ends that look for their nodes */
    uint32_t *survivor;
} looking_back;

#ifdef __x86_64__
#define LANES 16u
#define BLOCK (4 * LANES) /* kinds reduced together: as many numbers, and BLOCK more, fit a byte */

/* The sum of all bytes. */
static uint64_t add_bytes(__m128i bytes) {
    const __m128i halves = _mm_sad_epu8(bytes, _mm_setzero_si128());
    return (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(halves, _mm_unpackhi_epi64(halves, halves)));
}

static __m128i min_bytes(__m128i bytes) {
    bytes = _mm_min_epu8(bytes, _mm_srli_si128(bytes, 8));
    bytes = _mm_min_epu8(bytes, _mm_srli_si128(bytes, 4));
    bytes = _mm_min_epu8(bytes, _mm_srli_si128(bytes, 2));
    return _mm_min_epu8(bytes, _mm_srli_si128(bytes, 1));
}

/* Each byte with all bytes before it added. */
static __m128i add_before(__m128i bytes) {
    bytes = _mm_add_epi8(bytes, _mm_slli_si128(bytes, 1));
    bytes = _mm_add_epi8(bytes, _mm_slli_si128(bytes, 2));
    bytes = _mm_add_epi8(bytes, _mm_slli_si128(bytes, 4));
    return _mm_add_epi8(bytes, _mm_slli_si128(bytes, 8));
}

/* The last byte in all places. */
static __m128i repeat_last(__m128i bytes) {
    const __m128i twice = _mm_unpackhi_epi8(bytes, bytes);
    return _mm_shuffle_epi32(_mm_shufflehi_epi16(twice, 0xff), 0xff);
}

/* The bicyclic element of a block of kinds, or any with the same excess where no more than `pending` nodes begin in
 * it; and all kinds of it in one. */
static pm_bic reduce_block(const uint8_t *kinds, uint64_t pending, uint64_t *all) {
    const __m128i ones = _mm_set1_epi8(1);
    __m128i steps[BLOCK / LANES], begun = _mm_setzero_si128(), ended = begun, any = begun;
    for (unsigned k = 0; k < BLOCK / LANES; k++) {
        const __m128i kind = _mm_loadu_si128((const __m128i *)(const void *)(kinds + k * LANES));
        const __m128i high = _mm_srli_epi16(kind, 1);
        const __m128i begins = _mm_and_si128(_mm_xor_si128(kind, high), ones);
        const __m128i ends = _mm_and_si128(_mm_and_si128(kind, high), ones);
        any = _mm_or_si128(any, kind);
        begun = _mm_add_epi8(begun, begins);
        ended = _mm_add_epi8(ended, ends);
        steps[k] = _mm_sub_epi8(begins, ends);
    }
    *all |= (uint64_t)_mm_cvtsi128_si64(_mm_or_si128(any, _mm_unpackhi_epi64(any, any)));
    const uint64_t open = add_bytes(begun), close = add_bytes(ended);
    if (open <= pending)
        return (pm_bic){close, open};
    __m128i before = _mm_set1_epi8(BLOCK), least = before; /* excess: nodes begun less those ended, and BLOCK */
    for (unsigned k = 0; k < BLOCK / LANES; k++) {
        const __m128i excess = _mm_add_epi8(add_before(steps[k]), before);
        least = _mm_min_epu8(least, excess);
        before = repeat_last(excess);
    }
    const uint64_t unmatched = BLOCK - ((unsigned)_mm_cvtsi128_si32(min_bytes(least)) & 0xff);
    return (pm_bic){unmatched, open - close + unmatched};
}

/* The nodes that begin in a block without ends, a bit each; 0 if it has some. */
static uint64_t begins_alone(const uint8_t *kinds) {
    static_assert(BLOCK == PM_KINDS_OF_WORD, "a bit for each kind of a block");
    const pmi_kind_bits bits = pmi_kind_bits_of(kinds);
    return (bits.low & bits.high) == 0 ? bits.low ^ bits.high : 0;
}

#else
#define LANES 8u          /* kinds in a word */
#define BLOCK (4 * LANES) /* kinds reduced together: as many numbers, and BLOCK more, fit 7 bits */
#define ONES                                                                                                           \
    UINT64_C(0x0101010101010101)           /* 1 in every byte; times a word: each byte with all bytes before it added  \
                                            */
#define HIGHS UINT64_C(0x8080808080808080) /* the bit that says which byte of two is less */

/* The lesser of each two bytes, all below 0x80. */
static uint64_t min_bytes(uint64_t a, uint64_t b) {
    const uint64_t not_less = ((a | HIGHS) - b) & HIGHS, a_is_less = ~((not_less >> 7) * 0xff);
    return (a & a_is_less) | (b & ~a_is_less);
}

static uint64_t rotate(uint64_t x, unsigned by) {
    return x >> by | x << (64 - by);
}

static pm_bic reduce_block(const uint8_t *kinds, uint64_t pending, uint64_t *all) {
    (void)pending;
    uint64_t least = BLOCK * ONES, before = 0; /* nodes begun less those ended, before each word */
    for (unsigned k = 0; k < BLOCK; k += LANES) {
        const uint64_t word = pmi_eight_kinds(kinds + k);
        const uint64_t opens = (word ^ word >> 1) & ONES, closes = word & word >> 1 & ONES;
        const uint64_t excess = (opens - closes + before) * ONES + BLOCK * ONES; /* after each: never negative */
        least = min_bytes(least, excess);
        before = (excess >> 56) - BLOCK;
        *all |= word;
    }
    least = min_bytes(least, rotate(least, 32));
    least = min_bytes(least, rotate(least, 16));
    least = min_bytes(least, rotate(least, 8)) & 0xff;
    return (pm_bic){BLOCK - least, before + BLOCK - least};
}

static uint64_t begins_alone(const uint8_t *kinds) {
    (void)kinds;
    return 0;
}
#endif

#define NO_KIND UINT64_C(0xfcfcfcfcfcfcfcfc) /* the bits that no kind has */

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

/* A block from which more nodes survive than none. */
static void look_back_block(const uint8_t *kinds, size_t begin, looking_back *back) {
    uint64_t begins = back->pending == 0 ? begins_alone(kinds + begin) : 0;
    if (begins == 0)
        look_back_each(kinds, begin, begin + BLOCK, back);
    for (; begins != 0; begins ^= UINT64_C(1) << pmi_bits_highest(begins))
        *back->survivor++ = (uint32_t)(begin + pmi_bits_highest(begins));
}

bool pmi_box_reduce(const uint8_t *kinds, size_t begin, size_t end, uint32_t *survivors, pmi_slice_effect *effect) {
    looking_back back = {.pending = 0, .survivor = survivors};
    uint64_t all = 0;
    size_t i = end;
    for (; i - begin >= BLOCK; i -= BLOCK) {
        const pm_bic bic = reduce_block(kinds + i - BLOCK, back.pending, &all);
        if (bic.open <= back.pending)
            back.pending += bic.close - bic.open;
        else
            look_back_block(kinds, i - BLOCK, &back);
    }
    for (size_t k = begin; k < i; k++)
        all |= kinds[k];
    look_back_each(kinds, begin, i, &back);
    effect->close = back.pending;
    effect->open = (uint32_t)(back.survivor - survivors);
    effect->survivors = survivors;
    return (all & NO_KIND) == 0;
}
