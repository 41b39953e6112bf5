// SPDX-License-Identifier: Apache-2.0
// Many queries at a time: each step is done for all of a batch, after what it reads has been asked for, so that they
// wait for memory together. The steps are those of search-inl.h.
#if defined(PM_BROADWORD_BP_BATCH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_BP_BATCH_INL_H
#undef PM_BROADWORD_BP_BATCH_INL_H
#else
#define PM_BROADWORD_BP_BATCH_INL_H
#endif

#include "broadword/bp/queries-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// What is searched for: forwards the close of an open; backwards the open of a close, or of any element.
enum class BpQuery {
    kFindClose,
    kFindOpen,
    kEnclose
};

template <class Block, class L, BpQuery kQuery, bool kByStretches> class BpBatch : private BpIndex<L> {
    using Search = BpSearch<Block, L>;
    using Place = BpPlace<L>;
    using Queries = BpQueries<Block, L>;
    using BpIndex<L>::Begin;
    using BpIndex<L>::Excesses;

  public:
    static void Answer(const pm_bp *bp, const uint64_t *arguments, size_t count, uint64_t *answers) {
        if (bp->view.n == 0) // there is not even an address to ask for
            for (size_t q = 0; q < count; q++)
                answers[q] = PM_BP_NONE;
        if (bp->view.n == 0)
            return;
        for (size_t q = 0; q < HWY_MIN(count, kBatch); q++)
            PrefetchWord(bp, arguments[q]);
        for (size_t done = 0; done < count; done += kBatch) {
            const size_t size = HWY_MIN(count - done, kBatch);
            BpBatch batch(bp, arguments + done, size, answers + done);
            batch.Run(arguments + done + size, HWY_MIN(count - done - size, kBatch));
        }
    }

  private:
    static constexpr size_t kBatch = 64;
    static constexpr bool kForwards = kQuery == BpQuery::kFindClose;

    // Which queries of the batch go on to a step.
    struct List {
        size_t count = 0;
        uint8_t query[kBatch + 1];

        HWY_INLINE void Add(size_t which, bool wanted) {
            query[count] = static_cast<uint8_t>(which);
            count += wanted;
        }
    };

    HWY_INLINE BpBatch(const pm_bp *bp, const uint64_t *arguments, size_t count, uint64_t *answers)
        : bp_(bp), count_(count), answers_(answers) {
        for (size_t q = 0; q < count; q++) // now, as the answers may overwrite them
            i_[q] = arguments[q];
    }

    // Words have been asked for; between their queries those of the next batch are, which come while this one is done.
    HWY_INLINE void Run(const uint64_t *next, size_t next_count) {
        List in_block, in_line, behind_line, in_tree, found;
        const bool by_stretches = kByStretches && bp_->rows > 1; // a tree of one row takes no longer
        for (size_t q = 0; q < count_; q++) {
            if (q < next_count)
                PrefetchWord(bp_, next[q]);
            in_block.Add(q, !NearInWord(q));
        }
        for (size_t k = 0; k < in_block.count; k++)
            PrefetchIndex(place_[in_block.query[k]]);
        for (size_t k = 0; k < in_block.count; k++)
            in_line.Add(in_block.query[k], !NearInBlock(in_block.query[k]));
        for (size_t k = 0; k < in_line.count; k++) {
            const size_t q = in_line.query[k];
            const bool near = MoveInLine(q);
            found.Add(q, near);
            behind_line.Add(q, !near);
        }
        for (size_t k = 0; k < behind_line.count; k++) {
            const size_t q = behind_line.query[k];
            const bool near = by_stretches && MoveByStretch(q);
            found.Add(q, near);
            in_tree.Add(q, !near);
        }
        List in_far_line;
        for (size_t k = 0; k < in_tree.count; k++)
            in_far_line.Add(in_tree.query[k], MoveInTree(in_tree.query[k]));
        for (size_t k = 0; k < in_far_line.count; k++) {
            MoveToFarBlock(in_far_line.query[k]);
            found.Add(in_far_line.query[k], true);
        }
        for (size_t k = 0; k < found.count; k++) {
            const size_t q = found.query[k];
            answers_[q] = kForwards ? Search::FirstOf(bp_, place_[q]) : Search::LastOf(bp_, place_[q]);
        }
    }

    static HWY_INLINE void Prefetch(const void *address) {
        __builtin_prefetch(address);
    }

    static HWY_INLINE void PrefetchWord(const pm_bp *bp, uint64_t argument) {
        const uint64_t i = HWY_MIN(argument, bp->view.n - 1);
        const char *const byte = reinterpret_cast<const char *>(bp->view.parens) + i / 8;
        Prefetch(byte);
        Prefetch(kForwards ? byte + 7 : byte - HWY_MIN(i / 8, 7));
    }

    HWY_INLINE void PrefetchIndex(const Place &at) const {
        Prefetch(pmi_bp_block(bp_, at.number()));
        Prefetch(&bp_->view.lines[at.superblock]);
        Prefetch(&Excesses(bp_)[at.superblock]);
    }

    // Answers what needs no index. What is left begins in a block.
    HWY_INLINE bool NearInWord(size_t q) {
        const uint64_t i = i_[q];
        const bool none = i >= bp_->view.n || (kQuery == BpQuery::kFindClose && !pmi_bits_get(bp_->view.parens, i)) ||
                          (kQuery == BpQuery::kFindOpen && pmi_bits_get(bp_->view.parens, i)) ||
                          i == (kForwards ? bp_->view.n - 1 : 0);
        answers_[q] = PM_BP_NONE;
        if (HWY_UNLIKELY(none))
            return true;
        place_[q] = Place::Of(FirstTried(q));
        if (!kForwards)
            return Queries::template OpenInWord<BpExit::kValue>(bp_, i, &answers_[q]);
        if (HWY_UNLIKELY(i / 8 >= bp_->windows))
            return false;
        const unsigned between = Block::template ToClose<BpExit::kValue>(BpWordAt(bp_, i / 8), i % 8);
        answers_[q] = i + 1 + between;
        return between < PM_WORD_BITS;
    }

    // The element that a search behind (or before) the argument begins with.
    HWY_INLINE uint64_t FirstTried(size_t q) const {
        return kForwards ? i_[q] + 1 : i_[q] - 1;
    }

    HWY_INLINE bool NearInBlock(size_t q) {
        const Place at = place_[q];
        const uint64_t begin = at.number() * PM_BP_BLOCK;
        const uint64_t *const words = pmi_bp_block(bp_, at.number());
        const pm_bp_line &line = bp_->view.lines[at.superblock];
        typename Block::Rise rise;
        const unsigned from = static_cast<unsigned>(i_[q] + kForwards - begin);
        const unsigned found = kForwards ? Block::template First<BpExit::kValue>(words, from, 1, &rise)
                                         : Block::template Last<BpExit::kValue>(words, from, 1, &rise);
        answers_[q] = begin + found;
        place_[q].excess = static_cast<L>(Block::ValueOf(kForwards ? Block::Less(line.end[at.block] - 1, rise)
                                                                   : Block::More(Begin(line, at.block) - 1, rise)));
        return found < PM_BP_BLOCK;
    }

    // Moves to the block of the same superblock that holds the excess, and asks for it.
    HWY_INLINE bool MoveInLine(size_t q) {
        const bool found =
            kForwards ? Search::NextInLine(bp_, &place_[q], 1) : Search::PreviousInLine(bp_, &place_[q], 1);
        Prefetch(pmi_bp_block(bp_, place_[q].number()));
        return found;
    }

    // Moves to the block of another superblock that holds the excess, where the stretch knows of it.
    HWY_INLINE bool MoveByStretch(size_t q) {
        const uint64_t stretch = FirstTried(q) / PM_BP_STRETCH;
        const typename Search::Number excess = Block::Sum(Block::AnyNumber(), place_[q].excess);
        Place to;
        const bool found = kForwards ? Search::NextByStretch(bp_, stretch, excess, &to)
                                     : Search::PreviousByStretch(bp_, stretch, excess, &to);
        if (HWY_LIKELY(found))
            place_[q] = to;
        return found;
    }

    // Moves to the superblock that holds the excess, and asks for its part of the index.
    HWY_INLINE bool MoveInTree(size_t q) {
        const bool found = kForwards ? Search::NextInTree(bp_, &place_[q]) : Search::PreviousInTree(bp_, &place_[q]);
        answers_[q] = PM_BP_NONE;
        if (found) {
            place_[q].block = 0;
            PrefetchIndex(place_[q]);
        }
        return found;
    }

    HWY_INLINE void MoveToFarBlock(size_t q) {
        if (kForwards)
            Search::FirstOfLine(bp_, &place_[q]);
        else
            Search::LastOfLine(bp_, &place_[q]);
        Prefetch(pmi_bp_block(bp_, place_[q].number()));
    }

    const pm_bp *bp_;
    size_t count_;
    uint64_t *answers_;
    uint64_t i_[kBatch];
    Place place_[kBatch];
};

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
