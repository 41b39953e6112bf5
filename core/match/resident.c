/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions for sequences that stay on devices: they check their arguments and call the GPU backend. */
#include "base/arguments.h"
#include "core/context/context.h"
#include "gpu/gpu.h"

pm_status pm_resident_create(pm_context *context, uint64_t n, pm_resident **resident) {
    if (!resident)
        return PM_INVALID_ARGUMENT;
    *resident = NULL;
    if (!context)
        return PM_INVALID_ARGUMENT;
    if (n > PM_N_MAX)
        return PM_TOO_LARGE;
    const pm_status status = pmi_context_gpu_open(context);
    return status == PM_OK ? pmi_gpu_resident_create(context->gpu, n, NULL, resident) : status;
}

void pm_resident_destroy(pm_resident *resident) {
    if (resident)
        pmi_gpu_resident_destroy(resident);
}

pm_status pm_resident_load(pm_resident *resident, const uint64_t *parens) {
    if (!resident || (!parens && pmi_gpu_resident_n(resident) > 0))
        return PM_INVALID_ARGUMENT;
    return pmi_gpu_resident_load(resident, parens);
}

pm_status pm_resident_match(pm_resident *resident, pm_bic *total) {
    pm_bic sum;
    const pm_status status = resident ? pmi_gpu_resident_match(resident, &sum) : PM_INVALID_ARGUMENT;
    if (status == PM_OK && total)
        *total = sum;
    return status;
}

pm_status pm_resident_read(pm_resident *resident, uint64_t first, uint64_t count, uint32_t *match) {
    if (!resident || (count > 0 && !match))
        return PM_INVALID_ARGUMENT;
    const uint64_t n = pmi_gpu_resident_n(resident);
    if (first > n || count > n - first)
        return PM_INVALID_ARGUMENT;
    return pmi_gpu_resident_read(resident, first, count, match);
}
