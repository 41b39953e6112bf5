/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leaves that come together, under one context: how many there are, by several kinds at a time, and their results, one
 * by one or by AVX2, two boxes a vector in the operations of base/box_algebra.h.
 */
#ifndef PM_CPU_BOXES_LEAVES_H
#define PM_CPU_BOXES_LEAVES_H

#include <string.h>

#include "base/slice.h"
#include "cpu/boxes/walk.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

/* ---- Several kinds read together: as bytes of a word, or 64 as a bit each ---- */

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

/* ---- Leaves ---- */

#define PM_KINDS_TOGETHER 8u

/* Of a node whose next element is `kinds`, with PM_KINDS_TOGETHER to be read: the leaves in it, if it is a leaf or
 * several and then its end; 0 otherwise. */
static inline size_t pmi_leaves_alone(const uint8_t *kinds) {
    if (*kinds != PM_LEAF) /* which then is guessed no worse for the next element */
        return 0;
    const uint64_t eight = pmi_eight_kinds(kinds);
    const unsigned leaf_bits = (unsigned)__builtin_ctzll(eight | UINT64_C(1) << 63) & 56u; /* PM_LEAF is 0 */
    return (eight >> leaf_bits & 0xff) == PM_END ? leaf_bits / 8 : 0;
}

/* Of 64 kinds: how many nodes begin, and how many of these hold leaves and nothing else, as far as the 64 tell. */
static inline void pmi_count_nodes(const uint8_t *kinds, unsigned *begin, unsigned *of_leaves) {
    const pmi_kind_bits bits = pmi_kind_bits_of(kinds);
    const uint64_t begins = bits.low ^ bits.high, ends = bits.low & bits.high, leaves = ~(bits.low | bits.high);
    const uint64_t first = begins << 1 & leaves; /* leaves, which carry a one to what comes after the last of them */
    *begin += pmi_bits_count(begins);
    *of_leaves += pmi_bits_count((first + leaves) & ends);
}

/* Whether `count` kinds, a multiple of 64, have enough nodes with nothing but leaves that to look for these pays: half
 * of all. */
static inline bool pmi_is_leafy(const uint8_t *kinds, size_t count) {
    unsigned begin = 0, of_leaves = 0;
    for (size_t k = 0; k < count; k += PM_KINDS_OF_WORD)
        pmi_count_nodes(kinds + k, &begin, &of_leaves);
    return 2 * of_leaves >= begin;
}

/* Whether the next four elements are leaves; they are before `end`. */
static inline bool pmi_four_are_leaves(const uint8_t *kinds, size_t i, size_t end) {
    return end - i >= 4 && pmi_four_kinds(kinds + i) == 0;
}

/* Has what is some way ahead brought into the cache. Addresses past the arrays do no harm, so they are no pointers. */
static inline void pmi_scene_ahead(const pm_box *boxes, const pm_box *out, size_t i) {
    const size_t ahead = 128;
    __builtin_prefetch((const void *)((uintptr_t)boxes + (i + ahead) * sizeof *boxes), 0);
    __builtin_prefetch((const void *)((uintptr_t)out + (i + ahead) * sizeof *out), 1);
}

/* The result of one leaf; returns what it and `covered` have covered. */
static inline pmi_extent pmi_leaf(pmi_extent context, const pm_box *box, pmi_extent covered, pm_box *out) {
    const pmi_extent reach = pmi_extent_intersect(context, pmi_extent_of(box));
    pmi_extent_store(reach, out);
    return pmi_extent_unite(covered, reach);
}

/* The results of less than PM_KINDS_TOGETHER leaves; returns what they and `covered` have covered. */
typedef pmi_extent pmi_leaves_few(pmi_extent context, const pm_box *boxes, size_t count, pmi_extent covered,
                                  pm_box *out);

