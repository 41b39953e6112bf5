// SPDX-License-Identifier: Apache-2.0
// The queries, as searches for excesses. Most partners are near: a word that begins (or ends) at the element is tried
// first.
#if defined(PM_BROADWORD_BP_QUERIES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_BP_QUERIES_INL_H
#undef PM_BROADWORD_BP_QUERIES_INL_H
#else
#define PM_BROADWORD_BP_QUERIES_INL_H
#endif

#include <string.h>

#include "broadword/bp/search-inl.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are read from any byte on");

// A function whose arguments stay what they are, even if one is there for its register only.
#ifndef PM_BP_STEP
#if defined(__GNUC__) && !defined(__clang__)
#define PM_BP_STEP __attribute__((noipa))
#else
#define PM_BP_STEP HWY_NOINLINE
#endif
#endif

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// ---- The minimum excess of a stretch of the sequence, and how often it is reached ----
//
// Lowest common ancestors and children are found by them.

template <class Block, class L> class BpRange : private BpIndex<L> {
    using Search = BpSearch<Block, L>;
    using BpIndex<L>::Begin;
    using BpIndex<L>::Excesses;
    using BpIndex<L>::Row;

  public:
    // The minimum of P(first) ... P(last).
    static int64_t Min(const pm_bp *bp, uint64_t first, uint64_t last) {
        const uint64_t from = first / PM_BP_BLOCK, to = last > first ? (last - 1) / PM_BP_BLOCK : from;
        const unsigned end = static_cast<unsigned>(last - to * PM_BP_BLOCK);
        if (first == last)
            return BpIndex<L>::template ExcessBefore<Block>(bp, first);
        if (from == to)
            return MinIn(bp, from, first % PM_BP_BLOCK, end);
        const int64_t of_ends = HWY_MIN(MinIn(bp, from, first % PM_BP_BLOCK, PM_BP_BLOCK), MinIn(bp, to, 0, end));
        return HWY_MIN(of_ends, MinBetween(bp, from, to));
    }

    // How many of k = first ... last have P(k) = excess, which is the minimum of these excesses; no more than `most`.
    static uint64_t Count(const pm_bp *bp, uint64_t first, uint64_t last, int64_t excess, uint64_t most,
                          uint64_t *kth) {
        const uint64_t end = last / PM_BP_BLOCK;
        uint64_t count = 0;
        BpPlace<L> at = BpPlace<L>::Of(first);
        at.excess = static_cast<L>(excess) - Excesses(bp)[at.superblock];
        unsigned from = first % PM_BP_BLOCK;
        do {
            const unsigned to = at.number() == end ? last % PM_BP_BLOCK : PM_BP_BLOCK - 1;
            const uint64_t *const words = pmi_bp_block(bp, at.number());
            const int relative = static_cast<int>(at.excess) - Begin(bp->view.lines[at.superblock], at.block);
            const unsigned found = Block::Count(words, from, to, relative);
            if (found >= most - count) {
                *kth = at.number() * PM_BP_BLOCK +
                       WordBlock::Kth(words, from, relative, static_cast<unsigned>(most - count));
                return most;
            }
            count += found;
            from = 0;
        } while (at.number() < end && Search::Next(bp, &at, UINT64_MAX) && at.number() <= end);
        return count;
    }

  private:
    static HWY_INLINE int64_t MinIn(const pm_bp *bp, uint64_t block, unsigned from, unsigned to) {
        return BpIndex<L>::template ExcessBefore<Block>(bp, block * PM_BP_BLOCK + from) +
               Block::Min(pmi_bp_block(bp, block), from, to);
    }

    // The minimum excess in the blocks between two.
    static int64_t MinBetween(const pm_bp *bp, uint64_t from, uint64_t to) {
        const uint64_t left = from / PM_BP_LINE_BLOCKS, right = to / PM_BP_LINE_BLOCKS;
        const unsigned begin = from % PM_BP_LINE_BLOCKS + 1, end = to % PM_BP_LINE_BLOCKS;
        if (left == right)
            return MinOfLine(bp, left, begin, end);
        const int64_t of_ends = HWY_MIN(MinOfLine(bp, left, begin, PM_BP_LINE_BLOCKS), MinOfLine(bp, right, 0, end));
        return HWY_MIN(of_ends, MinOfSuperblocks(bp, left, right));
    }

    static int64_t MinOfLine(const pm_bp *bp, uint64_t superblock, unsigned begin, unsigned end) {
        int min = INT16_MAX;
        for (unsigned j = begin; j < end; j++)
            min = HWY_MIN(min, bp->view.lines[superblock].min[j]);
        return min == INT16_MAX ? INT64_MAX : Excesses(bp)[superblock] + min;
    }

    // Between two superblocks: in each row the nodes that have the same parent as one of the ends.
    static int64_t MinOfSuperblocks(const pm_bp *bp, uint64_t left, uint64_t right) {
        int64_t min = INT64_MAX;
        for (unsigned row = 0; left < right; row++, left /= PM_BP_FAN_OUT, right /= PM_BP_FAN_OUT) {
            const uint64_t parent = left / PM_BP_FAN_OUT, last = right / PM_BP_FAN_OUT;
            const uint64_t end = parent == last ? right : (parent + 1) * PM_BP_FAN_OUT;
            for (uint64_t node = left + 1; node < end; node++)
                min = HWY_MIN(min, static_cast<int64_t>(Row(bp, row)[node]));
            for (uint64_t node = last * PM_BP_FAN_OUT; parent != last && node < right; node++)
                min = HWY_MIN(min, static_cast<int64_t>(Row(bp, row)[node]));
        }
        return min;
    }
};

