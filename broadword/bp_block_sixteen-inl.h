// SPDX-License-Identifier: Apache-2.0
// Searches inside a block, and the lines and rows of the index, for vectors that look up 16 bytes at a time: SSSE3,
// SSE4 and NEON. Vectors find the word, and what word.h has finds the element in it.
#if defined(PM_BROADWORD_BP_BLOCK_SIXTEEN_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_BP_BLOCK_SIXTEEN_INL_H
#undef PM_BROADWORD_BP_BLOCK_SIXTEEN_INL_H
#else
#define PM_BROADWORD_BP_BLOCK_SIXTEEN_INL_H
#endif

#include "broadword/bp_block_words.h"
#include "broadword/bp_tables.h"
#include "core/bp_index.h"
#include "hwy/highway.h"

// The other targets have blocks of their own.
#if HWY_TARGET != HWY_AVX3_DL && HWY_TARGET != HWY_AVX2 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

HWY_BEFORE_NAMESPACE();
namespace pm {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// What each function answers stands in bp_block_avx512-inl.h; what is missing here, a word at a time does as well.
class Block : public WordBlock {
  public:
    template <BpExit = BpExit::kGuessed>
    static HWY_INLINE unsigned First(const uint64_t *words, unsigned from, int fall, Rise *rise) {
        // Elements before `from` become closes, of which there are too few to be taken for the fall.
        Vectors elements = Load(words);
        for (unsigned v = 0; v < kVectors; v++)
            elements.of[v] = hn::And(elements.of[v], FromBit(from, v));
        const Words levels(elements, kBp.four_after);
        const int wanted = -static_cast<int>(from) - fall;
        *rise = levels.end() + static_cast<int>(from);
        const unsigned w = pm_bits_lowest(levels.ReachedBy(wanted) | kNoWord);
        if (HWY_UNLIKELY(w == PM_BP_BLOCK_WORDS))
            return PM_BP_BLOCK;
        const uint64_t kept = w == from / PM_WORD_BITS ? ~pm_bits_low(from % PM_WORD_BITS) : UINT64_MAX;
        return w * PM_WORD_BITS + WordBlock::FirstOf(words[w] & kept, levels.before(w) - wanted);
    }

    static HWY_INLINE unsigned FirstOfAll(const uint64_t *words, int fall, int) {
        const Words levels(Load(words), kBp.four_after);
        const unsigned w = pm_bits_lowest(levels.ReachedBy(-fall) | kNoWord >> 1);
        return w * PM_WORD_BITS + WordBlock::FirstOf(words[w], levels.before(w) + fall);
    }

    template <BpExit = BpExit::kGuessed>
    static HWY_INLINE unsigned Last(const uint64_t *words, unsigned to, int fall, Rise *rise) {
        // Elements from `to` on become opens, before which the level is not lower.
        Vectors elements = Load(words);
        for (unsigned v = 0; v < kVectors; v++)
            elements.of[v] = hn::Or(elements.of[v], FromBit(to, v));
        const Words levels(elements, kBp.four_before);
        *rise = levels.end() - static_cast<int>(PM_BP_BLOCK - to);
        const unsigned found = levels.ReachedBy(*rise - fall);
        if (HWY_UNLIKELY(found == 0))
            return PM_BP_BLOCK;
        const unsigned w = pm_bits_highest(found);
        const uint64_t opens = w == to / PM_WORD_BITS ? ~pm_bits_low(to % PM_WORD_BITS) : 0;
        return w * PM_WORD_BITS + WordBlock::LastOf(words[w] | opens, levels.before(w + 1) - *rise + fall);
    }

    static HWY_INLINE unsigned LastOfAll(const uint64_t *words, int fall) {
        const Words levels(Load(words), kBp.four_before);
        const unsigned w = pm_bits_highest(levels.ReachedBy(levels.end() - fall) | 1);
        return w * PM_WORD_BITS + WordBlock::LastOf(words[w], levels.before(w + 1) - levels.end() + fall);
    }

