/* SPDX-License-Identifier: Apache-2.0 */
/* The implementations of queries as a list. */
#include "broadword/bp_kernels.h"

#include <string.h>

const pm_bp_kernel *pm_bp_kernel_for(const char *engine) {
#if defined(__x86_64__)
    static const pm_bp_kernel *const kernels[] = {&pm_bp_kernel_avx512_vbmi, &pm_bp_kernel_avx2};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        if (strcmp(kernels[k]->name, engine) == 0)
            return kernels[k];
#else
    (void)engine;
#endif
    return &pm_bp_kernel_portable;
}
