// SPDX-License-Identifier: Apache-2.0
// Searches inside a word, a block, and the lines and rows of the index, for AVX-512 with VBMI and BITALG.
#if defined(PM_BROADWORD_BP_BLOCK_AVX512_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_BP_BLOCK_AVX512_INL_H
#undef PM_BROADWORD_BP_BLOCK_AVX512_INL_H
#else
#define PM_BROADWORD_BP_BLOCK_AVX512_INL_H
#endif

#include "base/bp_index.h"
#include "broadword/bp/block_words.h"
#include "broadword/bp/excess_vectors-inl.h"
#include "broadword/bp/tables.h"
#include "hwy/highway.h"

#if HWY_TARGET == HWY_AVX3_DL

#include "parenmatch/bp_view_x86.h"

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// All 64 bytes of a block at once: their excesses relative to their words, these relative to the block.
class Block : public ExcessVectors {
  public:
    // The first element at or after `from` after which the excess has fallen by `fall`; 512 or more if it never does.
    // `rise` receives by how much the excess rises from there to the block's end.
    template <BpExit kExit = BpExit::kGuessed>
    static HWY_INLINE unsigned First(const uint64_t *words, unsigned from, int fall, Rise *rise) {
        // Elements before `from` become closes, of which there are too few to be taken for the fall.
        const __m512i below = BitsBelow(from);
        const __m512i behind = _mm512_srlv_epi64(_mm512_loadu_si512(words), below);
        const Bytes bytes(_mm512_sllv_epi64(behind, below));
        const int elements = static_cast<int>(PM_BP_BLOCK - from);
        Number before = bytes.TwiceOpens(kBp.words_before);
        __asm__("" : "+v"(before)); // or compilers find it once more, where nothing is found
        *rise = {before, elements};
        return bytes.template First<kExit>(AboveEnd(elements - fall), before);
    }

    // The same from the block's beginning, where it is known that there is one; and from which the excess rises to the
    // block's end by `rise`.
    static HWY_INLINE unsigned FirstOfAll(const uint64_t *words, int, int rise) {
        return Bytes(_mm512_loadu_si512(words)).FirstOf(words, AboveEnd(-rise));
    }

    // The last element before `to` before which the excess was lower by `fall`; 512 or more if it never was. `rise`
    // receives by how much the excess rises from the block's beginning to there.
    template <BpExit kExit = BpExit::kGuessed>
    static HWY_INLINE unsigned Last(const uint64_t *words, unsigned to, int fall, Rise *rise) {
        // Elements from `to` on become opens, before which the excess is not lower.
        const Bytes bytes(_mm512_or_si512(_mm512_loadu_si512(words), FromBit(to)));
        const int closes = static_cast<int>(PM_BP_BLOCK - to); // if they were
        Number from = bytes.TwiceOpens(kBp.words_from);
        __asm__("" : "+v"(from)); // as above
        *rise = {from, PM_BP_BLOCK + closes};
        return bytes.template Last<kExit>(AboveEnd(-closes - fall), from);
    }

    static HWY_INLINE unsigned LastOfAll(const uint64_t *words, int fall) {
        return Bytes(_mm512_loadu_si512(words)).LastOf(words, AboveEnd(-fall));
    }

    // In a word: how many elements there are between `open` < 8 and the first behind it after which the excess has
    // fallen by 1; 64 if it does not fall.
    template <BpExit kExit = BpExit::kGuessed> static HWY_INLINE unsigned ToClose(uint64_t word, unsigned open) {
        return FirstLead<kExit>(~word >> (open + 1), kBp.upwards);
    }

    // In a word: how many elements there are between its `missing` < 64 last and the last before which the excess was
    // lower by 1 than before these; 64 if it never was.
    template <BpExit kExit = BpExit::kGuessed> static HWY_INLINE unsigned ToOpen(uint64_t word, unsigned missing) {
        return FirstLead<kExit>(word << missing, kBp.downwards);
    }

    // Counts the opens before i, an element of the sequence, and element `at` of `words` (parenmatch/bp_view.h).
    static HWY_INLINE pm_bp_view_count CountOpens(const pm_bp_view &view, bool wide, const uint64_t *words, uint64_t at,
                                                  uint64_t i) {
        return pm_bp_view_count_avx512(&view, wide, false, words, at, i);
    }

    // The position of open k, which the block has.
    static HWY_INLINE unsigned Select(const uint64_t *words, unsigned k) {
        const __m512i of_words = _mm512_popcnt_epi64(_mm512_loadu_si512(words));
        const __m512i to = SumsOf(kBp.words_to, of_words);
        const __mmask8 behind = _mm512_cmpgt_epi64_mask(to, _mm512_set1_epi64(k)); // the word, and those behind it
        const unsigned word = static_cast<unsigned>(_tzcnt_u64(behind)) % 8;
        const unsigned before = Lowest(_mm512_maskz_compress_epi64(behind, _mm512_sub_epi64(to, of_words)));
        return word * PM_WORD_BITS + pmi_bits_lowest(_pdep_u64(uint64_t{1} << (k - before) % 64, words[word]));
    }

    // How many blocks of the line end with at most `twice` / 2 opens since its beginning.
    static HWY_INLINE unsigned BlocksWithin(const pm_bp_line *line, int twice) {
        const __m256i elements = _mm256_setr_epi16(512, 1024, 1536, 2048, 2560, 3072, 3584, 4096, 4608, 5120, 5632,
                                                   6144, 6656, 7168, 7680, 8192);
        const __m256i doubled = _mm256_add_epi16(elements, Load16(line->end));
        return pmi_bits_count(_mm256_cmple_epi16_mask(doubled, _mm256_set1_epi16(static_cast<int16_t>(twice))));
    }

    // Which of 16, or of PM_BP_FAN_OUT excesses are at most that.
    static HWY_INLINE uint32_t AtMost(const int16_t *excesses, Number excess) {
        return AtMost(excesses, _mm256_broadcastw_epi16(_mm512_castsi512_si128(excess)));
    }
    static HWY_INLINE uint32_t AtMost(const int32_t *excesses, Number excess) {
        return AtMost(excesses, excesses + 16, _mm512_broadcastd_epi32(_mm512_castsi512_si128(excess)));
    }
    static HWY_INLINE uint32_t AtMost(const int64_t *excesses, Number excess) {
        const __m512i wanted = _mm512_broadcastq_epi64(_mm512_castsi512_si128(excess));
        uint32_t found = 0;
        for (unsigned i = 0; i < 4; i++)
            found |= uint32_t{_mm512_cmple_epi64_mask(_mm512_loadu_si512(excesses + 8 * i), wanted)} << 8 * i;
        return found;
    }
    static HWY_INLINE uint32_t AtMost(const int16_t *excesses, int64_t excess) {
        return AtMost(excesses, _mm256_set1_epi16(static_cast<int16_t>(excess)));
    }
    static HWY_INLINE uint32_t AtMost(const int32_t *excesses, int64_t excess) {
        return AtMost(excesses, excesses + 16, _mm512_set1_epi32(static_cast<int32_t>(excess)));
    }
    static HWY_INLINE uint32_t AtMost(const int64_t *excesses, int64_t excess) {
        return AtMost(excesses, _mm512_castsi128_si512(_mm_cvtsi64_si128(excess)));
    }

    // The excess after the block, and the minimum excess in it, both its ends included.
    static HWY_INLINE int Summarise(const uint64_t *words, int *min) {
        const Bytes bytes(_mm512_loadu_si512(words));
        *min = bytes.Min();
        return static_cast<int>(Lowest(bytes.TwiceOpens(kBp.words_from))) - static_cast<int>(PM_BP_BLOCK);
    }

    // The minimum excess before elements `from` ... `to` <= 512, relative to that before `from`.
    static HWY_INLINE int Min(const uint64_t *words, unsigned from, unsigned to) {
        // Closes come down to there, and opens go up from there.
        const __m512i elements = _mm512_and_si512(_mm512_loadu_si512(words), FromBit(from));
        return Bytes(_mm512_or_si512(elements, FromBit(to))).Min() + static_cast<int>(from);
    }

    static HWY_INLINE unsigned Count(const uint64_t *words, unsigned from, unsigned to, int wanted) {
        return WordBlock::Count(words, from, to, wanted);
    }

  private:
    class Bytes {
      public:
        HWY_INLINE explicit Bytes(__m512i elements) : elements_(elements) {
            const __m512i opens = _mm512_popcnt_epi8(elements);
            __m512i sums = _mm512_add_epi8(opens, _mm512_slli_epi64(opens, 8));
            sums = _mm512_add_epi8(sums, _mm512_slli_epi64(sums, 16));
            sums = _mm512_add_epi8(sums, _mm512_slli_epi64(sums, 32));
            const __m512i twice = _mm512_add_epi8(sums, sums);
            after_ = _mm512_sub_epi8(twice, _mm512_set1_epi64(kElementsAfter));
            before_ = _mm512_slli_epi64(after_, 8);
            const __m512i of_words = _mm512_popcnt_epi64(elements);
            twice_words_ = _mm512_add_epi64(of_words, of_words);
        }

        // For each word twice the opens of some words, whose counts are in the bytes given; for word 0 those of all.
        HWY_INLINE __m512i TwiceOpens(const uint8_t (*of)[8]) const {
            return SumsOf(of, twice_words_);
        }

        // The first element after which the excess is reached; 512 if it is not. `fall`: how far it would be from
        // each word's if all elements before the word were closes.
        template <BpExit kExit> HWY_INLINE unsigned First(__m512i fall, __m512i twice_before) const {
            const __m512i excess = _mm512_sub_epi16(fall, twice_before);
            const __m512i wanted =
                _mm512_shuffle_epi8(_mm512_packs_epi16(excess, fall), _mm512_load_si512(kBp.of_first));
            const __mmask64 low = _mm512_cmple_epi8_mask(MinAfter(), wanted);
            if (kExit == BpExit::kGuessed && HWY_UNLIKELY(low == 0))
                return PM_BP_BLOCK;
            const unsigned left = Lowest(_mm512_maskz_compress_epi8(low, _mm512_sub_epi8(before_, wanted)));
            const unsigned byte = Lowest(_mm512_maskz_compress_epi8(low, elements_));
            return 8 * static_cast<unsigned>(_tzcnt_u64(low)) + kBp.first[byte & 255][left % 8]; // 512 + 8 of none
        }
        // The same in words of which nothing was changed, where there is one; if all elements from the word on were.
        HWY_INLINE unsigned FirstOf(const uint64_t *words, __m512i fall) const {
            const __m512i wanted = OfBytes(_mm512_add_epi16(fall, TwiceOpens(kBp.words_from)));
            const __mmask64 low = _mm512_cmple_epi8_mask(MinAfter(), wanted);
            const uint64_t at = _tzcnt_u64(low) % 64;
            const unsigned left = Lowest(_mm512_maskz_compress_epi8(low, _mm512_sub_epi8(before_, wanted)));
            return 8 * static_cast<unsigned>(at) + kBp.first[ByteOf(words, at)][left % 8];
        }

