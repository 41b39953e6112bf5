// SPDX-License-Identifier: Apache-2.0
// Masks of several words at once, in vectors of 8, 4, 2 or 1 word: what crosses from one word to the next. Compiled for
// each instruction set by who includes it.
#if defined(PM_BROADWORD_JSON_WORDS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_JSON_WORDS_INL_H
#undef PM_BROADWORD_JSON_WORDS_INL_H
#else
#define PM_BROADWORD_JSON_WORDS_INL_H
#endif

#include <stdint.h>

#include "broadword/text/classify.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

const HWY_FULL(uint64_t) kWords;
using W = hn::Vec<decltype(kWords)>;
constexpr size_t kWordLanes = HWY_LANES(uint64_t);

// Bit 63 of each word.
HWY_INLINE unsigned LastBits(W words) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    return _cvtmask8_u32(_mm512_movepi64_mask(words.raw));
#elif HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(words.raw)));
#else
    HWY_ALIGN uint64_t of[kWordLanes];
    hn::Store(words, kWords, of);
    unsigned bits = 0;
    for (unsigned lane = 0; lane < kWordLanes; lane++)
        bits |= static_cast<unsigned>(of[lane] >> (PM_WORD_BITS - 1)) << lane;
    return bits;
#endif
}

// The words that are all ones.
HWY_INLINE unsigned FullWords(W words) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    return _cvtmask8_u32(_mm512_cmpeq_epi64_mask(words.raw, _mm512_set1_epi64(-1)));
#elif HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2
    const __m256i full = _mm256_cmpeq_epi64(words.raw, _mm256_set1_epi64x(-1));
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(full)));
#else
    HWY_ALIGN uint64_t of[kWordLanes];
    hn::Store(words, kWords, of);
    unsigned bits = 0;
    for (unsigned lane = 0; lane < kWordLanes; lane++)
        bits |= static_cast<unsigned>(of[lane] == UINT64_MAX) << lane;
    return bits;
#endif
}

// All ones in the words with a bit in `lanes`, whose other bits do not matter.
HWY_INLINE W WordsOf(unsigned lanes) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    return W{_mm512_movm_epi64(static_cast<__mmask8>(lanes))};
#elif HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2
    const __m256i bits = _mm256_setr_epi64x(1, 2, 4, 8);
    return W{_mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(lanes), bits), bits)};
#else
    HWY_ALIGN static constexpr uint64_t ones[4][2] = {
        {0, 0}, {UINT64_MAX, 0}, {0, UINT64_MAX}, {UINT64_MAX, UINT64_MAX}};
    return hn::LoadU(kWords, ones[lanes & ((1u << kWordLanes) - 1)]);
#endif
}

// A bit further on. The first bit of a word is added by taking away all ones, that is -1.
HWY_INLINE W Behind(W of, unsigned &carry) {
    const unsigned last = LastBits(of) << 1 | carry;
    carry = last >> kWordLanes;
    return hn::Sub(hn::Add(of, of), WordsOf(last));
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