    static HWY_INLINE uint64_t Rank(const pm_bp_view &view, bool wide, const uint64_t *words, uint64_t at, uint64_t i) {
        return pm_bp_view_opens(&view, wide, false, HWY_ARCH_ARM_A64 != 0, words, at, i);
    }

    static HWY_INLINE uint32_t AtMost(const int16_t *levels, int64_t level) {
        const auto wanted = hn::Set(kShorts, static_cast<int16_t>(level));
        return 0xffff & ~(Bits(Above(levels, wanted)) | Bits(Above(levels + 8, wanted)) << 8);
    }
    static HWY_INLINE uint32_t AtMost(const int32_t *levels, int64_t level) {
        const auto wanted = hn::Set(kLongs, static_cast<int32_t>(level));
        uint32_t above = 0;
        for (unsigned i = 0; i < PM_BP_FAN_OUT; i += 8) {
            // In half the width ones stay ones.
            const auto eight = hn::ReorderDemote2To(kShorts, Above(levels + i, wanted), Above(levels + i + 4, wanted));
            above |= uint32_t{Bits(eight)} << i;
        }
        return ~above;
    }
    static HWY_INLINE uint32_t AtMost(const int64_t *levels, int64_t level) {
        return WordBlock::AtMost(levels, level);
    }

    static HWY_INLINE int Summarise(const uint64_t *words, int *least) {
        const Words levels(Load(words), kBp.four_after);
        *least = levels.Least();
        return levels.end();
    }

    static HWY_INLINE int Least(const uint64_t *words, unsigned from, unsigned to) {
        // Closes come down to there, and opens go up from there.
        Vectors elements = Load(words);
        for (unsigned v = 0; v < kVectors; v++)
            elements.of[v] = hn::Or(hn::And(elements.of[v], FromBit(from, v)), FromBit(to, v));
        return Words(elements, kBp.four_after).Least() + static_cast<int>(from);
    }

  private:
    static constexpr unsigned kVectors = 4, kNoWord = 1u << PM_BP_BLOCK_WORDS;
    static constexpr hn::Full128<int8_t> kBytes{};
    static constexpr hn::Full128<int16_t> kShorts{};
    static constexpr hn::Full128<int32_t> kLongs{};
    static constexpr hn::Full128<uint64_t> kWords{};
    using VBytes = hn::Vec<hn::Full128<int8_t>>;
    using VShorts = hn::Vec<hn::Full128<int16_t>>;

    struct Vectors {
        VBytes of[kVectors];
    };

    // The levels of a block's words.
    class Words {
      public:
        // A byte's least level is looked up in the table, for four elements each; so it is after elements or before.
        HWY_INLINE Words(const Vectors &elements, const int8_t *table) {
            VShorts rise = hn::Zero(kShorts);
            least_ = hn::Zero(kShorts);
            for (unsigned v = 0; v < kVectors; v++) {
                VBytes after, least = LeastOfBytes(elements.of[v], table, &after);
                least = hn::Min(least, ShiftRight<32>(least));
                least = hn::Min(least, ShiftRight<16>(least));
                least = hn::Min(least, ShiftRight<8>(least));
                rise = hn::Or(rise, Gather(after, kBp.last_of_words[v]));
                least_ = hn::Or(least_, Gather(least, kBp.first_of_words[v]));
            }
            rise = hn::ShiftRight<8>(rise);
            VShorts after = hn::Add(rise, hn::ShiftLeftLanes<1>(kShorts, rise));
            after = hn::Add(after, hn::ShiftLeftLanes<2>(kShorts, after));
            after = hn::Add(after, hn::ShiftLeftLanes<4>(kShorts, after));
            least_ = hn::Add(hn::ShiftRight<8>(least_), hn::Sub(after, rise));
            before_[0] = 0;
            hn::StoreU(after, kShorts, before_ + 1);
        }

        // The level before a word, or before what follows the last one.
        HWY_INLINE int before(unsigned word) const {
            return before_[word];
        }
        HWY_INLINE int end() const {
            return before_[PM_BP_BLOCK_WORDS];
        }

        // Which words reach down to a level.
        HWY_INLINE unsigned ReachedBy(int level) const {
            const auto wanted = hn::Set(kShorts, static_cast<int16_t>(level));
            return 0xff & ~Bits(hn::VecFromMask(kShorts, hn::Gt(least_, wanted)));
        }

