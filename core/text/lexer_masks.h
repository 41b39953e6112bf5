/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A piece of text as the classes of its bytes. A class is 8 bits, each the answer to a question; the answers of 64
 * bytes to one question are one word, in which the next byte that matters is the next bit that is set.
 */
#ifndef PM_CORE_TEXT_LEXER_MASKS_H
#define PM_CORE_TEXT_LEXER_MASKS_H

#include "base/slice.h"

#define PM_PIECE_CLASSES 8u /* maximum of bits in a class */

typedef struct pmi_lexer_masks {
    const uint64_t *masks; /* bit i of masks[classes * w + c]: bit c of the class of byte 64w + i; 0 past the piece */
    unsigned classes;      /* bits of a class in use */
    size_t n;
} pmi_lexer_masks;

/* Bit k of the result: the lowest bit of byte k. */
static inline uint64_t pmi_lowest_bits(uint64_t bytes) {
    const uint64_t lowest_bits = UINT64_C(0x0101010101010101);
    const uint64_t gather = UINT64_C(0x0102040810204080); /* takes bit 8k to bit 56 + k, and no two bits to one place */
    return (bytes & lowest_bits) * gather >> 56;
}

/* Computes the masks of n <= 64 bytes. */
static inline void pmi_classify_bytes(uint64_t *masks, unsigned classes, const uint8_t *class_of,
                                      const unsigned char *text, size_t n) {
    for (unsigned c = 0; c < classes; c++)
        masks[c] = 0;
    for (size_t i = 0; i < n; i += 8) {
        const unsigned length = n - i < 8 ? (unsigned)(n - i) : 8;
        uint64_t eight = 0; /* classes, that of the first byte lowest */
        for (unsigned k = 0; k < length; k++)
            eight |= (uint64_t)class_of[text[i + k]] << 8 * k;
        for (unsigned c = 0; eight != 0 && c < classes; c++)
            masks[c] |= pmi_lowest_bits(eight >> c) << i;
    }
}

static inline uint64_t pmi_lexer_masks_mask(const pmi_lexer_masks *piece, size_t word, unsigned class) {
    return piece->masks[piece->classes * word + class];
}

/* Returns the first byte from i < n on whose class has bit a or bit b; n if no byte has. */
static inline size_t pmi_lexer_masks_next(const pmi_lexer_masks *piece, unsigned a, unsigned b, size_t i) {
    size_t w = i / PM_WORD_BITS;
    uint64_t rest =
        (pmi_lexer_masks_mask(piece, w, a) | pmi_lexer_masks_mask(piece, w, b)) & ~pmi_bits_low(i % PM_WORD_BITS);
    while (rest == 0) {
        if (++w * PM_WORD_BITS >= piece->n)
            return piece->n;
        rest = pmi_lexer_masks_mask(piece, w, a) | pmi_lexer_masks_mask(piece, w, b);
    }
    return w * PM_WORD_BITS + pmi_bits_lowest(rest);
}

#endif
