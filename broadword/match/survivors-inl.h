// SPDX-License-Identifier: Apache-2.0
// Which opens of blocks survive the closes after them, a vector of blocks at a time. Included once for each target with
// vectors.
//
// Each half byte learns how many closes after it, in its block and beyond, look for an open before them. So many of its
// unmatched opens fall to them, the last ones first; the others survive.
#if defined(PM_BROADWORD_MATCH_SURVIVORS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_SURVIVORS_INL_H
#undef PM_BROADWORD_MATCH_SURVIVORS_INL_H
#else
#define PM_BROADWORD_MATCH_SURVIVORS_INL_H
#endif

#include "broadword/match/reduce_blocks-inl.h"

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

HWY_BEFORE_NAMESPACE();
namespace pm {
namespace HWY_NAMESPACE {

// Row j: of half a byte, its unmatched open with j others below it, as a bit; 0, where there is none.
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
    namespace hn = hwy::HWY_NAMESPACE;
    const CountTag count;
    const Counts left = hn::Sub(hn::Add(parts.close, parts.excess), lost);
    Counts opens = hn::Zero(count);
    for (int j = 0; j < 4; j++) {
        const Counts bit = hn::TableLookupBytes(hn::LoadDup128(count, kUnmatched.bit[j]), half_bytes);
        opens = hn::Or(opens, hn::IfThenElseZero(hn::Gt(left, hn::Set(count, static_cast<int8_t>(j))), bit));
    }
    return opens;
}

// The opens left of words, each of which has closes after it, as many as all of its bytes in `pending` say.
HWY_INLINE Words WordSurvivors(Words words, Counts pending) {
    namespace hn = hwy::HWY_NAMESPACE;
    const WordTag word;
    const CountTag count;
    const Words low_half = hn::Set(word, UINT64_C(0x0f0f0f0f0f0f0f0f));
    const Counts lows = hn::BitCast(count, hn::And(words, low_half));
    const Counts highs = hn::BitCast(count, hn::And(hn::ShiftRight<4>(words), low_half));
    const Parts low = LookUp(lows), high = LookUp(highs);
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
    namespace hn = hwy::HWY_NAMESPACE;
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
        const Words left =
            WordSurvivors(hn::LoadU(word, all ? parens + k : last[0]), hn::TableLookupBytes(closes, lowest));
        hn::StoreU(left, word, all ? opens + k : last[2]);
        if (!all)
            memcpy(opens + k, last[2], n * sizeof *opens);
    }
}

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
