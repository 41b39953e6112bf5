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
    static HWY_INLINE int Begin(const pm_bp_line &line, unsigned j) {
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

// A block, and a level relative to the beginning of its superblock.
struct BpPlace {
    uint64_t block;
    int64_t level;
};

// More than a level can fall within a block, and little enough for the 16 bits that blocks count in.
constexpr int kBpManyInBlock = 2 * PM_BP_BLOCK;

template <class Block, class L> class BpSearch : private BpIndex<L> {
    using BpIndex<L>::Begin;
    using BpIndex<L>::End;
    using BpIndex<L>::Levels;
    using BpIndex<L>::Row;

  public:
    // The first element j >= s with P(j + 1) = P(s) - fall.
    static HWY_INLINE uint64_t Forwards(const pm_bp *bp, uint64_t s, uint64_t fall) {
        if (s >= bp->n)
            return PM_BP_NONE;
        BpPlace at = {s / PM_BP_BLOCK, 0};
        int rise;
        const unsigned found = Block::First(pm_bp_block(bp, at.block), s % PM_BP_BLOCK, InBlock(fall), &rise);
        if (found < PM_BP_BLOCK)
            return at.block * PM_BP_BLOCK + found;
        at.level = End(bp, at.block) - rise - static_cast<int64_t>(fall);
        if (!Next(bp, &at, fall))
            return PM_BP_NONE;
        return FirstOf(bp, at);
    }

    // The last element j < t with P(j) = P(t) - fall.
    static HWY_INLINE uint64_t Backwards(const pm_bp *bp, uint64_t t, uint64_t fall) {
        if (t == 0)
            return PM_BP_NONE;
        BpPlace at = {(t - 1) / PM_BP_BLOCK, 0};
        int rise;
        const unsigned to = static_cast<unsigned>(t - at.block * PM_BP_BLOCK);
        const unsigned found = Block::Last(pm_bp_block(bp, at.block), to, InBlock(fall), &rise);
        if (found < PM_BP_BLOCK)
            return at.block * PM_BP_BLOCK + found;
        at.level = Begin(bp, at.block) + rise - static_cast<int64_t>(fall);
        if (!Previous(bp, &at, fall))
            return PM_BP_NONE;
        return LastOf(bp, at);
    }

    // A fall as blocks take it: no block has one that is larger.
    static HWY_INLINE int InBlock(uint64_t fall) {
        return fall < kBpManyInBlock ? static_cast<int>(fall) : kBpManyInBlock;
    }

    // Where the level is reached in a block that Next() or Previous() has found.
    static HWY_INLINE uint64_t FirstOf(const pm_bp *bp, BpPlace at) {
        const int fall = Begin(bp, at.block) - static_cast<int>(at.level);
        return at.block * PM_BP_BLOCK + Block::FirstOfAll(pm_bp_block(bp, at.block), fall);
    }
    static HWY_INLINE uint64_t LastOf(const pm_bp *bp, BpPlace at) {
        const int fall = End(bp, at.block) - static_cast<int>(at.level);
        return at.block * PM_BP_BLOCK + Block::LastOfAll(pm_bp_block(bp, at.block), fall);
    }

    // Moves on to the first block behind that reaches down to the level, which is at most `fall` below one of this
    // superblock's. False if there is none.
    static HWY_INLINE bool Next(const pm_bp *bp, BpPlace *at, uint64_t fall) {
        if (NextInLine(bp, at, fall))
            return true;
        if (!NextInTree(bp, at))
            return false;
        FirstOfLine(bp, at);
        return true;
    }

    // Moves on to the last block before that does. False if there is none.
    static HWY_INLINE bool Previous(const pm_bp *bp, BpPlace *at, uint64_t fall) {
        if (PreviousInLine(bp, at, fall))
            return true;
        if (!PreviousInTree(bp, at))
            return false;
        LastOfLine(bp, at);
        return true;
    }

    // The steps of these: to a block of the same superblock; or else to the beginning of another superblock, the level
    // being an absolute one now; and from there to a block of it, the level being relative again.
    static HWY_INLINE bool NextInLine(const pm_bp *bp, BpPlace *at, uint64_t fall) {
        const uint32_t behind = 0xfffeu << at->block % PM_BP_LINE_BLOCKS;
        const uint32_t found = ReachedBy(bp, at->block / PM_BP_LINE_BLOCKS, InLine(at->level, fall)) & behind;
        if (found != 0)
            at->block += pm_bits_lowest(found) - at->block % PM_BP_LINE_BLOCKS;
        return found != 0;
    }
    static HWY_INLINE bool PreviousInLine(const pm_bp *bp, BpPlace *at, uint64_t fall) {
        const uint32_t before = (uint32_t{1} << at->block % PM_BP_LINE_BLOCKS) - 1;
        const uint32_t found = ReachedBy(bp, at->block / PM_BP_LINE_BLOCKS, InLine(at->level, fall)) & before;
        if (found != 0)
            at->block -= at->block % PM_BP_LINE_BLOCKS - pm_bits_highest(found);
        return found != 0;
    }
    static HWY_INLINE bool NextInTree(const pm_bp *bp, BpPlace *at) {
        const uint64_t left = at->block / PM_BP_LINE_BLOCKS;
        at->level += Levels(bp)[left];
        const uint64_t superblock = NextSuperblock(bp, left, static_cast<L>(at->level));
        at->block = superblock * PM_BP_LINE_BLOCKS;
        return superblock != PM_BP_NONE;
    }
    static HWY_INLINE bool PreviousInTree(const pm_bp *bp, BpPlace *at) {
        const uint64_t left = at->block / PM_BP_LINE_BLOCKS;
        at->level += Levels(bp)[left];
        const uint64_t superblock = PreviousSuperblock(bp, left, static_cast<L>(at->level));
        at->block = superblock * PM_BP_LINE_BLOCKS;
        return superblock != PM_BP_NONE;
    }
    static HWY_INLINE void FirstOfLine(const pm_bp *bp, BpPlace *at) {
        at->level -= Levels(bp)[at->block / PM_BP_LINE_BLOCKS];
        at->block += pm_bits_lowest(ReachedBy(bp, at->block / PM_BP_LINE_BLOCKS, static_cast<int>(at->level)) | 0x8000);
    }
    static HWY_INLINE void LastOfLine(const pm_bp *bp, BpPlace *at) {
        at->level -= Levels(bp)[at->block / PM_BP_LINE_BLOCKS];
        at->block += pm_bits_highest(ReachedBy(bp, at->block / PM_BP_LINE_BLOCKS, static_cast<int>(at->level)) | 1);
    }

  private:
    // A level, relative to a superblock, for lines: no block reaches below -2^13, and no small fall from there below
    // -2^14. Where the fall is known when this is compiled, nothing is left of the question.
    static HWY_INLINE int InLine(int64_t level, uint64_t fall) {
        const bool small = fall <= PM_BP_SUPERBLOCK;
        return small || level >= INT16_MIN ? static_cast<int>(level) : INT16_MIN;
    }

    // The blocks of a superblock that reach down to a level relative to it.
    static HWY_INLINE uint32_t ReachedBy(const pm_bp *bp, uint64_t superblock, int level) {
        return Block::AtMost(bp->lines[superblock].least, level) & 0xffff;
    }

    static HWY_INLINE uint64_t NextSuperblock(const pm_bp *bp, uint64_t superblock, L level) {
        uint64_t node = superblock;
        for (unsigned row = 0; row < bp->rows; row++, node /= PM_BP_FAN_OUT) {
            const uint64_t group = node - node % PM_BP_FAN_OUT;
            const uint32_t found = Block::AtMost(Row(bp, row) + group, level) & UINT32_C(0xfffffffe)
                                                                                    << node % PM_BP_FAN_OUT;
            if (found == 0)
                continue;
            node = group + pm_bits_lowest(found);
            if (node >= bp->row_length[row])
                return PM_BP_NONE; // what follows the last row's end
            while (row-- > 0) {
                const L *children = Row(bp, row) + node * PM_BP_FAN_OUT;
                node = node * PM_BP_FAN_OUT + pm_bits_lowest(Block::AtMost(children, level) | UINT32_C(0x80000000));
            }
            return node;
        }
        return PM_BP_NONE;
    }

    // Groups before a node's are complete.
    static HWY_INLINE uint64_t PreviousSuperblock(const pm_bp *bp, uint64_t superblock, L level) {
        uint64_t node = superblock;
        for (unsigned row = 0; row < bp->rows; row++, node /= PM_BP_FAN_OUT) {
            const uint64_t group = node - node % PM_BP_FAN_OUT;
            const uint32_t found =
                Block::AtMost(Row(bp, row) + group, level) & ((uint32_t{1} << node % PM_BP_FAN_OUT) - 1);
            if (found == 0)
                continue;
            node = group + pm_bits_highest(found);
            while (row-- > 0) {
                const L *children = Row(bp, row) + node * PM_BP_FAN_OUT;
                node = node * PM_BP_FAN_OUT + pm_bits_highest(Block::AtMost(children, level) | 1);
            }
            return node;
        }
        return PM_BP_NONE;
    }
};

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif
