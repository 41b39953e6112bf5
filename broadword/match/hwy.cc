// SPDX-License-Identifier: Apache-2.0
// The C shim over Highway: compiles the engine once for each target, and hands out what it made. Of the library behind
// Highway nothing is needed, so whoever links this statically needs neither it nor the C++ runtime.
// Architectures other than these two have the portable engine alone.
#if defined(__x86_64__) || defined(__aarch64__)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broadword/match/hwy.cc"
#define HWY_WANT_AVX3_DL
#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLED_TARGETS (HWY_AVX3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#if defined(__aarch64__)
// NEON is part of the architecture: nothing to detect, and no target that code would have to be marked with.
#define TOOLCHAIN_MISS_SYS_AUXV_H
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "broadword/match/block_avx512-inl.h"
#include "broadword/match/engines.h"
#include "broadword/match/range-inl.h"
#include "broadword/match/reduce_blocks-inl.h"
#include "broadword/match/survivors-inl.h"
#include "broadword/match/widen-inl.h"
#include "broadword/match/window_far_avx512-inl.h"
#include "broadword/match/window_planes-inl.h"
#include "broadword/match/window_runs_avx2-inl.h"

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

// Highway's own dispatch picks one target for the whole process. Here each context may have its own, so this asks for
// the features that Highway compiles a target with.
#if HWY_ARCH_X86

static bool HasSsse3() {
    return __builtin_cpu_supports("ssse3");
}

static bool HasSse4() {
    return HasSsse3() && __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("sse4.2") &&
           __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul");
}

static bool HasAvx2() {
    return HasSse4() && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
}

static bool HasAvx512Vbmi() {
    return HasAvx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
           __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("avx512vpopcntdq") &&
           __builtin_cpu_supports("vpclmulqdq");
}

const pmi_engine pmi_engine_avx512_vbmi = {
    PMI_ENGINE_NAME("avx512-vbmi", "AVX-512 with VBMI: 64 elements a step (Ice Lake, Zen 4 and later)"),
    HasAvx512Vbmi,
    pm::N_AVX3_DL::Range,
    pm::N_AVX3_DL::ReduceBlocks,
    pm::N_AVX3_DL::SurvivorsOfBlocks,
    pm::N_AVX3_DL::Widen,
    pm::N_AVX3_DL::MatchBlockAlone,
    PM_WORTHWHILE_LEAST,
    128,
};
const pmi_engine pmi_engine_avx2 = {
    PMI_ENGINE_NAME("avx2", "AVX2: 32 elements a step (Haswell, Zen and later)"),
    HasAvx2,
    pm::N_AVX2::Range,
    pm::N_AVX2::ReduceBlocks,
    pm::N_AVX2::SurvivorsOfBlocks,
    pm::N_AVX2::Widen,
    nullptr,
    0,
    192,
};
const pmi_engine pmi_engine_sse4 = {
    PMI_ENGINE_NAME("sse4", "SSE4.2: 16 elements a step"),
    HasSse4,
    pm::N_SSE4::Range,
    pm::N_SSE4::ReduceBlocks,
    pm::N_SSE4::SurvivorsOfBlocks,
    pm::N_SSE4::Widen,
    nullptr,
    0,
    256,
};
const pmi_engine pmi_engine_ssse3 = {
    PMI_ENGINE_NAME("ssse3", "SSSE3: 16 elements a step"),
    HasSsse3,
    pm::N_SSSE3::Range,
    pm::N_SSSE3::ReduceBlocks,
    pm::N_SSSE3::SurvivorsOfBlocks,
    pm::N_SSSE3::Widen,
    nullptr,
    0,
    512,
};

#elif HWY_ARCH_ARM_A64

static bool Always() {
    return true;
} // NEON is part of the architecture

const pmi_engine pmi_engine_neon = {
    PMI_ENGINE_NAME("neon", "NEON: 16 elements a step"),
    Always,
    pm::N_NEON::Range,
    pm::N_NEON::ReduceBlocks,
    pm::N_NEON::SurvivorsOfBlocks,
    pm::N_NEON::Widen,
    nullptr,
    0,
    256,
};

#endif

#endif // HWY_ONCE

#endif // __x86_64__ || __aarch64__