// ---- Queries ----

// How a query comes to the commonest answer, the element next to its argument. Computed as all others, fewer branches
// are guessed wrong. But what depends on the answer then has to wait for the word that it comes from, and where that is
// not in the caches this is most of the time. Behind a branch, the processor goes on with what it guesses, and a next
// query is under way before this one's word has come. Most partners are next to an element only where the sequence is
// flat; most parents are where it is deep, too.
constexpr bool BpPartnerIsGuessed(pmi_bp_kind kind) {
    return kind == PM_BP_FAR_FLAT;
}
constexpr bool BpParentIsGuessed(pmi_bp_kind kind) {
    return kind == PM_BP_FAR_FLAT || kind == PM_BP_FAR_DEEP;
}

// Where a sequence is in the caches and deep, a partner is within eight elements or far away. Answers for a byte are in
// a table, which is the quickest way to know which of both; what is behind the byte is looked for in the block at once.
constexpr bool BpByBytes(pmi_bp_kind kind) {
    return kind == PM_BP_NEAR_DEEP;
}

// The 64 elements from a byte of the sequence on.
HWY_INLINE uint64_t BpWordAt(const pm_bp *bp, uint64_t byte) {
    uint64_t word;
    memcpy(&word, reinterpret_cast<const char *>(bp->view.parens) + byte, sizeof word);
    return word;
}