static inline pmi_extent pmi_leaves_few_plain(pmi_extent context, const pm_box *boxes, size_t count, pmi_extent covered,
                                              pm_box *out) {
    for (size_t k = 0; k < count; k++)
        covered = pmi_leaf(context, &boxes[k], covered, &out[k]);
    return covered;
}

/* The results of leaves by fours, of which there is one at element i; goes on while the next four are leaves before
 * `end`, and returns the index after them. */
typedef size_t pmi_leaves_in_fours(const pmi_scene *scene, size_t i, size_t end, pmi_extent context,
                                   pmi_extent *covered);

#ifdef __x86_64__
#define PM_TARGET_AVX2 __attribute__((target("avx2,prfchw")))

PM_TARGET_AVX2 static inline __m256 pmi_two_leaves(__m256 context, const pm_box *boxes, __m256 covered, pm_box *out) {
    const __m256 signs = _mm256_setr_ps(-0.0f, -0.0f, 0, 0, -0.0f, -0.0f, 0, 0), nothing = _mm256_setzero_ps();
    const __m256 reach = _mm256_min_ps(context, _mm256_xor_ps(_mm256_loadu_ps(&boxes->x0), signs));
    const __m256 opposite = _mm256_xor_ps(_mm256_permute_ps(reach, 0x4e), _mm256_set1_ps(-0.0f));
    const __m256 one_direction = _mm256_cmp_ps(reach, opposite, _CMP_NGT_UQ);
    const __m256 empty = _mm256_or_ps(one_direction, _mm256_permute_ps(one_direction, 0xb1));
    const __m256 zero = _mm256_or_ps(empty, _mm256_cmp_ps(reach, nothing, _CMP_EQ_OQ));
    _mm256_storeu_ps(&out->x0, _mm256_andnot_ps(zero, _mm256_xor_ps(reach, signs)));
    return _mm256_max_ps(_mm256_or_ps(reach, empty), covered);
}

/* What both halves, and `covered`, have covered. */
PM_TARGET_AVX2 static inline pmi_extent pmi_unite_halves(__m256 both, pmi_extent covered) {
    const pmi_extent one = _mm256_castps256_ps128(both), other = _mm256_extractf128_ps(both, 1);
    return pmi_extent_greatest(pmi_extent_greatest(one, other), covered);
}

PM_TARGET_AVX2 static inline pmi_extent pmi_leaves_few_avx2(pmi_extent context, const pm_box *boxes, size_t count,
                                                            pmi_extent covered, pm_box *out) {
    const __m256 contexts = _mm256_set_m128(context, context), nowhere = _mm256_set1_ps(-INFINITY);
    if (count & 4) {
        const __m256 two = pmi_two_leaves(contexts, boxes, nowhere, out);
        covered = pmi_unite_halves(pmi_two_leaves(contexts, boxes + 2, two, out + 2), covered);
        boxes += 4, out += 4;
    }
    if (count & 2) {
        covered = pmi_unite_halves(pmi_two_leaves(contexts, boxes, nowhere, out), covered);
        boxes += 2, out += 2;
    }
    return count & 1 ? pmi_leaf(context, boxes, covered, out) : covered;
}

PM_TARGET_AVX2 static inline size_t pmi_leaves_in_fours_avx2(const pmi_scene *scene, size_t i, size_t end,
                                                             pmi_extent context, pmi_extent *covered) {
    const __m256 contexts = _mm256_set_m128(context, context);
    __m256 even = _mm256_set1_ps(-INFINITY), odd = even;
    do {
        pmi_scene_ahead(scene->boxes, scene->out, i);
        even = pmi_two_leaves(contexts, scene->boxes + i, even, scene->out + i);
        odd = pmi_two_leaves(contexts, scene->boxes + i + 2, odd, scene->out + i + 2);
        i += 4;
    } while (pmi_four_are_leaves(scene->kinds, i, end));
    *covered = pmi_unite_halves(_mm256_max_ps(even, odd), *covered);
    return i;
}
#endif

#endif
