// SPDX-License-Identifier: Apache-2.0
// Searches inside a block, and the lines and rows of the index, for vectors that look up 16 bytes at a time: SSSE3,
// SSE4 and NEON. A search inside a word is that of word.h.
#if defined(PM_BROADWORD_BP_BLOCK_SIXTEEN_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_BP_BLOCK_SIXTEEN_INL_H
#undef PM_BROADWORD_BP_BLOCK_SIXTEEN_INL_H
#else
#define PM_BROADWORD_BP_BLOCK_SIXTEEN_INL_H
#endif

#include "base/bp_index.h"
#include "broadword/bp/block_sse2.h"
#include "broadword/bp/block_words.h"
#include "broadword/bp/tables.h"
#include "broadword/vector-inl.h"
#include "hwy/highway.h"

// The other targets have blocks of their own.
#if HWY_TARGET != HWY_AVX3_DL && HWY_TARGET != HWY_AVX2 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The 64 bytes of a block as four vectors: their excesses relative to their words, these relative to the block. What
// each function answers stands in block_avx512-inl.h; what is missing here, a word at a time does as well.
class Block : public WordBlock {
  public:
    static constexpr bool kByWords = false;

    template <BpExit kExit = BpExit::kGuessed>
    static HWY_INLINE unsigned First(const uint64_t *words, unsigned from, int fall, Rise *rise) {
        // Elements before `from` become closes, of which there are too few to be taken for the fall.
        Vectors elements = Load(words);
        for (unsigned v = 0; v < kVectors; v++)
            elements.of[v] = hn::And(elements.of[v], FromBit(from, v));
        const int begin = -static_cast<int>(from);
        const Excesses<kAfter> excesses(elements);
        const VShorts twice = SumsOfWords(excesses.twice), to = SumsUpwards(twice);
        *rise = Last(to) - static_cast<int>(PM_BP_BLOCK) - begin;
        const Vectors more = RelativeToBegin(hn::Sub(to, twice), begin - fall);
        const uint64_t found = excesses.Below(more);
        if (kExit == BpExit::kGuessed && HWY_UNLIKELY(found == 0))
            return PM_BP_BLOCK;
        const unsigned none = kExit == BpExit::kValue && found == 0 ? PM_BP_BLOCK : 0;
        const unsigned at = pmi_bits_lowest(found | UINT64_C(1) << 63);
        const unsigned byte = ByteOf(words, at) & FromBitOfByte(from, at);
        return none + 8 * at + kBp.first[byte][excesses.Fall(more, at)];
    }

    static HWY_INLINE unsigned FirstOfAll(const uint64_t *words, int, int rise) {
        const Excesses<kAfter> excesses(Load(words));
        const Vectors more = RelativeToEnd(SumsDownwards(SumsOfWords(excesses.twice)), -rise);
        const unsigned at = pmi_bits_lowest(excesses.Below(more) | UINT64_C(1) << 63);
        return 8 * at + kBp.first[ByteOf(words, at)][excesses.Fall(more, at)];
    }

    template <BpExit kExit = BpExit::kGuessed>
    static HWY_INLINE unsigned Last(const uint64_t *words, unsigned to, int fall, Rise *rise) {
        // Elements from `to` on become opens, before which the excess is not lower.
        Vectors elements = Load(words);
        for (unsigned v = 0; v < kVectors; v++)
            elements.of[v] = hn::Or(elements.of[v], FromBit(to, v));
        const int closes = static_cast<int>(PM_BP_BLOCK - to); // if they were
        const Excesses<kBefore> excesses(elements);
        const VShorts from = SumsDownwards(SumsOfWords(excesses.twice));
        *rise = hn::GetLane(from) - static_cast<int>(PM_BP_BLOCK) - closes;
        const Vectors more = RelativeToEnd(from, -closes - fall);
        const uint64_t found = excesses.Below(more);
        if (kExit == BpExit::kGuessed && HWY_UNLIKELY(found == 0))
            return PM_BP_BLOCK;
        const unsigned none = kExit == BpExit::kValue && found == 0 ? PM_BP_BLOCK : 0;
        const unsigned at = pmi_bits_highest(found | 1);
        const unsigned byte = ByteOf(words, at) | FromBitOfByte(to, at);
        return none + 8 * at + kBp.last[byte][excesses.Fall(more, at)];
    }

    static HWY_INLINE unsigned LastOfAll(const uint64_t *words, int fall) {
        const Excesses<kBefore> excesses(Load(words));
        const Vectors more = RelativeToEnd(SumsDownwards(SumsOfWords(excesses.twice)), -fall);
        const unsigned at = pmi_bits_highest(excesses.Below(more) | 1);
        return 8 * at + kBp.last[ByteOf(words, at)][excesses.Fall(more, at)];
    }

    static HWY_INLINE pm_bp_view_count CountOpens(const pm_bp_view &view, bool wide, const uint64_t *words, uint64_t at,
                                                  uint64_t i) {
        const uint64_t *const half = words + at / kHalf * (PM_BP_BLOCK_WORDS / 2);
        const VBytes before = hn::BitCast(kBytes, hn::Set(kWords, i / kHalf % 2 - 1));
        VBytes opens = hn::Zero(kBytes);
        for (unsigned v = 0; v < kVectors / 2; v++) {
            const VBytes elements = hn::BitCast(kBytes, hn::LoadU(kWords, half + 2 * v));
            opens = hn::Add(opens, Opens(hn::And(elements, hn::Xor(FromBit(i % kHalf, v), before))));
        }
        const auto two = hn::SumsOf8(hn::BitCast(kUnsigned, opens));
        const uint64_t between = hn::GetLane(hn::Add(two, hn::ShiftRightLanes<1>(kWords, two)));
        return pm_bp_view_from_nearer(&view, wide, i, between);
    }

#if HWY_TARGET == HWY_SSSE3 // which does not count the ones of a word
    static HWY_INLINE unsigned Select(const uint64_t *words, unsigned k) {
        return Sse2Block::Select(words, k);
    }
#endif

    static HWY_INLINE uint32_t AtMost(const int16_t *excesses, int64_t excess) {
        const auto wanted = hn::Set(kShorts, static_cast<int16_t>(excess));
        const auto more = Narrow(Above(excesses, wanted), Above(excesses + 8, wanted));
        return 0xffff & ~Bits(hn::MaskFromVec(more));
    }
    static HWY_INLINE uint32_t AtMost(const int32_t *excesses, int64_t excess) {
        const auto wanted = hn::Set(kLongs, static_cast<int32_t>(excess));
        uint32_t above = 0;
        for (unsigned i = 0; i < PM_BP_FAN_OUT; i += 16) {
            // In half the width ones stay ones.
            const auto low =
                hn::ReorderDemote2To(kShorts, Above(excesses + i, wanted), Above(excesses + i + 4, wanted));
            const auto high =
                hn::ReorderDemote2To(kShorts, Above(excesses + i + 8, wanted), Above(excesses + i + 12, wanted));
            above |= Bits(hn::MaskFromVec(Narrow(low, high))) << i;
        }
        return ~above;
    }
    static HWY_INLINE uint32_t AtMost(const int64_t *excesses, int64_t excess) {
        return WordBlock::AtMost(excesses, excess);
    }

    static HWY_INLINE int Summarise(const uint64_t *words, int *min) {
        const Excesses<kAfter> excesses(Load(words));
        const VShorts twice = SumsOfWords(excesses.twice), to = SumsUpwards(twice);
        *min = excesses.Min(hn::Sub(to, twice));
        return Last(to) - static_cast<int>(PM_BP_BLOCK);
    }

    static HWY_INLINE int Min(const uint64_t *words, unsigned from, unsigned to) {
        // Closes come down to there, and opens go up from there.
        Vectors elements = Load(words);
        for (unsigned v = 0; v < kVectors; v++)
            elements.of[v] = hn::Or(hn::And(elements.of[v], FromBit(from, v)), FromBit(to, v));
        const Excesses<kAfter> excesses(elements);
        const VShorts twice = SumsOfWords(excesses.twice);
        return excesses.Min(hn::Sub(SumsUpwards(twice), twice)) + static_cast<int>(from);
    }

  private:
    static constexpr unsigned kVectors = 4;
    static constexpr hn::Full128<int8_t> kBytes{};
    static constexpr hn::Full128<uint8_t> kUnsigned{};
    static constexpr hn::Full128<int16_t> kShorts{};
    static constexpr hn::Full128<int32_t> kLongs{};
    static constexpr hn::Full128<uint64_t> kWords{};
    using VBytes = hn::Vec<hn::Full128<int8_t>>;
    using VShorts = hn::Vec<hn::Full128<int16_t>>;

    struct Vectors {
        VBytes of[kVectors];
    };

    // Whether the minimum excesses are those after elements, or those before them.
    enum Side {
        kAfter,
        kBefore
    };