template <class Block, class L> class BpQueries : private BpIndex<L> {
    using Search = BpSearch<Block, L>;
    using BpIndex<L>::Begin;
    using BpIndex<L>::Excesses;

  public:
    template <pmi_bp_kind kKind> static uint64_t FindClose(const pm_bp *bp, uint64_t i) {
        if (HWY_UNLIKELY(i / 8 >= bp->windows)) {
            const bool inside = i < bp->view.n && i != bp->view.n - 1 && pmi_bits_get(bp->view.parens, i);
            return inside ? Forwards(bp, i + 1, 1) : PM_BP_NONE;
        }
        PrefetchLine<kKind>(bp, i);
        const uint64_t word = BpWordAt(bp, i / 8);
        const unsigned bit = i % 8;
        if (BpPartnerIsGuessed(kKind) && (word >> bit & 3) == 1)
            return i + 1;
        if ((word >> bit & 1) == 0)
            return PM_BP_NONE;
        if (BpByBytes(kKind)) {
            const unsigned in_byte = kBp.first[static_cast<uint8_t>(word >> bit >> 1)][1];
            return in_byte < 8 ? i + 1 + in_byte : FirstFall<true>(bp, i + 1, Block::AnyNumber());
        }
        const unsigned between = Block::ToClose(word, bit);
        return HWY_LIKELY(between < PM_WORD_BITS) ? i + 1 + between : FirstFall<false>(bp, i + 1, Block::AnyNumber());
    }

    template <pmi_bp_kind kKind> static uint64_t Enclose(const pm_bp *bp, uint64_t i) {
        return i < bp->view.n ? Before<kKind, BpParentIsGuessed(kKind)>(bp, i) : PM_BP_NONE;
    }

    template <pmi_bp_kind kKind> static uint64_t FindOpen(const pm_bp *bp, uint64_t i) {
        return HWY_LIKELY(i < bp->view.n) && !pmi_bits_get(bp->view.parens, i)
                   ? Before<kKind, BpPartnerIsGuessed(kKind)>(bp, i)
                   : PM_BP_NONE;
    }

    static HWY_INLINE uint64_t RankOpen(const pm_bp *bp, uint64_t i) {
        return BpIndex<L>::template Rank<Block>(bp, i);
    }

    static HWY_INLINE int64_t Excess(const pm_bp *bp, uint64_t k) {
        return BpIndex<L>::template ExcessBefore<Block>(bp, k);
    }

    // Where opens are dense the superblock is the hint's or the next one. Which one is not known in advance, and so is
    // no branch.
    static uint64_t SelectOpen(const pm_bp *bp, uint64_t k) {
        if (HWY_UNLIKELY(k >= bp->opens))
            return PM_BP_NONE;
        const Hint hint = Hints(bp)[k / PM_BP_HINT_OPENS];
        if (HWY_UNLIKELY((hint & kMore) != 0))
            return SelectSparse(bp, k);
        return SelectIn(bp, pmi_bp_hint_superblock(hint, k), k);
    }

    // Finds what is open before i > 0 in the 64 elements up to the byte of the last of these, or in the first word.
    template <BpExit kExit = BpExit::kGuessed>
    static HWY_INLINE bool OpenInWord(const pm_bp *bp, uint64_t i, uint64_t *open) {
        const uint64_t end = (i + 7) / 8, byte = end < 8 ? 0 : end - 8;
        const unsigned missing = static_cast<unsigned>(8 * byte + PM_WORD_BITS - i);
        const unsigned between = Block::template ToOpen<kExit>(BpWordAt(bp, byte), missing);
        *open = i - 1 - between;
        return between < PM_WORD_BITS;
    }

    static uint64_t Forwards(const pm_bp *bp, uint64_t s, uint64_t fall);
    static uint64_t Backwards(const pm_bp *bp, uint64_t t, uint64_t fall);

  private:
    template <bool kDeep> static uint64_t FirstFall(const pm_bp *bp, uint64_t s, typename Block::Number);
    template <bool kDeep> static uint64_t LastFall(const pm_bp *bp, uint64_t t, typename Block::Number);

    // What a search behind the word reads first: it comes while the word does.
    template <pmi_bp_kind kKind> static HWY_INLINE void PrefetchLine(const pm_bp *bp, uint64_t i) {
        if (kKind == PM_BP_FAR_FLAT || kKind == PM_BP_FAR_DEEP)
            __builtin_prefetch(&bp->view.lines[i / PM_BP_SUPERBLOCK]);
    }

    template <pmi_bp_kind kKind, bool kGuessed> static HWY_INLINE uint64_t Before(const pm_bp *bp, uint64_t i) {
        uint64_t open;
        if (HWY_UNLIKELY(i == 0))
            return PM_BP_NONE;
        PrefetchLine<kKind>(bp, i);
        if (kGuessed && pmi_bits_get(bp->view.parens, i - 1))
            return i - 1;
        if (BpByBytes(kKind) && HWY_LIKELY(i >= 8)) {
            uint16_t bytes;
            memcpy(&bytes, reinterpret_cast<const char *>(bp->view.parens) + (i - 8) / 8, sizeof bytes);
            const unsigned in_byte = kBp.last[static_cast<uint8_t>(bytes >> i % 8)][1];
            return in_byte < 8 ? i - 8 + in_byte : LastFall<true>(bp, i, Block::AnyNumber());
        }
        return HWY_LIKELY(OpenInWord(bp, i, &open)) ? open : LastFall<false>(bp, i, Block::AnyNumber());
    }

    using Hint = typename BpExcess<L>::Hint;
    static constexpr Hint kMore = Hint{1} << (8 * sizeof(Hint) - 1);

    static HWY_INLINE const Hint *Hints(const pm_bp *bp) {
        return static_cast<const Hint *>(bp->hints);
    }

    static HWY_INLINE uint64_t TwiceOpensBefore(const pm_bp *bp, uint64_t superblock) {
        return static_cast<uint64_t>(Excesses(bp)[superblock]) + superblock * PM_BP_SUPERBLOCK;
    }

    // Open k, which is in that superblock.
    static HWY_INLINE uint64_t SelectIn(const pm_bp *bp, uint64_t superblock, uint64_t k) {
        const uint64_t first = superblock * PM_BP_LINE_BLOCKS;
        const pm_bp_line &line = bp->view.lines[superblock];
        const int twice = static_cast<int>(2 * k - TwiceOpensBefore(bp, superblock));
        const unsigned j = Block::BlocksWithin(&line, twice) % PM_BP_LINE_BLOCKS;
        const int left = twice - Begin(line, j) - static_cast<int>(j * PM_BP_BLOCK);
        return (first + j) * PM_BP_BLOCK +
               Block::Select(pmi_bp_block(bp, first + j), static_cast<unsigned>(left) / 2 % PM_BP_BLOCK);
    }

    // Open k, whose superblock is searched for between two hints: the last that begins with at most k opens before it.
    static HWY_NOINLINE uint64_t SelectSparse(const pm_bp *bp, uint64_t k) {
        const Hint *const hint = Hints(bp) + k / PM_BP_HINT_OPENS;
        uint64_t low = pmi_bp_hint_superblock(hint[0] & ~kMore, 0), high = pmi_bp_hint_superblock(hint[1] & ~kMore, 0);
        while (low < high) {
            const uint64_t middle = high - (high - low) / 2;
            if (TwiceOpensBefore(bp, middle) <= 2 * k)
                low = middle;
            else
                high = middle - 1;
        }
        return SelectIn(bp, low, k);
    }
};

// Kept apart from the queries, which thus need no stack.
template <class Block, class L>
HWY_NOINLINE uint64_t BpQueries<Block, L>::Forwards(const pm_bp *bp, uint64_t s, uint64_t fall) {
    return s < bp->view.n ? Search::Forwards(bp, s, fall) : PM_BP_NONE;
}

template <class Block, class L>
HWY_NOINLINE uint64_t BpQueries<Block, L>::Backwards(const pm_bp *bp, uint64_t t, uint64_t fall) {
    return t > 0 ? Search::Backwards(bp, t, fall) : PM_BP_NONE;
}

// By one, as most are, behind a word that has been tried, or (in a deep sequence) a byte.
template <class Block, class L>
template <bool kDeep>
PM_BP_STEP uint64_t BpQueries<Block, L>::FirstFall(const pm_bp *bp, uint64_t s, typename Block::Number) {
    return Search::template Forwards<!kDeep, kDeep>(bp, s, 1);
}

template <class Block, class L>
template <bool kDeep>
PM_BP_STEP uint64_t BpQueries<Block, L>::LastFall(const pm_bp *bp, uint64_t t, typename Block::Number) {
    return Search::template Backwards<!kDeep, kDeep>(bp, t, 1);
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
