// SPDX-License-Identifier: Apache-2.0
// Searches for a level in the whole sequence, on what Block does inside a block (core/bp_index.h says how).
#if defined(PM_BROADWORD_BP_SEARCH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_BP_SEARCH_INL_H
#undef PM_BROADWORD_BP_SEARCH_INL_H
#else
#define PM_BROADWORD_BP_SEARCH_INL_H
#endif

#include "core/bp_index.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace pm {
namespace HWY_NAMESPACE {

// What indices with levels of type L have. The lowest level that L holds is as far below the sequence's as a search can
// fall: n below its least, which is -n.
template <class L> struct BpLevel;
template <> struct BpLevel<int32_t> { using Hint = uint32_t; };
template <> struct BpLevel<int64_t> { using Hint = uint64_t; };

// The index, with levels of type L.
template <class L> struct BpIndex {
    static HWY_INLINE const L *Levels(const pm_bp *bp) {
        return static_cast<const L *>(bp->levels);
    }
    static HWY_INLINE const L *Row(const pm_bp *bp, unsigned row) {
        return static_cast<const L *>(bp->least[row]);
    }

    // The level before block j of a superblock, relative to the superblock.
    static HWY_INLINE int Begin(const pm_bp_line &line, uint64_t j) {
        return line.end[(j - 1) % PM_BP_LINE_BLOCKS] & -static_cast<int>(j != 0);
    }
    static HWY_INLINE int Begin(const pm_bp *bp, uint64_t block) {
        return Begin(bp->lines[block / PM_BP_LINE_BLOCKS], block % PM_BP_LINE_BLOCKS);
    }
    static HWY_INLINE int End(const pm_bp *bp, uint64_t block) {
        return bp->lines[block / PM_BP_LINE_BLOCKS].end[block % PM_BP_LINE_BLOCKS];
    }

    // Twice the opens before the end of the block that element i is in; and the opens from i to there.
    static HWY_INLINE int64_t TwiceRankOfEnd(const pm_bp *bp, uint64_t i) {
        const int64_t level = int64_t{Levels(bp)[i / PM_BP_SUPERBLOCK]} + End(bp, i / PM_BP_BLOCK);
        return level + static_cast<int64_t>((i | (PM_BP_BLOCK - 1)) + 1);
    }
    template <class Block> static HWY_INLINE unsigned Behind(const pm_bp *bp, uint64_t i) {
        return Block::OpensFrom(pm_bp_block(bp, i / PM_BP_BLOCK), i % PM_BP_BLOCK);
    }

    // P(k).
    template <class Block> static HWY_INLINE int64_t LevelBefore(const pm_bp *bp, uint64_t k) {
        if (HWY_UNLIKELY(k >= bp->n))
            return static_cast<int64_t>(2 * bp->opens - bp->n);
        return TwiceRankOfEnd(bp, k) - static_cast<int64_t>(k) - 2 * static_cast<int64_t>(Behind<Block>(bp, k));
    }
};

// A block, by its superblock and which one of that it is, and a level relative to the superblock's beginning.
template <class L> struct BpPlace {
    uint64_t superblock, block;
    L level;

    static HWY_INLINE BpPlace Of(uint64_t element) {
        return {element / PM_BP_SUPERBLOCK, element / PM_BP_BLOCK % PM_BP_LINE_BLOCKS, 0};
    }
    // Its number in the sequence.
    HWY_INLINE uint64_t number() const {
        return superblock * PM_BP_LINE_BLOCKS + block;
    }
};

// More than a level can fall within a block, and little enough for the 16 bits that blocks count in.
constexpr int kBpManyInBlock = 2 * PM_BP_BLOCK;

template <class Block, class L> class BpSearch : private BpIndex<L> {
    using BpIndex<L>::Begin;
    using BpIndex<L>::Levels;
    using BpIndex<L>::Row;

  public:
    using Place = BpPlace<L>;

    // The first element j >= s, s < n, with P(j + 1) = P(s) - fall.
    static HWY_INLINE uint64_t Forwards(const pm_bp *bp, uint64_t s, uint64_t fall) {
        Place at = Place::Of(s);
        int rise;
        const unsigned found = Block::First(pm_bp_block(bp, s / PM_BP_BLOCK), s % PM_BP_BLOCK, InBlock(fall), &rise);
        if (found < PM_BP_BLOCK)
            return s - s % PM_BP_BLOCK + found;
        at.level = static_cast<L>(bp->lines[at.superblock].end[at.block] - rise - static_cast<L>(fall));
        if (NextInLine(bp, &at, fall))
            return FirstNear(bp, at.superblock, at.block, at.level);
        return FirstFar(bp, at.superblock, at.level);
    }

    // The last element j < t, t > 0, with P(j) = P(t) - fall.
    static HWY_INLINE uint64_t Backwards(const pm_bp *bp, uint64_t t, uint64_t fall) {
        Place at = Place::Of(t - 1);
        int rise;
        const unsigned to = static_cast<unsigned>((t - 1) % PM_BP_BLOCK + 1);
        const unsigned found = Block::Last(pm_bp_block(bp, (t - 1) / PM_BP_BLOCK), to, InBlock(fall), &rise);
        if (found < PM_BP_BLOCK)
            return t - to + found;
        at.level = static_cast<L>(Begin(bp->lines[at.superblock], at.block) + rise - static_cast<L>(fall));
        if (PreviousInLine(bp, &at, fall))
            return LastNear(bp, at.superblock, at.block, at.level);
        return LastFar(bp, at.superblock, at.level);
    }

    // Where the level is reached in a block that Next() or Previous() has found.
    static HWY_INLINE uint64_t FirstOf(const pm_bp *bp, const Place &at) {
        const int begin = Begin(bp->lines[at.superblock], at.block), fall = begin - static_cast<int>(at.level);
        return at.number() * PM_BP_BLOCK + Block::FirstOfAll(Words(bp, at), fall, FallToEnd(bp, at));
    }
    static HWY_INLINE uint64_t LastOf(const pm_bp *bp, const Place &at) {
        return at.number() * PM_BP_BLOCK + Block::LastOfAll(Words(bp, at), FallToEnd(bp, at));
    }

    // Moves on to the first block behind that reaches down to the level, which is at most `fall` below one of this
    // superblock's. False if there is none.
    static HWY_INLINE bool Next(const pm_bp *bp, Place *at, uint64_t fall) {
        if (NextInLine(bp, at, fall))
            return true;
        if (!NextInTree(bp, at))
            return false;
        FirstOfLine(bp, at);
        return true;
    }

    // The steps of these: to a block of the same superblock; or else, the level being an absolute one now, to another
    // superblock; and from there to a block of it, the level being relative again.
    static HWY_INLINE bool NextInLine(const pm_bp *bp, Place *at, uint64_t fall) {
        const uint32_t found = ReachedBy(bp, at->superblock, InLine(at->level, fall)) & 0xfffeu << at->block;
        if (found != 0)
            at->block = pm_bits_lowest(found);
        return found != 0;
    }
    static HWY_INLINE bool PreviousInLine(const pm_bp *bp, Place *at, uint64_t fall) {
        const uint32_t before = (uint32_t{1} << at->block) - 1;
        const uint32_t found = ReachedBy(bp, at->superblock, InLine(at->level, fall)) & before;
        if (found != 0)
            at->block = pm_bits_highest(found);
        return found != 0;
    }
    static HWY_INLINE bool NextInTree(const pm_bp *bp, Place *at) {
        at->level += Levels(bp)[at->superblock];
        return NextInRow(bp, at) || NextInRows(bp, at);
    }
    static HWY_INLINE bool PreviousInTree(const pm_bp *bp, Place *at) {
        at->level += Levels(bp)[at->superblock];
        return PreviousInRow(bp, at) || PreviousInRows(bp, at);
    }
    static HWY_INLINE void FirstOfLine(const pm_bp *bp, Place *at) {
        at->level -= Levels(bp)[at->superblock];
        at->block = pm_bits_lowest(ReachedBy(bp, at->superblock, static_cast<int>(at->level)) | 0x18000);
    }
    static HWY_INLINE void LastOfLine(const pm_bp *bp, Place *at) {
        at->level -= Levels(bp)[at->superblock];
        at->block = pm_bits_highest(ReachedBy(bp, at->superblock, static_cast<int>(at->level)) | 1);
    }

  private:
    // Each of these steps is apart, so that none needs a stack: where the level is reached in the same superblock, ...
    static HWY_NOINLINE uint64_t FirstNear(const pm_bp *bp, uint64_t superblock, uint64_t block, L level) {
        return FirstOf(bp, {superblock, block, level});
    }
    static HWY_NOINLINE uint64_t LastNear(const pm_bp *bp, uint64_t superblock, uint64_t block, L level) {
        return LastOf(bp, {superblock, block, level});
    }

    // ... in one that has the same parent in the tree, ...
    static HWY_NOINLINE uint64_t FirstFar(const pm_bp *bp, uint64_t superblock, L level) {
        Place at = {superblock, 0, level + Levels(bp)[superblock]};
        if (HWY_UNLIKELY(!NextInRow(bp, &at)))
            return FirstFarther(bp, at.superblock, at.level);
        FirstOfLine(bp, &at);
        return FirstOf(bp, at);
    }
    static HWY_NOINLINE uint64_t LastFar(const pm_bp *bp, uint64_t superblock, L level) {
        Place at = {superblock, 0, level + Levels(bp)[superblock]};
        if (HWY_UNLIKELY(!PreviousInRow(bp, &at)))
            return LastFarther(bp, at.superblock, at.level);
        LastOfLine(bp, &at);
        return LastOf(bp, at);
    }

    // ... or, the level being an absolute one, elsewhere.
    static HWY_NOINLINE uint64_t FirstFarther(const pm_bp *bp, uint64_t superblock, L level) {
        Place at = {superblock, 0, level};
        if (!NextInRows(bp, &at))
            return PM_BP_NONE;
        FirstOfLine(bp, &at);
        return FirstOf(bp, at);
    }
    static HWY_NOINLINE uint64_t LastFarther(const pm_bp *bp, uint64_t superblock, L level) {
        Place at = {superblock, 0, level};
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
        return pm_bp_block(bp, at.number());
    }

    static HWY_INLINE int FallToEnd(const pm_bp *bp, const Place &at) {
        return bp->lines[at.superblock].end[at.block] - static_cast<int>(at.level);
    }

    // A level, relative to a superblock, for lines: no block reaches below -2^13, and no small fall from there below
    // -2^14. Where the fall is known when this is compiled, nothing is left of the question.
    static HWY_INLINE int InLine(L level, uint64_t fall) {
        const bool small = fall <= PM_BP_SUPERBLOCK;
        return small || level >= INT16_MIN ? static_cast<int>(level) : INT16_MIN;
    }

    // The blocks of a superblock that reach down to a level relative to it.
    static HWY_INLINE uint32_t ReachedBy(const pm_bp *bp, uint64_t superblock, int level) {
        return Block::AtMost(bp->lines[superblock].least, level);
    }

    // Moves to a superblock that has the same parent in the tree.
    static HWY_INLINE bool NextInRow(const pm_bp *bp, Place *at) {
        if (HWY_UNLIKELY(bp->rows == 0))
            return false;
        const uint64_t group = at->superblock - at->superblock % PM_BP_FAN_OUT;
        const uint32_t behind = UINT32_C(0xfffffffe) << at->superblock % PM_BP_FAN_OUT;
        const uint64_t found = Block::AtMost(Row(bp, 0) + group, at->level) & behind;
        const uint64_t superblock = group + pm_bits_lowest(found | UINT64_C(1) << 63);
        if (superblock >= bp->superblocks || found == 0)
            return false; // there is none, or what follows the row's end
        at->superblock = superblock;
        return true;
    }
    static HWY_INLINE bool PreviousInRow(const pm_bp *bp, Place *at) {
        if (HWY_UNLIKELY(bp->rows == 0))
            return false;
        const uint64_t group = at->superblock - at->superblock % PM_BP_FAN_OUT;
        const uint32_t before = (uint32_t{1} << at->superblock % PM_BP_FAN_OUT) - 1;
        const uint32_t found = Block::AtMost(Row(bp, 0) + group, at->level) & before;
        if (found == 0)
            return false;
        at->superblock = group + pm_bits_highest(found);
        return true;
    }

    // Moves to a superblock that has not. Groups before a node's are complete.
    static HWY_INLINE bool NextInRows(const pm_bp *bp, Place *at) {
        uint64_t node = at->superblock / PM_BP_FAN_OUT;
        for (unsigned row = 1; row < bp->rows; row++, node /= PM_BP_FAN_OUT) {
            const uint64_t group = node - node % PM_BP_FAN_OUT;
            const uint32_t behind = UINT32_C(0xfffffffe) << node % PM_BP_FAN_OUT;
            const uint32_t found = Block::AtMost(Row(bp, row) + group, at->level) & behind;
            if (found == 0)
                continue;
            node = group + pm_bits_lowest(found);
            if (node >= bp->row_length[row])
                return false; // what follows the last row's end
            while (row-- > 0) {
                const L *const children = Row(bp, row) + node * PM_BP_FAN_OUT;
                const uint64_t reached = Block::AtMost(children, at->level) | UINT64_C(0x180000000);
                node = node * PM_BP_FAN_OUT + pm_bits_lowest(reached);
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
            const uint32_t found = Block::AtMost(Row(bp, row) + group, at->level) & before;
            if (found == 0)
                continue;
            node = group + pm_bits_highest(found);
            while (row-- > 0) {
                const L *const children = Row(bp, row) + node * PM_BP_FAN_OUT;
                node = node * PM_BP_FAN_OUT + pm_bits_highest(Block::AtMost(children, at->level) | 1);
            }
            at->superblock = node;
            return true;
        }
        return false;
    }
};

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif
