// SPDX-License-Identifier: Apache-2.0
// The part of the engine that no instruction set changes: walking a range's blocks, and putting what the stack's top
// has no room for into the far stack and back. Included once for each target.
//
// A Window is the top of the stack spelled out as indices. Its members:
//   Window(grid, first, far, scratch, size)
//     starts empty, before block `first`
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
#if defined(PM_BROADWORD_MATCH_RANGE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_RANGE_INL_H
#undef PM_BROADWORD_MATCH_RANGE_INL_H
#else
#define PM_BROADWORD_MATCH_RANGE_INL_H
#endif

#include "broadword/match/match.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// The 64 elements of a block. Elements before the sequence read as closes, and so do the ones past its end.
HWY_INLINE uint64_t BlockBits(const pmi_grid &grid, size_t block) {
    const size_t words = pmi_bits_words(grid.n);
    const uint64_t above = block < words ? grid.parens[block] : 0;
    if (grid.lead == 0)
        return above;
    const uint64_t below = block > 0 ? grid.parens[block - 1] : 0;
    return above << grid.lead | below >> (64 - grid.lead);
}

// Where in `match` a block's results begin; "negative" for block 0 of a grid with a lead, as sums of size_t take it.
HWY_INLINE size_t BlockResults(const pmi_grid &grid, size_t block) {
    return 64 * (block - grid.before) - grid.lead;
}

// The index of a block's first element.
HWY_INLINE uint32_t BlockBase(const pmi_grid &grid, size_t block) {
    return static_cast<uint32_t>(BlockResults(grid, block)) + grid.origin;
}

HWY_INLINE uint32_t BlockOf(const pmi_grid &grid, uint32_t element) {
    return (element - BlockBase(grid, 0)) / 64;
}

// Puts `count` opens of a block on top of the far stack, none of whose blocks it is.
HWY_INLINE void PushSurvivors(pmi_far_stack &far, uint32_t block, size_t count) {
    far.survivors[far.used++] = pm_survivors{block, static_cast<uint32_t>(count)};
    far.depth += count;
}

// Takes that many opens off the far stack, which holds them.
HWY_INLINE void PopSurvivors(pmi_far_stack &far, size_t count) {
    far.depth -= count;
    while (count > 0 && count >= far.survivors[far.used - 1].count)
        count -= far.survivors[--far.used].count;
    if (count > 0)
        far.survivors[far.used - 1].count -= static_cast<uint32_t>(count);
}

// Matches a block that the sequence begins or ends in.
template <class Window> HWY_INLINE void MatchCutBlock(const pmi_grid &grid, size_t block, Window &window) {
    const size_t first = 64 * block, end = grid.n + grid.lead;
    const unsigned from = block == 0 ? grid.lead : 0;
    const unsigned to = static_cast<unsigned>(HWY_MIN(end - first, 64));
    window.MatchPart(block, from, to, grid.match + (BlockResults(grid, block) + from));
}

// MakeReady for windows that can spell out entries of the far stack, Replay(first, far), when they are empty: makes the
// window hold the top `depth` opens and little more. It takes many opens or closes to come here again.
template <class Window> void Settle(Window &window, size_t depth, pmi_far_stack &far) {
    window.Drain(far);
    size_t first = far.used, found = 0;
    while (first > 0 && found < depth)
        found += far.survivors[--first].count;
    window.Replay(first, far);
    far.used = first;
    far.depth -= found;
}

template <class Window>
HWY_INLINE uint64_t MatchRange(const pmi_grid &grid, const pmi_range &range, pmi_far_stack &far, void *scratch,
                               size_t scratch_size) {
    Window window(grid, range.first, far, scratch, scratch_size);
    const uint64_t depth_before = far.depth;
    // Blocks before it are whole, except block 0 under a lead.
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
    if (range.streaming && !range.pending)
        hwy::FlushStream();
    return far.depth - depth_before + static_cast<uint64_t>(window.net());
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
