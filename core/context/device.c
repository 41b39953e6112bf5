/* SPDX-License-Identifier: Apache-2.0 */
/* The device of a context: which one it may be, opening and closing it, and what is known of it. */
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "core/context/context.h"
#include "cpu/threads.h"
#include "gpu/gpu.h"

/* PARENMATCH_ALLOW_CPU_DEVICE, the one variable that the library reads, is described at pm_options.allow_cpu_device. */
static bool cpu_device_allowed(const pm_context *context) {
    const char *const value = getenv("PARENMATCH_ALLOW_CPU_DEVICE");
    return (context && context->allow_cpu_device) || (value && strcmp(value, "1") == 0);
}

pm_status pm_device_at(pm_context *context, size_t index, pm_device_info *device) {
    if (!device)
        return PM_INVALID_ARGUMENT;
    pm_device_info found = {.name = ""};
    const pmi_gpu_settings settings = {.allow_cpu_device = cpu_device_allowed(context)};
    const pm_status status = pmi_gpu_describe(&settings, index, &found);
    if (status != PM_OK)
        return status;
    return pmi_options_write(&found, device, sizeof found, offsetof(pm_device_info, trouble) + sizeof found.trouble);
}

pm_status pmi_pipeline_choose(const char *name, unsigned *pipeline) {
    pmi_pipeline_id id = PM_PIPELINES;
    if (name && !pmi_pipeline_by_name(name, &id))
        return PM_INVALID_ARGUMENT;
    *pipeline = id;
    return PM_OK;
}

pm_status pmi_context_gpu_open(pm_context *context) {
    const pmi_gpu_settings settings = {.device = context->device,
                                       .pipeline_cache = context->pipeline_cache,
                                       .allow_cpu_device = cpu_device_allowed(context),
                                       .pipeline_by_n = context->pipeline == PM_PIPELINES,
                                       .pipeline = (pmi_pipeline_id)context->pipeline,
                                       .copy = pmi_threads_copy,
                                       .copy_threads = context->threads};
    return context->gpu ? PM_OK : pmi_gpu_open(&settings, &context->allocator, &context->gpu);
}

void pmi_context_gpu_close(pm_context *context) {
    pmi_gpu_close(context->gpu);
    context->gpu = NULL;
}

const char *pmi_context_gpu_key(const pm_context *context) {
    return context->gpu ? pmi_gpu_key(context->gpu) : "";
}

const char *pmi_context_gpu_kind(const pm_context *context) {
    return context->gpu ? pmi_gpu_kind(context->gpu) : "";
}

bool pmi_context_gpu_has_boxes(const pm_context *context) {
    return context->gpu && pmi_gpu_has_boxes(context->gpu);
}

const pmi_profile *pmi_context_device_profile(const pm_context *context) {
    const bool holds = !context->gpu || strcmp(context->profile.device, pmi_context_gpu_key(context)) == 0;
    return context->profiled && *context->profile.device && holds ? &context->profile : NULL;
}
