/* SPDX-License-Identifier: Apache-2.0 */
/* pm_delimiters_scan_gpu(): checks its arguments and calls the GPU backend. */
#include "gpu/gpu.h"
#include "base/arguments.h"
#include "base/dfa.h"
#include "core/context/context.h"

static pm_status arrays_read(const pm_delimiters_arrays *from, pm_delimiters_arrays *to) {
    *to = (pm_delimiters_arrays){.struct_size = sizeof *to};
    return from ? pmi_options_read(from, to, sizeof *to, sizeof *to) : PM_OK;
}

static pm_status structure_there(pm_context *context, const pm_delimiters *pairs, const char *text, uint32_t n,
                                 const pm_delimiters_arrays *arrays, pm_delimiters_summary *found) {
    pmi_dfa *machine;
    pm_status status = pmi_dfa_create(&context->allocator, pairs, &machine);
    if (status != PM_OK)
        return status;
    if (n > 0) {
        status = pmi_context_gpu_open(context);
        if (status == PM_OK)
            status = pmi_gpu_delimiters(context->gpu, machine, text, n, arrays, found);
    }
    pmi_dfa_destroy(&context->allocator, machine);
    return status;
}

pm_status pm_delimiters_scan_gpu(pm_context *context, const pm_delimiters *pairs, const char *text, size_t n,
                                 const pm_delimiters_arrays *arrays, pm_delimiters_summary *summary) {
    if (!context || !pairs || (n > 0 && !text))
        return PM_INVALID_ARGUMENT;
    if (n > UINT32_MAX)
        return PM_TOO_LARGE;
    pm_delimiters_arrays known;
    pm_delimiters_summary found = {.tokens = 0};
    pm_status status = arrays_read(arrays, &known);
    if (status == PM_OK)
        status = structure_there(context, pairs, text, (uint32_t)n, &known, &found);
    if (status == PM_OK && summary)
        *summary = found;
    return status;
}
