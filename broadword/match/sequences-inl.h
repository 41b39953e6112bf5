// SPDX-License-Identifier: Apache-2.0
// Many sequences one after another, straight to their places: the part that no instruction set changes. Included once
// for each target.
//
// A Window of sequences has the members
//   Window(grid, far, starts, scratch, size)
//     with an empty stack
//   Match<kStreaming>(first, last)
//     matches whole blocks
//   MatchPart(block, from, to)
//     matches elements from ... to - 1 of a block; those before and after them may be anything
#if defined(PM_BROADWORD_MATCH_SEQUENCES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_SEQUENCES_INL_H
#undef PM_BROADWORD_MATCH_SEQUENCES_INL_H
#else
#define PM_BROADWORD_MATCH_SEQUENCES_INL_H
#endif

#include "broadword/match/match.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// The starts that are still to come, as places: counted from the first element of block 0.
class Starts {
  public:
    HWY_INLINE Starts(const uint64_t *offsets, size_t count, uint64_t origin)
        : offset_(offsets), end_(offsets + count), origin_(origin) {
        Read();
    }

    // The place of the next start, UINT64_MAX behind the last.
    HWY_INLINE uint64_t next() const {
        return next_;
    }
    HWY_INLINE void Advance() {
        offset_++;
        Read();
    }

  private:
    HWY_INLINE void Read() {
        next_ = offset_ < end_ ? *offset_ - origin_ : UINT64_MAX;
    }

    const uint64_t *offset_, *end_;
    uint64_t origin_; // the offset of place 0
    uint64_t next_;
};

// Matches sequences as pmi_sequences_match says.
template <class Window>
void MatchSequencesIn(const uint64_t *parens, const pmi_sequences &sequences, bool past_caches, void *scratch,
                      size_t scratch_size, uint32_t *match) {
    const uint64_t *const offsets = sequences.offsets;
    const size_t count = sequences.count;
    const uint64_t base = offsets[0] - offsets[0] % 64;
    const unsigned lead = reinterpret_cast<uintptr_t>(match + base) / sizeof *match % 16;
    const pmi_grid grid = {parens + base / 64, static_cast<size_t>(offsets[count] - base), match + base, lead, 0, 0};
    const pmi_far_stack far = {};
    Window window(grid, far, Starts(offsets, count, base - lead), scratch, scratch_size);

    const uint64_t begin = offsets[0] - base + lead, end = grid.n + lead; // places
    size_t block = begin / 64;
    const size_t whole_end = end / 64;
    if (begin % 64 != 0 && block < whole_end) {
        window.MatchPart(block, begin % 64, 64);
        block++;
    }
    if (block < whole_end) {
        if (past_caches) {
            window.template Match<true>(block, whole_end);
        } else {
            window.template Match<false>(block, whole_end);
        }
        block = whole_end;
    }
    if (64 * block < end)
        window.MatchPart(block, block == begin / 64 ? begin % 64 : 0, end % 64);
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