    // All 64 bytes of a block.
    template <Side kSide> struct Excesses {
        HWY_INLINE explicit Excesses(const Vectors &elements) {
            for (unsigned v = 0; v < kVectors; v++)
                Fill(v, elements.of[v]);
        }

        // A bit for each byte whose minimum excess is below `more`.
        HWY_INLINE uint64_t Below(const Vectors &more) const {
            return Bits(hn::Gt(more.of[0], min.of[0]), hn::Gt(more.of[1], min.of[1]), hn::Gt(more.of[2], min.of[2]),
                        hn::Gt(more.of[3], min.of[3]));
        }

        // By how much, modulo 8, the excess before byte `at` (or after it) is above the wanted one, which is below
        // `more` by 1.
        HWY_INLINE unsigned Fall(const Vectors &more, unsigned at) const {
            int8_t falls[16 * kVectors];
            for (unsigned v = 0; v < kVectors; v++)
                hn::StoreU(hn::Sub(excess.of[v], more.of[v]), kBytes, falls + 16 * v);
            return static_cast<unsigned>(falls[at] + 1) % 8;
        }

        // The minimum excess, the block's ends included.
        HWY_INLINE int Min(VShorts before) const {
            // The minimum byte of each word, as a number that is not negative.
            const VBytes first = hn::BitCast(kBytes, hn::Set(kWords, 0xff)), more = hn::Set(kBytes, kMore);
            Vectors of_words;
            for (unsigned v = 0; v < kVectors; v++) {
                VBytes lowest = hn::Min(min.of[v], ShiftRight<32>(min.of[v]));
                lowest = hn::Min(lowest, ShiftRight<16>(lowest));
                lowest = hn::Min(lowest, ShiftRight<8>(lowest));
                of_words.of[v] = hn::And(hn::Add(lowest, more), first);
            }
            const VShorts begins = hn::Add(hn::Load(kShorts, kBp.word_begins), hn::Set(kShorts, kMore));
            VShorts lowest = hn::Add(Packed(of_words), hn::Sub(before, begins));
            lowest = hn::Min(lowest, hn::ShiftRightLanes<4>(kShorts, lowest)); // with zeros, as the beginning is
            lowest = hn::Min(lowest, hn::ShiftRightLanes<2>(kShorts, lowest));
            lowest = hn::Min(lowest, hn::ShiftRightLanes<1>(kShorts, lowest));
            return HWY_MIN(hn::GetLane(lowest), 0);
        }

        Vectors twice;       // of each byte twice the opens;
        Vectors min, excess; // relative to its word, the minimum excess, and that at its other side

      private:
        static constexpr int8_t kMore = 64;

        HWY_INLINE void Fill(unsigned v, VBytes elements) {
            const VBytes four = hn::Set(kBytes, 15), twice_four = hn::Load(kBytes, kBp.four_twice);
            const VBytes first = hn::And(elements, four);
            const VBytes next = hn::And(hn::BitCast(kBytes, hn::ShiftRight<4>(hn::BitCast(kShorts, elements))), four);
            const VBytes twice_first = LookUpBytes(twice_four, first);
            const VBytes opens = hn::Add(twice_first, LookUpBytes(twice_four, next));
            VBytes sums = hn::Add(opens, ShiftLeft<8>(opens));
            sums = hn::Add(sums, ShiftLeft<16>(sums));
            sums = hn::Add(sums, ShiftLeft<32>(sums));
            const VBytes after = hn::Sub(sums, hn::Load(kBytes, kBp.elements_after));
            const VBytes before = ShiftLeft<8>(after);
            const int8_t *const of_four = kSide == kAfter ? kBp.four_after : kBp.four_before;
            const int8_t *const of_next_four = kSide == kAfter ? kBp.next_four_after : kBp.next_four_before;
            const VBytes of_first = LookUpBytes(hn::Load(kBytes, of_four), first);
            const VBytes of_next = hn::Add(twice_first, LookUpBytes(hn::Load(kBytes, of_next_four), next));
            twice.of[v] = opens;
            min.of[v] = hn::Add(before, hn::Min(of_first, of_next));
            excess.of[v] = kSide == kAfter ? before : after;
        }
    };

    static HWY_INLINE Vectors Load(const uint64_t *words) {
        Vectors block;
        for (unsigned v = 0; v < kVectors; v++)
            block.of[v] = hn::BitCast(kBytes, hn::LoadU(kWords, words + 2 * v));
        return block;
    }

    static HWY_INLINE VBytes Opens(VBytes elements) {
        return hn::BitCast(kBytes, hn::PopulationCount(hn::BitCast(kUnsigned, elements)));
    }

    // Of eight numbers that are the lowest 16 bits of a word each, and its only ones, a vector.
    static HWY_INLINE VShorts Packed(const Vectors &words) {
        const auto four = [&words](unsigned v) HWY_ATTR {
            return hn::BitCast(kLongs, hn::ReorderDemote2To(kShorts, hn::BitCast(kLongs, words.of[v]),
                                                            hn::BitCast(kLongs, words.of[v + 1])));
        };
        return hn::ReorderDemote2To(kShorts, four(0), four(2));
    }

    // Of the bytes of each word the sum.
    static HWY_INLINE VShorts SumsOfWords(const Vectors &bytes) {
        Vectors sums;
        for (unsigned v = 0; v < kVectors; v++)
            sums.of[v] = hn::BitCast(kBytes, hn::SumsOf8(hn::BitCast(kUnsigned, bytes.of[v])));
        return Packed(sums);
    }

