// SPDX-License-Identifier: Apache-2.0
// The kernels of searching, compiled once for each target; as match_hwy.cc does it for engines.
#if defined(__x86_64__) || defined(__aarch64__)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broadword/find/hwy.cc"
#define HWY_WANT_AVX3_DL
#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLED_TARGETS (HWY_AVX3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#if defined(__aarch64__)
#define TOOLCHAIN_MISS_SYS_AUXV_H // nothing is asked of the system
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "broadword/find/kernel-inl.h"

#if HWY_ONCE

extern "C" const pmi_finder *pmi_finders_hwy();

namespace {

#if HWY_ARCH_X86

// Others take longer for a gather than for as many loads; and with AVX2, noting hits takes longer than gathering saves.
bool IsIntel() {
    return __builtin_cpu_is("intel");
}

bool Never() {
    return false;
}

constexpr pmi_finder kFinders[] = {
    {"avx512-vbmi", pm::N_AVX3_DL::Candidates, pm::N_AVX3_DL::Gather, pm::N_AVX3_DL::Gatherer::kCount, IsIntel},
    {"avx2", pm::N_AVX2::Candidates, pm::N_AVX2::Gather, pm::N_AVX2::Gatherer::kCount, Never},
    {"sse4", pm::N_SSE4::Candidates, nullptr, 0, Never},
    {"ssse3", pm::N_SSSE3::Candidates, nullptr, 0, Never},
    {},
};

#else

constexpr pmi_finder kFinders[] = {{"neon", pm::N_NEON::Candidates, nullptr, 0, nullptr}, {}};

#endif

} // namespace

extern "C" const pmi_finder *pmi_finders_hwy() {
    return kFinders;
}

#endif // HWY_ONCE

#endif // __x86_64__ || __aarch64__
