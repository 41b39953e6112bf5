/* SPDX-License-Identifier: Apache-2.0 */
/* What several elements are, read together: as bytes of a word, or 64 as a bit each. */
#ifndef PM_CPU_BOXES_KINDS_H
#define PM_CPU_BOXES_KINDS_H

#include <string.h>

#include "base/slice.h"

#ifdef __x86_64__
#include <emmintrin.h>
#endif

#define PM_KINDS_OF_WORD 64u

/* The next eight kinds, the first in the lowest byte; and the next four. */
static inline uint64_t pmi_eight_kinds(const uint8_t *kinds) {
    uint64_t eight;
    memcpy(&eight, kinds, sizeof eight);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight = __builtin_bswap64(eight);
#endif
    return eight;
}

static inline uint32_t pmi_four_kinds(const uint8_t *kinds) {
    uint32_t four;
    memcpy(&four, kinds, sizeof four);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    four = __builtin_bswap32(four);
#endif
    return four;
}

/* The two bits of each kind: a leaf has neither, an end has both, a node that begins has one. */
typedef struct pmi_kind_bits {
    uint64_t low, high;
} pmi_kind_bits;

#ifdef __x86_64__
static inline pmi_kind_bits pmi_kind_bits_of(const uint8_t *kinds) {
    pmi_kind_bits bits = {0, 0};
    for (unsigned k = 0; k < PM_KINDS_OF_WORD; k += 16) {
        const __m128i some = _mm_loadu_si128((const __m128i *)(const void *)(kinds + k));
        bits.low |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_slli_epi16(some, 7)) << k;
        bits.high |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_slli_epi16(some, 6)) << k;
    }
    return bits;
}
#else
/* The lowest bits of eight bytes, by a product that brings byte k's to bit 56 + k. */
static inline uint64_t pmi_lowest_of_bytes(uint64_t bytes) {
    return (bytes & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56;
}

static inline pmi_kind_bits pmi_kind_bits_of(const uint8_t *kinds) {
    pmi_kind_bits bits = {0, 0};
    for (unsigned k = 0; k < PM_KINDS_OF_WORD; k += 8) {
        const uint64_t eight = pmi_eight_kinds(kinds + k);
        bits.low |= pmi_lowest_of_bytes(eight) << k;
        bits.high |= pmi_lowest_of_bytes(eight >> 1) << k;
    }
    return bits;
}
#endif

#endif
