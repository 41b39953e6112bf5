// SPDX-License-Identifier: Apache-2.0
// Blocks of one kind of element alone, for AVX2: they need no summary.
#if defined(PM_BROADWORD_MATCH_WINDOW_RUNS_AVX2_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PM_BROADWORD_MATCH_WINDOW_RUNS_AVX2_INL_H
#undef PM_BROADWORD_MATCH_WINDOW_RUNS_AVX2_INL_H
#else
#define PM_BROADWORD_MATCH_WINDOW_RUNS_AVX2_INL_H
#endif

#include "broadword/match/window_avx2-inl.h"

#if HWY_TARGET == HWY_AVX2

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

// They take the top of the stack as it is.
template <bool kStreaming> HWY_NOINLINE void Window::MatchCloses(size_t last, pmi_far_stack &far) {
    const uint32_t *const lowest = this->lowest();
    size_t block = next_;
    uint32_t *out = grid_.match + BlockResults(grid_, block), *top = top_;
    do {
        const Rotation rotation(Above(top), kAvx2);
        const uint32_t *const at = BlockAt(top);
        HWY_UNROLL(8)
        for (int i = 0; i < 64; i += 8)
            StoreResults<kStreaming>(out + i, rotation.Of(Load(at + i), Load(at + i + 8)));
        top = HWY_MIN(top + 64, bottom_);
        block++, out += 64;
    } while (block < last && top <= lowest && BlockBits(grid_, block) == 0);
    if (drained_ == next_) { // then the far stack stays up to date
        PopSurvivors(far, HWY_MIN(64 * (block - next_), far.depth));
        drained_ = block;
    }
    net_ += static_cast<int64_t>(64 * (block - next_));
    next_ = block;
    top_ = top;
}

// Each has the one before it for a parent, and all go onto the stack.
template <bool kStreaming> HWY_NOINLINE void Window::MatchOpens(size_t last) {
    const uint32_t *const highest = this->highest();
    const __m256i iota = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i eight = _mm256_set1_epi32(8);
    __asm__("" : "+x"(eight));
    size_t block = next_;
    uint32_t *out = grid_.match + BlockResults(grid_, block), *top = top_;
    const uint32_t base = BlockBase(grid_, block);
    __m256i parent = _mm256_add_epi32(iota, _mm256_set1_epi32(static_cast<int>(base - 1)));
    __m256i line = _mm256_blend_epi32(parent, _mm256_set1_epi32(static_cast<int>(*top)), 1);
    // Entries lie in the order of their blocks of eight, each with the last one first; those of the first block of all
    // that are not opens of the run are left.
    const size_t above = Above(top);
    uint32_t *to = BlockAt(top);
    const int first = static_cast<int>(base + static_cast<uint32_t>(above / sizeof *top) - 1);
    __m256i entries = _mm256_sub_epi32(_mm256_set1_epi32(first), iota);
    const __m256i rest = _mm256_blendv_epi8(Load(to), entries, Load(RowFor(kAvx2.wrapped, above)));
    uint32_t *const rest_to = to;
    do {
        HWY_UNROLL(8)
        for (int i = 0; i < 64; i += 8) {
            StoreResults<kStreaming>(out + i, line);
            line = parent = _mm256_add_epi32(parent, eight);
        }
        HWY_UNROLL(8)
        for (int i = 0; i < 64; i += 8) {
            Store(to - i, entries);
            entries = _mm256_add_epi32(entries, eight);
        }
        to -= 64, top -= 64;
        block++, out += 64;
    } while (block < last && top >= highest && BlockBits(grid_, block) == UINT64_MAX);
    Store(to, entries);
    Store(rest_to, rest);
    net_ -= static_cast<int64_t>(64 * (block - next_));
    next_ = block;
    top_ = top;
}

// The same when the window is full.
template <bool kStreaming> HWY_NOINLINE void Window::MatchOpensFar(size_t last, pmi_far_stack &far) {
    Drain(far);
    size_t block = next_;
    uint32_t *out = grid_.match + BlockResults(grid_, block);
    const __m256i eight = _mm256_set1_epi32(8);
    __m256i parent = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(BlockBase(grid_, block) - 1)),
                                      _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    __m256i line = _mm256_blend_epi32(parent, _mm256_set1_epi32(static_cast<int>(*top_)), 1);
    do {
        HWY_UNROLL(8)
        for (int i = 0; i < 64; i += 8) {
            StoreResults<kStreaming>(out + i, line);
            line = parent = _mm256_add_epi32(parent, eight);
        }
        PushSurvivors(far, static_cast<uint32_t>(block++), 64);
        out += 64;
    } while (block < last && BlockBits(grid_, block) == UINT64_MAX);
    net_ -= static_cast<int64_t>(64 * (block - next_));
    next_ = drained_ = block;
    hidden_ = far.depth;
    top_ = bottom_;
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // HWY_TARGET

#endif
