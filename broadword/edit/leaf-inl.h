// SPDX-License-Identifier: Apache-2.0
// What is done to the bits of a leaf of pm_edit, block by block with the blocks of pm_bp.
#if defined(PM_BROADWORD_EDIT_LEAF_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_EDIT_LEAF_INL_H
#undef PM_BROADWORD_EDIT_LEAF_INL_H
#else
#define PM_BROADWORD_EDIT_LEAF_INL_H
#endif

#include <string.h>

#include "base/edit_tree.h"
#include "broadword/bp/block_words.h"
#include "broadword/edit/summary_avx512-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

template <class Block> class EditLeaf {
  public:
    // What a search has come to: the element that it has found, or PM_EDIT_LEAF; then `rise` is what the excess rises
    // over the elements searched.
    struct Found {
        unsigned at;
        int64_t rise;
    };

    // The first element at or behind `from` after which the excess has fallen by `fall`. `length` elements are there.
    static HWY_INLINE Found First(const uint64_t *words, unsigned length, unsigned from, int64_t fall) {
        int64_t left = fall;
        for (unsigned block = from / PM_BP_BLOCK; block * PM_BP_BLOCK < length; block++) {
            typename Block::Rise rise;
            const unsigned bit = HWY_MAX(from, block * PM_BP_BLOCK) % PM_BP_BLOCK;
            const unsigned found = Block::First(words + block * PM_BP_BLOCK_WORDS, bit, InBlock(left), &rise);
            if (found < PM_BP_BLOCK)
                return {block * PM_BP_BLOCK + found, 0};
            left += ValueOf(rise);
        }
        const unsigned opens_behind = (PM_BP_BLOCK - length % PM_BP_BLOCK) % PM_BP_BLOCK;
        return {PM_EDIT_LEAF, left - fall - opens_behind};
    }

    // The last element before `to` before which the excess was lower by `fall` than before `to`.
    static HWY_INLINE Found Last(const uint64_t *words, unsigned to, int64_t fall) {
        int64_t left = fall;
        for (unsigned end = to; end > 0; end = (end - 1) / PM_BP_BLOCK * PM_BP_BLOCK) {
            typename Block::Rise rise;
            const unsigned block = (end - 1) / PM_BP_BLOCK;
            const unsigned found =
                Block::Last(words + block * PM_BP_BLOCK_WORDS, end - block * PM_BP_BLOCK, InBlock(left), &rise);
            if (found < PM_BP_BLOCK)
                return {block * PM_BP_BLOCK + found, 0};
            left -= ValueOf(rise);
        }
        return {PM_EDIT_LEAF, fall - left};
    }

    static HWY_INLINE unsigned Opens(const uint64_t *words, unsigned to) {
        size_t opens = 0;
        for (unsigned w = 0; w < to / PM_WORD_BITS; w++)
            opens += hwy::PopCount(words[w]);
        if (to % PM_WORD_BITS != 0)
            opens += hwy::PopCount(words[to / PM_WORD_BITS] & pmi_bits_low(to % PM_WORD_BITS));
        return static_cast<unsigned>(opens);
    }

    static HWY_INLINE int64_t Excess(const uint64_t *words, unsigned to) {
        return 2 * int64_t{Opens(words, to)} - to;
    }

    // The excess of all elements, and the minimum excess.
    static HWY_INLINE int Summarise(const uint64_t *words, unsigned length, int *min) {
#if HWY_TARGET == HWY_AVX3_DL
        return EditSummary::Of(words, min) - static_cast<int>(PM_EDIT_LEAF_WORDS * PM_WORD_BITS - length);
#else
        int excess = 0, lowest = 0;
        unsigned end = 0;
        for (; end < length; end += PM_BP_BLOCK) {
            int of_block;
            const int rise = Block::Summarise(words + end / PM_WORD_BITS, &of_block);
            lowest = HWY_MIN(lowest, excess + of_block);
            excess += rise;
        }
        *min = lowest;
        return excess - static_cast<int>(end - length);
#endif
    }

    // The minimum excess before elements `from` < ... < `to` <= PM_EDIT_LEAF, relative to the leaf's beginning.
    static int64_t Min(const uint64_t *words, unsigned from, unsigned to) {
        int64_t min = PM_EDIT_FAR;
        for (unsigned at = from; at < to; at = (at / PM_BP_BLOCK + 1) * PM_BP_BLOCK) {
            const unsigned begin = at / PM_BP_BLOCK * PM_BP_BLOCK, end = HWY_MIN(to - begin, PM_BP_BLOCK);
            const int of_block = Block::Min(words + begin / PM_WORD_BITS, at - begin, end);
            min = HWY_MIN(min, Excess(words, at) + of_block);
        }
        return min;
    }

    // Counts the elements from ... to before which the excess is `wanted`, the minimum there, up to `most`; *kth
    // receives the last of these if there are as many.
    static uint64_t Count(const uint64_t *words, unsigned from, unsigned to, int64_t wanted, uint64_t most,
                          unsigned *kth) {
        uint64_t count = 0;
        for (unsigned at = from; at <= to; at = (at / PM_BP_BLOCK + 1) * PM_BP_BLOCK) {
            const unsigned begin = at / PM_BP_BLOCK * PM_BP_BLOCK, end = HWY_MIN(to - begin, PM_BP_BLOCK - 1);
            const uint64_t *const block = words + begin / PM_WORD_BITS;
            const int relative = static_cast<int>(wanted - Excess(words, begin));
            const unsigned found = Block::Count(block, at - begin, end, relative);
            if (found >= most - count) {
                *kth = begin + WordBlock::Kth(block, at - begin, relative, static_cast<unsigned>(most - count));
                return most;
            }
            count += found;
        }
        return count;
    }

    // The position of open k, or of close k, which the leaf has.
    template <bool kOpen> static HWY_INLINE unsigned Select(const uint64_t *words, unsigned k) {
        for (unsigned at = 0;; at += PM_BP_BLOCK) {
            uint64_t block[PM_BP_BLOCK_WORDS];
            unsigned ones = 0;
            for (unsigned w = 0; w < PM_BP_BLOCK_WORDS; w++) {
                block[w] = kOpen ? words[at / PM_WORD_BITS + w] : ~words[at / PM_WORD_BITS + w];
                ones += static_cast<unsigned>(hwy::PopCount(block[w]));
            }
            if (k < ones)
                return at + Block::Select(block, k);
            k -= ones;
        }
    }

    // Replaces `removed` elements by others, which the leaf has room for.
    static HWY_INLINE void Replace(uint64_t *words, unsigned at, unsigned removed, const uint64_t *bits,
                                   unsigned inserted) {
        if (removed != inserted) {
            const uint64_t before = pmi_bits_low(at % PM_WORD_BITS), kept = words[at / PM_WORD_BITS % kWords] & before;
            if (removed < inserted + PM_WORD_BITS && inserted < removed + PM_WORD_BITS)
                ShiftLess(words, at + inserted, removed, inserted);
            else
                Shift(words, at, removed, inserted);
            if (at < PM_EDIT_LEAF)
                words[at / PM_WORD_BITS] = (words[at / PM_WORD_BITS] & ~before) | kept;
        }
        pmi_bits_write(words, at, bits, 0, inserted);
    }

  private:
    static constexpr unsigned kWords = PM_EDIT_LEAF_WORDS;

    // Shift() by less than a word, in place. `to` is where what is behind the removed elements goes.
    static HWY_INLINE void ShiftLess(uint64_t *words, unsigned to, unsigned removed, unsigned inserted) {
        namespace hn = hwy::HWY_NAMESPACE;
        const hn::CappedTag<uint64_t, PM_BP_BLOCK_WORDS> d;
        const unsigned lanes = static_cast<unsigned>(hn::Lanes(d)), begin = to / PM_WORD_BITS;
        if (begin == kWords)
            return;
        const auto behind = hn::Not(hn::FirstN(d, begin % lanes));
        if (inserted > removed) {
            const int up = static_cast<int>(inserted - removed), down = static_cast<int>(PM_WORD_BITS) - up;
            for (unsigned w = kWords - lanes;; w -= lanes) {
                const auto lower = hn::ShiftRightSame(hn::LoadU(d, words + w - 1), down); // of word 0 the head
                const auto moved = hn::Or(hn::ShiftLeftSame(hn::LoadU(d, words + w), up), lower);
                if (w <= begin) {
                    hn::BlendedStore(moved, behind, d, words + w);
                    break;
                }
                hn::StoreU(moved, d, words + w);
            }
        } else {
            const int down = static_cast<int>(removed - inserted), up = static_cast<int>(PM_WORD_BITS) - down;
            unsigned w = begin / lanes * lanes;
            for (bool first = true; w < kWords - lanes; w += lanes, first = false) {
                const auto upper = hn::ShiftLeftSame(hn::LoadU(d, words + w + 1), up);
                const auto moved = hn::Or(hn::ShiftRightSame(hn::LoadU(d, words + w), down), upper);
                if (first)
                    hn::BlendedStore(moved, behind, d, words + w);
                else
                    hn::StoreU(moved, d, words + w);
            }
            for (w = HWY_MAX(w, begin); w < kWords; w++)
                words[w] = words[w] >> down | (w + 1 < kWords ? words[w + 1] : UINT64_MAX) << up;
        }
    }

    // Moves what is behind the removed elements; ones come in at the end.
    static HWY_INLINE void Shift(uint64_t *words, unsigned at, unsigned removed, unsigned inserted) {
        uint64_t old[2 * kWords + 3]; // a word before the leaf, and as many behind it as elements may be removed
        memcpy(old + 1, words, kWords * sizeof *old);
        old[0] = 0;
        const unsigned ones = removed > inserted ? (removed - inserted) / PM_WORD_BITS + 1 : 0;
        for (unsigned w = 0; w <= ones; w++)
            old[1 + kWords + w] = UINT64_MAX;
        const unsigned from = (kWords + 1) * PM_WORD_BITS + removed - inserted; // and a leaf's length before that
        const unsigned shift = from % PM_WORD_BITS, begin = (at + inserted) / PM_WORD_BITS;
        const uint64_t *const source = old + (from / PM_WORD_BITS + begin - kWords);
        for (unsigned w = 0; w < kWords - begin; w++)
            words[begin + w] = source[w] >> shift | source[w + 1] << 1 << (PM_WORD_BITS - 1 - shift);
    }

    static HWY_INLINE int InBlock(int64_t fall) {
        return static_cast<int>(HWY_MIN(fall, int64_t{2 * PM_BP_BLOCK}));
    }
    static HWY_INLINE int64_t ValueOf(typename Block::Rise rise) {
        return Block::ValueOf(Block::More(0, rise));
    }
};

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
