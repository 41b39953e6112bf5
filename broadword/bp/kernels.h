/* SPDX-License-Identifier: Apache-2.0 */
/* The implementations of queries; those of other architectures than the one compiled for are missing. */
#ifndef PM_BROADWORD_BP_KERNELS_H
#define PM_BROADWORD_BP_KERNELS_H

#include "base/bp_index.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const pmi_bp_kernel pmi_bp_kernel_portable;

#if defined(__x86_64__)
extern const pmi_bp_kernel pmi_bp_kernel_avx512_vbmi;
extern const pmi_bp_kernel pmi_bp_kernel_avx2;
extern const pmi_bp_kernel pmi_bp_kernel_sse4;
extern const pmi_bp_kernel pmi_bp_kernel_ssse3;
#elif defined(__aarch64__)
extern const pmi_bp_kernel pmi_bp_kernel_neon;
#endif

/* The implementation for the instructions of an engine (broadword/match/match.h). */
const pmi_bp_kernel *pmi_bp_kernel_for(const char *engine);

#ifdef __cplusplus
}
#endif

#endif
