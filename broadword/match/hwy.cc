// SPDX-License-Identifier: Apache-2.0
// The engines for vector instructions, compiled once for each target. They need nothing of the library behind Highway:
// a program linked statically needs neither that nor the C++ runtime. Other architectures have the portable engine
// alone.
#if defined(__x86_64__) || defined(__aarch64__) || defined(__wasm_simd128__)

#include "broadword/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broadword/match/hwy.cc"
#define HWY_DISABLED_TARGETS (HWY_AVX3 | PMI_SCALABLE_TARGETS)
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "broadword/match/range-inl.h"
#include "broadword/match/reduce_blocks-inl.h"
#include "broadword/match/sequences_avx2-inl.h"
#include "broadword/match/sequences_avx512-inl.h"
#include "broadword/match/window_far_avx512-inl.h"
#include "broadword/match/window_planes-inl.h"
#include "broadword/match/window_runs_avx2-inl.h"
#include "broadword/simd.h"

// The target without vectors has its engine in portable.cc.
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

HWY_BEFORE_NAMESPACE();
namespace pm::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// ---- Results of 32 bits made 64 wide, a vector at a time ----

using WideTag = hn::CappedTag<int64_t, 8>;
using NarrowTag = hn::Rebind<int32_t, WideTag>;
constexpr size_t kWideLanes = hn::MaxLanes(WideTag());

// The sum of a result and what it moves by. A result is near or far by the sign of its distance from the origin.
HWY_INLINE hn::Vec<WideTag> WidenVector(const pmi_widening &by, const uint32_t *from) {
    const WideTag wide;
    const NarrowTag narrow;
    const hn::RebindToUnsigned<NarrowTag> narrow_index;
    const hn::RebindToUnsigned<WideTag> wide_index;
    const auto index = hn::LoadU(narrow_index, from);
    const auto distance = hn::Sub(hn::BitCast(narrow, index), hn::Set(narrow, static_cast<int32_t>(by.origin)));
    const auto is_far = hn::Lt(hn::PromoteTo(wide, distance), hn::Zero(wide));
    const auto moved = hn::IfThenElse(is_far, hn::Set(wide, static_cast<int64_t>(by.far)),
                                      hn::Set(wide, static_cast<int64_t>(by.near)));
    return hn::Add(hn::BitCast(wide, hn::PromoteTo(wide_index, index)), moved);
}

template <bool kPastCaches>
HWY_INLINE size_t WidenVectors(const pmi_widening &by, const uint32_t *from, size_t i, size_t n, uint64_t *to) {
    const WideTag wide;
    for (; i + kWideLanes <= n; i += kWideLanes) {
        int64_t *const out = reinterpret_cast<int64_t *>(to + i);
        if (kPastCaches)
            hn::Stream(WidenVector(by, from + i), wide, out);
        else
            hn::StoreU(WidenVector(by, from + i), wide, out);
    }
    return i;
}

void Widen(const pmi_widening *by, const uint32_t *from, size_t n, bool past_caches, uint64_t *to) {
    size_t i = 0;
    if (past_caches) {
        while (i < n && reinterpret_cast<uintptr_t>(to + i) % (kWideLanes * sizeof *to) != 0) {
            to[i] = pmi_widen(by, from[i]);
            i++;
        }
        i = WidenVectors<true>(*by, from, i, n, to);
        hwy::FlushStream();
    } else {
        i = WidenVectors<false>(*by, from, i, n, to);
    }
    for (; i < n; i++)
        to[i] = pmi_widen(by, from[i]);
}

// ---- Results made to count from their sequences' starts ----

using ResultTag = hn::CappedTag<int32_t, PM_STARTS_SPARE>;
constexpr size_t kResultLanes = hn::MaxLanes(ResultTag());

HWY_INLINE int32_t *Signed(uint32_t *p) {
    return reinterpret_cast<int32_t *>(p);
}
HWY_INLINE const int32_t *Signed(const uint32_t *p) {
    return reinterpret_cast<const int32_t *>(p);
}