        // The least level, the block's ends included.
        HWY_INLINE int Least() const {
            VShorts least = hn::Min(least_, hn::ShiftRightLanes<4>(kShorts, least_)); // with zeros, as the beginning is
            least = hn::Min(least, hn::ShiftRightLanes<2>(kShorts, least));
            least = hn::Min(least, hn::ShiftRightLanes<1>(kShorts, least));
            return HWY_MIN(hn::GetLane(least), 0);
        }

      private:
        VShorts least_;
        int16_t before_[PM_BP_BLOCK_WORDS + 1];
    };

    static HWY_INLINE Vectors Load(const uint64_t *words) {
        Vectors block;
        for (unsigned v = 0; v < kVectors; v++)
            block.of[v] = hn::BitCast(kBytes, hn::LoadU(kWords, words + 2 * v));
        return block;
    }

    // Each byte's least level, and that after it, relative to its word.
    static HWY_INLINE VBytes LeastOfBytes(VBytes elements, const int8_t *table, VBytes *after) {
        const VBytes four = hn::Set(kBytes, 15), halves = hn::Load(kBytes, kBp.half_after);
        const VBytes low = hn::And(elements, four);
        const VBytes high = hn::And(hn::BitCast(kBytes, hn::ShiftRight<4>(hn::BitCast(kShorts, elements))), four);
        const VBytes low_half = hn::TableLookupBytes(halves, low);
        VBytes half = hn::Add(low_half, hn::TableLookupBytes(halves, high));
        half = hn::Add(half, ShiftLeft<8>(half));
        half = hn::Add(half, ShiftLeft<16>(half));
        half = hn::Add(half, ShiftLeft<32>(half));
        *after = hn::Add(half, half);
        const VBytes of_four = hn::Load(kBytes, table);
        const VBytes of_high = hn::Add(hn::Add(low_half, low_half), hn::TableLookupBytes(of_four, high));
        return hn::Add(ShiftLeft<8>(*after), hn::Min(hn::TableLookupBytes(of_four, low), of_high));
    }

    template <int kBits> static HWY_INLINE VBytes ShiftLeft(VBytes words) {
        return hn::BitCast(kBytes, hn::ShiftLeft<kBits>(hn::BitCast(kWords, words)));
    }
    template <int kBits> static HWY_INLINE VBytes ShiftRight(VBytes words) {
        return hn::BitCast(kBytes, hn::ShiftRight<kBits>(hn::BitCast(kWords, words)));
    }

    // Bytes of a vector, from where the table says; zeros from nowhere.
    static HWY_INLINE VShorts Gather(VBytes bytes, const int8_t *from) {
        return hn::BitCast(kShorts, hn::TableLookupBytesOr0(bytes, hn::Load(kBytes, from)));
    }

    // Ones from bit `from` <= 512 of the block on, of vector v.
    static HWY_INLINE VBytes FromBit(unsigned from, unsigned v) {
        const VBytes bytes = hn::Iota(kBytes, static_cast<int8_t>(16 * v));
        const VBytes first = hn::Set(kBytes, static_cast<int8_t>(from / 8));
        const VBytes partial = hn::Set(kBytes, static_cast<int8_t>(0xff << from % 8));
        return hn::Or(hn::VecFromMask(kBytes, hn::Gt(bytes, first)),
                      hn::And(hn::VecFromMask(kBytes, hn::Eq(bytes, first)), partial));
    }

    // Ones where levels are above `wanted`.
    template <class T, class V> static HWY_INLINE V Above(const T *levels, V wanted) {
        const hn::Full128<T> d;
        return hn::VecFromMask(d, hn::Gt(hn::LoadU(d, levels), wanted));
    }

    // A bit for each of eight lanes of ones or zeros.
    static HWY_INLINE unsigned Bits(VShorts lanes) {
        uint8_t bits;
        hn::StoreMaskBits(kShorts, hn::MaskFromVec(lanes), &bits);
        return bits;
    }
};

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif

#endif