        // The last element before which the excess was reached; 512 if it was not. `fall` as in First().
        template <BpExit kExit> HWY_INLINE unsigned Last(__m512i fall, __m512i twice_from) const {
            const __m512i wanted = OfBytes(_mm512_add_epi16(fall, twice_from));
            const uint64_t low = _mm512_cmple_epi8_mask(MinBefore(), wanted);
            if (kExit == BpExit::kGuessed && HWY_UNLIKELY(low == 0))
                return PM_BP_BLOCK;
            const unsigned none = kExit == BpExit::kValue && low == 0 ? PM_BP_BLOCK : 0;
            const unsigned at = pmi_bits_highest(low | 1);
            const __m512i place = _mm512_castsi128_si512(_mm_cvtsi32_si128(static_cast<int>(at)));
            const unsigned left = Lowest(_mm512_permutexvar_epi8(place, _mm512_sub_epi8(after_, wanted)));
            const unsigned byte = Lowest(_mm512_permutexvar_epi8(place, elements_));
            return none + 8 * at + kBp.last[byte & 255][left % 8];
        }
        HWY_INLINE unsigned LastOf(const uint64_t *words, __m512i fall) const {
            const __m512i wanted = OfBytes(_mm512_add_epi16(fall, TwiceOpens(kBp.words_from)));
            const uint64_t low = _mm512_cmple_epi8_mask(MinBefore(), wanted);
            const unsigned at = pmi_bits_highest(low | 1);
            const __m512i place = _mm512_castsi128_si512(_mm_cvtsi32_si128(static_cast<int>(at)));
            const unsigned left = Lowest(_mm512_permutexvar_epi8(place, _mm512_sub_epi8(after_, wanted)));
            return 8 * at + kBp.last[ByteOf(words, at)][left % 8];
        }

        // The minimum excess, the block's ends included.
        HWY_INLINE int Min() const {
            __m512i min = MinAfter();
            min = _mm512_min_epi8(min, _mm512_srli_epi64(min, 32));
            min = _mm512_min_epi8(min, _mm512_srli_epi64(min, 16));
            min = _mm512_min_epi8(min, _mm512_srli_epi64(min, 8));
            const __m128i of_words = _mm_cvtepi8_epi16(_mm512_cvtepi64_epi8(min));
            const __m128i twice = _mm512_cvtepi64_epi16(twice_words_);
            const __m128i before = _mm_sub_epi16(PrefixSums(twice), twice);
            const __m128i words = _mm_sub_epi16(before, _mm_setr_epi16(0, 64, 128, 192, 256, 320, 384, 448));
            // The minimum of signed numbers, as of unsigned ones that are larger by 2^15.
            const __m128i positive = _mm_xor_si128(_mm_add_epi16(of_words, words), _mm_set1_epi16(INT16_MIN));
            const int found = (_mm_cvtsi128_si32(_mm_minpos_epu16(positive)) & 0xffff) + INT16_MIN;
            return HWY_MIN(found, 0);
        }

      private:
        // The minimum excess after each byte's elements, and before them.
        HWY_INLINE __m512i MinAfter() const {
            return _mm512_min_epi8(after_, _mm512_add_epi8(before_, LookUp(kBp.min_after)));
        }
        HWY_INLINE __m512i MinBefore() const {
            return _mm512_add_epi8(before_, LookUp(kBp.min_before));
        }
        HWY_INLINE __m512i LookUp(const int8_t *table) const {
            return _mm512_permutex2var_epi8(_mm512_load_si512(table), elements_, _mm512_load_si512(table + 64));
        }

        // An excess relative to each word, the lowest 16 bits of the word's, in all the word's bytes.
        static HWY_INLINE __m512i OfBytes(__m512i excess) {
            return _mm512_shuffle_epi8(_mm512_packs_epi16(excess, excess), _mm512_load_si512(kBp.of_pair));
        }

        __m512i elements_, before_, after_; // excesses before and after each byte, relative to its word
        __m512i twice_words_;               // twice each word's opens
    };

    static constexpr int64_t kElementsAfter = 0x4038302820181008; // each byte of a word

