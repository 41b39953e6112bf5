// SPDX-License-Identifier: Apache-2.0
// Searches inside a block, and the lines and rows of the index, for what every x86 with 64 bits has: vectors of 16
// bytes that add, compare and shift, but do not look up. A search inside a word is that of word.h.
#ifndef PM_BROADWORD_BP_BLOCK_SSE2_H
#define PM_BROADWORD_BP_BLOCK_SSE2_H

#ifdef __SSE2__

#include <emmintrin.h>

#include "base/bp_index.h"
#include "broadword/bp/block_words.h"
#include "broadword/bp/tables.h"
#include "hwy/base.h"

namespace pm {

// The 64 bytes of a block as four vectors: their excesses relative to their words, these relative to the block. How far
// down a byte comes is not computed, but bounded by the opens of its halves: as if in each half closes came first, or,
// backwards, opens came last. Bytes that may come down to the excess are tried in their order, by a table. What each
// function answers stands in block_avx512-inl.h; what is missing here, a word at a time does as well.
class Sse2Block : public WordBlock {
  public:
    template <BpExit = BpExit::kGuessed>
    static HWY_INLINE unsigned First(const uint64_t *words, unsigned from, int fall, Rise *rise) {
        return First(words, from, ~UINT64_C(0), fall, rise);
    }

    // First(), without the bytes that a search in a word has tried before.
    static HWY_INLINE unsigned FirstBehindWord(const uint64_t *words, unsigned from, int fall, Rise *rise) {
        const unsigned behind = (from + 7) / 8 + 7;
        return First(words, from, behind < 64 ? ~UINT64_C(0) << behind : 0, fall, rise);
    }

    static HWY_INLINE unsigned FirstOfAll(const uint64_t *words, int fall, int) {
        return Excesses<kUpwards>(words, Bytes(words), kWhole).First(words, nullptr, ~UINT64_C(0), fall);
    }

    template <BpExit = BpExit::kGuessed>
    static HWY_INLINE unsigned Last(const uint64_t *words, unsigned to, int fall, Rise *rise) {
        return Last(words, to, ~UINT64_C(0), fall, rise);
    }

    // Last(), without these bytes.
    static HWY_INLINE unsigned LastBehindWord(const uint64_t *words, unsigned to, int fall, Rise *rise) {
        const unsigned end = (to + 7) / 8;
        return Last(words, to, end < 8 ? 0 : (UINT64_C(1) << (end - 8)) - 1, fall, rise);
    }

    static HWY_INLINE unsigned LastOfAll(const uint64_t *words, int fall) {
        return Excesses<kDownwards>(words, Bytes(words), kWhole).Last(words, nullptr, ~UINT64_C(0), fall);
    }

    static HWY_INLINE unsigned Select(const uint64_t *words, unsigned k) {
        __m128i two[kVectors];
        for (unsigned v = 0; v < kVectors; v++) {
            const __m128i of_four = OpensOfFours(Load(words + 2 * v)), low = _mm_set1_epi8(15);
            two[v] = _mm_sad_epu8(_mm_and_si128(_mm_add_epi8(of_four, _mm_srli_epi16(of_four, 4)), low),
                                  _mm_setzero_si128());
        }
        const __m128i of_words = _mm_packs_epi32(_mm_packs_epi32(two[0], two[1]), _mm_packs_epi32(two[2], two[3]));
        const __m128i to = SumsUpwards(of_words);
        const __m128i behind = _mm_cmpgt_epi16(to, _mm_set1_epi16(static_cast<int16_t>(k)));
        const unsigned bits = static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(behind, behind)));
        const unsigned word = pmi_bits_lowest(bits | 0x80);
        int16_t before[8];
        _mm_storeu_si128(reinterpret_cast<__m128i *>(before), _mm_sub_epi16(to, of_words));
        return word * PM_WORD_BITS + SelectInWord(words[word], k - static_cast<unsigned>(before[word]));
    }

    static HWY_INLINE uint32_t AtMost(const int16_t *excesses, int64_t excess) {
        const __m128i wanted = _mm_set1_epi16(static_cast<int16_t>(excess));
        const __m128i above =
            _mm_packs_epi16(_mm_cmpgt_epi16(Load(excesses), wanted), _mm_cmpgt_epi16(Load(excesses + 8), wanted));
        return ~static_cast<uint32_t>(_mm_movemask_epi8(above)) & 0xffff;
    }
    static HWY_INLINE uint32_t AtMost(const int32_t *excesses, int64_t excess) {
        const __m128i wanted = _mm_set1_epi32(static_cast<int32_t>(excess));
        return ~(Above(excesses, wanted) | Above(excesses + 16, wanted) << 16);
    }
    static HWY_INLINE uint32_t AtMost(const int64_t *excesses, int64_t excess) {
        return WordBlock::AtMost(excesses, excess);
    }

  private:
    static constexpr unsigned kVectors = 4;

    // Which elements of a block count: all; those from one on, the others being closes; or those before one, the others
    // being opens.
    enum Part {
        kWhole,
        kFrom,
        kTo
    };
    enum Direction {
        kUpwards,
        kDownwards
    };

    // What is common to searches of a part of a block, in some of its bytes.
    static HWY_INLINE unsigned First(const uint64_t *words, unsigned from, uint64_t in, int fall, Rise *rise) {
        // Elements before `from` become closes, of which there are too few to be taken for the fall.
        const uint8_t *const ones = OnesFrom(from);
        Excesses<kUpwards> excesses(words, ones, kFrom);
        *rise = excesses.All() + static_cast<int>(from);
        return excesses.First(words, ones, in, fall + static_cast<int>(from));
    }
    static HWY_INLINE unsigned Last(const uint64_t *words, unsigned to, uint64_t in, int fall, Rise *rise) {
        // Elements from `to` on become opens, before which the excess is not lower.
        const uint8_t *const ones = OnesFrom(to);
        Excesses<kDownwards> excesses(words, ones, kTo);
        const int more = static_cast<int>(PM_BP_BLOCK - to);
        *rise = excesses.All() - more;
        return excesses.Last(words, ones, in, fall + more);
    }

    // All 64 bytes of a block.
    template <Direction kDirection> class Excesses {
      public:
        HWY_INLINE Excesses(const uint64_t *words, const uint8_t *ones, Part part) {
            const __m128i low = RisesOfFour(words, ones, part, 0), high = RisesOfFour(words + 4, ones + 32, part, 2);
            of_words_ = _mm_packs_epi32(low, high);
            sums_ = kDirection == kUpwards ? SumsUpwards(of_words_) : SumsDownwards(of_words_);
        }

        // The excess after the block.
        HWY_INLINE int All() const {
            return static_cast<int16_t>(_mm_extract_epi16(sums_, kDirection == kUpwards ? PM_BP_BLOCK_WORDS - 1 : 0));
        }

        // The first element after which the excess is `fall` below the block's beginning, among the bytes `in`; or
        // PM_BP_BLOCK. If there are `ones`, the other elements are closes.
        HWY_INLINE unsigned First(const uint64_t *words, const uint8_t *ones, uint64_t in, int fall) {
            uint64_t reaching = in & Reaching(_mm_add_epi16(Broadcast(fall), _mm_sub_epi16(sums_, of_words_)));
            while (HWY_LIKELY(reaching != 0)) {
                const unsigned at = pmi_bits_lowest(reaching);
                const unsigned byte = ones == nullptr ? Bytes(words)[at] : Bytes(words)[at] & ones[at];
                const unsigned in_byte = kBp.first[byte][Above(at)];
                if (HWY_LIKELY(in_byte < 8))
                    return 8 * at + in_byte;
                reaching &= reaching - 1;
            }
            return PM_BP_BLOCK;
        }

        // The last element before which the excess is `fall` below the block's end, among the bytes `in`; `ones` are
        // opens.
        HWY_INLINE unsigned Last(const uint64_t *words, const uint8_t *ones, uint64_t in, int fall) {
            uint64_t reaching = in & Reaching(_mm_sub_epi16(Broadcast(fall), sums_));
            while (HWY_LIKELY(reaching != 0)) {
                const unsigned at = pmi_bits_highest(reaching);
                const unsigned byte = ones == nullptr ? Bytes(words)[at] : Bytes(words)[at] | ones[at];
                const unsigned in_byte = kBp.last[byte][Above(at)];
                if (HWY_LIKELY(in_byte < 8))
                    return 8 * at + in_byte;
                reaching ^= UINT64_C(1) << at;
            }
            return PM_BP_BLOCK;
        }

      private:
        // By how much, modulo 8, the excess before byte `at` (or after it) is above the wanted one.
        HWY_INLINE unsigned Above(unsigned at) const {
            return static_cast<unsigned>(words_[at / 8] + bytes_[at]) % 8;
        }

        // A bit for each byte that may come down to the wanted excess, which each word begins so much `above`.
        HWY_INLINE uint64_t Reaching(__m128i above) {
            Store(words_, above);
            // What a byte does not hold stops at its ends.
            const __m128i more = _mm_sub_epi16(_mm_set1_epi16(kLess + 1), above);
            const __m128i eight = _mm_packs_epi16(more, more), pairs = _mm_unpacklo_epi8(eight, eight);
            const __m128i low = _mm_unpacklo_epi16(pairs, pairs), high = _mm_unpackhi_epi16(pairs, pairs);
            const uint64_t a = Bits(_mm_cmpgt_epi8(_mm_shuffle_epi32(low, 0x50), min_[0]));
            const uint64_t b = Bits(_mm_cmpgt_epi8(_mm_shuffle_epi32(low, 0xfa), min_[1]));
            const uint64_t c = Bits(_mm_cmpgt_epi8(_mm_shuffle_epi32(high, 0x50), min_[2]));
            const uint64_t d = Bits(_mm_cmpgt_epi8(_mm_shuffle_epi32(high, 0xfa), min_[3]));
            return (a | b << 16) | (c | d << 16) << 32;
        }

        // By how much the excess rises in each of four words, in 32 bits; their bytes are vectors v and v + 1.
        HWY_INLINE __m128i RisesOfFour(const uint64_t *words, const uint8_t *ones, Part part, unsigned v) {
            const __m128i a = Sums(words, ones, part, v), b = Sums(words + 2, ones + 16, part, v + 1);
            const __m128 ends = _mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), 0xdd);
            return _mm_srai_epi32(_mm_castps_si128(ends), 24);
        }

        // The excess after each byte, relative to its word.
        HWY_INLINE __m128i Sums(const uint64_t *words, const uint8_t *ones, Part part, unsigned v) {
            const __m128i low = _mm_set1_epi8(15), four = _mm_set1_epi8(4), eight = _mm_set1_epi8(8);
            __m128i elements = Load(words);
            if (part == kFrom)
                elements = _mm_and_si128(elements, Load(ones));
            if (part == kTo)
                elements = _mm_or_si128(elements, Load(ones));
            const __m128i of_fours = OpensOfFours(elements);
            const __m128i first = _mm_and_si128(of_fours, low), next = _mm_and_si128(_mm_srli_epi16(of_fours, 4), low);
            const __m128i opens = _mm_add_epi8(first, next);
            __m128i sums = _mm_sub_epi8(_mm_add_epi8(opens, opens), eight);
            sums = _mm_add_epi8(sums, _mm_slli_epi64(sums, 8));
            sums = _mm_add_epi8(sums, _mm_slli_epi64(sums, 16));
            sums = _mm_add_epi8(sums, _mm_slli_epi64(sums, 32));
            // Upwards, from the excess before the byte, down by the closes of the first four, 4 - first; or up by its
            // opens and down by all closes, opens - 8 + first. Downwards, from the excess after it, down by the opens
            // of the next four; or down by all opens and up by the closes of those, 4 - next - opens.
            const __m128i excess = kDirection == kUpwards ? _mm_slli_epi64(sums, 8) : sums;
            min_[v] = kDirection == kUpwards ? _mm_add_epi8(excess, _mm_add_epi8(first, _mm_min_epu8(opens, four)))
                                             : _mm_sub_epi8(excess, _mm_add_epi8(next, _mm_max_epu8(opens, four)));
            Store(bytes_ + 16 * v, excess);
            return sums;
        }

        static constexpr int kLess = kDirection == kUpwards ? 8 : -4; // of minimum excesses

        __m128i of_words_, sums_; // by how much the excess rises in each word; and to its end, or from it on
        __m128i min_[kVectors];   // of each byte, relative to its word, the minimum excess that there may be, and kLess
        int16_t words_[PM_BP_BLOCK_WORDS]; // the excess before each word above the wanted one;
        int8_t bytes_[PM_BP_BLOCK / 8];    // that before each byte (or after it), relative to its word
    };

    static HWY_INLINE __m128i Broadcast(int excess) {
        return _mm_set1_epi16(static_cast<int16_t>(excess));
    }

    // The opens of four elements each, in four bits.
    static HWY_INLINE __m128i OpensOfFours(__m128i elements) {
        const __m128i ones = _mm_set1_epi8(0x55), twos = _mm_set1_epi8(0x33);
        const __m128i of_two = _mm_sub_epi8(elements, _mm_and_si128(_mm_srli_epi16(elements, 1), ones));
        return _mm_add_epi8(_mm_and_si128(of_two, twos), _mm_and_si128(_mm_srli_epi16(of_two, 2), twos));
    }

    // Of eight numbers the sums up to and with each, or from each on.
    static HWY_INLINE __m128i SumsUpwards(__m128i x) {
        x = _mm_add_epi16(x, _mm_slli_si128(x, 2));
        x = _mm_add_epi16(x, _mm_slli_si128(x, 4));
        return _mm_add_epi16(x, _mm_slli_si128(x, 8));
    }
    static HWY_INLINE __m128i SumsDownwards(__m128i x) {
        x = _mm_add_epi16(x, _mm_srli_si128(x, 2));
        x = _mm_add_epi16(x, _mm_srli_si128(x, 4));
        return _mm_add_epi16(x, _mm_srli_si128(x, 8));
    }

    static HWY_INLINE uint32_t Above(const int32_t *excesses, __m128i wanted) {
        const __m128i low =
            _mm_packs_epi32(_mm_cmpgt_epi32(Load(excesses), wanted), _mm_cmpgt_epi32(Load(excesses + 4), wanted));
        const __m128i high =
            _mm_packs_epi32(_mm_cmpgt_epi32(Load(excesses + 8), wanted), _mm_cmpgt_epi32(Load(excesses + 12), wanted));
        return Bits(_mm_packs_epi16(low, high));
    }

    // The bytes of a block that are ones from bit `from` <= 512 on.
    static HWY_INLINE const uint8_t *OnesFrom(unsigned from) {
        return kBp.from_bit[from % 8] + 64 - from / 8;
    }

    static HWY_INLINE const uint8_t *Bytes(const uint64_t *words) {
        return reinterpret_cast<const uint8_t *>(words);
    }
    static HWY_INLINE uint32_t Bits(__m128i bytes) {
        return static_cast<uint32_t>(_mm_movemask_epi8(bytes));
    }
    template <class T> static HWY_INLINE __m128i Load(const T *from) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i *>(from));
    }
    template <class T> static HWY_INLINE void Store(T *to, __m128i vector) {
        _mm_storeu_si128(reinterpret_cast<__m128i *>(to), vector);
    }
};

} // namespace pm

#endif

#endif
