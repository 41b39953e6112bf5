/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A piece of text, up to 64 bytes, as the classes of its bytes. A class is 8 bits, each the answer to a question; the
 * answers of all bytes to one question are one word, in which the next byte that matters is the next bit that is set.
 */
#ifndef PM_CORE_PIECE_H
#define PM_CORE_PIECE_H

#include <string.h>

#include "core/slice.h"

#define PM_PIECE_BYTES 64u
#define PM_CLASS_BITS 8u

typedef struct pm_piece {
    uint64_t classes[PM_PIECE_BYTES / 8]; /* of 8 bytes each, the first one lowest */
    size_t n;
} pm_piece;

static inline uint64_t pm_classes_of_8(const uint8_t *class_of, const unsigned char *text) {
    uint64_t classes = 0;
    for (unsigned k = 0; k < 8; k++)
        classes |= (uint64_t)class_of[text[k]] << 8 * k;
    return classes;
}

/* n <= PM_PIECE_BYTES */
static inline void pm_piece_read(pm_piece *piece, const uint8_t *class_of, const unsigned char *text, size_t n) {
    size_t i = 0;
    piece->n = n;
    memset(piece->classes, 0, sizeof piece->classes);
    for (; i + 8 <= n; i += 8)
        piece->classes[i / 8] = pm_classes_of_8(class_of, text + i);
    for (; i < n; i++)
        piece->classes[i / 8] |= (uint64_t)class_of[text[i]] << i % 8 * 8;
}

/* A class bit of all bytes: bit i of the result is that of byte i. Bytes past the piece have no class. */
static inline uint64_t pm_piece_mask(const pm_piece *piece, unsigned class) {
    const uint64_t lowest_bits = UINT64_C(0x0101010101010101);
    const uint64_t gather = UINT64_C(0x0102040810204080); /* takes bit 8k to bit 56 + k, and no two bits to one place */
    uint64_t mask = 0;
    for (unsigned k = 0; k < PM_PIECE_BYTES / 8; k++)
        mask |= ((piece->classes[k] >> class & lowest_bits) * gather >> 56) << 8 * k;
    return mask;
}

/* The first place from i < n on that the mask has; n if there is none. */
static inline size_t pm_piece_next(const pm_piece *piece, uint64_t mask, size_t i) {
    const uint64_t rest = mask >> i;
    return rest ? i + pm_bits_lowest(rest) : piece->n;
}

#endif
