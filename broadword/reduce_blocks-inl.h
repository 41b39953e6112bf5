// SPDX-License-Identifier: Apache-2.0
// What each of many blocks does to a stack: its closes that go past its own opens, and its opens that stay. Included
// once for each target with vectors.
//
// The work is done on bytes that count, first one for each half byte of input, then one for each byte, two bytes, and
// so on up to the word. A part is described by its unmatched closes and its excess, opens minus closes: of two parts in
// a row, the closes are the first one's, or as many as the second one's are more than the first one's excess.

// Per-target include guard, as Highway's own files have it.
#if defined(PM_BROADWORD_REDUCE_BLOCKS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_REDUCE_BLOCKS_INL_H
#undef PM_BROADWORD_REDUCE_BLOCKS_INL_H
#else
#define PM_BROADWORD_REDUCE_BLOCKS_INL_H
#endif

#include <string.h>

#include "broadword/match_range-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pm {
namespace HWY_NAMESPACE {

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

using WordTag = hwy::HWY_NAMESPACE::CappedTag<uint64_t, 8>;
using CountTag = hwy::HWY_NAMESPACE::Repartition<int8_t, WordTag>;
using Words = hwy::HWY_NAMESPACE::Vec<WordTag>;
using Counts = hwy::HWY_NAMESPACE::Vec<CountTag>;
constexpr size_t kWords = hwy::HWY_NAMESPACE::MaxLanes(WordTag());

// Parts of a word, each counted in the lowest of its bytes; the others hold anything.
struct Parts {
    Counts close, excess;
};

HWY_INLINE Parts Join(Parts first, Parts second) {
    namespace hn = hwy::HWY_NAMESPACE;
    return {hn::Max(first.close, hn::Sub(second.close, first.excess)), hn::Add(first.excess, second.excess)};
}

// Joins each part of kBits bits with the next.
template <int kBits> HWY_INLINE Parts JoinPairs(Parts parts) {
    namespace hn = hwy::HWY_NAMESPACE;
    const WordTag word;
    const CountTag count;
    const Parts next = {hn::BitCast(count, hn::ShiftRight<kBits>(hn::BitCast(word, parts.close))),
                        hn::BitCast(count, hn::ShiftRight<kBits>(hn::BitCast(word, parts.excess)))};
    return Join(parts, next);
}

HWY_INLINE Parts LookUp(Counts half_bytes) {
    namespace hn = hwy::HWY_NAMESPACE;
    const CountTag count;
    return {hn::TableLookupBytes(hn::LoadDup128(count, kHalfByte.close), half_bytes),
            hn::TableLookupBytes(hn::LoadDup128(count, kHalfByte.excess), half_bytes)};
}

HWY_INLINE void ReduceWords(Words words, pm_block_bic *out) {
    namespace hn = hwy::HWY_NAMESPACE;
    static_assert(sizeof *out == 2 && offsetof(pm_block_bic, open) == 1, "closes are the low byte, opens the high one");
    const WordTag word;
    const CountTag count;
    const Words low = hn::Set(word, UINT64_C(0x0f0f0f0f0f0f0f0f)), lowest = hn::Set(word, 0xff);
    const Parts evens = LookUp(hn::BitCast(count, hn::And(words, low)));
    const Parts odds = LookUp(hn::BitCast(count, hn::And(hn::ShiftRight<4>(words), low)));
    const Parts all = JoinPairs<32>(JoinPairs<16>(JoinPairs<8>(Join(evens, odds))));
    const Words close = hn::And(hn::BitCast(word, all.close), lowest);
    const Words open = hn::And(hn::BitCast(word, hn::Add(all.close, all.excess)), lowest);
    const hn::Rebind<uint16_t, WordTag> pair;
    hn::StoreU(hn::TruncateTo(pair, hn::Or(close, hn::ShiftLeft<8>(open))), pair, reinterpret_cast<uint16_t *>(out));
}

void ReduceBlocks(const pm_grid *grid, size_t first, size_t count, pm_block_bic *out) {
    namespace hn = hwy::HWY_NAMESPACE;
    const WordTag word;
    const int lead = static_cast<int>(grid->lead);
    // Blocks from 1 on that take their elements from words that are all there.
    const size_t inside_end = HWY_MIN(first + count, pm_bits_words(grid->n));
    for (size_t block = first, end = first + count; block < end;) {
        if (block > 0 && block + kWords <= inside_end) {
            const Words above = hn::LoadU(word, grid->parens + block);
            const Words below = hn::LoadU(word, grid->parens + block - 1);
            const Words bits =
                lead > 0 ? hn::Or(hn::ShiftLeftSame(above, lead), hn::ShiftRightSame(below, 64 - lead)) : above;
            ReduceWords(bits, out + (block - first));
            block += kWords;
        } else { // one by one
            pm_block_bic one[kWords];
            ReduceWords(hn::Set(word, BlockBits(*grid, block)), one);
            out[block - first] = one[0];
            block++;
        }
    }
}

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif
