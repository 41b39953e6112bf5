// SPDX-License-Identifier: Apache-2.0
// Queries by pioneers, and a Block made into the table of functions that C calls.
#if defined(PM_BROADWORD_BP_KERNEL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_BP_KERNEL_INL_H
#undef PM_BROADWORD_BP_KERNEL_INL_H
#else
#define PM_BROADWORD_BP_KERNEL_INL_H
#endif

#include "broadword/bp/batch-inl.h"
#include "broadword/bp/search-inl.h"
#include "broadword/bp/tables.h"
#include "broadword/word.h"

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// ---- Partners by pioneers (base/bp_index.h) ----
//
// What is not in the word is some far parentheses away from a pioneer's partner.

// The byte next to the element is asked before the word, by a table: it has most partners, and takes a quarter of the
// word's time to tell, which is also when the processor learns whether it has guessed rightly where to go on.
template <class L> class BpPioneers {
    using Position = typename BpExcess<L>::Hint;

  public:
    static uint64_t FindClose(const pm_bp *bp, uint64_t i) {
        const unsigned bit = i % PM_WORD_BITS;
        if (HWY_UNLIKELY(i >= bp->view.n))
            return PM_BP_NONE;
        Prefetch(bp->opening, i / PM_WORD_BITS);
        const uint64_t word = Word(bp, i);
        if ((word >> bit & 1) == 0)
            return PM_BP_NONE;
        const unsigned in_byte = kBp.first[static_cast<uint8_t>(~(~word >> bit >> 1))][1]; // behind the word are opens
        if (in_byte < 8)
            return i + 1 + in_byte;
        const int near = pmi_broadword_find_close(word, bit);
        if (near >= 0)
            return i - bit + static_cast<unsigned>(near);

        // The last pioneer at or before it: their closes are in one word.
        const pmi_bp_pioneers *const opening = &bp->opening;
        uint64_t p = pmi_bp_first_pioneer(opening, i / PM_WORD_BITS + 1) - 1;
        while (opening->bit[p] > bit)
            p--;
        const uint64_t close = Partner(opening, p);
        if (close == PM_BP_NONE)
            return PM_BP_NONE;
        const unsigned deeper = static_cast<unsigned>(Rise(word, opening->bit[p], bit));
        const uint64_t there = Word(bp, close);
        const unsigned before = static_cast<unsigned>(-Rise(there, 0, close % PM_WORD_BITS)); // far closes
        const int found = pmi_broadword_find_far_close(there, (before - deeper) % PM_WORD_BITS);
        return close - close % PM_WORD_BITS + static_cast<unsigned>(found);
    }

    static uint64_t FindOpen(const pm_bp *bp, uint64_t i) {
        const unsigned bit = i % PM_WORD_BITS;
        if (HWY_UNLIKELY(i >= bp->view.n))
            return PM_BP_NONE;
        Prefetch(bp->closing, i / PM_WORD_BITS);
        const uint64_t word = Word(bp, i);
        if ((word >> bit & 1) != 0)
            return PM_BP_NONE;
        const unsigned in_byte = kBp.last[word << (PM_WORD_BITS - 1 - bit) << 1 >> 56][1]; // before the word are closes
        if (in_byte < 8)
            return i - 8 + in_byte;
        const int near = pmi_broadword_enclose(word, bit);
        if (near >= 0)
            return i - bit + static_cast<unsigned>(near);

        // The first pioneer at or behind it: their opens are in one word.
        const pmi_bp_pioneers *const closing = &bp->closing;
        uint64_t p = pmi_bp_first_pioneer(closing, i / PM_WORD_BITS);
        while (closing->bit[p] < bit)
            p++;
        const uint64_t open = Partner(closing, p);
        if (open == PM_BP_NONE)
            return PM_BP_NONE;
        const unsigned deeper = static_cast<unsigned>(-Rise(word, bit, closing->bit[p]));
        const uint64_t there = Word(bp, open);
        const unsigned behind = static_cast<unsigned>(Rise(there, open % PM_WORD_BITS, PM_WORD_BITS)) - 1; // far opens
        const int found = pmi_broadword_find_far_open(there, (behind - deeper) % PM_WORD_BITS);
        return open - open % PM_WORD_BITS + static_cast<unsigned>(found);
    }

  private:
    // The word that element i is in; what is past n are opens.
    static HWY_INLINE uint64_t Word(const pm_bp *bp, uint64_t i) {
        return pmi_bp_block(bp, i / PM_BP_BLOCK)[i / PM_WORD_BITS % PM_BP_BLOCK_WORDS];
    }

    // What a far parenthesis reads first: it comes while the word does.
    static HWY_INLINE void Prefetch(const pmi_bp_pioneers &pioneers, uint64_t word) {
        __builtin_prefetch(&pioneers.of_word[word]);
    }

    // By how much the excess rises from bit `from` to bit `to` of a word.
    static HWY_INLINE int Rise(uint64_t word, unsigned from, unsigned to) {
        const uint64_t between = word & pmi_bits_low(to) & ~pmi_bits_low(from);
        return 2 * static_cast<int>(pmi_bits_count(between)) - static_cast<int>(to - from);
    }

    static HWY_INLINE uint64_t Partner(const pmi_bp_pioneers *pioneers, uint64_t p) {
        const Position partner = static_cast<const Position *>(pioneers->partner)[p];
        return partner == static_cast<Position>(PM_BP_NONE) ? PM_BP_NONE : uint64_t{partner};
    }
};

// ---- The table of functions ----

template <class Block> void BpSummarise(const uint64_t *words, size_t count, pm_bp_line *lines) {
    for (pm_bp_line *line = lines; line < lines + count; line++) {
        int excess = 0;
        for (unsigned j = 0; j < PM_BP_LINE_BLOCKS; j++, words += PM_BP_BLOCK_WORDS) {
            int min;
            const int rise = Block::Summarise(words, &min);
            line->min[j] = static_cast<int16_t>(excess + min);
            excess += rise;
            line->end[j] = static_cast<int16_t>(excess);
        }
    }
}

template <class Block, class L, pmi_bp_kind kKind> constexpr pmi_bp_queries BpMakeQueries() {
    using Queries = BpQueries<Block, L>;
    using Range = BpRange<Block, L>;
    constexpr bool kByStretches = kKind == PM_BP_NEAR_DEEP && BpSearch<Block, L>::kStretches;
    return {Queries::template FindClose<kKind>,
            Queries::template FindOpen<kKind>,
            Queries::template Enclose<kKind>,
            Queries::RankOpen,
            Queries::SelectOpen,
            BpBatch<Block, L, BpQuery::kFindClose, kByStretches>::Answer,
            BpBatch<Block, L, BpQuery::kFindOpen, kByStretches>::Answer,
            BpBatch<Block, L, BpQuery::kEnclose, kByStretches>::Answer,
            Queries::Excess,
            Queries::Forwards,
            Queries::Backwards,
            Range::Min,
            Range::Count};
}

template <class Block> constexpr pmi_bp_kernel BpMakeKernel() {
    return {{{BpMakeQueries<Block, int32_t, PM_BP_NEAR_FLAT>(), BpMakeQueries<Block, int64_t, PM_BP_NEAR_FLAT>()},
             {BpMakeQueries<Block, int32_t, PM_BP_NEAR_DEEP>(), BpMakeQueries<Block, int64_t, PM_BP_NEAR_DEEP>()},
             {BpMakeQueries<Block, int32_t, PM_BP_FAR_FLAT>(), BpMakeQueries<Block, int64_t, PM_BP_FAR_FLAT>()},
             {BpMakeQueries<Block, int32_t, PM_BP_FAR_DEEP>(), BpMakeQueries<Block, int64_t, PM_BP_FAR_DEEP>()}},
            {BpPioneers<int32_t>::FindClose, BpPioneers<int32_t>::FindOpen},
            {BpPioneers<int64_t>::FindClose, BpPioneers<int64_t>::FindOpen},
            BpSummarise<Block>};
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