    static HWY_INLINE uint32_t AtMost(const int16_t *excesses, __m256i wanted) {
        return _mm256_cmpge_epi16_mask(wanted, Load16(excesses));
    }
    static HWY_INLINE uint32_t AtMost(const int32_t *excesses, const int32_t *more, __m512i wanted) {
        const uint32_t low = _mm512_cmpge_epi32_mask(wanted, _mm512_loadu_si512(excesses));
        const uint32_t high = _mm512_cmpge_epi32_mask(wanted, _mm512_loadu_si512(more));
        return low | high << 16;
    }

    static HWY_INLINE __m256i Load16(const int16_t *excesses) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(excesses));
    }

    // The first of a word's bits, in the order of the lanes, up to which ones lead zeros; 64 if they never do. All 64
    // are counted up to at once: what is to be counted of the last byte, and of the bytes before that.
    template <BpExit kExit> static HWY_INLINE unsigned FirstLead(uint64_t word, const BpTables::Lanes &lanes) {
        const __m512i copies = _mm512_set1_epi64(static_cast<int64_t>(word));
        const __m512i last_bytes = _mm512_shuffle_epi8(copies, _mm512_load_si512(lanes.last_byte));
        const __m512i in_last = _mm512_popcnt_epi8(_mm512_and_si512(last_bytes, _mm512_load_si512(lanes.of_last)));
        const __m512i in_others = _mm512_popcnt_epi64(_mm512_and_si512(copies, _mm512_load_si512(lanes.others)));
        const __m512i ones = _mm512_add_epi8(in_last, _mm512_shuffle_epi8(in_others, _mm512_load_si512(lanes.count)));
        const __mmask64 lead = _mm512_cmpgt_epi8_mask(ones, _mm512_load_si512(lanes.half));
        if (kExit == BpExit::kGuessed && HWY_UNLIKELY(lead == 0)) // the branch comes before the number
            return PM_WORD_BITS;
        return static_cast<unsigned>(_tzcnt_u64(lead));
    }

    // For each word the sum of the bytes that are given for it.
    static HWY_INLINE __m512i SumsOf(const uint8_t (*of)[8], __m512i numbers) {
        const __m512i bytes = _mm512_permutexvar_epi8(_mm512_load_si512(of), numbers);
        return _mm512_sad_epu8(bytes, _mm512_setzero_si512());
    }

    static HWY_INLINE unsigned Lowest(__m128i numbers) {
        return static_cast<unsigned>(_mm_cvtsi128_si32(numbers));
    }
    static HWY_INLINE unsigned Lowest(__m512i numbers) {
        return Lowest(_mm512_castsi512_si128(numbers));
    }

    // Of eight numbers, the sums up to and with each.
    static HWY_INLINE __m128i PrefixSums(__m128i x) {
        x = _mm_add_epi16(x, _mm_slli_si128(x, 2));
        x = _mm_add_epi16(x, _mm_slli_si128(x, 4));
        return _mm_add_epi16(x, _mm_slli_si128(x, 8));
    }

    // Ones from bit `from` <= 512 on.
    static HWY_INLINE __m512i FromBit(unsigned from) {
        return _mm512_loadu_si512(kBp.from_bit[from % 8] + 64 - from / 8);
    }

    // How many of each word's bits are before bit `from`; 64 or more where all are.
    static HWY_INLINE __m512i BitsBelow(unsigned from) {
        const __m512i begins = _mm512_set_epi64(448, 384, 320, 256, 192, 128, 64, 0);
        return _mm512_subs_epu16(_mm512_set1_epi64(from), begins);
    }

    // An excess above the block's end, relative to each word, if there were only closes; the lowest 16 bits.
    static HWY_INLINE __m512i AboveEnd(int excess) {
        const __m512i all = _mm512_set1_epi16(static_cast<int16_t>(excess));
        return _mm512_add_epi16(_mm512_load_si512(kBp.from_end), all);
    }

    static HWY_INLINE unsigned ByteOf(const uint64_t *words, uint64_t at) {
        return reinterpret_cast<const uint8_t *>(words)[at];
    }
};

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#endif
