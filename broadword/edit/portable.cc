// SPDX-License-Identifier: Apache-2.0
// Edits and queries for any 64-bit machine.
#define HWY_COMPILE_ONLY_SCALAR
#include "broadword/bp/block_sse2.h"
#include "broadword/bp/block_words.h"
#include "broadword/edit/kernel-inl.h"
#include "broadword/simd.h"

#ifdef __SSE2__
using Block = pm::Sse2Block;
#else
using Block = pm::WordBlock;
#endif

const pmi_edit_kernel pmi_edit_kernel_portable = pm::HWY_NAMESPACE::EditMakeKernel<Block>();
