// SPDX-License-Identifier: Apache-2.0
// The engines for vector instructions, compiled once for each target. They need nothing of the library behind Highway:
// a program linked statically needs neither that nor the C++ runtime. Other architectures have the portable engine
// alone.
#if defined(__x86_64__) || defined(__aarch64__)

#include "broadword/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broadword/match/hwy.cc"
#define HWY_DISABLED_TARGETS (HWY_AVX3 | PMI_SCALABLE_TARGETS)
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "broadword/match/block_avx512-inl.h"
#include "broadword/match/range-inl.h"
#include "broadword/match/reduce_blocks-inl.h"
#include "broadword/match/survivors-inl.h"
#include "broadword/match/widen-inl.h"
#include "broadword/match/window_far_avx512-inl.h"
#include "broadword/match/window_planes-inl.h"
#include "broadword/match/window_runs_avx2-inl.h"
#include "broadword/simd.h"

// The target without vectors has its engine in portable.cc.
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

HWY_BEFORE_NAMESPACE();
namespace pm {
namespace HWY_NAMESPACE {

uint64_t Range(const pmi_grid *grid, const pmi_range *range, pmi_far_stack *stack, void *scratch, size_t size) {
    return MatchRange<Window>(*grid, *range, *stack, scratch, size);
}

} // namespace HWY_NAMESPACE
} // namespace pm
HWY_AFTER_NAMESPACE();

#endif

#if HWY_ONCE

#define PMI_ENGINE(target, match_block, worthwhile_block, worthwhile_range)                                            \
    {                                                                                                                  \
        target::Range, target::ReduceBlocks, target::SurvivorsOfBlocks, target::Widen, match_block, worthwhile_block,  \
            worthwhile_range                                                                                           \
    }

#if HWY_ARCH_X86

const pmi_engine pmi_engine_avx512_vbmi =
    PMI_ENGINE(pm::N_AVX3_DL, pm::N_AVX3_DL::MatchBlockAlone, PM_WORTHWHILE_LEAST, 128);
const pmi_engine pmi_engine_avx2 = PMI_ENGINE(pm::N_AVX2, nullptr, 0, 192);
const pmi_engine pmi_engine_sse4 = PMI_ENGINE(pm::N_SSE4, nullptr, 0, 256);
const pmi_engine pmi_engine_ssse3 = PMI_ENGINE(pm::N_SSSE3, nullptr, 0, 512);

#elif HWY_ARCH_ARM_A64

const pmi_engine pmi_engine_neon = PMI_ENGINE(pm::N_NEON, nullptr, 0, 256);

#endif

#endif // HWY_ONCE

#endif // __x86_64__ || __aarch64__
