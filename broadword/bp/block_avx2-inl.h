// SPDX-License-Identifier: Apache-2.0
// Searches inside a block, and the lines and rows of the index, for AVX2 with BMI2.
#if defined(PM_BROADWORD_BP_BLOCK_AVX2_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_BP_BLOCK_AVX2_INL_H
#undef PM_BROADWORD_BP_BLOCK_AVX2_INL_H
#else
#define PM_BROADWORD_BP_BLOCK_AVX2_INL_H
#endif

#include "base/bp_index.h"
#include "broadword/bp/block_words.h"
#include "broadword/bp/excess_vectors-inl.h"
#include "broadword/bp/tables.h"
#include "hwy/highway.h"

#if HWY_TARGET == HWY_AVX2

#include "parenmatch/bp_view_x86.h"

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// The 64 bytes of a block as two vectors: their excesses relative to their words, these relative to the block. What
// each function answers stands in block_avx512-inl.h.
class Block : public ExcessVectors {
  public:
    template <BpExit kExit = BpExit::kGuessed>
    static HWY_INLINE unsigned First(const uint64_t *words, unsigned from, int fall, Rise *rise) {
        // Elements before `from` become closes, of which there are too few to be taken for the fall.
        const Bytes<kAfter> bytes(_mm256_and_si256(Load(words), FromBit(from, 0)),
                                  _mm256_and_si256(Load(words + kHalf), FromBit(from, kHalf)));
        const Sums before = bytes.OfWords(kBp.halves_before);
        *rise = {before.low, static_cast<int>(PM_BP_BLOCK - from)};
        const Sums more = RelativeToBegin(before, -static_cast<int>(from) - fall);
        const uint64_t found = bytes.Below(more);
        if (kExit == BpExit::kGuessed && HWY_UNLIKELY(found == 0))
            return PM_BP_BLOCK;
        const unsigned none = kExit == BpExit::kValue && found == 0 ? PM_BP_BLOCK : 0;
        const unsigned at = pmi_bits_lowest(found | UINT64_C(1) << 63);
        const unsigned byte = ByteOf(words, at) & FromBitOfByte(from, at);
        return none + 8 * at + kBp.first[byte][bytes.Fall(more, at)];
    }

    static HWY_INLINE unsigned FirstOfAll(const uint64_t *words, int, int rise) {
        const Bytes<kAfter> bytes(Load(words), Load(words + kHalf));
        const Sums more = RelativeToEnd(bytes.OfWords(kBp.halves_from), -rise);
        const unsigned at = pmi_bits_lowest(bytes.Below(more) | UINT64_C(1) << 63);
        return 8 * at + kBp.first[ByteOf(words, at)][bytes.Fall(more, at)];
    }

    template <BpExit kExit = BpExit::kGuessed>
    static HWY_INLINE unsigned Last(const uint64_t *words, unsigned to, int fall, Rise *rise) {
        // Elements from `to` on become opens, before which the excess is not lower.
        const Bytes<kBefore> bytes(_mm256_or_si256(Load(words), FromBit(to, 0)),
                                   _mm256_or_si256(Load(words + kHalf), FromBit(to, kHalf)));
        const int closes = static_cast<int>(PM_BP_BLOCK - to); // if they were
        const Sums from = bytes.OfWords(kBp.halves_from);
        *rise = {from.low, PM_BP_BLOCK + closes};
        const Sums more = RelativeToEnd(from, -closes - fall);
        const uint64_t found = bytes.Below(more);
        if (kExit == BpExit::kGuessed && HWY_UNLIKELY(found == 0))
            return PM_BP_BLOCK;
        const unsigned none = kExit == BpExit::kValue && found == 0 ? PM_BP_BLOCK : 0;
        const unsigned at = pmi_bits_highest(found | 1);
        const unsigned byte = ByteOf(words, at) | FromBitOfByte(to, at);
        return none + 8 * at + kBp.last[byte][bytes.Fall(more, at)];
    }

    static HWY_INLINE unsigned LastOfAll(const uint64_t *words, int fall) {
        const Bytes<kBefore> bytes(Load(words), Load(words + kHalf));
        const Sums more = RelativeToEnd(bytes.OfWords(kBp.halves_from), -fall);
        const unsigned at = pmi_bits_highest(bytes.Below(more) | 1);
        return 8 * at + kBp.last[ByteOf(words, at)][bytes.Fall(more, at)];
    }

