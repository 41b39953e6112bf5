/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Of bp_view.h, which includes it where a program is compiled for such a processor: counting the opens of a block's
 * rest at once, on x86. The library includes it for itself and asks the processor first.
 *
 * Stability: experimental.
 */
#include "parenmatch/bp_view.h" /* comes first, and includes this file where it needs it */

#ifndef PARENMATCH_BP_VIEW_X86_H
#define PARENMATCH_BP_VIEW_X86_H /**< Included. */

#include <immintrin.h>

/* As in bp_view.h. */
#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

#define PM_BP_VIEW_FOR_AVX2 __attribute__((target("avx2"))) /**< Compiled for AVX2. */
#define PM_BP_VIEW_FOR_AVX512                                                                                          \
    __attribute__((target("avx512f,avx512bw,avx512vbmi,avx512vpopcntdq,popcnt"))) /**< Compiled for these. */

/** The opens of a block from element `from` <= 512 on, with AVX2. */
PM_BP_VIEW_FOR_AVX2 static inline uint64_t pm_bp_view_opens_behind_avx2(const uint64_t *block, unsigned from) {
    const __m256i ones = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2,
                                          2, 3, 2, 3, 3, 4);
    const __m256i begins = _mm256_setr_epi64x(0, 64, 128, 192), more = _mm256_setr_epi64x(256, 320, 384, 448);
    const __m256i four = _mm256_set1_epi8(15), all = _mm256_set1_epi64x(from);
    const __m256i *const words = (const __m256i *)(const void *)block;
    /* Of each word by as much as is below; 64 or more: all. */
    const __m256i low = _mm256_srlv_epi64(_mm256_loadu_si256(words), _mm256_subs_epu16(all, begins));
    const __m256i high = _mm256_srlv_epi64(_mm256_loadu_si256(words + 1), _mm256_subs_epu16(all, more));
    const __m256i of_low =
        _mm256_add_epi8(_mm256_shuffle_epi8(ones, _mm256_and_si256(low, four)),
                        _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi16(low, 4), four)));
    const __m256i of_high =
        _mm256_add_epi8(_mm256_shuffle_epi8(ones, _mm256_and_si256(high, four)),
                        _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi16(high, 4), four)));
    const __m256i sums = _mm256_sad_epu8(_mm256_add_epi8(of_low, of_high), _mm256_setzero_si256());
    const __m128i two = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two)));
}

/** The same of element i's block from i on or, `with` i counted already, behind it; with AVX-512, VBMI, VPOPCNTDQ. */
PM_BP_VIEW_FOR_AVX512 static inline uint64_t pm_bp_view_opens_behind_avx512(const uint64_t *block, bool with,
                                                                            uint64_t i) {
    const __m512i begins = _mm512_set_epi64(448, 384, 320, 256, 192, 128, 64, 0);
    const __m512i to_end = _mm512_set_epi64(64, 128, 192, 256, 320, 384, 448, 512);
    /* As many behind i as an excess needs in any case. */
    const __m512i below = with ? _mm512_subs_epu16(to_end, _mm512_set1_epi64((int64_t)(~i % PM_BP_BLOCK)))
                               : _mm512_subs_epu16(_mm512_set1_epi64((int64_t)(i % PM_BP_BLOCK)), begins);
    const __m512i counts = _mm512_popcnt_epi64(_mm512_srlv_epi64(_mm512_loadu_si512(block), below));
    const __m512i words = _mm512_castsi128_si512(_mm_cvtsi64_si128(0x3830282018100800)); /* the lowest byte of each */
    const __m128i bytes = _mm512_castsi512_si128(_mm512_permutexvar_epi8(words, counts));
    return (uint64_t)_mm_cvtsi128_si64(_mm_sad_epu8(bytes, _mm_setzero_si128()));
}

/** pm_bp_view_count_opens() with AVX2. */
PM_BP_VIEW_FOR_AVX2 static inline pm_bp_view_count
pm_bp_view_count_avx2(const pm_bp_view *view, bool wide, bool with, const uint64_t *words, uint64_t at, uint64_t i) {
    const uint64_t *const block = words + at / PM_BP_BLOCK * (PM_BP_BLOCK / 64);
    return pm_bp_view_before_end(view, wide, i, pm_bp_view_opens_behind_avx2(block, i % PM_BP_BLOCK + with));
}

/** pm_bp_view_count_opens() with AVX-512, VBMI and VPOPCNTDQ. */
PM_BP_VIEW_FOR_AVX512 static inline pm_bp_view_count
pm_bp_view_count_avx512(const pm_bp_view *view, bool wide, bool with, const uint64_t *words, uint64_t at, uint64_t i) {
    const uint64_t *const block = words + at / PM_BP_BLOCK * (PM_BP_BLOCK / 64);
    return pm_bp_view_before_end(view, wide, i, pm_bp_view_opens_behind_avx512(block, with, i));
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
