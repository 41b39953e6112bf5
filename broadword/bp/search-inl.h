// SPDX-License-Identifier: Apache-2.0
// Searches for an excess in the whole sequence, on what Block does inside a block (base/bp_index.h says how).
#if defined(PM_BROADWORD_BP_SEARCH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_BP_SEARCH_INL_H
#undef PM_BROADWORD_BP_SEARCH_INL_H
#else
#define PM_BROADWORD_BP_SEARCH_INL_H
#endif

#include "base/bp_index.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// What indices with excesses of type L have. The lowest excess that L holds is as far below the sequence's as a search
// can fall: n below its minimum, which is -n.
template <class L> struct BpExcess;
template <> struct BpExcess<int32_t> { using Hint = uint32_t; };
template <> struct BpExcess<int64_t> { using Hint = uint64_t; };

// The index, with excesses of type L.
template <class L> struct BpIndex {
    static HWY_INLINE const L *Excesses(const pm_bp *bp) {
        return static_cast<const L *>(bp->view.levels);
    }
    static HWY_INLINE const L *Row(const pm_bp *bp, unsigned row) {
        return static_cast<const L *>(bp->min[row]);
    }

    // The excess before block j of a superblock, relative to the superblock.
    static HWY_INLINE int Begin(const pm_bp_line &line, uint64_t j) {
        return line.end[(j - 1) % PM_BP_LINE_BLOCKS] & -static_cast<int>(j != 0);
    }
    static HWY_INLINE int Begin(const pm_bp *bp, uint64_t block) {
        return Begin(bp->view.lines[block / PM_BP_LINE_BLOCKS], block % PM_BP_LINE_BLOCKS);
    }
    // The opens before i: in whole blocks as for everyone (parenmatch/bp_view.h), and behind them.
    template <class Block> static HWY_INLINE uint64_t Rank(const pm_bp *bp, uint64_t i) {
        if (HWY_LIKELY(i < bp->view.whole))
            return pm_bp_view_opens_of(Block::CountOpens(bp->view, kWide, bp->view.parens, i, i));
        return RankBehind<Block>(bp, i);
    }

    // P(k).
    template <class Block> static HWY_INLINE int64_t ExcessBefore(const pm_bp *bp, uint64_t k) {
        if (HWY_LIKELY(k < bp->view.whole))
            return pm_bp_view_level_of(Block::CountOpens(bp->view, kWide, bp->view.parens, k, k), k);
        return ExcessBehind<Block>(bp, k);
    }

  private:
    static constexpr bool kWide = sizeof(L) == sizeof(int64_t);

    template <class Block> static HWY_NOINLINE uint64_t RankBehind(const pm_bp *bp, uint64_t i) {
        if (i >= bp->view.n)
            return bp->opens;
        return pm_bp_view_opens_of(Block::CountOpens(bp->view, kWide, bp->tail, i % PM_BP_BLOCK, i));
    }
    template <class Block> static HWY_NOINLINE int64_t ExcessBehind(const pm_bp *bp, uint64_t k) {
        return static_cast<int64_t>(2 * RankBehind<Block>(bp, k) - k);
    }
};

// A block, by its superblock and which one of that it is, and an excess relative to the superblock's beginning.
template <class L> struct BpPlace {
    uint64_t superblock, block;
    L excess;

    static HWY_INLINE BpPlace Of(uint64_t element) {
        return {element / PM_BP_SUPERBLOCK, element / PM_BP_BLOCK % PM_BP_LINE_BLOCKS, 0};
    }
    // Its number in the sequence.
    HWY_INLINE uint64_t number() const {
        return superblock * PM_BP_LINE_BLOCKS + block;
    }
};

// More than an excess can fall within a block, and little enough for the 16 bits that blocks count in.
constexpr int kBpManyInBlock = 2 * PM_BP_BLOCK;

// Less than any excess of a line, and so much more than 16 bits hold that a block's rise does not matter.
constexpr int kBpBelowLines = -3 * static_cast<int>(PM_BP_SUPERBLOCK);

