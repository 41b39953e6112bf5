// SPDX-License-Identifier: Apache-2.0
// Which opens of a block survive it, for AVX-512: eight blocks at a time, as bit masks.
//
// Each byte, and each half of it, learns how many closes after it look for an open before them. So many of its
// unmatched opens fall to them, the last ones first; the others survive.
#if defined(PM_BROADWORD_MATCH_SURVIVORS_AVX512_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_SURVIVORS_AVX512_INL_H
#undef PM_BROADWORD_MATCH_SURVIVORS_AVX512_INL_H
#else
#define PM_BROADWORD_MATCH_SURVIVORS_AVX512_INL_H
#endif

#include "hwy/highway.h"

#if HWY_TARGET == HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace pm {
namespace HWY_NAMESPACE {

struct SurvivorTables {
    alignas(64) uint8_t close[4][16], open[4][16]; // unmatched ones of half a byte, four times over
    alignas(64) uint8_t lowest[4][16];             // [k - 1]: its k lowest survivors as bits, the last element first
    alignas(64) uint8_t reverse[64];               // the bytes of words, last first

    constexpr SurvivorTables() : close(), open(), lowest(), reverse() {
        for (int half = 0; half < 16; half++)
            FillHalf(half);
        for (int i = 0; i < 64; i++)
            reverse[i] = static_cast<uint8_t>((i ^ 7) % 16);
    }

  private:
    constexpr void FillHalf(int half) {
        int open_at[4] = {}, opens = 0, closes = 0;
        for (int i = 0; i < 4; i++) {
            if (half >> i & 1) {
                open_at[opens++] = i;
            } else if (opens > 0) {
                opens--;
            } else {
                closes++;
            }
        }
        for (int copy = 0; copy < 4; copy++) {
            close[copy][half] = static_cast<uint8_t>(closes);
            open[copy][half] = static_cast<uint8_t>(opens);
        }
        for (int k = 0, bits = 0; k < opens; k++) {
            bits |= 8 >> open_at[k];
            lowest[k][half] = static_cast<uint8_t>(bits);
        }
    }
};

constexpr SurvivorTables kSurvivors{};

// The `count` lowest survivors of each half byte.
HWY_INLINE __m512i LowestSurvivors(__m512i half, __m512i count) {
    const __m512i row = _mm512_sub_epi8(_mm512_slli_epi16(count, 4), _mm512_set1_epi8(16));
    return _mm512_maskz_permutexvar_epi8(_mm512_test_epi8_mask(count, count), _mm512_add_epi8(half, row),
                                         _mm512_load_si512(kSurvivors.lowest));
}

// The survivors of each of eight words, with bits in reverse order, so that the top of the stack comes first.
HWY_INLINE __m512i SurvivorsOf(__m512i words) {
    const __m512i half = _mm512_set1_epi8(15);
    const __m512i close = _mm512_load_si512(kSurvivors.close), open = _mm512_load_si512(kSurvivors.open);
    const __m512i low = _mm512_and_si512(words, half), high = _mm512_and_si512(_mm512_srli_epi16(words, 4), half);
    const __m512i low_close = _mm512_shuffle_epi8(close, low), low_open = _mm512_shuffle_epi8(open, low);
    const __m512i high_close = _mm512_shuffle_epi8(close, high), high_open = _mm512_shuffle_epi8(open, high);

    // Closes of each byte and of what follows it in the word: of two parts, the first one's, or as many as the second
    // one's are more than the first one's excess, opens minus closes.
    __m512i closes = _mm512_add_epi8(low_close, _mm512_subs_epu8(high_close, low_open));
    __m512i excess = _mm512_sub_epi8(_mm512_add_epi8(low_open, high_open), _mm512_add_epi8(low_close, high_close));
    closes = _mm512_max_epi8(closes, _mm512_sub_epi8(_mm512_srli_epi64(closes, 8), excess));
    excess = _mm512_add_epi8(excess, _mm512_srli_epi64(excess, 8));
    closes = _mm512_max_epi8(closes, _mm512_sub_epi8(_mm512_srli_epi64(closes, 16), excess));
    excess = _mm512_add_epi8(excess, _mm512_srli_epi64(excess, 16));
    closes = _mm512_max_epi8(closes, _mm512_sub_epi8(_mm512_srli_epi64(closes, 32), excess));

    const __m512i after_high = _mm512_srli_epi64(closes, 8);
    const __m512i after_low = _mm512_add_epi8(high_close, _mm512_subs_epu8(after_high, high_open));
    const __m512i low_bits = LowestSurvivors(low, _mm512_subs_epu8(low_open, after_low));
    const __m512i high_bits = LowestSurvivors(high, _mm512_subs_epu8(high_open, after_high));
    const __m512i bytes = _mm512_or_si512(_mm512_slli_epi16(low_bits, 4), high_bits);
    return _mm512_shuffle_epi8(bytes, _mm512_load_si512(kSurvivors.reverse));
}

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
