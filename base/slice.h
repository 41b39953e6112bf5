/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vocabulary every backend shares: bits of a packed sequence, and the algebra of slices.
 *
 * A slice of a sequence acts on a stack by popping some elements and pushing others. Counting them gives the bicyclic
 * element (pm_bic); the pushed ones, as a bit mask over the slice, are its survivors. Together they are the stack
 * monoid (Levien, "The stack monoid revisited"). Defined here once, for all.
 */
#ifndef PM_BASE_SLICE_H
#define PM_BASE_SLICE_H

#include "parenmatch.h"

#define PM_WORD_BITS 64u

/* Words that hold n bits. */
static inline size_t pmi_bits_words(size_t n) {
    return n / PM_WORD_BITS + (n % PM_WORD_BITS != 0);
}

/* Bit i of a packed sequence. */
static inline bool pmi_bits_get(const uint64_t *words, size_t i) {
    return words[i / PM_WORD_BITS] >> (i % PM_WORD_BITS) & 1;
}

/* Copies the bits from i on among n, i < n, to words of their own; what is past n is junk. */
static inline void pmi_bits_align(const uint64_t *words, size_t n, size_t i, uint64_t *to) {
    const size_t shift = i % PM_WORD_BITS, count = pmi_bits_words(n - i), last = pmi_bits_words(n) - 1;
    const uint64_t *const from = words + i / PM_WORD_BITS;
    for (size_t k = 0; k + 1 < count; k++)
        to[k] = from[k] >> shift | from[k + 1] << 1 << (PM_WORD_BITS - 1 - shift);
    const size_t rest = i / PM_WORD_BITS + count - 1; /* the last word, which may have no successor */
    to[count - 1] = words[rest] >> shift | (rest < last ? words[rest + 1] << 1 << (PM_WORD_BITS - 1 - shift) : 0);
}

/* The bits from i on among n, i < n: as many as a word takes; what is past n is junk. */
static inline uint64_t pmi_bits_from(const uint64_t *words, size_t n, size_t i) {
    const size_t w = i / PM_WORD_BITS, shift = i % PM_WORD_BITS;
    const uint64_t low = words[w] >> shift;
    return shift > 0 && w + 1 < pmi_bits_words(n) ? low | words[w + 1] << (PM_WORD_BITS - shift) : low;
}

/* The lowest `count` bits set, 0 <= count <= 64. */
static inline uint64_t pmi_bits_low(unsigned count) {
    return count < PM_WORD_BITS ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

/* Number of bits set. Without an instruction for it compilers call a function, which takes longer than sums side by
 * side.
 */
static inline unsigned pmi_bits_count(uint64_t x) {
#if defined(__x86_64__) && !defined(__POPCNT__)
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)(x * UINT64_C(0x0101010101010101) >> 56);
#else
    return (unsigned)__builtin_popcountll(x);
#endif
}

/* Index of the highest bit of x != 0. */
static inline unsigned pmi_bits_highest(uint64_t x) {
    return PM_WORD_BITS - 1 - (unsigned)__builtin_clzll(x);
}

/* Index of the lowest bit of x != 0. */
static inline unsigned pmi_bits_lowest(uint64_t x) {
    return (unsigned)__builtin_ctzll(x);
}

/* Bit i of the result: the parity of the bits up to and with bit i. */
static inline uint64_t pmi_bits_parities(uint64_t x) {
    for (unsigned shift = 1; shift < PM_WORD_BITS; shift *= 2)
        x ^= x << shift;
    return x;
}

/* The bytes of x in reverse order, bits within them as they are. */
static inline uint64_t pmi_bits_reverse_bytes(uint64_t x) {
    return __builtin_bswap64(x);
}

/* The first bit set at or after i among n; n if no such bit is set. */
static inline size_t pmi_bits_next(const uint64_t *words, size_t n, size_t i) {
    if (i >= n)
        return n;
    size_t w = i / PM_WORD_BITS;
    uint64_t ahead = words[w] & ~pmi_bits_low(i % PM_WORD_BITS);
    while (ahead == 0 && ++w < pmi_bits_words(n))
        ahead = words[w];
    const size_t next = ahead ? w * PM_WORD_BITS + pmi_bits_lowest(ahead) : n;
    return next < n ? next : n;
}

/* What is left of a word of parentheses, or of its first elements: closes that reach below it, and opens. */
typedef struct pmi_word_slice {
    unsigned far_closes;
    uint64_t far_opens; /* as a mask */
} pmi_word_slice;

/* Reduces the first `length` elements of a word, close by close; those that no open precedes all at once. */
static inline pmi_word_slice pmi_word_reduce(uint64_t parens, unsigned length) {
    pmi_word_slice reduced = {0, parens & pmi_bits_low(length)};
    uint64_t closes = ~parens & pmi_bits_low(length);
    while (closes != 0) {
        const uint64_t before_close = reduced.far_opens & (closes ^ (closes - 1)); /* opens before the first close */
        if (before_close != 0) {
            reduced.far_opens ^= UINT64_C(1) << pmi_bits_highest(before_close);
            closes &= closes - 1;
        } else {
            const uint64_t before_open =
                ~reduced.far_opens & (reduced.far_opens - 1); /* every bit if there is no far open */
            reduced.far_closes += pmi_bits_count(closes & before_open);
            closes &= ~before_open;
        }
    }
    return reduced;
}

/* The bits of x without its `count` highest ones, of which there are as many. */
static inline uint64_t pmi_bits_drop_highest(uint64_t x, uint64_t count) {
    for (; count > 0; count--)
        x ^= UINT64_C(1) << pmi_bits_highest(x);
    return x;
}

/* The bicyclic product: what slice a followed by slice b does to a stack. */
static inline pm_bic pmi_bic_multiply(pm_bic a, pm_bic b) {
    const uint64_t met = a.open < b.close ? a.open : b.close;
    const pm_bic product = {a.close + b.close - met, a.open + b.open - met};
    return product;
}

#endif
