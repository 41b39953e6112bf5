// SPDX-License-Identifier: Apache-2.0
// What blocks do to a stack, each by itself and all together: the closes that go past their own opens, and the opens
// that stay. Included once for each target with vectors.
//
// The work is done on bytes that count, first one for each half byte of input, then one for each byte, two bytes, and
// so on up to the word. A part is described by its unmatched closes and its excess, opens minus closes: of two parts in
// a row, the closes are the first one's, or as many as the second one's are more than the first one's excess.
#if defined(PM_BROADWORD_MATCH_REDUCE_BLOCKS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_REDUCE_BLOCKS_INL_H
#undef PM_BROADWORD_MATCH_REDUCE_BLOCKS_INL_H
#else
#define PM_BROADWORD_MATCH_REDUCE_BLOCKS_INL_H
#endif

#include <string.h>

#include "broadword/match/range-inl.h"
#include "broadword/vector-inl.h"

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Half a byte's closes and excess: lane i is about the elements that are the bits of i.
struct HalfByteTables {
    alignas(16) int8_t close[16];
    alignas(16) int8_t excess[16];

    constexpr HalfByteTables() : close(), excess() {
        for (int half = 0; half < 16; half++) {
            int depth = 0, lowest = 0;
            for (int i = 0; i < 4; i++) {
                depth += half >> i & 1 ? 1 : -1;
                if (depth < lowest)
                    lowest = depth;
            }
            close[half] = static_cast<int8_t>(-lowest);
            excess[half] = static_cast<int8_t>(depth);
        }
    }
};

constexpr HalfByteTables kHalfByte{};

using WordTag = hn::CappedTag<uint64_t, 8>;
using CountTag = hn::Repartition<int8_t, WordTag>;
using Words = hn::Vec<WordTag>;
using Counts = hn::Vec<CountTag>;
constexpr size_t kWords = hn::MaxLanes(WordTag());

// Parts of a word, each counted in the lowest of its bytes; the others hold anything.
struct Parts {
    Counts close, excess;
};

HWY_INLINE Parts Join(Parts first, Parts second) {
    return {hn::Max(first.close, hn::Sub(second.close, first.excess)), hn::Add(first.excess, second.excess)};
}

// Joins each part of kBits bits with the next.
template <int kBits> HWY_INLINE Parts JoinPairs(Parts parts) {
    const WordTag word;
    const CountTag count;
    const Parts next = {hn::BitCast(count, hn::ShiftRight<kBits>(hn::BitCast(word, parts.close))),
                        hn::BitCast(count, hn::ShiftRight<kBits>(hn::BitCast(word, parts.excess)))};
    return Join(parts, next);
}

HWY_INLINE Parts LookUpBytes(Counts half_bytes) {
    const CountTag count;
    return {LookUpBytes(hn::LoadDup128(count, kHalfByte.close), half_bytes),
            LookUpBytes(hn::LoadDup128(count, kHalfByte.excess), half_bytes)};
}

// The lowest 16 bits of each word. (For AVX2, Highway's TruncateTo would leave a global symbol behind.)
HWY_INLINE void StoreLowest16(Words words, uint16_t *out) {
    const hn::Rebind<uint16_t, WordTag> narrow;
    if constexpr (kWords == 4) {
        const hn::Repartition<uint16_t, WordTag> wide;
        const auto all = hn::BitCast(wide, words), halved = hn::ConcatEven(wide, all, all);
        hn::StoreU(hn::LowerHalf(hn::LowerHalf(hn::ConcatEven(wide, halved, halved))), narrow, out);
    } else {
        hn::StoreU(hn::TruncateTo(narrow, words), narrow, out);
    }
}

// Each byte.
HWY_INLINE Parts ReduceBytes(Words words) {
    const CountTag count;
    const Words low = hn::Set(WordTag(), UINT64_C(0x0f0f0f0f0f0f0f0f));
    const Parts evens = LookUpBytes(hn::BitCast(count, hn::And(words, low)));
    const Parts odds = LookUpBytes(hn::BitCast(count, hn::And(hn::ShiftRight<4>(words), low)));
    return Join(evens, odds);
}

// Each byte, together with those after it in its word.
HWY_INLINE Parts JoinBytes(Parts bytes) {
    return JoinPairs<32>(JoinPairs<16>(JoinPairs<8>(bytes)));
}

