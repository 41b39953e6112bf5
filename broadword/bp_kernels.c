/* SPDX-License-Identifier: Apache-2.0 */
/* The implementations of queries as a list. */
#include "broadword/bp_kernels.h"

#include <string.h>

const pm_bp_kernel *pm_bp_kernel_for(const char *engine) {
    static const pm_bp_kernel *const kernels[] = {
#if defined(__x86_64__)
        &pm_bp_kernel_avx512_vbmi,
        &pm_bp_kernel_avx2,
        &pm_bp_kernel_sse4,
        &pm_bp_kernel_ssse3,
#elif defined(__aarch64__)
        &pm_bp_kernel_neon,
#endif
        &pm_bp_kernel_portable,
    };
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        if (strcmp(kernels[k]->name, engine) == 0)
            return kernels[k];
    return &pm_bp_kernel_portable;
}
