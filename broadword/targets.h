// SPDX-License-Identifier: Apache-2.0
// What Highway is told before a file is compiled once for each SIMD target (broadword/simd.c). The file itself names
// the targets that it does without, in HWY_DISABLED_TARGETS.
#ifndef PM_BROADWORD_TARGETS_H
#define PM_BROADWORD_TARGETS_H

#define HWY_WANT_AVX3_DL
#define HWY_COMPILE_ALL_ATTAINABLE
#define PMI_SCALABLE_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)

#if defined(__aarch64__)
// NEON is part of the architecture: nothing to detect, and no target that code would have to be marked with.
#define TOOLCHAIN_MISS_SYS_AUXV_H
#endif

#endif