// The start of each element's sequence. Whole vectors from left to right: what is written too far is written again.
HWY_INLINE void SpreadStarts(const pmi_sequences &sequences) {
    const ResultTag tag;
    const uint64_t base = sequences.offsets[0];
    uint64_t start = 0;
    for (size_t s = 0; s < sequences.count; s++) {
        const uint64_t end = sequences.offsets[s + 1] - base;
        const auto starts = hn::Set(tag, static_cast<int32_t>(start));
        for (uint64_t i = start; i < end; i += kResultLanes)
            hn::StoreU(starts, tag, Signed(sequences.starts + i));
        start = end;
    }
}

// "None" is negative, so it is before every start.
HWY_INLINE hn::Vec<ResultTag> LocaliseVector(const uint32_t *from, const uint32_t *starts) {
    const ResultTag tag;
    const auto result = hn::LoadU(tag, Signed(from)), start = hn::LoadU(tag, Signed(starts));
    return hn::IfThenElse(hn::Lt(result, start), hn::Set(tag, -1), hn::Sub(result, start));
}

HWY_INLINE uint32_t LocaliseOne(uint32_t result, uint32_t start) {
    return static_cast<int32_t>(result) < static_cast<int32_t>(start) ? PM_NONE : result - start;
}

template <bool kPastCaches>
HWY_INLINE size_t LocaliseVectors(const uint32_t *from, const uint32_t *starts, size_t i, size_t n, uint32_t *to) {
    const ResultTag tag;
    for (; i + kResultLanes <= n; i += kResultLanes) {
        const auto results = LocaliseVector(from + i, starts + i);
        if (kPastCaches)
            hn::Stream(results, tag, Signed(to + i));
        else
            hn::StoreU(results, tag, Signed(to + i));
    }
    return i;
}

void Localise(const pmi_sequences *sequences, const uint32_t *from, bool past_caches, uint32_t *to) {
    const uint32_t *const starts = sequences->starts;
    const size_t n = sequences->offsets[sequences->count] - sequences->offsets[0];
    SpreadStarts(*sequences);
    size_t i = 0;
    if (past_caches) {
        for (; i < n && reinterpret_cast<uintptr_t>(to + i) % (kResultLanes * sizeof *to) != 0; i++)
            to[i] = LocaliseOne(from[i], starts[i]);
        i = LocaliseVectors<true>(from, starts, i, n, to);
    } else {
        i = LocaliseVectors<false>(from, starts, i, n, to);
    }
    for (; i < n; i++)
        to[i] = LocaliseOne(from[i], starts[i]);
}

void FinishStores() {
    hwy::FlushStream();
}

// ---- The engine ----

uint64_t Range(const pmi_grid *grid, const pmi_range *range, pmi_far_stack *stack, void *scratch, size_t size) {
    return MatchRange<Window>(*grid, *range, *stack, scratch, size);
}

} // namespace pm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#if HWY_ONCE

#define PMI_ENGINE(target, match_sequences, match_block, worthwhile_block, worthwhile_range)                           \
    {                                                                                                                  \
        target::Range, target::ReduceBlocks, target::SurvivorsOfBlocks, target::Widen, target::Localise,               \
            target::FinishStores, match_sequences, match_block, worthwhile_block, worthwhile_range                     \
    }

#if HWY_ARCH_X86

const pmi_engine pmi_engine_avx512_vbmi =
    PMI_ENGINE(pm::N_AVX3_DL, pm::N_AVX3_DL::MatchSequences, pm::N_AVX3_DL::MatchBlockAlone, PM_WORTHWHILE_MIN, 128);
const pmi_engine pmi_engine_avx2 = PMI_ENGINE(pm::N_AVX2, pm::N_AVX2::MatchSequences, nullptr, 0, 192);
const pmi_engine pmi_engine_sse4 = PMI_ENGINE(pm::N_SSE4, nullptr, nullptr, 0, 256);
const pmi_engine pmi_engine_ssse3 = PMI_ENGINE(pm::N_SSSE3, nullptr, nullptr, 0, 512);

#elif HWY_ARCH_ARM_A64

const pmi_engine pmi_engine_neon = PMI_ENGINE(pm::N_NEON, nullptr, nullptr, 0, 256);

#elif HWY_ARCH_WASM

const pmi_engine pmi_engine_simd128 = PMI_ENGINE(pm::N_WASM, nullptr, nullptr, 0, 256);

#endif

#endif // HWY_ONCE

#endif // architectures
