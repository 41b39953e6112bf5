/* SPDX-License-Identifier: Apache-2.0 */
/* Creating contexts from options, their default allocator, and their device. */
#define _DEFAULT_SOURCE /* madvise */
#include "core/context/context.h"
#include "base/arguments.h"
#include "core/choose/profile.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cpu/threads.h"
#include "gpu/gpu.h"

/* Blocks of this size are new to the process each time. Those of the library are written from end to end, which takes
 * no longer than to get the pages for them one by one; so they are asked for as huge ones. */
#define HUGE_PAGES_PAY ((size_t)32 << 20)

static void *default_alloc(size_t size, void *user) {
    (void)user;
    void *const block = malloc(size);
#ifdef MADV_HUGEPAGE
    if (block && size >= HUGE_PAGES_PAY) {
        const size_t page = (size_t)1 << 16, padding = -(uintptr_t)block % page; /* whole pages, whatever their size */
        madvise((char *)block + padding, size - padding, MADV_HUGEPAGE);
    }
#endif
    return block;
}

static void default_free(void *block, void *user) {
    (void)user;
    free(block);
}

static const pm_allocator default_allocator = {default_alloc, default_free, NULL};

bool pmi_allocator_is_default(const pm_allocator *allocator) {
    return allocator->alloc == default_alloc;
}

const pmi_simd_target *pmi_simd_of(const pm_context *context) {
    return context ? context->simd : pmi_simd_best();
}

/* Stores the target that pm_options.simd names; for NULL the best. PM_INVALID_ARGUMENT for an unknown name,
 * PM_UNSUPPORTED for a target that this CPU lacks. */
static pm_status simd_choose(const char *name, const pmi_simd_target **simd) {
    *simd = name ? pmi_simd_by_name(name) : pmi_simd_best();
    if (!*simd)
        return PM_INVALID_ARGUMENT;
    return (*simd)->supported() ? PM_OK : PM_UNSUPPORTED;
}

/* Stores the number of the pipeline that pm_options.pipeline names; for NULL their count, for a choice by n.
 * PM_INVALID_ARGUMENT for an unknown name. */
static pm_status pipeline_choose(const char *name, unsigned *pipeline) {
    pmi_pipeline_id id = PM_PIPELINES;
    if (name && !pmi_pipeline_by_name(name, &id))
        return PM_INVALID_ARGUMENT;
    *pipeline = id;
    return PM_OK;
}

static pm_status options_read(const pm_options *from, pm_options *to) {
    const pm_status status =
        pmi_options_read(from, to, sizeof *to, offsetof(pm_options, allocator) + sizeof to->allocator);
    if (status != PM_OK)
        return status;
    if (!to->allocator.alloc != !to->allocator.free)
        return PM_INVALID_ARGUMENT;
    if (to->device && strlen(to->device) >= PM_DEVICE_NAME_SIZE)
        return PM_INVALID_ARGUMENT;
    return PM_OK;
}

/* NULL of NULL, or if there is no memory. */
static char *text_copy(const pm_allocator *allocator, const char *text) {
    char *const copy = text ? pmi_memory_allocate(allocator, strlen(text) + 1, 1) : NULL;
    return copy ? strcpy(copy, text) : NULL;
}

pm_status pm_context_create(const pm_options *options, pm_context **context) {
    if (!context)
        return PM_INVALID_ARGUMENT;
    *context = NULL;

    pm_options known = {.struct_size = sizeof known};
    if (options) {
        const pm_status status = options_read(options, &known);
        if (status != PM_OK)
            return status;
    }
    const pmi_simd_target *simd;
    unsigned pipeline;
    pm_status status = simd_choose(known.simd, &simd);
    if (status == PM_OK)
        status = pipeline_choose(known.pipeline, &pipeline);
    if (status != PM_OK)
        return status;
    const pm_allocator allocator = known.allocator.alloc ? known.allocator : default_allocator;
    pm_context *created = pmi_memory_allocate(&allocator, 1, sizeof *created);
    char *const pipeline_cache = text_copy(&allocator, known.pipeline_cache);
    if (!created || (known.pipeline_cache && !pipeline_cache)) {
        pmi_memory_free(&allocator, created);
        pmi_memory_free(&allocator, pipeline_cache);
        return PM_OUT_OF_MEMORY;
    }
    *created = (pm_context){.allocator = allocator,
                            .simd = simd,
                            .threads = known.threads,
                            .allow_cpu_device = known.allow_cpu_device,
                            .pipeline_cache = pipeline_cache,
                            .pipeline = pipeline};
    if (known.device)
        strcpy(created->device, known.device); /* options_read() has measured it */
    created->profile.cpu = *pmi_figures_shipped(simd->name);
    if (known.profile && *known.profile) {
        const pm_status read = pmi_profile_read(known.profile, simd->name, &created->profile);
        created->profiled = read == PM_OK;
        created->profile_refused = read == PM_CORRUPT;
    }
    *context = created;
    return PM_OK;
}

void *pmi_context_kept(const pm_context *context, const void *of) {
    return context && context->kept.of == of ? context->kept.made : NULL;
}

static void let_go(pm_context *context) {
    if (context->kept.of)
        context->kept.destroy(context->kept.made);
    context->kept.of = NULL;
}

void pmi_context_keep(pm_context *context, const void *of, void *made, void (*destroy)(void *made)) {
    let_go(context);
    context->kept = (pmi_kept){of, made, destroy};
}

void pm_context_destroy(pm_context *context) {
    if (!context)
        return;
    let_go(context);
    pmi_context_gpu_close(context);
    const pm_allocator allocator = context->allocator; /* outlives the block it frees */
    pmi_memory_free(&allocator, context->pipeline_cache);
    pmi_memory_free(&allocator, context);
}

const char *pm_context_simd(const pm_context *context) {
    return pmi_simd_of(context)->name;
}

unsigned pm_context_threads(const pm_context *context) {
    return context ? context->threads : 0;
}

const char *pm_context_device(const pm_context *context) {
    return context ? context->device : "";
}

pm_allocator pm_context_allocator(const pm_context *context) {
    return context ? context->allocator : default_allocator;
}

/* ---- The device ---- */

/* PARENMATCH_ALLOW_CPU_DEVICE, the one variable that the library reads, is described at pm_options.allow_cpu_device. */
static bool cpu_device_allowed(const pm_context *context) {
    const char *const value = getenv("PARENMATCH_ALLOW_CPU_DEVICE");
    return (context && context->allow_cpu_device) || (value && strcmp(value, "1") == 0);
}

pm_status pm_device_at(pm_context *context, size_t index, pm_device_info *device) {
    if (!device)
        return PM_INVALID_ARGUMENT;
    pm_device_info found = {.name = ""};
    const size_t least = offsetof(pm_device_info, trouble) + sizeof found.trouble;
    if (device->struct_size > 0 && device->struct_size < least)
        return PM_INVALID_ARGUMENT; /* before a loader is opened */
    const pmi_gpu_settings settings = {.allow_cpu_device = cpu_device_allowed(context)};
    const pm_status status = pmi_gpu_describe(&settings, index, &found);
    if (status != PM_OK)
        return status;
    return pmi_options_write(&found, device, sizeof found, least);
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
