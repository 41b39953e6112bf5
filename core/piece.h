/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A piece of text, up to 64 bytes, as the classes of its bytes. A class is 8 bits, each the answer to a question; the
 * answers of all bytes to one question are one word, in which the next byte that matters is the next bit that is set.
 */
#ifndef PM_CORE_PIECE_H
#define PM_CORE_PIECE_H

#include "core/slice.h"

#define PM_PIECE_BYTES 64u
#define PM_PIECE_CLASSES 8u /* bits of a class */

typedef struct pm_piece {
    uint64_t masks[PM_PIECE_CLASSES]; /* bit i of masks[c]: bit c of the class of byte i; 0 past the piece */
    size_t n;
} pm_piece;

/* Bit k of the result: the lowest bit of byte k. */
static inline uint64_t pm_lowest_bits(uint64_t bytes) {
    const uint64_t lowest_bits = UINT64_C(0x0101010101010101);
    const uint64_t gather = UINT64_C(0x0102040810204080); /* takes bit 8k to bit 56 + k, and no two bits to one place */
    return (bytes & lowest_bits) * gather >> 56;
}

/* Reads n <= PM_PIECE_BYTES bytes, as to the first `used` bits of classes. */
static inline void pm_piece_read(pm_piece *piece, const uint8_t *class_of, unsigned used, const unsigned char *text,
                                 size_t n) {
    *piece = (pm_piece){.n = n};
    for (size_t i = 0; i < n; i += 8) {
        const unsigned length = n - i < 8 ? (unsigned)(n - i) : 8;
        uint64_t classes = 0; /* of 8 bytes, the first one lowest */
        for (unsigned k = 0; k < length; k++)
            classes |= (uint64_t)class_of[text[i + k]] << 8 * k;
        for (unsigned c = 0; classes != 0 && c < used; c++)
            piece->masks[c] |= pm_lowest_bits(classes >> c) << i;
    }
}

/* The first place from i < n on that the mask has; n if there is none. */
static inline size_t pm_piece_next(const pm_piece *piece, uint64_t mask, size_t i) {
    const uint64_t rest = mask >> i;
    return rest ? i + pm_bits_lowest(rest) : piece->n;
}

#endif
