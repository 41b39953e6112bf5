/* SPDX-License-Identifier: Apache-2.0 */
/* From pm_structure_gpu() to the GPU backend: checks once, then hands on. */
#include "core/context.h"
#include "core/dispatch.h"
#include "core/machine.h"
#include "core/struct_read.h"
#include "gpu/run.h"

static pm_status arrays_read(const pm_structure_arrays *from, pm_structure_arrays *to) {
    *to = (pm_structure_arrays){.struct_size = sizeof *to};
    return from ? pm_struct_read(from, to, sizeof *to, sizeof *to) : PM_OK;
}

static pm_status structure_there(pm_context *context, const pm_pairs *pairs, const char *text, uint32_t n,
                                 const pm_structure_arrays *arrays, pm_structure_summary *found) {
    pm_machine *machine;
    pm_status status = pm_machine_create(&context->allocator, pairs, &machine);
    if (status != PM_OK)
        return status;
    if (n > 0) {
        status = pm_context_gpu_open(context);
        if (status == PM_OK)
            status = pm_gpu_structure(context->gpu, machine, text, n, arrays, found);
    }
    pm_machine_destroy(&context->allocator, machine);
    return status;
}

pm_status pm_structure_gpu(pm_context *context, const pm_pairs *pairs, const char *text, size_t n,
                           const pm_structure_arrays *arrays, pm_structure_summary *summary) {
    if (!context || !pairs || (n > 0 && !text))
        return PM_INVALID_ARGUMENT;
    if (n > UINT32_MAX)
        return PM_TOO_LARGE;
    pm_structure_arrays known;
    pm_structure_summary found = {.tokens = 0};
    pm_status status = arrays_read(arrays, &known);
    if (status == PM_OK)
        status = structure_there(context, pairs, text, (uint32_t)n, &known, &found);
    if (status == PM_OK && summary)
        *summary = found;
    return status;
}
