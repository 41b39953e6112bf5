// SPDX-License-Identifier: Apache-2.0
// The excess and the minimum excess of a leaf of pm_edit, for AVX-512 with VBMI and BITALG.
#if defined(PM_BROADWORD_EDIT_SUMMARY_AVX512_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_EDIT_SUMMARY_AVX512_INL_H
#undef PM_BROADWORD_EDIT_SUMMARY_AVX512_INL_H
#else
#define PM_BROADWORD_EDIT_SUMMARY_AVX512_INL_H
#endif

#include "base/edit_tree.h"
#include "broadword/bp/tables.h"
#include "hwy/highway.h"

#if HWY_TARGET == HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// Where the bytes of each word are when all are joined, and what the excess before it would be with closes alone.
struct EditWords {
    alignas(64) uint8_t place[64];
    alignas(64) int16_t excess[64];
    alignas(64) uint16_t block[64]; // its place among sums of 64 bits
    constexpr EditWords() : place(), excess(), block() {
        for (int w = 0; w < 64; w++) {
            place[w] = static_cast<uint8_t>(w % 8 * 8 + w / 8);
            excess[w] = static_cast<int16_t>(-64 * w);
            block[w] = static_cast<uint16_t>(w / 8 * 4);
        }
    }
};
alignas(64) constexpr EditWords kEditWords{};

// Six blocks of 64 bytes. Neighbouring bytes are joined to lanes of 16 bits, these to lanes of 32, and these to words.
// A joined number needs a byte, so half of a lane becomes free, and the numbers of another block go there.
class EditSummary {
    static_assert(PM_EDIT_LEAF_BLOCKS == 6, "two times two blocks and two more are joined");

  public:
    // Returns the excess of a leaf that is filled up with opens; *min receives the minimum excess, both ends included.
    static HWY_INLINE int Of(const uint64_t *words, int *min) {
        const Lanes ab = Joined<8>(BytesOf(words), BytesOf(words + 8));
        const Lanes cd = Joined<8>(BytesOf(words + 16), BytesOf(words + 24));
        const Lanes ef = Joined<8>(BytesOf(words + 32), BytesOf(words + 40));
        const Lanes of_words = InOrder(Joined<32>(Joined<16>(ab, cd), Joined<16>(ef)));
        const __m512i of_blocks = _mm512_sad_epu8(of_words.opens, _mm512_setzero_si512());
        const __m512i to = PrefixSums(of_blocks), before = _mm512_sub_epi64(to, of_blocks);
        const __m512i low = MinOfWords(of_words, before, 0);
        const Lanes behind = {_mm512_shuffle_i64x2(of_words.min, of_words.min, 0x4e),
                              _mm512_shuffle_i64x2(of_words.opens, of_words.opens, 0x4e)};
        const __m512i high = MinOfWords(behind, before, 32); // words 32 ... 47 in the lower half
        const __m512i all = _mm512_min_epi16(low, _mm512_shuffle_i64x2(low, low, 0x4e));
        const int opens = _mm_cvtsi128_si32(_mm512_castsi512_si128(_mm512_alignr_epi64(to, to, 7)));
        const int excess = 2 * opens - static_cast<int>(PM_EDIT_LEAF_WORDS * PM_WORD_BITS);
        *min = HWY_MIN(Min(_mm512_castsi512_si256(_mm512_min_epi16(all, high))), excess);
        return excess;
    }

  private:
    // For each lane its opens, and the minimum excess before each of its elements if all of its word before the lane
    // were closes.
    struct Lanes {
        __m512i min, opens;
    };

    static HWY_INLINE Lanes BytesOf(const uint64_t *words) {
        const __m512i elements = _mm512_loadu_si512(words), closes = _mm512_set1_epi64(0x3830282018100800);
        const __m512i in_byte = _mm512_permutex2var_epi8(_mm512_load_si512(kBp.min_before), elements,
                                                         _mm512_load_si512(kBp.min_before + 64));
        return {_mm512_sub_epi8(in_byte, closes), _mm512_popcnt_epi8(elements)};
    }

    // Moves the lower half of each lane of 2 kBits bits up, or the upper half down.
    template <int kBits, int kMore = 0> static HWY_INLINE __m512i Up(__m512i x) {
        return kBits == 8    ? _mm512_slli_epi16(x, 8 + kMore)
               : kBits == 16 ? _mm512_slli_epi32(x, 16 + kMore)
                             : _mm512_slli_epi64(x, 32 + kMore);
    }
    template <int kBits> static HWY_INLINE __m512i Down(__m512i x) {
        return kBits == 8 ? _mm512_srli_epi16(x, 8) : kBits == 16 ? _mm512_srli_epi32(x, 16) : _mm512_srli_epi64(x, 32);
    }

    // Minimum excesses of the upper halves rise by twice the opens of the lower halves.
    template <int kBits> static HWY_INLINE __m512i Risen(Lanes a) {
        return _mm512_add_epi8(a.min, Up<kBits, 1>(a.opens));
    }

    // Joins lanes of kBits bits. What comes of `a` is in the lower halves; the upper halves mean nothing, or are what
    // comes of `b`.
    template <int kBits> static HWY_INLINE Lanes Joined(Lanes a) {
        const __m512i risen = Risen<kBits>(a);
        return {_mm512_min_epi8(risen, Down<kBits>(risen)), _mm512_add_epi8(a.opens, Down<kBits>(a.opens))};
    }
    template <int kBits> static HWY_INLINE Lanes Joined(Lanes a, Lanes b) {
        constexpr __mmask64 upper = kBits == 8    ? 0xaaaaaaaaaaaaaaaa
                                    : kBits == 16 ? 0xcccccccccccccccc
                                                  : 0xf0f0f0f0f0f0f0f0;
        const Lanes lower = Joined<kBits>(a);
        const __m512i risen = Risen<kBits>(b);
        return {_mm512_mask_min_epi8(lower.min, upper, risen, Up<kBits>(risen)),
                _mm512_mask_add_epi8(lower.opens, upper, b.opens, Up<kBits>(b.opens))};
    }

    // A byte for each of the leaf's words, from eight lanes with one for each block; then zeros.
    static HWY_INLINE Lanes InOrder(Lanes a) {
        const __mmask64 words = (UINT64_C(1) << PM_EDIT_LEAF_WORDS) - 1;
        const __m512i place = _mm512_load_si512(kEditWords.place);
        return {_mm512_maskz_permutexvar_epi8(words, place, a.min),
                _mm512_maskz_permutexvar_epi8(words, place, a.opens)};
    }

    // Of eight numbers, the sums up to and with each.
    static HWY_INLINE __m512i PrefixSums(__m512i x) {
        const __m512i zero = _mm512_setzero_si512();
        x = _mm512_add_epi64(x, _mm512_alignr_epi64(x, zero, 7));
        x = _mm512_add_epi64(x, _mm512_alignr_epi64(x, zero, 6));
        return _mm512_add_epi64(x, _mm512_alignr_epi64(x, zero, 4));
    }

    // The minimum excess of each of 32 words from `first` on, which are in the lower half, given the opens before each
    // block.
    static HWY_INLINE __m512i MinOfWords(Lanes words, __m512i before, unsigned first) {
        const __m512i opens = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(words.opens));
        const __m512i min = _mm512_cvtepi8_epi16(_mm512_castsi512_si256(words.min));
        __m512i in_block = _mm512_bslli_epi128(opens, 2); // the opens before each word
        in_block = _mm512_add_epi16(in_block, _mm512_bslli_epi128(in_block, 2));
        in_block = _mm512_add_epi16(in_block, _mm512_bslli_epi128(in_block, 4));
        in_block = _mm512_add_epi16(in_block, _mm512_bslli_epi128(in_block, 8));
        const __m512i before_block = _mm512_permutexvar_epi16(_mm512_load_si512(kEditWords.block + first), before);
        const __m512i twice = _mm512_slli_epi16(_mm512_add_epi16(in_block, before_block), 1);
        return _mm512_add_epi16(_mm512_add_epi16(min, twice), _mm512_load_si512(kEditWords.excess + first));
    }

    static HWY_INLINE int Min(__m256i x) {
        const __m128i half = _mm_min_epi16(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
        // The minimum of signed numbers, as of unsigned ones that are larger by 2^15.
        const __m128i positive = _mm_xor_si128(half, _mm_set1_epi16(INT16_MIN));
        return (_mm_cvtsi128_si32(_mm_minpos_epu16(positive)) & 0xffff) + INT16_MIN;
    }
};

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#endif
