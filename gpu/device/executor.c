/* SPDX-License-Identifier: Apache-2.0 */
/* Pipelines are created when first needed; buffers grow. */
#include "gpu/device/executor.h"

#include <string.h>

#include "base/memory.h"
#include "base/sizes.h"
#include "gpu/match/pipeline.h"

#define CHUNK_BYTES_MAX ((size_t)1 << 24)
/* A shorter match has this many chunks, whose copies overlap with work. But each costs a submission, so they have at
 * least this size. */
#define CHUNKS_MIN 8u
#define CHUNK_BYTES_MIN ((size_t)1 << 23)
#define RANGE_ELEMENTS (UINT32_C(1) << 28) /* 1 GiB: every device allows such an allocation */
#define SLICE_ELEMENTS (UINT32_C(1) << 26) /* if slices are shorter, one device is faster */

/* ---- Pipelines ---- */

static pm_status pipeline_open(pmi_executor *executor, pmi_pipeline_id id, const pmi_pipeline **pipeline) {
    pmi_pipeline *const opened = &executor->pipelines[id];
    *pipeline = opened;
    return opened->kind ? PM_OK : pmi_pipeline_create(&executor->device, id, opened);
}

/* If the fastest pipeline is impossible on this device, or for n elements, this is the default. */
static pm_status pipeline_choose(pmi_executor *executor, size_t n, const pmi_pipeline **pipeline) {
    if (!executor->pipeline_by_n)
        return pipeline_open(executor, executor->pipeline_asked, pipeline);
    const pm_status status = pipeline_open(executor, pmi_pipeline_fastest(executor->device.can.type, n), pipeline);
    if (status == PM_UNSUPPORTED || (status == PM_OK && n > pmi_pipeline_limit(*pipeline)))
        return pipeline_open(executor, PM_PIPELINE_LEVELS, pipeline);
    return status;
}

pm_status pmi_executor_pipeline(pmi_executor *executor, size_t n, const pmi_pipeline **pipeline) {
    const pm_status status = pipeline_choose(executor, n, pipeline);
    return status == PM_OK && n > pmi_pipeline_limit(*pipeline) ? PM_TOO_LARGE : status;
}

pm_status pmi_executor_levels(pmi_executor *executor, const pmi_levels **levels) {
    const pmi_pipeline *pipeline;
    const pm_status status = pipeline_open(executor, PM_PIPELINE_LEVELS, &pipeline);
    *levels = &pipeline->levels;
    return status;
}

pm_status pmi_executor_batch(pmi_executor *executor, const pmi_pipeline **levels) {
    const pm_status status = pipeline_open(executor, PM_PIPELINE_LEVELS, levels);
    if (status != PM_OK || executor->batch.match.pipeline)
        return status;
    return pmi_batch_kernels_create(&executor->device, &executor->batch);
}

/* ---- Chunks ---- */

/* Bytes that are whole units of the pipeline, of the sequence as of its match. */
static size_t chunk_unit(const pmi_pipeline *pipeline) {
    const size_t up = pmi_pipeline_unit(pipeline, PM_STAGE_REDUCE) / 8;
    const size_t down = pmi_pipeline_unit(pipeline, PM_STAGE_MATCH) * sizeof(uint32_t);
    return up > down ? up : down; /* both are powers of two */
}

size_t pmi_executor_chunk_bytes(const pmi_executor *executor, const pmi_pipeline *pipeline, size_t n) {
    const size_t unit = chunk_unit(pipeline), all = (n * sizeof(uint32_t) + unit - 1) / unit * unit;
    const size_t part = all / CHUNKS_MIN - all / CHUNKS_MIN % unit;
    const size_t wanted = part > CHUNK_BYTES_MIN ? part : pmi_min(all, CHUNK_BYTES_MIN);
    return pmi_min(wanted, executor->chunk_bytes < unit ? unit : executor->chunk_bytes - executor->chunk_bytes % unit);
}

/* ---- Buffers ---- */

static pm_status chunk_reserve(const pmi_executor *executor, size_t bytes, pmi_staging_chunk *chunk) {
    const pm_status status =
        pmi_buffer_reserve_for_host(&executor->device, PM_MEMORY_DEVICE_DOWNLOAD, bytes, &chunk->output);
    if (status != PM_OK || (executor->parens.mapped && chunk->output.mapped))
        return status;
    return pmi_buffer_reserve(&executor->device, PM_MEMORY_DOWNLOAD, bytes, &chunk->staging);
}

pm_status pmi_executor_reserve(pmi_executor *executor, const pmi_pipeline *pipeline, uint32_t n, size_t chunk) {
    const pmi_device *const device = &executor->device;
    const uint64_t scratch = pmi_pipeline_scratch_bytes(pipeline, n);
    pm_status status =
        pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, pmi_parens_bytes(n), &executor->parens);
    if (status == PM_OK)
        status = pmi_buffer_reserve(device, PM_MEMORY_DEVICE, scratch, &executor->scratch);
    for (unsigned k = 0; k < PM_STAGING_CHUNKS && status == PM_OK; k++)
        status = chunk_reserve(executor, chunk, &executor->ring.chunk[k]);
    return status;
}

/* ---- Opening and closing an executor ---- */

/* Opens the one device that the settings ask for. *executor must not move, and must be closed after a failure, too. */
static pm_status executor_open(const pmi_gpu_settings *settings, const pm_allocator *allocator,
                               pmi_executor *executor) {
    *executor = (pmi_executor){.pipeline_by_n = settings->pipeline_by_n,
                               .pipeline_asked = settings->pipeline,
                               .chunk_bytes = settings->chunk_bytes ? settings->chunk_bytes : CHUNK_BYTES_MAX,
                               .range_elements = settings->range_elements ? settings->range_elements : RANGE_ELEMENTS,
                               .slice_elements = settings->slice_elements ? settings->slice_elements : SLICE_ELEMENTS,
                               .ahead_elements = settings->ahead_elements};
    pm_status status = pmi_device_open(settings, &executor->device);
    if (status == PM_OK) {
        const pmi_pipeline *asked;
        pmi_pipeline_cache_open(&executor->cache, &executor->device, settings->pipeline_cache, allocator);
        status = executor->pipeline_by_n ? PM_OK : pipeline_open(executor, executor->pipeline_asked, &asked);
    }
    if (status == PM_OK)
        status = pmi_staging_ring_create(&executor->device, settings, &executor->ring);
    if (status == PM_OK)
        status = pmi_buffer_create(&executor->device, PM_MEMORY_DOWNLOAD, 2 * sizeof(uint32_t), &executor->summary);
    return status;
}

static void close_on_device(pmi_executor *executor, const pm_allocator *allocator) {
    const pmi_device *const device = &executor->device;
    device->vk->DeviceWaitIdle(device->handle); /* work is in flight only after a failure */
    pmi_staging_ring_destroy(device, &executor->ring);
    pmi_pfac_runner_clear(device, &executor->pfac);
    pmi_delimiters_runner_clear(device, &executor->delimiters);
    pmi_index_runner_clear(device, &executor->index);
    pmi_executor_scan_clear(executor, allocator);
    pmi_buffer *const buffers[] = {&executor->parens,  &executor->scratch, &executor->summary,
                                   &executor->offsets, &executor->totals,  &executor->kinds,
                                   &executor->given,   &executor->results, &executor->dispatches};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pmi_buffer_destroy(device, buffers[b]);
    pmi_batch_kernels_destroy(device, &executor->batch);
    pmi_boxes_destroy(device, &executor->boxes);
    pmi_levels_destroy(device, &executor->slices);
    for (unsigned id = 0; id < PM_PIPELINES; id++)
        pmi_pipeline_destroy(device, &executor->pipelines[id]);
}

/* Zeros are allowed. */
static void executor_close(pmi_executor *executor, const pm_allocator *allocator) {
    if (executor->device.handle) {
        close_on_device(executor, allocator);
        pmi_pipeline_cache_close(&executor->cache, &executor->device, allocator);
    }
    pmi_device_close(&executor->device);
}

/* ---- Calls ---- */