    template <BpExit kExit = BpExit::kGuessed> static HWY_INLINE unsigned ToClose(uint64_t word, unsigned open) {
        const uint64_t closes = ~word >> open; // the open itself being none
        return FirstLead<kExit>(closes, static_cast<uint32_t>(closes), kBp.pairs_upwards);
    }

    template <BpExit kExit = BpExit::kGuessed> static HWY_INLINE unsigned ToOpen(uint64_t word, unsigned missing) {
        const uint64_t opens = word << missing >> 1; // and one element more, as pairs begin and end with it
        return FirstLead<kExit>(opens, static_cast<uint32_t>(opens >> 32), kBp.pairs_downwards);
    }

    static HWY_INLINE pm_bp_view_count CountOpens(const pm_bp_view &view, bool wide, const uint64_t *words, uint64_t at,
                                                  uint64_t i) {
        return pm_bp_view_count_avx2(&view, wide, false, words, at, i);
    }

    static HWY_INLINE unsigned Select(const uint64_t *words, unsigned k) {
        unsigned word = 0, before = 0, sum = 0;
        for (unsigned w = 0; w < PM_BP_BLOCK_WORDS - 1; w++) {
            sum += pmi_bits_count(words[w]);
            word += sum <= k;
            before = sum <= k ? sum : before;
        }
        return word * PM_WORD_BITS + pmi_bits_lowest(_pdep_u64(uint64_t{1} << (k - before) % 64, words[word]));
    }

    static HWY_INLINE unsigned BlocksWithin(const pm_bp_line *line, int twice) {
        const __m256i elements = _mm256_setr_epi16(512, 1024, 1536, 2048, 2560, 3072, 3584, 4096, 4608, 5120, 5632,
                                                   6144, 6656, 7168, 7680, 8192);
        const __m256i doubled = _mm256_add_epi16(elements, Load(line->end));
        const __m256i more = _mm256_cmpgt_epi16(doubled, _mm256_set1_epi16(static_cast<int16_t>(twice)));
        return PM_BP_LINE_BLOCKS - pmi_bits_count(static_cast<uint32_t>(_mm256_movemask_epi8(more))) / 2;
    }

