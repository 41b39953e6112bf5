// SPDX-License-Identifier: Apache-2.0
// A sequence that is a block or less, for AVX-512: in registers.
#if defined(PM_BROADWORD_MATCH_BLOCK_AVX512_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_BLOCK_AVX512_INL_H
#undef PM_BROADWORD_MATCH_BLOCK_AVX512_INL_H
#else
#define PM_BROADWORD_MATCH_BLOCK_AVX512_INL_H
#endif

#include "broadword/match/summary_avx512-inl.h"
#include "broadword/match/survivors_avx512-inl.h"

#if HWY_TARGET == HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace pm {
namespace HWY_NAMESPACE {

// A sequence of n <= 64 elements: below it lies nothing, so there is nothing to look up. Elements past its end are made
// opens; they have no part in anything before them, and come off the survivors.
pm_bic MatchBlockAlone(uint64_t parens, size_t n, uint32_t *match) {
    const Constants constants;
    Ring ring;
    const unsigned absent = 64 - static_cast<unsigned>(n);
    Enter(_mm512_maskz_set1_epi64(1, static_cast<int64_t>(parens | ~pmi_bits_low(64 - absent))), 0, ring);
    Summarise<1>(ring, 0, constants);
    const __m512i none = _mm512_set1_epi32(-1), inner_base = _mm512_set1_epi32(-Avx512Tables::kInner);
    for (size_t i = 0; i < n; i += 16) {
        const __m128i codes = _mm_load_si128(reinterpret_cast<const __m128i *>(ring.summary[0].code + i));
        const __mmask16 present = static_cast<__mmask16>(pmi_bits_low(static_cast<unsigned>(HWY_MIN(16, n - i))));
        const __m512i inner = _mm512_add_epi32(_mm512_cvtepu8_epi32(codes), inner_base);
        _mm512_mask_storeu_epi32(match + i, present, _mm512_mask_mov_epi32(none, _mm_movepi8_mask(codes), inner));
    }
    alignas(64) uint64_t survivors[8];
    _mm512_store_si512(survivors, SurvivorsOf(Row(ring.bits)));
    const uint64_t open = pmi_bits_count(survivors[0]);
    const pm_bic total = {open - static_cast<uint64_t>(ring.excess[0]), open - absent};
    return total;
}

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
