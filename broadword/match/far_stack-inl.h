// SPDX-License-Identifier: Apache-2.0
// The far stack brought up to date with blocks that were matched on the window alone: by looking back over them, from
// the last one to the first. Included once for each target with vectors.

// Per-target include guard, as Highway's own files have it.
#if defined(PM_BROADWORD_MATCH_FAR_STACK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_FAR_STACK_INL_H
#undef PM_BROADWORD_MATCH_FAR_STACK_INL_H
#else
#define PM_BROADWORD_MATCH_FAR_STACK_INL_H
#endif

#include <string.h>

#include "broadword/match/range-inl.h"
#include "broadword/match/reduce_blocks-inl.h"

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

HWY_BEFORE_NAMESPACE();
namespace pm {
namespace HWY_NAMESPACE {

// What each block does to a stack, elements past the sequence left out: as opens, which come off the top again.
HWY_INLINE void ReducePresent(const pmi_grid &grid, size_t first, size_t count, pmi_block_bic *bics) {
    ReduceEach(grid, first, count, bics);
    const size_t last = first + count - 1, end = grid.n + grid.lead;
    if (64 * (last + 1) > end) {
        const unsigned present = static_cast<unsigned>(end - 64 * last);
        pmi_block_bic cut[kWords];
        ReduceWords(hwy::HWY_NAMESPACE::Set(WordTag(), BlockBits(grid, last) | ~pmi_bits_low(present)), cut);
        bics[count - 1] = {cut[0].close, static_cast<uint8_t>(cut[0].open - (64 - present))};
    }
}

// `far` is the stack before the blocks first ... last - 1, and becomes the stack after them. The survivors are found
// last one first, so they are written from the end of their room on, and moved.
HWY_INLINE void TakeBlocks(const pmi_grid &grid, size_t first, size_t last, pmi_far_stack &far) {
    constexpr size_t kAtOnce = 64;
    pm_survivors *const end = far.survivors + far.used + (last - first), *to = end;
    uint64_t pending = 0, found = 0; // closes that look for an open further back; opens that survive
    pmi_block_bic bics[kAtOnce];
    for (size_t block = last; block > first;) {
        const size_t count = HWY_MIN(kAtOnce, block - first);
        block -= count;
        ReducePresent(grid, block, count, bics);
        for (size_t i = count; i-- > 0;) {
            const uint64_t met = HWY_MIN(pending, bics[i].open), survive = bics[i].open - met;
            pending += bics[i].close - met;
            found += survive;
            to[-1] = pm_survivors{static_cast<uint32_t>(block + i), static_cast<uint32_t>(survive)};
            to -= survive > 0;
        }
    }
    PopSurvivors(far, HWY_MIN(pending, far.depth));
    const size_t blocks = static_cast<size_t>(end - to);
    memmove(far.survivors + far.used, to, blocks * sizeof *to);
    far.used += blocks;
    far.depth += found;
}

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