    static HWY_INLINE uint32_t AtMost(const int16_t *excesses, Number excess) {
        return AtMost16(excesses, _mm256_broadcastw_epi16(_mm256_castsi256_si128(excess)));
    }
    static HWY_INLINE uint32_t AtMost(const int32_t *excesses, Number excess) {
        const __m256i wanted = _mm256_broadcastd_epi32(_mm256_castsi256_si128(excess));
        const __m256i low = _mm256_packs_epi32(_mm256_cmpgt_epi32(Load(excesses), wanted),
                                               _mm256_cmpgt_epi32(Load(excesses + 8), wanted));
        const __m256i high = _mm256_packs_epi32(_mm256_cmpgt_epi32(Load(excesses + 16), wanted),
                                                _mm256_cmpgt_epi32(Load(excesses + 24), wanted));
        // Fours of each half of the vectors, interleaved.
        const __m256i more =
            _mm256_permutevar8x32_epi32(_mm256_packs_epi16(low, high), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
        return ~static_cast<uint32_t>(_mm256_movemask_epi8(more));
    }
    static HWY_INLINE uint32_t AtMost(const int64_t *excesses, Number excess) {
        const __m256i wanted = _mm256_broadcastq_epi64(_mm256_castsi256_si128(excess));
        uint32_t more = 0;
        for (unsigned i = 0; i < 8; i++) {
            const __m256i greater = _mm256_cmpgt_epi64(Load(excesses + 4 * i), wanted);
            more |= static_cast<uint32_t>(_mm256_movemask_pd(_mm256_castsi256_pd(greater))) << 4 * i;
        }
        return ~more;
    }
    template <class Excess> static HWY_INLINE uint32_t AtMost(const Excess *excesses, int64_t excess) {
        return AtMost(excesses, _mm256_castsi128_si256(_mm_cvtsi64_si128(excess)));
    }

    static HWY_INLINE int Summarise(const uint64_t *words, int *min) {
        const Bytes<kAfter> bytes(Load(words), Load(words + kHalf));
        const Sums before = bytes.OfWords(kBp.halves_before);
        *min = bytes.Min(before);
        return static_cast<int>(Lowest(before.low)) - static_cast<int>(PM_BP_BLOCK);
    }

    static HWY_INLINE int Min(const uint64_t *words, unsigned from, unsigned to) {
        // Closes come down to there, and opens go up from there.
        const __m256i low = _mm256_and_si256(Load(words), FromBit(from, 0));
        const __m256i high = _mm256_and_si256(Load(words + kHalf), FromBit(from, kHalf));
        const Bytes<kAfter> bytes(_mm256_or_si256(low, FromBit(to, 0)), _mm256_or_si256(high, FromBit(to, kHalf)));
        return bytes.Min(bytes.OfWords(kBp.halves_before)) + static_cast<int>(from);
    }

    static HWY_INLINE unsigned Count(const uint64_t *words, unsigned from, unsigned to, int wanted) {
        return WordBlock::Count(words, from, to, wanted);
    }

  private:
    // Numbers for words 0 ... 3 and 4 ... 7, in 64 bits each; or for their bytes.
    struct Sums {
        __m256i low, high;
    };

    // Whether the minimum excesses are those after elements, or those before them.
    enum Side {
        kAfter,
        kBefore
    };

    // All 64 bytes of a block.
    template <Side kSide> class Bytes {
      public:
        HWY_INLINE Bytes(__m256i low, __m256i high) : low_(low), high_(high) {}

        // For each word twice the opens of some words, as kBp.halves_... say.
        HWY_INLINE Sums OfWords(const uint8_t (*of)[32]) const {
            const __m256i zero = _mm256_setzero_si256();
            const __m256i sums =
                _mm256_packus_epi32(_mm256_sad_epu8(low_.twice, zero), _mm256_sad_epu8(high_.twice, zero));
            const __m256i all = _mm256_packus_epi16(sums, _mm256_permute4x64_epi64(sums, 0x4e));
            return {_mm256_sad_epu8(_mm256_shuffle_epi8(all, Table(of[0])), zero),
                    _mm256_sad_epu8(_mm256_shuffle_epi8(all, Table(of[1])), zero)};
        }

        // A bit for each byte whose minimum excess is below `more`.
        HWY_INLINE uint64_t Below(const Sums &more) const {
            const __m256i low = _mm256_cmpgt_epi8(more.low, low_.min);
            const __m256i high = _mm256_cmpgt_epi8(more.high, high_.min);
            const uint64_t in_high = static_cast<uint32_t>(_mm256_movemask_epi8(high));
            return static_cast<uint32_t>(_mm256_movemask_epi8(low)) | in_high << 32;
        }

        // By how much, modulo 8, the excess before byte `at` (or after it) is above the wanted one, which is below
        // `more` by 1.
        HWY_INLINE unsigned Fall(const Sums &more, unsigned at) const {
            uint8_t falls[64];
            _mm256_storeu_si256(reinterpret_cast<__m256i *>(falls), _mm256_sub_epi8(low_.excess, more.low));
            _mm256_storeu_si256(reinterpret_cast<__m256i *>(falls + 32), _mm256_sub_epi8(high_.excess, more.high));
            return (falls[at] + 1u) % 8;
        }

        // The minimum excess, the block's ends included.
        HWY_INLINE int Min(const Sums &before) const {
            const __m256i begins = _mm256_setr_epi64x(0, 64, 128, 192), more = _mm256_setr_epi64x(256, 320, 384, 448);
            const __m256i in_low = _mm256_blend_epi32(before.low, _mm256_setzero_si256(), 0x03);
            const __m256i low = _mm256_add_epi16(MinOfWords(low_.min), _mm256_sub_epi16(in_low, begins));
            const __m256i high = _mm256_add_epi16(MinOfWords(high_.min), _mm256_sub_epi16(before.high, more));
            // One of each four is a word's; the others are made large.
            const __m256i sixteen = _mm256_blend_epi16(_mm256_set1_epi16(INT16_MAX), _mm256_min_epi16(low, high), 0x11);
            const __m128i eight = _mm_min_epi16(_mm256_castsi256_si128(sixteen), _mm256_extracti128_si256(sixteen, 1));
            const __m128i positive = _mm_xor_si128(eight, _mm_set1_epi16(INT16_MIN));
            const int found = (_mm_cvtsi128_si32(_mm_minpos_epu16(positive)) & 0xffff) + INT16_MIN;
            return HWY_MIN(found, 0);
        }

      private:
        // Half a block.
        struct Half {
            HWY_INLINE explicit Half(__m256i elements) {
                const __m256i four = Constant(kBp.four);
                const __m256i first = _mm256_and_si256(elements, four);
                const __m256i next = _mm256_and_si256(_mm256_srli_epi16(elements, 4), four);
                const __m256i twice_first = _mm256_shuffle_epi8(Table(kBp.four_twice), first);
                twice = _mm256_add_epi8(twice_first, _mm256_shuffle_epi8(Table(kBp.four_twice), next));
                __m256i sums = _mm256_add_epi8(twice, _mm256_slli_epi64(twice, 8));
                sums = _mm256_add_epi8(sums, _mm256_slli_epi64(sums, 16));
                sums = _mm256_add_epi8(sums, _mm256_slli_epi64(sums, 32));
                const __m256i after = _mm256_sub_epi8(sums, Constant(kBp.elements_after));
                const __m256i before = _mm256_slli_epi64(after, 8);
                const __m256i of_first =
                    _mm256_shuffle_epi8(Table(kSide == kAfter ? kBp.four_after : kBp.four_before), first);
                const __m256i of_next =
                    _mm256_shuffle_epi8(Table(kSide == kAfter ? kBp.next_four_after : kBp.next_four_before), next);
                min = _mm256_add_epi8(before, _mm256_min_epi8(of_first, _mm256_add_epi8(twice_first, of_next)));
                excess = kSide == kAfter ? before : after;
            }

            __m256i twice;       // of each byte twice the opens;
            __m256i min, excess; // relative to its word, the minimum excess, and that at its other side
        };

        // The minimum byte of each word, in the lowest 16 bits of it.
        static HWY_INLINE __m256i MinOfWords(__m256i min) {
            min = _mm256_min_epi8(min, _mm256_srli_epi64(min, 32));
            min = _mm256_min_epi8(min, _mm256_srli_epi64(min, 16));
            min = _mm256_min_epi8(min, _mm256_srli_epi64(min, 8));
            return _mm256_srai_epi16(_mm256_slli_epi16(min, 8), 8);
        }

        Half low_, high_;
    };

    // What is more than an excess by 1, relative to each word, in all its bytes: of an excess relative to the block's
    // beginning or to its end.
    static HWY_INLINE Sums RelativeToBegin(const Sums &before, int excess) {
        const __m256i more = Broadcast16(excess + 1);
        const __m256i low = _mm256_add_epi16(
            more, _mm256_setr_epi16(0, 0, 0, 0, 64, 64, 64, 64, 128, 128, 128, 128, 192, 192, 192, 192));
        const __m256i high = _mm256_add_epi16(
            more, _mm256_setr_epi16(256, 256, 256, 256, 320, 320, 320, 320, 384, 384, 384, 384, 448, 448, 448, 448));
        // The lowest 16 bits of word 0 have lost what all words have, the next ones nothing.
        return OfBytes(_mm256_sub_epi16(low, before.low), _mm256_sub_epi16(high, before.high), 1);
    }
    static HWY_INLINE Sums RelativeToEnd(const Sums &from, int excess) {
        const __m256i more = Broadcast16(excess + 1);
        const __m256i low = _mm256_add_epi16(more, _mm256_setr_epi64x(-512, -448, -384, -320));
        const __m256i high = _mm256_add_epi16(more, _mm256_setr_epi64x(-256, -192, -128, -64));
        return OfBytes(_mm256_add_epi16(low, from.low), _mm256_add_epi16(high, from.high), 0);
    }

    // The lowest 16 bits of each word's number in all bytes of the word; or, for word 0, the next ones.
    static HWY_INLINE Sums OfBytes(__m256i low, __m256i high, int of_first) {
        const __m256i both = _mm256_packs_epi16(low, high);
        const int64_t first = of_first * 0x0101010101010101, second = 0x0404040404040404;
        return {_mm256_shuffle_epi8(both, _mm256_setr_epi64x(first, second, 0, second)),
                _mm256_shuffle_epi8(both, _mm256_setr_epi64x(2 * second, 3 * second, 2 * second, 3 * second))};
    }

    // How many elements there are before the first of a word's odd beginnings (or ends) in which ones lead; 64 if there
    // is none. They are counted together with a zero that comes before them, as pairs; `first` are the bits of the
    // first 16 pairs. Bytes are counted to their ends; those that end words of 32 bits again for what follows.
    template <BpExit kExit>
    static HWY_INLINE unsigned FirstLead(uint64_t word, uint32_t first, const BpTables::Pairs &pairs) {
        const __m256i copies = _mm256_set1_epi64x(static_cast<int64_t>(word)), four = Constant(kBp.four);
        const __m256i bytes = _mm256_shuffle_epi8(copies, Table(pairs.last_byte));
        const __m256i counted = _mm256_and_si256(bytes, Constant(pairs.of_last));
        const __m256i low = _mm256_and_si256(counted, four);
        const __m256i high = _mm256_and_si256(_mm256_srli_epi16(counted, 4), four);
        const __m256i in_last = _mm256_add_epi8(_mm256_shuffle_epi8(Table(kBp.four_ones), low),
                                                _mm256_shuffle_epi8(Table(kBp.four_ones), high));
        const __m256i one_before = _mm256_shuffle_epi8(in_last, Table(kBp.quarters_behind[0]));
        const __m256i two_before = _mm256_shuffle_epi8(in_last, Table(kBp.quarters_behind[1]));
        const __m256i three_before = _mm256_shuffle_epi8(in_last, Table(kBp.quarters_behind[2]));
        const __m128i in_first = _mm_cvtsi32_si128(_mm_popcnt_u32(first));
        const __m256i half = _mm256_sub_epi8(
            Table(pairs.half), _mm256_blend_epi32(_mm256_broadcastb_epi8(in_first), _mm256_setzero_si256(), 0x0f));
        const __m256i ones =
            _mm256_add_epi8(_mm256_add_epi8(in_last, one_before), _mm256_add_epi8(two_before, three_before));
        const uint32_t lead = static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpgt_epi8(ones, half)));
        if (kExit == BpExit::kGuessed && HWY_UNLIKELY(lead == 0)) // the branch comes before the number
            return PM_WORD_BITS;
        return 2 * static_cast<unsigned>(_tzcnt_u32(lead)); // 32 of none
    }

    static constexpr unsigned kHalf = PM_BP_BLOCK_WORDS / 2;

    template <class T> static HWY_INLINE __m256i Table(const T *table) {
        return _mm256_load_si256(reinterpret_cast<const __m256i *>(table));
    }

    // One that compilers read, instead of making it of what they know of it, which takes them three steps.
    template <class T> static HWY_INLINE __m256i Constant(const T *table) {
        __m256i constant;
        __asm__("vmovdqa %1, %0" : "=x"(constant) : "m"(*reinterpret_cast<const T(*)[32]>(table)));
        return constant;
    }

    static HWY_INLINE __m256i Broadcast16(int excess) {
        return _mm256_set1_epi16(static_cast<int16_t>(excess));
    }
    static HWY_INLINE unsigned Lowest(__m256i numbers) {
        return static_cast<unsigned>(_mm_cvtsi128_si32(_mm256_castsi256_si128(numbers)));
    }

    static HWY_INLINE uint32_t AtMost16(const int16_t *excesses, __m256i wanted) {
        const __m256i more = _mm256_cmpgt_epi16(Load(excesses), wanted);
        const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(more), _mm256_extracti128_si256(more, 1));
        return ~static_cast<uint32_t>(_mm_movemask_epi8(bytes)) & 0xffff;
    }

    // Ones from bit `from` <= 512 of the block on, of the four words from `first` on.
    static HWY_INLINE __m256i FromBit(unsigned from, unsigned first) {
        const __m256i begins = _mm256_add_epi64(_mm256_setr_epi64x(0, 64, 128, 192),
                                                _mm256_set1_epi64x(static_cast<int64_t>(first * PM_WORD_BITS)));
        const __m256i below = _mm256_subs_epu16(_mm256_set1_epi64x(from), begins);
        return _mm256_sllv_epi64(_mm256_set1_epi64x(-1), below);
    }

    static HWY_INLINE unsigned FromBitOfByte(unsigned from, unsigned at) {
        return kBp.from_bit[from % 8][64 + at - from / 8];
    }

    static HWY_INLINE unsigned ByteOf(const uint64_t *words, uint64_t at) {
        return reinterpret_cast<const uint8_t *>(words)[at];
    }

    template <class T> static HWY_INLINE __m256i Load(const T *from) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from));
    }
};

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#endif
