/* SPDX-License-Identifier: Apache-2.0 */
/* The implementations of queries as a list. */
#include "broadword/bp/kernels.h"

#include <string.h>

const pmi_bp_kernel *pmi_bp_kernel_for(const char *engine) {
    static const pmi_bp_kernel *const kernels[] = {
#if defined(__x86_64__)
        &pmi_bp_kernel_avx512_vbmi,
        &pmi_bp_kernel_avx2,
        &pmi_bp_kernel_sse4,
        &pmi_bp_kernel_ssse3,
#elif defined(__aarch64__)
        &pmi_bp_kernel_neon,
#endif
        &pmi_bp_kernel_portable,
    };
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        if (strcmp(kernels[k]->name, engine) == 0)
            return kernels[k];
    return &pmi_bp_kernel_portable;
}
