/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts: reading options of any size, and memory from the caller's allocator. */
#include "core/context.h"
#include "core/dispatch.h"

#include <stdlib.h>
#include <string.h>

static void *default_alloc(size_t size, void *user) {
    (void)user;
    return malloc(size);
}

static void default_free(void *block, void *user) {
    (void)user;
    free(block);
}

static const pm_allocator default_allocator = {default_alloc, default_free, NULL};

/* Copies what both sides know of the options; what only the caller knows must be zero. */
static pm_status options_read(const pm_options *from, pm_options *to) {
    const size_t size = from->struct_size ? from->struct_size : sizeof *to;
    const size_t first_release = offsetof(pm_options, allocator) + sizeof to->allocator;
    if (size < first_release)
        return PM_INVALID_ARGUMENT;
    for (size_t i = sizeof *to; i < size; i++)
        if (((const unsigned char *)from)[i] != 0)
            return PM_UNSUPPORTED;
    memset(to, 0, sizeof *to);
    memcpy(to, from, size < sizeof *to ? size : sizeof *to);
    if (!to->allocator.alloc != !to->allocator.free)
        return PM_INVALID_ARGUMENT;
    if (to->device && strlen(to->device) >= PM_DEVICE_NAME_SIZE)
        return PM_INVALID_ARGUMENT;
    return PM_OK;
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
    const struct pm_engine *engine = NULL;
    unsigned pipeline;
    pm_status status = pm_engine_choose(known.simd, &engine);
    if (status == PM_OK)
        status = pm_pipeline_choose(known.pipeline, &pipeline);
    if (status != PM_OK)
        return status;
    const pm_allocator allocator = known.allocator.alloc ? known.allocator : default_allocator;
    pm_context *created = pm_memory_allocate(&allocator, 1, sizeof *created);
    if (!created)
        return PM_OUT_OF_MEMORY;
    *created = (pm_context){.allocator = allocator,
                            .engine = engine,
                            .threads = known.threads,
                            .allow_cpu_device = known.allow_cpu_device,
                            .pipeline = pipeline};
    if (known.device)
        strcpy(created->device, known.device); /* options_read() has measured it */
    *context = created;
    return PM_OK;
}

void pm_context_destroy(pm_context *context) {
    if (!context)
        return;
    pm_context_gpu_close(context);
    const pm_allocator allocator = context->allocator; /* outlives the block it frees */
    pm_memory_free(&allocator, context);
}

pm_allocator pm_context_allocator(const pm_context *context) {
    return context ? context->allocator : default_allocator;
}

void *pm_memory_allocate(const pm_allocator *allocator, size_t count, size_t size) {
    if (count == 0)
        count = 1;
    if (count > SIZE_MAX / size)
        return NULL;
    return allocator->alloc(count * size, allocator->user);
}

void pm_memory_free(const pm_allocator *allocator, void *block) {
    if (block)
        allocator->free(block, allocator->user);
}
