// SPDX-License-Identifier: Apache-2.0
// The queries for vector instructions, compiled once for each target; as match_hwy.cc does it for engines.
#if defined(__x86_64__)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broadword/bp_hwy.cc"
#define HWY_WANT_AVX3_DL
#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLED_TARGETS (HWY_AVX3 | HWY_SSE4 | HWY_SSSE3)
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "broadword/bp_block_avx2-inl.h"
#include "broadword/bp_block_avx512-inl.h"
#include "broadword/bp_kernel-inl.h"
#include "broadword/bp_kernels.h"

#if HWY_ONCE

const pm_bp_kernel pm_bp_kernel_avx512_vbmi = pm::N_AVX3_DL::BpMakeKernel<pm::N_AVX3_DL::Block>("avx512-vbmi");
const pm_bp_kernel pm_bp_kernel_avx2 = pm::N_AVX2::BpMakeKernel<pm::N_AVX2::Block>("avx2");

#endif

#endif // __x86_64__
