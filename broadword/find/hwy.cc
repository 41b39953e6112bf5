// SPDX-License-Identifier: Apache-2.0
// The finders for vector instructions, compiled once for each target.
#if defined(__x86_64__) || defined(__aarch64__) || defined(__wasm_simd128__)

#include "broadword/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broadword/find/hwy.cc"
#define HWY_DISABLED_TARGETS (HWY_AVX3 | PMI_SCALABLE_TARGETS)
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "broadword/find/kernel-inl.h"
#include "broadword/simd.h"

#if HWY_ONCE

#if HWY_ARCH_X86

// Others take longer for a gather than for as many loads; and with AVX2, noting hits takes longer than gathering saves.
static bool IsIntel() {
    return __builtin_cpu_is("intel");
}

static bool Never() {
    return false;
}

const pmi_finder pmi_finder_avx512_vbmi = {pm::N_AVX3_DL::Candidates, pm::N_AVX3_DL::Starts, pm::N_AVX3_DL::Gather,
                                           pm::N_AVX3_DL::Gatherer::kCount, IsIntel};
const pmi_finder pmi_finder_avx2 = {pm::N_AVX2::Candidates, pm::N_AVX2::Starts, pm::N_AVX2::Gather,
                                    pm::N_AVX2::Gatherer::kCount, Never};
const pmi_finder pmi_finder_sse4 = {pm::N_SSE4::Candidates, pm::N_SSE4::Starts, nullptr, 0, Never};
const pmi_finder pmi_finder_ssse3 = {pm::N_SSSE3::Candidates, pm::N_SSSE3::Starts, nullptr, 0, Never};

#elif HWY_ARCH_ARM_A64

const pmi_finder pmi_finder_neon = {pm::N_NEON::Candidates, pm::N_NEON::Starts, nullptr, 0, nullptr};

#elif HWY_ARCH_WASM

const pmi_finder pmi_finder_simd128 = {pm::N_WASM::Candidates, pm::N_WASM::Starts, nullptr, 0, nullptr};

#endif

#endif // HWY_ONCE

#endif // architectures
