// SPDX-License-Identifier: Apache-2.0
// The queries for vector instructions, compiled once for each target; as match_hwy.cc does it for engines.
#if defined(__x86_64__) || defined(__aarch64__)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broadword/bp/hwy.cc"
#define HWY_WANT_AVX3_DL
#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLED_TARGETS (HWY_AVX3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#if defined(__aarch64__)
#define TOOLCHAIN_MISS_SYS_AUXV_H // nothing to detect
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "broadword/bp/block_avx2-inl.h"
#include "broadword/bp/block_avx512-inl.h"
#include "broadword/bp/block_sixteen-inl.h"
#include "broadword/bp/kernel-inl.h"
#include "broadword/bp/kernels.h"

#if HWY_ONCE

#if HWY_ARCH_X86

const pmi_bp_kernel pmi_bp_kernel_avx512_vbmi = pm::N_AVX3_DL::BpMakeKernel<pm::N_AVX3_DL::Block>("avx512-vbmi");
const pmi_bp_kernel pmi_bp_kernel_avx2 = pm::N_AVX2::BpMakeKernel<pm::N_AVX2::Block>("avx2");
const pmi_bp_kernel pmi_bp_kernel_sse4 = pm::N_SSE4::BpMakeKernel<pm::N_SSE4::Block>("sse4");
const pmi_bp_kernel pmi_bp_kernel_ssse3 = pm::N_SSSE3::BpMakeKernel<pm::N_SSSE3::Block>("ssse3");

#elif HWY_ARCH_ARM_A64

const pmi_bp_kernel pmi_bp_kernel_neon = pm::N_NEON::BpMakeKernel<pm::N_NEON::Block>("neon");

#endif

#endif

#endif // architectures