    // Of eight numbers the sums up to and with each, or from each on.
    static HWY_INLINE VShorts SumsUpwards(VShorts x) {
        x = hn::Add(x, hn::ShiftLeftLanes<1>(kShorts, x));
        x = hn::Add(x, hn::ShiftLeftLanes<2>(kShorts, x));
        return hn::Add(x, hn::ShiftLeftLanes<4>(kShorts, x));
    }
    static HWY_INLINE VShorts SumsDownwards(VShorts x) {
        x = hn::Add(x, hn::ShiftRightLanes<1>(kShorts, x));
        x = hn::Add(x, hn::ShiftRightLanes<2>(kShorts, x));
        return hn::Add(x, hn::ShiftRightLanes<4>(kShorts, x));
    }
    static HWY_INLINE int Last(VShorts x) {
        return hn::ExtractLane(x, 7);
    }

    // What is more than an excess by 1, relative to each word, in all its bytes: of an excess relative to the block's
    // beginning or to its end, and twice the opens before each word, or from it on.
    static HWY_INLINE Vectors RelativeToBegin(VShorts before, int excess) {
        const VShorts more = hn::Set(kShorts, static_cast<int16_t>(excess + 1));
        return OfBytes(hn::Sub(hn::Add(more, hn::Load(kShorts, kBp.word_begins)), before));
    }
    static HWY_INLINE Vectors RelativeToEnd(VShorts from, int excess) {
        const VShorts more = hn::Set(kShorts, static_cast<int16_t>(excess + 1 - static_cast<int>(PM_BP_BLOCK)));
        return OfBytes(hn::Add(hn::Add(more, hn::Load(kShorts, kBp.word_begins)), from));
    }

    // A number of each word in all its bytes; what a byte does not hold stops at its ends.
    static HWY_INLINE Vectors OfBytes(VShorts words) {
        const VBytes eight = Narrow(words, words);
        Vectors bytes;
        for (unsigned v = 0; v < kVectors; v++)
            bytes.of[v] = LookUpBytes(eight, hn::Load(kBytes, kBp.word_of_bytes[v]));
        return bytes;
    }

    template <int kBits> static HWY_INLINE VBytes ShiftLeft(VBytes words) {
        return hn::BitCast(kBytes, hn::ShiftLeft<kBits>(hn::BitCast(kWords, words)));
    }
    template <int kBits> static HWY_INLINE VBytes ShiftRight(VBytes words) {
        return hn::BitCast(kBytes, hn::ShiftRight<kBits>(hn::BitCast(kWords, words)));
    }

    // Ones from bit `from` <= 512 of the block on, of vector v; and of byte `at`.
    static HWY_INLINE VBytes FromBit(unsigned from, unsigned v) {
        return hn::BitCast(kBytes, hn::LoadU(kUnsigned, kBp.from_bit[from % 8] + 64 - from / 8 + 16 * v));
    }
    static HWY_INLINE unsigned FromBitOfByte(unsigned from, unsigned at) {
        return kBp.from_bit[from % 8][64 + at - from / 8];
    }

    static HWY_INLINE unsigned ByteOf(const uint64_t *words, uint64_t at) {
        return reinterpret_cast<const uint8_t *>(words)[at];
    }

    // Ones where excesses are above `wanted`.
    template <class T, class V> static HWY_INLINE V Above(const T *excesses, V wanted) {
        const hn::Full128<T> d;
        return hn::VecFromMask(d, hn::Gt(hn::LoadU(d, excesses), wanted));
    }

    // The same numbers in half the width, or what that holds.
    static HWY_INLINE VBytes Narrow(VShorts low, VShorts high) {
#if HWY_ARCH_X86
        return VBytes{_mm_packs_epi16(low.raw, high.raw)};
#else
        const hn::Half<hn::Full128<int8_t>> half;
        return hn::Combine(kBytes, hn::DemoteTo(half, high), hn::DemoteTo(half, low));
#endif
    }

    // A bit for each lane.
    static HWY_INLINE unsigned Bits(hn::Mask<hn::Full128<int8_t>> mask) {
        return static_cast<unsigned>(MaskBits(kBytes, mask));
    }
    static HWY_INLINE unsigned Bits(hn::Mask<hn::Full128<int16_t>> mask) {
        return static_cast<unsigned>(MaskBits(kShorts, mask));
    }
    using Mask = hn::Mask<hn::Full128<int8_t>>;
    static HWY_INLINE uint64_t Bits(Mask a, Mask b, Mask c, Mask d) {
        return (uint64_t{Bits(a)} | uint64_t{Bits(b)} << 16) | (uint64_t{Bits(c)} << 32 | uint64_t{Bits(d)} << 48);
    }
};

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#endif