template <class Block, class L> class BpSearch : private BpIndex<L> {
    using BpIndex<L>::Begin;
    using BpIndex<L>::Excesses;
    using BpIndex<L>::Row;

  public:
    using Place = BpPlace<L>;
    using Number = typename Block::Number;

    // Sequences in the caches have narrow excesses.
    static constexpr bool kStretches = sizeof(L) == sizeof(int32_t);

    // The first element j >= s, s < n, with P(j + 1) = P(s) - fall. If a word has been tried, j is not among the 64
    // elements from the byte of s - 1 on. In a deep sequence the index has stretches.
    template <bool kTried = false, bool kDeep = false>
    static HWY_INLINE uint64_t Forwards(const pm_bp *bp, uint64_t s, uint64_t fall) {
        const Place at = Place::Of(s);
        Rise rise;
        const unsigned found =
            FirstInBlock<kTried>(pmi_bp_block(bp, s / PM_BP_BLOCK), s % PM_BP_BLOCK, InBlock(fall), &rise);
        if (found < PM_BP_BLOCK)
            return Block::Done(s - s % PM_BP_BLOCK + found);
        const int64_t excess = bp->view.lines[at.superblock].end[at.block] - static_cast<int64_t>(fall);
        const uint32_t reached =
            Behind(at.block) & ReachedBy(bp, at.superblock, Block::Less(InLine(excess, fall), rise));
        if (reached != 0)
            return FirstNear(bp, at.superblock, pmi_bits_lowest(reached), Block::Less(excess, rise));
        if (kStretches && kDeep)
            return FirstByStretch(bp, s / PM_BP_STRETCH, Block::Less(excess, rise));
        return FirstFar(bp, at.superblock, Block::Less(excess, rise));
    }

    // The last element j < t, t > 0, with P(j) = P(t) - fall. If a word has been tried, j is not among the 64 elements
    // up to the byte of t - 1.
    template <bool kTried = false, bool kDeep = false>
    static HWY_INLINE uint64_t Backwards(const pm_bp *bp, uint64_t t, uint64_t fall) {
        const Place at = Place::Of(t - 1);
        Rise rise;
        const unsigned to = static_cast<unsigned>((t - 1) % PM_BP_BLOCK + 1);
        const unsigned found = LastInBlock<kTried>(pmi_bp_block(bp, (t - 1) / PM_BP_BLOCK), to, InBlock(fall), &rise);
        if (found < PM_BP_BLOCK)
            return Block::Done(t - to + found);
        const int64_t excess = Begin(bp->view.lines[at.superblock], at.block) - static_cast<int64_t>(fall);
        const uint32_t reached =
            Before(at.block) & ReachedBy(bp, at.superblock, Block::More(InLine(excess, fall), rise));
        if (reached != 0)
            return LastNear(bp, at.superblock, pmi_bits_highest(reached), Block::More(excess, rise));
        if (kStretches && kDeep)
            return LastByStretch(bp, (t - 1) / PM_BP_STRETCH, Block::More(excess, rise));
        return LastFar(bp, at.superblock, Block::More(excess, rise));
    }

    // Where the excess is reached in a block that Next() or Previous() has found.
    static HWY_INLINE uint64_t FirstOf(const pm_bp *bp, const Place &at) {
        const int begin = Begin(bp->view.lines[at.superblock], at.block), fall = begin - static_cast<int>(at.excess);
        return at.number() * PM_BP_BLOCK + Block::FirstOfAll(Words(bp, at), fall, FallToEnd(bp, at));
    }
    static HWY_INLINE uint64_t LastOf(const pm_bp *bp, const Place &at) {
        return at.number() * PM_BP_BLOCK + Block::LastOfAll(Words(bp, at), FallToEnd(bp, at));
    }

    // Moves on to the first block behind that reaches down to the excess, which is at most `fall` below one of this
    // superblock's. False if no block does.
    static HWY_INLINE bool Next(const pm_bp *bp, Place *at, uint64_t fall) {
        if (NextInLine(bp, at, fall))
            return true;
        if (!NextInTree(bp, at))
            return false;
        FirstOfLine(bp, at);
        return true;
    }

    // The steps of these: to a block of the same superblock; or else, the excess being an absolute one now, to another
    // superblock; and from there to a block of it, the excess being relative again.
    static HWY_INLINE bool NextInLine(const pm_bp *bp, Place *at, uint64_t fall) {
        const uint32_t found = Behind(at->block) & ReachedBy(bp, at->superblock, InLine(at->excess, fall));
        at->block = pmi_bits_lowest(found | 1u << PM_BP_LINE_BLOCKS);
        return found != 0;
    }
    static HWY_INLINE bool PreviousInLine(const pm_bp *bp, Place *at, uint64_t fall) {
        const uint32_t found = Before(at->block) & ReachedBy(bp, at->superblock, InLine(at->excess, fall));
        at->block = pmi_bits_highest(found | 1);
        return found != 0;
    }
    static HWY_INLINE bool NextInTree(const pm_bp *bp, Place *at) {
        at->excess += Excesses(bp)[at->superblock];
        return NextInRow(bp, &at->superblock, at->excess) || NextInRows(bp, at);
    }
    static HWY_INLINE bool PreviousInTree(const pm_bp *bp, Place *at) {
        at->excess += Excesses(bp)[at->superblock];
        return PreviousInRow(bp, &at->superblock, at->excess) || PreviousInRows(bp, at);
    }
    static HWY_INLINE void FirstOfLine(const pm_bp *bp, Place *at) {
        at->excess -= Excesses(bp)[at->superblock];
        at->block = pmi_bits_lowest(ReachedBy(bp, at->superblock, int64_t{at->excess}) | 0x18000);
    }
    static HWY_INLINE void LastOfLine(const pm_bp *bp, Place *at) {
        at->excess -= Excesses(bp)[at->superblock];
        at->block = pmi_bits_highest(ReachedBy(bp, at->superblock, int64_t{at->excess}) | 1);
    }

    // In a deep sequence that has them: to a block of one of the two superblocks that a stretch has been told, for a
    // excess relative to the stretch's superblock. False if it is not there.
    static HWY_INLINE bool NextByStretch(const pm_bp *bp, uint64_t stretch, Number excess, Place *at) {
        const uint64_t first = bp->far_close[stretch];
        const Number sought = Block::Sum(excess, Excesses(bp)[SuperblockOf(stretch)]);
        const uint32_t reached = ReachedIn(bp, first, sought) | ReachedIn(bp, first + 1, sought) << PM_BP_LINE_BLOCKS;
        const uint64_t block = first * PM_BP_LINE_BLOCKS + pmi_bits_lowest(reached | UINT64_C(1) << 32);
        at->superblock = block / PM_BP_LINE_BLOCKS;
        at->block = block % PM_BP_LINE_BLOCKS;
        if (HWY_UNLIKELY(reached == 0 || at->superblock >= bp->superblocks))
            return false;
        at->excess = static_cast<L>(Block::ValueOf(sought)) - Excesses(bp)[at->superblock];
        return true;
    }
    static HWY_INLINE bool PreviousByStretch(const pm_bp *bp, uint64_t stretch, Number excess, Place *at) {
        const uint64_t own = SuperblockOf(stretch), last = bp->far_open[stretch];
        const uint64_t before = last - (last != 0); // or the same twice
        const Number sought = Block::Sum(excess, Excesses(bp)[own]);
        const uint32_t reached = ReachedIn(bp, before, sought) | ReachedIn(bp, last, sought) << PM_BP_LINE_BLOCKS;
        const unsigned highest = pmi_bits_highest(reached | 1);
        at->superblock = highest < PM_BP_LINE_BLOCKS ? before : last;
        at->block = highest % PM_BP_LINE_BLOCKS;
        if (HWY_UNLIKELY(reached == 0 || at->superblock >= own))
            return false;
        at->excess = static_cast<L>(Block::ValueOf(sought)) - Excesses(bp)[at->superblock];
        return true;
    }

  private:
    using Rise = typename Block::Rise;

    static HWY_INLINE uint64_t SuperblockOf(uint64_t stretch) {
        return stretch / (PM_BP_SUPERBLOCK / PM_BP_STRETCH);
    }

    template <bool kTried>
    static HWY_INLINE unsigned FirstInBlock(const uint64_t *words, unsigned from, int fall, Rise *rise) {
        if constexpr (kTried && Block::kByWords)
            return Block::FirstBehindWord(words, from, fall, rise);
        else
            return Block::First(words, from, fall, rise);
    }
    template <bool kTried>
    static HWY_INLINE unsigned LastInBlock(const uint64_t *words, unsigned to, int fall, Rise *rise) {
        if constexpr (kTried && Block::kByWords)
            return Block::LastBehindWord(words, to, fall, rise);
        else
            return Block::Last(words, to, fall, rise);
    }

    // Each of these steps is apart, so that none needs a stack: where the excess is reached in the same superblock, ...
    static HWY_NOINLINE uint64_t FirstNear(const pm_bp *bp, uint64_t superblock, uint64_t block, Number excess) {
        return Block::Done(FirstOf(bp, {superblock, block, static_cast<L>(Block::ValueOf(excess))}));
    }
    static HWY_NOINLINE uint64_t LastNear(const pm_bp *bp, uint64_t superblock, uint64_t block, Number excess) {
        return Block::Done(LastOf(bp, {superblock, block, static_cast<L>(Block::ValueOf(excess))}));
    }

    // ... in one of two superblocks that the stretch has been told, ...
    static HWY_NOINLINE uint64_t FirstByStretch(const pm_bp *bp, uint64_t stretch, Number excess) {
        Place at;
        if (HWY_UNLIKELY(!NextByStretch(bp, stretch, excess, &at)))
            return FirstFar(bp, SuperblockOf(stretch), excess);
        return Block::Done(FirstOf(bp, at));
    }
    static HWY_NOINLINE uint64_t LastByStretch(const pm_bp *bp, uint64_t stretch, Number excess) {
        Place at;
        if (HWY_UNLIKELY(!PreviousByStretch(bp, stretch, excess, &at)))
            return LastFar(bp, SuperblockOf(stretch), excess);
        return Block::Done(LastOf(bp, at));
    }

    // ... in one that has the same parent in the tree, ...
    static HWY_NOINLINE uint64_t FirstFar(const pm_bp *bp, uint64_t superblock, Number excess) {
        excess = Block::Sum(excess, Excesses(bp)[superblock]);
        if (HWY_UNLIKELY(!NextInRow(bp, &superblock, excess)))
            return FirstFarther(bp, superblock, static_cast<L>(Block::ValueOf(excess)));
        Place at = {superblock, 0, static_cast<L>(Block::ValueOf(excess))};
        FirstOfLine(bp, &at);
        return Block::Done(FirstOf(bp, at));
    }
    static HWY_NOINLINE uint64_t LastFar(const pm_bp *bp, uint64_t superblock, Number excess) {
        excess = Block::Sum(excess, Excesses(bp)[superblock]);
        if (HWY_UNLIKELY(!PreviousInRow(bp, &superblock, excess)))
            return LastFarther(bp, superblock, static_cast<L>(Block::ValueOf(excess)));
        Place at = {superblock, 0, static_cast<L>(Block::ValueOf(excess))};
        LastOfLine(bp, &at);
        return Block::Done(LastOf(bp, at));
    }

    // ... or, the excess being an absolute one, elsewhere.
    static HWY_NOINLINE uint64_t FirstFarther(const pm_bp *bp, uint64_t superblock, L excess) {
        Place at = {superblock, 0, excess};
        if (!NextInRows(bp, &at))
            return PM_BP_NONE;
        FirstOfLine(bp, &at);
        return Block::Done(FirstOf(bp, at));
    }
    static HWY_NOINLINE uint64_t LastFarther(const pm_bp *bp, uint64_t superblock, L excess) {
        Place at = {superblock, 0, excess};
        if (!PreviousInRows(bp, &at))
            return PM_BP_NONE;
        LastOfLine(bp, &at);
        return LastOf(bp, at);
    }

    // A fall as blocks take it: no block has one that is larger.
    static HWY_INLINE int InBlock(uint64_t fall) {
        return fall < kBpManyInBlock ? static_cast<int>(fall) : kBpManyInBlock;
    }

    static HWY_INLINE const uint64_t *Words(const pm_bp *bp, const Place &at) {
        return pmi_bp_block(bp, at.number());
    }

    static HWY_INLINE int FallToEnd(const pm_bp *bp, const Place &at) {
        return bp->view.lines[at.superblock].end[at.block] - static_cast<int>(at.excess);
    }

    // An excess, relative to a superblock, for lines: no block reaches below -2^13, and no small fall from there below
    // -2^14. Where the fall is known when this is compiled, nothing is left of the question.
    static HWY_INLINE int64_t InLine(int64_t excess, uint64_t fall) {
        const bool small = fall <= PM_BP_SUPERBLOCK;
        return small || excess >= kBpBelowLines ? excess : kBpBelowLines;
    }

    // The blocks of a superblock that reach down to an absolute excess, which is not as much above the superblock's as
    // 16 bits hold.
    static HWY_INLINE uint32_t ReachedIn(const pm_bp *bp, uint64_t superblock, Number excess) {
        const int32_t begin = static_cast<int32_t>(Excesses(bp)[superblock]);
        return ReachedBy(bp, superblock, Block::RelativeTo(excess, begin, kBpBelowLines));
    }

    // The blocks of a superblock that reach down to an excess relative to it; those behind one, and before one.
    template <class Excess> static HWY_INLINE uint32_t ReachedBy(const pm_bp *bp, uint64_t superblock, Excess excess) {
        return Block::AtMost(bp->view.lines[superblock].min, excess);
    }
    static HWY_INLINE uint32_t Behind(uint64_t block) {
        return 0xfffeu << block;
    }
    static HWY_INLINE uint32_t Before(uint64_t block) {
        return (uint32_t{1} << block) - 1;
    }

    // Moves to a superblock that has the same parent in the tree. Where there is no tree, because there is one
    // superblock only, something is read that is not looked at.
    template <class Excess> static HWY_INLINE bool NextInRow(const pm_bp *bp, uint64_t *superblock, Excess excess) {
        const uint64_t group = *superblock - *superblock % PM_BP_FAN_OUT;
        const uint32_t behind = UINT32_C(0xfffffffe) << *superblock % PM_BP_FAN_OUT;
        const uint32_t found = Block::AtMost(Row(bp, 0) + group, excess) & behind;
        if (found == 0)
            return false;
        const uint64_t next = group + pmi_bits_lowest(found);
        if (next >= bp->superblocks)
            return false; // what follows the row's end
        *superblock = next;
        return true;
    }
    template <class Excess> static HWY_INLINE bool PreviousInRow(const pm_bp *bp, uint64_t *superblock, Excess excess) {
        const uint64_t group = *superblock - *superblock % PM_BP_FAN_OUT;
        const uint32_t before = (uint32_t{1} << *superblock % PM_BP_FAN_OUT) - 1;
        const uint32_t found = Block::AtMost(Row(bp, 0) + group, excess) & before;
        if (found == 0)
            return false;
        *superblock = group + pmi_bits_highest(found);
        return true;
    }

    // Moves to a superblock that has not. Groups before a node's are complete.
    static HWY_INLINE bool NextInRows(const pm_bp *bp, Place *at) {
        uint64_t node = at->superblock / PM_BP_FAN_OUT;
        for (unsigned row = 1; row < bp->rows; row++, node /= PM_BP_FAN_OUT) {
            const uint64_t group = node - node % PM_BP_FAN_OUT;
            const uint32_t behind = UINT32_C(0xfffffffe) << node % PM_BP_FAN_OUT;
            const uint32_t found = Block::AtMost(Row(bp, row) + group, at->excess) & behind;
            if (found == 0)
                continue;
            node = group + pmi_bits_lowest(found);
            if (node >= bp->row_length[row])
                return false; // what follows the last row's end
            while (row-- > 0) {
                const L *const children = Row(bp, row) + node * PM_BP_FAN_OUT;
                const uint64_t reached = Block::AtMost(children, at->excess) | UINT64_C(0x180000000);
                node = node * PM_BP_FAN_OUT + pmi_bits_lowest(reached);
            }
            at->superblock = node;
            return true;
        }
        return false;
    }
    static HWY_INLINE bool PreviousInRows(const pm_bp *bp, Place *at) {
        uint64_t node = at->superblock / PM_BP_FAN_OUT;
        for (unsigned row = 1; row < bp->rows; row++, node /= PM_BP_FAN_OUT) {
            const uint64_t group = node - node % PM_BP_FAN_OUT;
            const uint32_t before = (uint32_t{1} << node % PM_BP_FAN_OUT) - 1;
            const uint32_t found = Block::AtMost(Row(bp, row) + group, at->excess) & before;
            if (found == 0)
                continue;
            node = group + pmi_bits_highest(found);
            while (row-- > 0) {
                const L *const children = Row(bp, row) + node * PM_BP_FAN_OUT;
                node = node * PM_BP_FAN_OUT + pmi_bits_highest(Block::AtMost(children, at->excess) | 1);
            }
            at->superblock = node;
            return true;
        }
        return false;
    }
};

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
