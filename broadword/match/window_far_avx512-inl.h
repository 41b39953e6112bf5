// SPDX-License-Identifier: Apache-2.0
// How the window for AVX-512 and the far stack go together: one brought up to date, the other refilled, and long runs
// of one kind of element matched on the far stack alone.
#if defined(PM_BROADWORD_MATCH_WINDOW_FAR_AVX512_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_WINDOW_FAR_AVX512_INL_H
#undef PM_BROADWORD_MATCH_WINDOW_FAR_AVX512_INL_H
#else
#define PM_BROADWORD_MATCH_WINDOW_FAR_AVX512_INL_H
#endif

#include "broadword/match/far_entries_avx512-inl.h"
#include "broadword/match/window_avx512-inl.h"

#if HWY_TARGET == HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// Brings the far stack up to date with the recorded blocks: what the lowest of them left alone, then theirs.
void Window::Drain(pmi_far_stack &far) {
    const uint64_t untouched = hidden_ + CountSurvivorsOfBlocks();
    PopSurvivors(far, far.depth - untouched);

    pm_survivors *to = far.survivors + far.used;
    if (recorded_ > 0)
        *to = {}; // so that its page is there: masked stores of nothing are slow on one that has yet to be made
    __m512i block = _mm512_add_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7),
                                     _mm512_set1_epi64(static_cast<int64_t>(next_ - recorded_)));
    for (size_t i = 0; i < recorded_; i += 8) {
        const __m512i count = _mm512_cvtepu32_epi64(_mm256_load_si256(reinterpret_cast<const __m256i *>(records_ + i)));
        const __mmask8 some = _mm512_test_epi64_mask(count, count);
        const __m512i survivors = _mm512_or_si512(block, _mm512_slli_epi64(count, 32)); // as pm_survivors lie in memory
        const unsigned found = pmi_bits_count(some);
        _mm512_mask_storeu_epi64(to, static_cast<__mmask8>(pmi_bits_low(found)),
                                 _mm512_maskz_compress_epi64(some, survivors));
        to += found;
        block = _mm512_add_epi64(block, _mm512_set1_epi64(8));
    }
    far.used = static_cast<size_t>(to - far.survivors);
    far.depth = TotalDepth(far);
    recorded_ = 0;
}

// Puts in the place of each record how many of the block's opens are left: those between its base and the lowest base
// of the blocks after it, or the top. Returns the lowest base of all, as a depth in the window.
HWY_INLINE uint32_t Window::CountSurvivorsOfBlocks() {
    const __m512i bottom = _mm512_set1_epi32(static_cast<int>(Low(bottom_)));
    const __m512i most = _mm512_set1_epi32(INT32_MAX);
    // The top is the base of what comes next, so also of what fills up the last 16.
    _mm512_storeu_si512(records_ + recorded_, _mm512_set1_epi32(static_cast<int>(Low(top_))));
    __m512i lowest = _mm512_set1_epi32(static_cast<int>(depth()));
    for (size_t i = (recorded_ + 15) / 16 * 16; i > 0;) {
        i -= 16;
        const __m512i base = _mm512_srli_epi32(_mm512_sub_epi32(bottom, Row(records_ + i)), 2);
        // The lowest of each and those after it among the 16.
        __m512i among = _mm512_min_epi32(base, _mm512_alignr_epi32(most, base, 1));
        among = _mm512_min_epi32(among, _mm512_alignr_epi32(most, among, 2));
        among = _mm512_min_epi32(among, _mm512_alignr_epi32(most, among, 4));
        among = _mm512_min_epi32(among, _mm512_alignr_epi32(most, among, 8));
        const __m512i after = _mm512_min_epi32(lowest, _mm512_alignr_epi32(most, among, 1));
        _mm512_store_si512(records_ + i, _mm512_max_epi32(_mm512_sub_epi32(after, base), _mm512_setzero_si512()));
        lowest = _mm512_min_epi32(lowest, _mm512_broadcastd_epi32(_mm512_castsi512_si128(among)));
    }
    return static_cast<uint32_t>(_mm512_cvtsi512_si32(lowest));
}

