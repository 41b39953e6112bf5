// SPDX-License-Identifier: Apache-2.0
// Searches inside a block, and the lines and rows of the index, for AVX2 with BMI2.
#if defined(PM_BROADWORD_BP_BLOCK_AVX2_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_BP_BLOCK_AVX2_INL_H
#undef PM_BROADWORD_BP_BLOCK_AVX2_INL_H
#else
#define PM_BROADWORD_BP_BLOCK_AVX2_INL_H
#endif

#include "broadword/bp_block_words.h"
#include "broadword/bp_tables.h"
#include "core/bp_index.h"
#include "hwy/highway.h"

#if HWY_TARGET == HWY_AVX2

#include "parenmatch/bp_view_x86.h"

HWY_BEFORE_NAMESPACE();
namespace pm {
namespace HWY_NAMESPACE {

// The 64 bytes of a block as two vectors: their levels relative to their words, these relative to the block. What each
// function answers stands in bp_block_avx512-inl.h.
class Block : public WordBlock {
  public:
    template <BpExit kExit = BpExit::kGuessed>
    static HWY_INLINE unsigned First(const uint64_t *words, unsigned from, int fall, Rise *rise) {
        const Bytes bytes(_mm256_and_si256(Load(words), FromBit(from, 0)),
                          _mm256_and_si256(Load(words + kHalf), FromBit(from, kHalf)));
        const int begin = -static_cast<int>(from);
        *rise = bytes.level() - begin;
        return bytes.template First<kExit>(begin - fall);
    }

    static HWY_INLINE unsigned FirstOfAll(const uint64_t *words, int fall, int) {
        return Bytes(Load(words), Load(words + kHalf)).template First<BpExit::kNever>(-fall);
    }

    template <BpExit kExit = BpExit::kGuessed>
    static HWY_INLINE unsigned Last(const uint64_t *words, unsigned to, int fall, Rise *rise) {
        const Bytes bytes(_mm256_or_si256(Load(words), FromBit(to, 0)),
                          _mm256_or_si256(Load(words + kHalf), FromBit(to, kHalf)));
        *rise = bytes.level() - static_cast<int>(PM_BP_BLOCK - to);
        return bytes.template Last<kExit>(*rise - fall);
    }

    static HWY_INLINE unsigned LastOfAll(const uint64_t *words, int fall) {
        const Bytes bytes(Load(words), Load(words + kHalf));
        return bytes.template Last<BpExit::kNever>(bytes.level() - fall);
    }

    static HWY_INLINE uint64_t Rank(const pm_bp_view &view, bool wide, const uint64_t *words, uint64_t at, uint64_t i) {
        return pm_bp_view_opens_avx2(&view, wide, false, words, at, i);
    }

    static HWY_INLINE unsigned Select(const uint64_t *words, unsigned k) {
        unsigned word = 0, before = 0, sum = 0;
        for (unsigned w = 0; w < PM_BP_BLOCK_WORDS - 1; w++) {
            sum += pm_bits_count(words[w]);
            word += sum <= k;
            before = sum <= k ? sum : before;
        }
        return word * PM_WORD_BITS + pm_bits_lowest(_pdep_u64(uint64_t{1} << (k - before) % 64, words[word]));
    }

    static HWY_INLINE unsigned BlocksWithin(const pm_bp_line *line, int twice) {
        const __m256i elements = _mm256_setr_epi16(512, 1024, 1536, 2048, 2560, 3072, 3584, 4096, 4608, 5120, 5632,
                                                   6144, 6656, 7168, 7680, 8192);
        const __m256i doubled = _mm256_add_epi16(elements, Load(line->end));
        const __m256i more = _mm256_cmpgt_epi16(doubled, _mm256_set1_epi16(static_cast<int16_t>(twice)));
        return PM_BP_LINE_BLOCKS - pm_bits_count(static_cast<uint32_t>(_mm256_movemask_epi8(more))) / 2;
    }

    static HWY_INLINE uint32_t AtMost(const int16_t *levels, int64_t level) {
        const __m256i more = _mm256_cmpgt_epi16(Load(levels), _mm256_set1_epi16(static_cast<int16_t>(level)));
        const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(more), _mm256_extracti128_si256(more, 1));
        return ~static_cast<uint32_t>(_mm_movemask_epi8(bytes)) & 0xffff;
    }
    static HWY_INLINE uint32_t AtMost(const int32_t *levels, int64_t level) {
        const __m256i wanted = _mm256_set1_epi32(static_cast<int32_t>(level));
        uint32_t more = 0;
        for (unsigned i = 0; i < 4; i++) {
            const __m256i greater = _mm256_cmpgt_epi32(Load(levels + 8 * i), wanted);
            more |= static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(greater))) << 8 * i;
        }
        return ~more;
    }
    static HWY_INLINE uint32_t AtMost(const int64_t *levels, int64_t level) {
        const __m256i wanted = _mm256_set1_epi64x(level);
        uint32_t more = 0;
        for (unsigned i = 0; i < 8; i++) {
            const __m256i greater = _mm256_cmpgt_epi64(Load(levels + 4 * i), wanted);
            more |= static_cast<uint32_t>(_mm256_movemask_pd(_mm256_castsi256_pd(greater))) << 4 * i;
        }
        return ~more;
    }

    static HWY_INLINE int Summarise(const uint64_t *words, int *least) {
        const Bytes bytes(Load(words), Load(words + kHalf));
        *least = bytes.Least();
        return bytes.level();
    }

    static HWY_INLINE int Least(const uint64_t *words, unsigned from, unsigned to) {
        const __m256i low = _mm256_and_si256(Load(words), FromBit(from, 0));
        const __m256i high = _mm256_and_si256(Load(words + kHalf), FromBit(from, kHalf));
        const Bytes bytes(_mm256_or_si256(low, FromBit(to, 0)), _mm256_or_si256(high, FromBit(to, kHalf)));
        return bytes.Least() + static_cast<int>(from);
    }

  private:
    class Bytes {
      public:
        HWY_INLINE Bytes(__m256i low, __m256i high) : low_(low), high_(high) {
            // Half the levels of the high half's words stand 32 bits below those of the low half's: both are summed at
            // once. What is in the other 16 bits of each word does not matter.
            const __m256i both =
                _mm256_blend_epi16(low_.OfWords(), _mm256_srli_epi64(high_.OfWords(), kHighBelow), 0x22);
            __m256i sums = _mm256_add_epi16(both, _mm256_slli_si256(both, 8));
            const __m256i first_two = _mm256_permute4x64_epi64(sums, 0x55);
            sums = _mm256_add_epi16(sums, _mm256_blend_epi32(_mm256_setzero_si256(), first_two, 0xf0));
            const __m256i all = _mm256_permute4x64_epi64(sums, 0xff), all_low = _mm256_srli_epi64(all, kHighBelow);
            const __m256i before = _mm256_add_epi16(_mm256_sub_epi16(sums, both), all_low);
            before_ = _mm256_add_epi16(before, before);
            half_ = _mm_cvtsi128_si32(_mm256_castsi256_si128(_mm256_add_epi16(all, all_low))) >> 16;
        }

        HWY_INLINE int level() const {
            return 2 * half_;
        }

        // The first element after which the block's level is `level`.
        template <BpExit kExit> HWY_INLINE unsigned First(int level) const {
            const __m256i wanted_low = Wanted(WordLevels(0), level), wanted_high = Wanted(WordLevels(1), level);
            const uint64_t low = NotAbove(low_.LeastAfter(), wanted_low);
            const uint64_t found = low | NotAbove(high_.LeastAfter(), wanted_high) << 32;
            if (kExit == BpExit::kGuessed && HWY_UNLIKELY(found == 0))
                return PM_BP_BLOCK;
            const unsigned none = kExit == BpExit::kValue && found == 0 ? PM_BP_BLOCK : 0;
            uint8_t falls[64], bytes[64];
            Store(falls, _mm256_sub_epi8(low_.before(), wanted_low), _mm256_sub_epi8(high_.before(), wanted_high));
            Store(bytes, low_.elements, high_.elements);
            const unsigned at = pm_bits_lowest(found | UINT64_C(1) << 63);
            return none + 8 * at + kBp.first[bytes[at]][falls[at] % 8];
        }

        // The last element before which the block's level was `level`.
        template <BpExit kExit> HWY_INLINE unsigned Last(int level) const {
            const __m256i wanted_low = Wanted(WordLevels(0), level), wanted_high = Wanted(WordLevels(1), level);
            const uint64_t low = NotAbove(low_.LeastBefore(), wanted_low);
            const uint64_t found = low | NotAbove(high_.LeastBefore(), wanted_high) << 32;
            if (kExit == BpExit::kGuessed && HWY_UNLIKELY(found == 0))
                return PM_BP_BLOCK;
            const unsigned none = kExit == BpExit::kValue && found == 0 ? PM_BP_BLOCK : 0;
            uint8_t falls[64], bytes[64];
            Store(falls, _mm256_sub_epi8(low_.after(), wanted_low), _mm256_sub_epi8(high_.after(), wanted_high));
            Store(bytes, low_.elements, high_.elements);
            const unsigned at = pm_bits_highest(found | 1);
            return none + 8 * at + kBp.last[bytes[at]][falls[at] % 8];
        }

        HWY_INLINE int Least() const {
            const __m256i low = _mm256_adds_epi16(LeastOfWords(low_.LeastAfter()), WordLevels(0));
            const __m256i high = _mm256_adds_epi16(LeastOfWords(high_.LeastAfter()), WordLevels(1));
            // One of each four is a word's; the others are made large.
            const __m256i sixteen = _mm256_blend_epi16(_mm256_set1_epi16(INT16_MAX), _mm256_min_epi16(low, high), 0x11);
            const __m128i eight = _mm_min_epi16(_mm256_castsi256_si128(sixteen), _mm256_extracti128_si256(sixteen, 1));
            const __m128i positive = _mm_xor_si128(eight, _mm_set1_epi16(INT16_MIN));
            const int found = (_mm_cvtsi128_si32(_mm_minpos_epu16(positive)) & 0xffff) + INT16_MIN;
            return HWY_MIN(found, 0);
        }

      private:
        // Half a block: half the levels of bytes, which fit where sums of whole ones might not.
        struct Half {
            HWY_INLINE explicit Half(__m256i all) : elements(all) {
                const __m256i four = _mm256_set1_epi8(15);
                low = _mm256_and_si256(elements, four);
                high = _mm256_and_si256(_mm256_srli_epi16(elements, 4), four);
                low_half = _mm256_shuffle_epi8(Table(kBp.half_after), low);
                half = _mm256_add_epi8(low_half, _mm256_shuffle_epi8(Table(kBp.half_after), high));
                half = _mm256_add_epi8(half, _mm256_slli_epi64(half, 8));
                half = _mm256_add_epi8(half, _mm256_slli_epi64(half, 16));
                half = _mm256_add_epi8(half, _mm256_slli_epi64(half, 32));
            }

            // Half a word's level, in its top 16 bits, is the top byte of its sums.
            HWY_INLINE __m256i OfWords() const {
                return _mm256_srai_epi16(half, 8);
            }
            HWY_INLINE __m256i after() const {
                return _mm256_add_epi8(half, half);
            }
            HWY_INLINE __m256i before() const {
                return _mm256_slli_epi64(after(), 8);
            }
            HWY_INLINE __m256i LeastAfter() const {
                return LeastOf(kBp.four_after);
            }
            HWY_INLINE __m256i LeastBefore() const {
                return LeastOf(kBp.four_before);
            }
            HWY_INLINE __m256i LeastOf(const int8_t *table) const {
                const __m256i of_low = _mm256_shuffle_epi8(Table(table), low);
                const __m256i of_high =
                    _mm256_add_epi8(_mm256_add_epi8(low_half, low_half), _mm256_shuffle_epi8(Table(table), high));
                return _mm256_add_epi8(before(), _mm256_min_epi8(of_low, of_high));
            }

            __m256i elements, low, high, low_half, half;
        };

        // The level before each word of half h, in 16 bits, four times.
        HWY_INLINE __m256i WordLevels(unsigned h) const {
            return _mm256_shuffle_epi8(before_, h == 0 ? _mm256_set_epi64x(0x0f0e0f0e0f0e0f0e, 0x0706070607060706,
                                                                           0x0f0e0f0e0f0e0f0e, 0x0706070607060706)
                                                       : _mm256_set_epi64x(0x0b0a0b0a0b0a0b0a, 0x0302030203020302,
                                                                           0x0b0a0b0a0b0a0b0a, 0x0302030203020302));
        }

        // `level` relative to each word, in all its bytes.
        static HWY_INLINE __m256i Wanted(__m256i words, int level) {
            const __m256i relative = _mm256_subs_epi16(_mm256_set1_epi16(static_cast<int16_t>(level)), words);
            return _mm256_shuffle_epi32(_mm256_packs_epi16(relative, relative), 0x50);
        }

        static HWY_INLINE uint64_t NotAbove(__m256i levels, __m256i wanted) {
            return static_cast<uint32_t>(~_mm256_movemask_epi8(_mm256_cmpgt_epi8(levels, wanted)));
        }

        // The least byte of each word, in the lowest 16 bits of it.
        static HWY_INLINE __m256i LeastOfWords(__m256i least) {
            least = _mm256_min_epi8(least, _mm256_srli_epi64(least, 32));
            least = _mm256_min_epi8(least, _mm256_srli_epi64(least, 16));
            least = _mm256_min_epi8(least, _mm256_srli_epi64(least, 8));
            return _mm256_srai_epi16(_mm256_slli_epi16(least, 8), 8);
        }

        static HWY_INLINE void Store(uint8_t *to, __m256i low, __m256i high) {
            // Unaligned, as an array of bytes is: one that is aligned would need a frame on the stack.
            _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), low);
            _mm256_storeu_si256(reinterpret_cast<__m256i *>(to + 32), high);
        }

        static constexpr int kHighBelow = 32;

        Half low_, high_;
        __m256i before_; // the level before word w in 16 bits of 64-bit lane w % 4: the top ones of words 0 ... 3, and
                         // 32 bits below
        int half_;       // half the block's level
    };

    static constexpr unsigned kHalf = PM_BP_BLOCK_WORDS / 2;

    static HWY_INLINE __m256i Table(const int8_t *table) {
        return _mm256_load_si256(reinterpret_cast<const __m256i *>(table));
    }

    // Ones from bit `from` <= 512 of the block on, of the four words from `first` on.
    static HWY_INLINE __m256i FromBit(unsigned from, unsigned first) {
        const __m256i begins = _mm256_add_epi64(_mm256_setr_epi64x(0, 64, 128, 192),
                                                _mm256_set1_epi64x(static_cast<int64_t>(first * PM_WORD_BITS)));
        const __m256i below = _mm256_subs_epu16(_mm256_set1_epi64x(from), begins);
        return _mm256_sllv_epi64(_mm256_set1_epi64x(-1), below);
    }

    template <class T> static HWY_INLINE __m256i Load(const T *from) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from));
    }
};

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif

#endif
