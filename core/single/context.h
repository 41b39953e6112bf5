/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for core/context/context.h in the single file that cmake/amalgamate.sh makes: one thread, no device, and
 * words instead of vectors. */
#ifndef PM_CORE_SINGLE_CONTEXT_H
#define PM_CORE_SINGLE_CONTEXT_H

#include "base/bp_index.h"
#include "base/memory.h"

struct pm_context {
    pm_allocator allocator; /* both functions set */
    unsigned threads;       /* as asked for; one works */
};

/* The only implementation of the queries. */
typedef struct pmi_simd_target {
    const pmi_bp_kernel *bp;
} pmi_simd_target;

extern const pmi_bp_kernel pmi_bp_kernel_plain;

const pmi_simd_target *pmi_simd_of(const pm_context *context);

#endif