// Spells out entries that are on the far stack alone, below those at hand.
void Window::Refill(const pmi_far_stack &far) {
    const size_t found = HWY_MIN(kRefill, hidden_);
    if (found == hidden_) {
        MoveBottom(end_ - found);
    } else if (static_cast<size_t>(end_ - bottom_) < found + 16) {
        MoveBottom(begin_ + kAbove + 2 * kElements + depth()); // far enough for this time and the next
    }
    // The far stack, which is up to date, holds the entries at hand as well: they are skipped. New ones are written in
    // whole aligned blocks, of which the first begins with some of those.
    const size_t padding = Above(bottom_) / sizeof *bottom_;
    uint32_t *const begin = bottom_ - padding, *to = begin;
    const __m512i above = Row(begin);
    FarEntries entries(grid_, far, depth(), padding);
    entries.Spell((padding + found + 15) / 16, [&to](__m512i line) HWY_ATTR {
        _mm512_store_si512(to, line);
        to += 16;
    });
    _mm512_mask_store_epi32(begin, static_cast<__mmask16>(pmi_bits_low(static_cast<unsigned>(padding))), above);
    bottom_ += found;
    hidden_ -= found;
    if (hidden_ == 0)
        ClearBelow();
}

// Forgets all entries at hand. The far stack is up to date and holds them.
HWY_INLINE void Window::Hide(const pmi_far_stack &far) {
    hidden_ = far.depth;
    top_ = bottom_ = end_;
}

// How many blocks from `first` on are equal to the word; counted by the eight.
HWY_INLINE size_t Window::CountEqual(size_t first, size_t last, uint64_t word) const {
    const __m512i words = _mm512_set1_epi64(static_cast<int64_t>(word));
    size_t block = first;
    while (block + 8 <= last && _mm512_cmpneq_epi64_mask(Blocks(block, 8), words) == 0)
        block += 8;
    return block - first;
}

// A batch of blocks of one kind of element for which the window is not ready, `excess` tells, needs no entries at hand,
// only the far stack. Matches it and those that follow; returns the block after them.
template <bool kStreaming>
HWY_NOINLINE size_t Window::MatchRun(size_t first, size_t last, int64_t excess, pmi_far_stack &far) {
    if (excess == static_cast<int64_t>(kElements) && room() < kElements)
        return MatchRunOfOpens<kStreaming>(first, last, far);
    if (excess == -static_cast<int64_t>(kElements) && depth() < kElements && hidden_ > 0)
        return MatchRunOfCloses<kStreaming>(first, last, far);
    return first;
}

// Each open has the one before it for a parent.
template <bool kStreaming> size_t Window::MatchRunOfOpens(size_t first, size_t last, pmi_far_stack &far) {
    Drain(far);
    const size_t count = CountEqual(first, last, UINT64_MAX);
    uint32_t *out = grid_.match + BlockResults(grid_, first);
    __m512i parents =
        _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(BlockBase(grid_, first) - 1)), Row(kAvx512.rotate[0]));
    __m512i line = _mm512_mask_mov_epi32(parents, 1, _mm512_set1_epi32(static_cast<int>(*top_)));
    for (size_t i = 0; i < 4 * count; i++, out += 16) {
        Store<kStreaming>(out, line);
        line = parents = _mm512_add_epi32(parents, _mm512_set1_epi32(16));
    }

    __m512i survivors = _mm512_add_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7),
                                         _mm512_set1_epi64(static_cast<int64_t>(UINT64_C(64) << 32 | first)));
    for (size_t i = 0; i < count; i += 8, far.used += 8) {
        _mm512_storeu_si512(far.survivors + far.used, survivors);
        survivors = _mm512_add_epi64(survivors, _mm512_set1_epi64(8));
    }
    far.depth += 64 * count;
    net_ -= static_cast<int64_t>(64 * count);
    Hide(far);
    return first + count;
}

// Closes get the entries of the stack as they are.
template <bool kStreaming> size_t Window::MatchRunOfCloses(size_t first, size_t last, pmi_far_stack &far) {
    Drain(far);
    const size_t count = HWY_MIN(CountEqual(first, last, 0), far.depth / 64);
    uint32_t *out = grid_.match + BlockResults(grid_, first);
    FarEntries entries(grid_, far, 0, 0);
    entries.Spell(4 * count, [&out](__m512i line) HWY_ATTR {
        Store<kStreaming>(out, line);
        out += 16;
    });
    PopSurvivors(far, 64 * count);
    net_ += static_cast<int64_t>(64 * count);
    Hide(far);
    return first + count;
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