// How many opens of each byte, the first ones, are left at the end of its word.
HWY_INLINE Words SurvivorsOfBytes(Words words) {
    const hn::Repartition<uint8_t, WordTag> byte;
    const Parts bytes = ReduceBytes(words);
    const Words close_after = hn::ShiftRight<8>(hn::BitCast(WordTag(), JoinBytes(bytes).close));
    const auto open = hn::BitCast(byte, hn::Add(bytes.close, bytes.excess));
    return hn::BitCast(WordTag(), hn::SaturatedSub(open, hn::BitCast(byte, close_after)));
}

HWY_INLINE void ReduceWords(Words words, pmi_block_bic *out) {
    static_assert(sizeof *out == 2 && offsetof(pmi_block_bic, open) == 1,
                  "closes are the low byte, opens the high one");
    const WordTag word;
    const Words lowest = hn::Set(word, 0xff);
    const Parts all = JoinBytes(ReduceBytes(words));
    const Words close = hn::And(hn::BitCast(word, all.close), lowest);
    const Words open = hn::And(hn::BitCast(word, hn::Add(all.close, all.excess)), lowest);
    StoreLowest16(hn::Or(close, hn::ShiftLeft<8>(open)), reinterpret_cast<uint16_t *>(out));
}

// Each of the blocks.
HWY_INLINE void ReduceEach(const pmi_grid &grid, size_t first, size_t count, pmi_block_bic *out) {
    const WordTag word;
    const int lead = static_cast<int>(grid.lead);
    // Blocks that take their elements from words that are all there end here, and begin with block 1.
    const size_t inside_end = HWY_MIN(first + count, pmi_bits_words(grid.n));
    for (size_t block = first, end = first + count; block < end;) {
        if (block > 0 && block + kWords <= inside_end) {
            const Words above = hn::LoadU(word, grid.parens + block);
            const Words below = hn::LoadU(word, grid.parens + block - 1);
            const Words bits =
                lead > 0 ? hn::Or(hn::ShiftLeftSame(above, lead), hn::ShiftRightSame(below, 64 - lead)) : above;
            ReduceWords(bits, out + (block - first));
            block += kWords;
        } else { // one by one
            pmi_block_bic one[kWords];
            ReduceWords(hn::Set(word, BlockBits(grid, block)), one);
            out[block - first] = one[0];
            block++;
        }
    }
}

using SumTag = hn::CappedTag<int16_t, 8>;
using Sums = hn::Vec<SumTag>;
constexpr size_t kSums = 8;

// Of the parts so far: the excess of all, and the closes, as the greatest of the lanes.
struct Product {
    Sums close, excess;
};

// Multiplies by eight blocks. With a block's excess E of all parts up to its own end, it has close - (E - own excess) =
// open - E unmatched closes more than opens were before it.
HWY_INLINE Product Multiply(Product product, const pmi_block_bic *blocks) {
    const SumTag sum;
    const hn::RebindToUnsigned<SumTag> pair;
    const auto pairs = hn::LoadU(pair, reinterpret_cast<const uint16_t *>(blocks));
    const Sums close = hn::BitCast(sum, hn::And(pairs, hn::Set(pair, 0xff)));
    const Sums open = hn::BitCast(sum, hn::ShiftRight<8>(pairs));
    Sums excess = hn::Sub(open, close);
    excess = hn::Add(excess, hn::ShiftLeftLanes<1>(sum, excess));
    excess = hn::Add(excess, hn::ShiftLeftLanes<2>(sum, excess));
    excess = hn::Add(excess, hn::ShiftLeftLanes<4>(sum, excess));
    excess = hn::Add(excess, product.excess);
    return {hn::Max(product.close, hn::Sub(open, excess)), hn::Broadcast<kSums - 1>(excess)};
}

HWY_INLINE pm_bic MultiplyAll(const pmi_block_bic *blocks, size_t count) {
    static_assert(64 * (PM_REDUCE_BLOCKS + 1) <= INT16_MAX, "sums fit 16 bits");
    const SumTag sum;
    Product product = {hn::Zero(sum), hn::Zero(sum)};
    size_t b = 0;
    for (; b + kSums <= count; b += kSums)
        product = Multiply(product, blocks + b);
    if (b < count) {
        pmi_block_bic rest[kSums] = {};
        memcpy(rest, blocks + b, (count - b) * sizeof *blocks);
        product = Multiply(product, rest);
    }
    const int close = hn::GetLane(hn::MaxOfLanes(sum, product.close)), excess = hn::GetLane(product.excess);
    return pm_bic{static_cast<uint64_t>(close), static_cast<uint64_t>(close + excess)};
}

pm_bic ReduceBlocks(const pmi_grid *grid, size_t first, size_t count, pmi_block_bic *out) {
    ReduceEach(*grid, first, count, out);
    return MultiplyAll(out, count);
}

// ---- Survivors ----
//
// Each half byte learns how many closes after it, in its block and beyond, look for an open before them. That many of
// its unmatched opens fall to them, the last ones first; the others survive.

// Row j: of half a byte, its unmatched open with j others below it, as a bit; 0 without such an open.
struct UnmatchedOpens {
    alignas(16) int8_t bit[4][16];

    constexpr UnmatchedOpens() : bit() {
        for (int half = 0; half < 16; half++) {
            int open_at[4] = {}, opens = 0;
            for (int i = 0; i < 4; i++) {
                if (half >> i & 1)
                    open_at[opens++] = i;
                else if (opens > 0)
                    opens--;
            }
            for (int j = 0; j < opens; j++)
                bit[j][half] = static_cast<int8_t>(1 << open_at[j]);
        }
    }
};

constexpr UnmatchedOpens kUnmatched{};

// Takes the lowest byte of each word to all of its bytes.
struct LowestByte {
    alignas(16) int8_t from[16] = {0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8};
};

constexpr LowestByte kLowestByte{};

// The unmatched opens of half bytes but the `lost` highest ones.
HWY_INLINE Counts OpensLeft(Counts half_bytes, Parts parts, Counts lost) {
    const CountTag count;
    const Counts left = hn::Sub(hn::Add(parts.close, parts.excess), lost);
    Counts opens = hn::Zero(count);
    for (int j = 0; j < 4; j++) {
        const Counts bit = LookUpBytes(hn::LoadDup128(count, kUnmatched.bit[j]), half_bytes);
        opens = hn::Or(opens, hn::IfThenElseZero(hn::Gt(left, hn::Set(count, static_cast<int8_t>(j))), bit));
    }
    return opens;
}

// The opens left of words, each of which has closes after it, as many as all of its bytes in `pending` say.
HWY_INLINE Words WordSurvivors(Words words, Counts pending) {
    const WordTag word;
    const CountTag count;
    const Words low_half = hn::Set(word, UINT64_C(0x0f0f0f0f0f0f0f0f));
    const Counts lows = hn::BitCast(count, hn::And(words, low_half));
    const Counts highs = hn::BitCast(count, hn::And(hn::ShiftRight<4>(words), low_half));
    const Parts low = LookUpBytes(lows), high = LookUpBytes(highs);
    const Parts bytes = JoinBytes(Join(low, high));
    const Counts close_after = hn::BitCast(count, hn::ShiftRight<8>(hn::BitCast(word, bytes.close)));
    const Counts excess_after = hn::BitCast(count, hn::ShiftRight<8>(hn::BitCast(word, bytes.excess)));
    const Counts after_high = hn::Max(close_after, hn::Sub(pending, excess_after));
    const Counts after_low = hn::Max(high.close, hn::Sub(after_high, high.excess));
    const Words low_opens = hn::BitCast(word, OpensLeft(lows, low, after_low));
    const Words high_opens = hn::BitCast(word, OpensLeft(highs, high, after_high));
    return hn::Or(low_opens, hn::ShiftLeft<4>(high_opens));
}

void SurvivorsOfBlocks(const uint64_t *parens, const uint64_t *pending, size_t count, uint64_t *opens) {
    const WordTag word;
    const CountTag byte;
    const Counts lowest = hn::LoadDup128(byte, kLowestByte.from);
    for (size_t k = 0; k < count; k += kWords) {
        const size_t n = HWY_MIN(kWords, count - k);
        uint64_t last[3][kWords] = {}; // what is fewer than a vector
        const bool all = n == kWords;
        if (!all) {
            memcpy(last[0], parens + k, n * sizeof *parens);
            memcpy(last[1], pending + k, n * sizeof *pending);
        }
        const Counts closes = hn::BitCast(byte, hn::LoadU(word, all ? pending + k : last[1]));
        const Words left = WordSurvivors(hn::LoadU(word, all ? parens + k : last[0]), LookUpBytes(closes, lowest));
        hn::StoreU(left, word, all ? opens + k : last[2]);
        if (!all)
            memcpy(opens + k, last[2], n * sizeof *opens);
    }
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