/* Waits for all that is in flight; the first failure counts. `deliver` as for pmi_staging_ring_finish(). */
static pm_status finish(pmi_gpu *gpu, const pmi_gpu_call *call, bool deliver) {
    pm_status status = call->finish ? call->finish(call->arguments) : PM_OK;
    for (unsigned k = 0; k < gpu->count; k++) {
        pmi_executor *const executor = &gpu->executors[k];
        const pm_status finished =
            pmi_staging_ring_finish(&executor->device, &executor->ring, deliver && status == PM_OK);
        status = status == PM_OK ? finished : status;
    }
    return status;
}

pm_status pmi_gpu_run(pmi_gpu *gpu, const pmi_gpu_call *call) {
    if (gpu->lost)
        return PM_DEVICE_LOST;
    pm_status status = finish(gpu, call, false); /* of a call that failed */
    if (status == PM_OK) {
        status = call->run(gpu, call->arguments);
        const pm_status finished = finish(gpu, call, status == PM_OK);
        gpu->lost = finished == PM_DEVICE_LOST;
        status = status == PM_OK ? finished : status;
    }
    gpu->lost |= status == PM_DEVICE_LOST;
    return status;
}

/* ---- What the devices are ---- */

const char *pmi_gpu_key(const pmi_gpu *gpu) {
    return gpu->executors[0].device.key;
}

const char *pmi_gpu_kind(const pmi_gpu *gpu) {
    return pmi_physical_kind(gpu->executors[0].device.can.type);
}

pmi_device *pmi_gpu_device(pmi_gpu *gpu) {
    return &gpu->executors[0].device;
}

/* ---- Opening and closing the devices of a list ---- */

enum {
    NAME_SIZE = 64 /* of a device, with its end */
};

/* The number of names, which commas separate. An empty list is one name. */
static size_t names_count(const char *list) {
    size_t count = 1;
    for (; list && *list; list++)
        count += *list == ',';
    return count;
}

/* Copies the next name, and moves *list past it. False if the name is too long. */
static bool name_take(const char **list, char name[NAME_SIZE]) {
    const size_t length = strcspn(*list, ",");
    if (length >= NAME_SIZE)
        return false;
    memcpy(name, *list, length);
    name[length] = '\0';
    *list += length + ((*list)[length] == ',');
    return true;
}

/* Opens the last executor, on the device that the list names next. */
static pm_status next_open(pmi_gpu *gpu, const pmi_gpu_settings *settings, const char **list) {
    char name[NAME_SIZE];
    gpu->executors[gpu->count - 1] = (pmi_executor){0};
    const bool listed = settings->device && *settings->device != '\0';
    if (!name_take(list, name) || (listed && *name == '\0'))
        return PM_NO_DEVICE;
    pmi_gpu_settings own = *settings;
    own.device = name;
    own.pipeline_cache = gpu->count == 1 ? settings->pipeline_cache : NULL; /* a file is for one device */
    return executor_open(&own, &gpu->allocator, &gpu->executors[gpu->count - 1]);
}

pm_status pmi_gpu_open(const pmi_gpu_settings *settings, const pm_allocator *allocator, pmi_gpu **gpu) {
    *gpu = NULL;
    const char *list = settings->device ? settings->device : "";
    const size_t devices = names_count(list);
    if (devices > PM_DEVICES_MAX)
        return PM_NO_DEVICE;
    pmi_gpu *const opened = pmi_memory_allocate_with(allocator, sizeof *opened, devices, sizeof *opened->executors);
    if (!opened)
        return PM_OUT_OF_MEMORY;
    *opened = (pmi_gpu){.allocator = *allocator};
    pm_status status = PM_OK;
    for (size_t k = 0; k < devices && status == PM_OK; k++) {
        opened->count++;
        status = next_open(opened, settings, &list);
    }
    if (status != PM_OK) {
        pmi_gpu_close(opened);
        return status;
    }
    *gpu = opened;
    return PM_OK;
}

void pmi_gpu_close(pmi_gpu *gpu) {
    if (!gpu)
        return;
    for (unsigned k = 0; k < gpu->count; k++)
        executor_close(&gpu->executors[k], &gpu->allocator);
    const pm_allocator allocator = gpu->allocator; /* outlives the block it frees */
    pmi_memory_free(&allocator, gpu);
}
