/* SPDX-License-Identifier: Apache-2.0 */
/* The implementations of queries; those of other architectures than the one compiled for are missing. */
#ifndef PM_BROADWORD_BP_KERNELS_H
#define PM_BROADWORD_BP_KERNELS_H

#include "core/bp_index.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const pm_bp_kernel pm_bp_kernel_portable;

#if defined(__x86_64__)
extern const pm_bp_kernel pm_bp_kernel_avx512_vbmi;
extern const pm_bp_kernel pm_bp_kernel_avx2;
extern const pm_bp_kernel pm_bp_kernel_sse4;
extern const pm_bp_kernel pm_bp_kernel_ssse3;
#elif defined(__aarch64__)
extern const pm_bp_kernel pm_bp_kernel_neon;
#endif

/* The implementation for the instructions of an engine (broadword/match.h). */
const pm_bp_kernel *pm_bp_kernel_for(const char *engine);

#ifdef __cplusplus
}
#endif

#endif
