// SPDX-License-Identifier: Apache-2.0
// Excesses that stay in vectors from one step of a search to the next, for the blocks of AVX2 and of AVX-512.
#if defined(PM_BROADWORD_BP_EXCESS_VECTORS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_BP_EXCESS_VECTORS_INL_H
#undef PM_BROADWORD_BP_EXCESS_VECTORS_INL_H
#else
#define PM_BROADWORD_BP_EXCESS_VECTORS_INL_H
#endif

#include "hwy/highway.h"

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3_DL

#include <immintrin.h>

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

class ExcessVectors {
  public:
    static constexpr bool kByWords = false;

    // An excess where it is found and where it is needed, in vectors: its 64 bits are the lowest. As an argument such a
    // number also keeps compilers from clearing vector registers at each jump from one step to the next; the last
    // step then has to do so, which this is for: Done().
#if HWY_TARGET == HWY_AVX2
    using Number = __m256i;
    static HWY_INLINE Number NumberOf(__m128i low) {
        return _mm256_castsi128_si256(low);
    }
    static HWY_INLINE __m128i LowOf(Number number) {
        return _mm256_castsi256_si128(number);
    }
    static HWY_INLINE Number AnyNumber() {
        return _mm256_setzero_si256();
    }
#else
    using Number = __m512i;
    static HWY_INLINE Number NumberOf(__m128i low) {
        return _mm512_castsi128_si512(low);
    }
    static HWY_INLINE __m128i LowOf(Number number) {
        return _mm512_castsi512_si128(number);
    }
    static HWY_INLINE Number AnyNumber() {
        return _mm512_setzero_si512();
    }
#endif
    static HWY_INLINE uint64_t Done(uint64_t answer) {
        // Not by the intrinsic, which GCC takes for a reason to do the same once more.
        __asm__ volatile("vzeroupper"
                         : "+r"(answer)
                         :
                         : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                           "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
        return answer;
    }
    static HWY_INLINE Number Sum(Number number, int64_t more) {
        return NumberOf(_mm_add_epi64(LowOf(number), _mm_cvtsi64_si128(more)));
    }
    // By how much an excess of 32 bits is above another, or `min`, if that is more.
    static HWY_INLINE Number RelativeTo(Number number, int32_t other, int32_t min) {
        const __m128i above = _mm_sub_epi32(LowOf(number), _mm_cvtsi32_si128(other));
        return NumberOf(_mm_max_epi32(above, _mm_cvtsi32_si128(min)));
    }
    static HWY_INLINE int64_t ValueOf(Number number) {
        return _mm_cvtsi128_si64(LowOf(number));
    }

    // By how much the excess rises over a part of a block; an excess without it, and with it.
    struct Rise {
        Number twice_opens;
        int64_t elements;
    };
    static HWY_INLINE Number Less(int64_t excess, Rise rise) {
        return NumberOf(_mm_sub_epi64(_mm_cvtsi64_si128(excess + rise.elements), LowOf(rise.twice_opens)));
    }
    static HWY_INLINE Number More(int64_t excess, Rise rise) {
        return Sum(rise.twice_opens, excess - rise.elements);
    }
};

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif // include guard
