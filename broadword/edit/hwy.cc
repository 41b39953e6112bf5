// SPDX-License-Identifier: Apache-2.0
// Edits and queries for vector instructions, compiled once for each target.
#if defined(__x86_64__) || defined(__aarch64__) || defined(__wasm_simd128__)

#include "broadword/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broadword/edit/hwy.cc"
#define HWY_DISABLED_TARGETS (HWY_AVX3 | PMI_SCALABLE_TARGETS)
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "broadword/bp/block_avx2-inl.h"
#include "broadword/bp/block_avx512-inl.h"
#include "broadword/bp/block_sixteen-inl.h"
#include "broadword/edit/kernel-inl.h"
#include "broadword/simd.h"

#if HWY_ONCE

#if HWY_ARCH_X86

const pmi_edit_kernel pmi_edit_kernel_avx512_vbmi = pm::N_AVX3_DL::EditMakeKernel<pm::N_AVX3_DL::Block>();
const pmi_edit_kernel pmi_edit_kernel_avx2 = pm::N_AVX2::EditMakeKernel<pm::N_AVX2::Block>();
const pmi_edit_kernel pmi_edit_kernel_sse4 = pm::N_SSE4::EditMakeKernel<pm::N_SSE4::Block>();
const pmi_edit_kernel pmi_edit_kernel_ssse3 = pm::N_SSSE3::EditMakeKernel<pm::N_SSSE3::Block>();

#elif HWY_ARCH_ARM_A64

const pmi_edit_kernel pmi_edit_kernel_neon = pm::N_NEON::EditMakeKernel<pm::N_NEON::Block>();

#elif HWY_ARCH_WASM

const pmi_edit_kernel pmi_edit_kernel_simd128 = pm::N_WASM::EditMakeKernel<pm::N_WASM::Block>();

#endif

#endif

#endif // architectures
