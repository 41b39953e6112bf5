// SPDX-License-Identifier: Apache-2.0
// The least level of a stretch of the sequence, and how often it is reached: what lowest common ancestors and children
// are found by.
#if defined(PM_BROADWORD_BP_RANGE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_BP_RANGE_INL_H
#undef PM_BROADWORD_BP_RANGE_INL_H
#else
#define PM_BROADWORD_BP_RANGE_INL_H
#endif

#include "broadword/bp/search-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pm {
namespace HWY_NAMESPACE {

template <class Block, class L> class BpRange : private BpIndex<L> {
    using Search = BpSearch<Block, L>;
    using BpIndex<L>::Begin;
    using BpIndex<L>::Levels;
    using BpIndex<L>::Row;

  public:
    // The least of P(first) ... P(last).
    static int64_t Least(const pm_bp *bp, uint64_t first, uint64_t last) {
        const uint64_t from = first / PM_BP_BLOCK, to = last > first ? (last - 1) / PM_BP_BLOCK : from;
        const unsigned end = static_cast<unsigned>(last - to * PM_BP_BLOCK);
        if (first == last)
            return BpIndex<L>::template LevelBefore<Block>(bp, first);
        if (from == to)
            return LeastIn(bp, from, first % PM_BP_BLOCK, end);
        const int64_t of_ends = HWY_MIN(LeastIn(bp, from, first % PM_BP_BLOCK, PM_BP_BLOCK), LeastIn(bp, to, 0, end));
        return HWY_MIN(of_ends, LeastBetween(bp, from, to));
    }

    // How many of k = first ... last have P(k) = level, which is the least of these levels; no more than `most`.
    static uint64_t Count(const pm_bp *bp, uint64_t first, uint64_t last, int64_t level, uint64_t most, uint64_t *kth) {
        const uint64_t end = last / PM_BP_BLOCK;
        uint64_t count = 0;
        BpPlace<L> at = BpPlace<L>::Of(first);
        at.level = static_cast<L>(level) - Levels(bp)[at.superblock];
        unsigned from = first % PM_BP_BLOCK;
        do {
            const unsigned to = at.number() == end ? last % PM_BP_BLOCK : PM_BP_BLOCK - 1;
            const uint64_t *const words = pmi_bp_block(bp, at.number());
            const int relative = static_cast<int>(at.level) - Begin(bp->view.lines[at.superblock], at.block);
            const unsigned found = Block::Count(words, from, to, relative);
            if (found >= most - count) {
                *kth = at.number() * PM_BP_BLOCK + Kth(words, from, relative, static_cast<unsigned>(most - count));
                return most;
            }
            count += found;
            from = 0;
        } while (at.number() < end && Search::Next(bp, &at, UINT64_MAX) && at.number() <= end);
        return count;
    }

  private:
    static HWY_INLINE int64_t LeastIn(const pm_bp *bp, uint64_t block, unsigned from, unsigned to) {
        return BpIndex<L>::template LevelBefore<Block>(bp, block * PM_BP_BLOCK + from) +
               Block::Least(pmi_bp_block(bp, block), from, to);
    }

    // The least level in the blocks between two.
    static int64_t LeastBetween(const pm_bp *bp, uint64_t from, uint64_t to) {
        const uint64_t left = from / PM_BP_LINE_BLOCKS, right = to / PM_BP_LINE_BLOCKS;
        const unsigned begin = from % PM_BP_LINE_BLOCKS + 1, end = to % PM_BP_LINE_BLOCKS;
        if (left == right)
            return LeastOfLine(bp, left, begin, end);
        const int64_t of_ends =
            HWY_MIN(LeastOfLine(bp, left, begin, PM_BP_LINE_BLOCKS), LeastOfLine(bp, right, 0, end));
        return HWY_MIN(of_ends, LeastOfSuperblocks(bp, left, right));
    }

    static int64_t LeastOfLine(const pm_bp *bp, uint64_t superblock, unsigned begin, unsigned end) {
        int least = INT16_MAX;
        for (unsigned j = begin; j < end; j++)
            least = HWY_MIN(least, bp->view.lines[superblock].least[j]);
        return least == INT16_MAX ? INT64_MAX : Levels(bp)[superblock] + least;
    }

    // Between two superblocks: in each row the nodes that have the same parent as one of the ends.
    static int64_t LeastOfSuperblocks(const pm_bp *bp, uint64_t left, uint64_t right) {
        int64_t least = INT64_MAX;
        for (unsigned row = 0; left < right; row++, left /= PM_BP_FAN_OUT, right /= PM_BP_FAN_OUT) {
            const uint64_t parent = left / PM_BP_FAN_OUT, last = right / PM_BP_FAN_OUT;
            const uint64_t end = parent == last ? right : (parent + 1) * PM_BP_FAN_OUT;
            for (uint64_t node = left + 1; node < end; node++)
                least = HWY_MIN(least, static_cast<int64_t>(Row(bp, row)[node]));
            for (uint64_t node = last * PM_BP_FAN_OUT; parent != last && node < right; node++)
                least = HWY_MIN(least, static_cast<int64_t>(Row(bp, row)[node]));
        }
        return least;
    }

    // The k-th, from 1, element at or after `from` before which a block has the level, relative to its beginning.
    static unsigned Kth(const uint64_t *words, unsigned from, int wanted, unsigned k) {
        int level = 0;
        for (unsigned i = 0; i < PM_BP_BLOCK; i++) {
            k -= i >= from && level == wanted;
            if (k == 0)
                return i;
            level += pmi_bits_get(words, i) ? 1 : -1;
        }
        return 0;
    }
};

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif
