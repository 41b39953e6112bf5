// SPDX-License-Identifier: Apache-2.0
// The part of the engine that no instruction set changes: walking a range's blocks, and putting what the stack's top
// has no room for into the far stack and back. Included once for each target.
//
// A Window is the top of the stack spelled out as indices. Its members:
//   Window(grid, far, scratch, size)
//     starts empty
//   TotalDepth(far), net()
//     opens on the stack; closes minus opens of all that was matched
//   Ready(far), MakeReady(far)
//     is there room for what is matched next, and are there opens enough for its closes, or all there are; makes it so
//   Match<kStreaming>(first, last, far)
//     matches whole blocks
//   MatchPart(block, from, to, out)
//     when ready, matches elements from ... to - 1 of a block; from > 0 only where the stack is empty, so that closes
//     in place of the absent ones do no harm
//   Drain(far)
//     makes the far stack the whole stack

// Per-target include guard, as Highway's own files have it.
#if defined(PM_BROADWORD_MATCH_RANGE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_RANGE_INL_H
#undef PM_BROADWORD_MATCH_RANGE_INL_H
#else
#define PM_BROADWORD_MATCH_RANGE_INL_H
#endif

#include "broadword/match.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace pm {
namespace HWY_NAMESPACE {

// The 64 elements of a block. Elements before the sequence read as closes, and so do the ones past its end.
HWY_INLINE uint64_t BlockBits(const pm_grid &grid, size_t block) {
    const size_t words = pm_bits_words(grid.n);
    const uint64_t above = block < words ? grid.parens[block] : 0;
    if (grid.lead == 0)
        return above;
    const uint64_t below = block > 0 ? grid.parens[block - 1] : 0;
    return above << grid.lead | below >> (64 - grid.lead);
}

// Where in `match` a block's results begin; "negative" for block 0 of a grid with a lead, as sums of size_t take it.
HWY_INLINE size_t BlockResults(const pm_grid &grid, size_t block) {
    return 64 * (block - grid.before) - grid.lead;
}

// The index of a block's first element.
HWY_INLINE uint32_t BlockBase(const pm_grid &grid, size_t block) {
    return static_cast<uint32_t>(BlockResults(grid, block)) + grid.origin;
}

HWY_INLINE uint32_t BlockOf(const pm_grid &grid, uint32_t element) {
    return (element - BlockBase(grid, 0)) / 64;
}

// Puts `count` opens of a block on top of the far stack, none of whose blocks it is.
HWY_INLINE void PushSurvivors(pm_far_stack &far, uint32_t block, size_t count) {
    far.survivors[far.used++] = pm_survivors{block, static_cast<uint32_t>(count)};
    far.depth += count;
}

// Puts the entries of a stack of indices that lie from `end` on, up to `bottom`, on the far stack; at least one. The 64
// before `end` may be read. `block_ends(p)` says which of the 64 entries from `p` on lie in another block than the
// entry after them, as bits.
template <class Ends>
HWY_INLINE void SpillEntries(const pm_grid &grid, const uint32_t *end, const uint32_t *bottom, const Ends &block_ends,
                             pm_far_stack &far) {
    const uint32_t *oldest = bottom; // one past the oldest entry that is left
    size_t last_run = 64;
    pm_survivors *to = far.survivors + far.used;
    uint32_t before = 0; // entries of the same block on the far stack's top: the two become one
    if (far.used > 0 && to[-1].block == BlockOf(grid, bottom[-1]))
        before = (--to)->count;
    const auto push = [&](const uint32_t *first) HWY_ATTR { // the entries from `first` on, which are of one block
        last_run = static_cast<size_t>(oldest - first);
        *to++ = pm_survivors{BlockOf(grid, *first), before + static_cast<uint32_t>(last_run)};
        before = 0;
        oldest = first;
    };
    while (oldest > end) {
        // Often a block has as many entries as the one before.
        const uint32_t *const same = oldest - last_run;
        if (same >= end) {
            const uint32_t block = BlockOf(grid, *same);
            if (block == BlockOf(grid, oldest[-1]) && block != BlockOf(grid, same[-1])) {
                push(same);
                continue;
            }
        }
        // Otherwise look for all blocks that end in the next 64 entries; a block has no more.
        const uint32_t *const p = oldest - 64, *const before_these = oldest;
        uint64_t ends = block_ends(p) & UINT64_MAX >> 1;
        if (p < end)
            ends &= ~pm_bits_low(static_cast<unsigned>(end - p));
        for (; ends != 0; ends ^= UINT64_C(1) << pm_bits_highest(ends))
            push(p + pm_bits_highest(ends) + 1);
        if (oldest == before_these)
            push(HWY_MAX(p, end));
    }
    far.used = static_cast<size_t>(to - far.survivors);
    far.depth += static_cast<size_t>(bottom - end);
}

// Matches a block that the sequence begins or ends in.
template <class Window> HWY_INLINE void MatchCutBlock(const pm_grid &grid, size_t block, Window &window) {
    const size_t first = 64 * block, end = grid.n + grid.lead;
    const unsigned from = block == 0 ? grid.lead : 0;
    const unsigned to = static_cast<unsigned>(HWY_MIN(end - first, 64));
    window.MatchPart(block, from, to, grid.match + (BlockResults(grid, block) + from));
}

// MakeReady for windows that can spell out entries of the far stack, Replay(first, far), when they are empty: makes the
// window hold the top `depth` opens and little more. It takes many opens or closes to come here again.
template <class Window> void Settle(Window &window, size_t depth, pm_far_stack &far) {
    window.Drain(far);
    size_t first = far.used, found = 0;
    while (first > 0 && found < depth)
        found += far.survivors[--first].count;
    window.Replay(first, far);
    far.used = first;
    far.depth -= found;
}

template <class Window>
HWY_INLINE uint64_t MatchRange(const pm_grid &grid, const pm_range &range, pm_far_stack &far, void *scratch,
                               size_t scratch_size) {
    Window window(grid, far, scratch, scratch_size);
    const uint64_t depth_before = far.depth;
    // Blocks before it are whole, but for block 0 under a lead.
    const size_t whole_end = HWY_MIN(range.last, (grid.n + grid.lead) / 64);
    for (size_t block = range.first; block < range.last;) {
        if (block >= whole_end || (block == 0 && grid.lead > 0)) {
            if (!window.Ready(far))
                window.MakeReady(far);
            MatchCutBlock(grid, block++, window);
            continue;
        }
        if (range.streaming) {
            window.template Match<true>(block, whole_end, far);
        } else {
            window.template Match<false>(block, whole_end, far);
        }
        block = whole_end;
    }
    if (range.keep) {
        window.Drain(far);
    } else {
        far.depth = window.TotalDepth(far);
    }
    if (range.streaming)
        hwy::FlushStream();
    return far.depth - depth_before + static_cast<uint64_t>(window.net());
}

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif
