/* SPDX-License-Identifier: Apache-2.0 */
/* Stations: pipelines made when first needed, buffers that grow. */
#include "gpu/device/executor.h"

#include "base/sizes.h"
#include "gpu/match/pipeline_choice.h"

#define SLOT_BYTES ((size_t)1 << 24)
/* What a match shorter than so many slots is cut into, so that there is something to overlap, unless chunks become too
 * short, for each costs a submission. */
#define CHUNKS_LEAST 8u
#define CHUNK_BYTES_LEAST ((size_t)1 << 23)
#define RANGE_ELEMENTS (UINT32_C(1) << 28) /* 1 GiB: an allocation that every device allows */

#define SLICE_ELEMENTS (UINT32_C(1) << 26) /* of fewer, what devices need of each other takes more than it brings */

/* ---- Pipelines ---- */

static pm_status pipeline_open(pmi_executor *executor, pmi_pipeline_id id, const pmi_pipeline **pipeline) {
    pmi_pipeline *const opened = &executor->pipelines[id];
    *pipeline = opened;
    return opened->kind ? PM_OK : pmi_pipeline_create(&executor->device, id, opened);
}

/* The pipeline for n elements. By n, one that the device cannot have, or not for so many, gives way to the default. */
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

/* ---- Chunks ---- */

/* Bytes that are whole units of the pipeline both ways, of elements going up and of matches coming down. */
static size_t chunk_unit(const pmi_pipeline *pipeline) {
    const size_t up = pmi_pipeline_unit(pipeline, PM_STAGE_REDUCE) / 8;
    const size_t down = pmi_pipeline_unit(pipeline, PM_STAGE_MATCH) * sizeof(uint32_t);
    return up > down ? up : down; /* both are powers of two */
}

size_t pmi_executor_chunk_bytes(const pmi_executor *executor, const pmi_pipeline *pipeline, size_t n) {
    const size_t unit = chunk_unit(pipeline), all = (n * sizeof(uint32_t) + unit - 1) / unit * unit;
    const size_t share = all / CHUNKS_LEAST - all / CHUNKS_LEAST % unit;
    const size_t wanted = share > CHUNK_BYTES_LEAST ? share : pmi_min(all, CHUNK_BYTES_LEAST);
    return pmi_min(wanted, executor->slot_bytes < unit ? unit : executor->slot_bytes - executor->slot_bytes % unit);
}

/* ---- Buffers ---- */

/* Bytes of the 32-bit words that hold n bits. */
static size_t parens_bytes(size_t n) {
    return (n / 32 + (n % 32 != 0)) * 4;
}

static pm_status slot_reserve(const pmi_executor *executor, size_t chunk, pmi_staging_chunk *s) {
    const pm_status status =
        pmi_buffer_reserve_for_host(&executor->device, PM_MEMORY_DEVICE_DOWNLOAD, chunk, &s->output);
    if (status != PM_OK || (executor->parens.mapped && s->output.mapped))
        return status;
    return pmi_buffer_reserve(&executor->device, PM_MEMORY_DOWNLOAD, chunk, &s->staging);
}

pm_status pmi_executor_reserve(pmi_executor *executor, const pmi_pipeline *pipeline, uint32_t n, size_t chunk) {
    const pmi_device *const device = &executor->device;
    const uint64_t scratch = pmi_pipeline_scratch_bytes(pipeline, n);
    pm_status status = pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, parens_bytes(n), &executor->parens);
    if (status == PM_OK)
        status = pmi_buffer_reserve(device, PM_MEMORY_DEVICE, scratch, &executor->scratch);
    for (unsigned k = 0; k < PM_SLOTS && status == PM_OK; k++)
        status = slot_reserve(executor, chunk, &executor->slots.slot[k]);
    return status;
}

/* ---- Opening and closing ---- */

pm_status pmi_executor_open(const pmi_gpu_settings *settings, const pm_allocator *allocator, pmi_executor *executor) {
    *executor = (pmi_executor){.pipeline_by_n = settings->pipeline_by_n,
                               .pipeline_asked = settings->pipeline,
                               .slot_bytes = settings->slot_bytes ? settings->slot_bytes : SLOT_BYTES,
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
        status = pmi_staging_ring_create(&executor->device, settings, &executor->slots);
    if (status == PM_OK)
        status = pmi_buffer_create(&executor->device, PM_MEMORY_DOWNLOAD, 2 * sizeof(uint32_t), &executor->summary);
    return status;
}

/* What was made on a device that is open. */
static void close_on_device(pmi_executor *executor, const pm_allocator *allocator) {
    const pmi_device *const device = &executor->device;
    device->vk->DeviceWaitIdle(device->handle); /* there is work only after a failure, whose status has been given */
    pmi_staging_ring_destroy(device, &executor->slots);
    pmi_pfac_runner_clear(device, &executor->pfac);
    pmi_structure_runner_clear(device, &executor->structure);
    pmi_executor_scan_clear(executor, allocator);
    pmi_buffer *const buffers[] = {&executor->parens, &executor->scratch, &executor->summary,   &executor->kinds,
                                   &executor->given,  &executor->results, &executor->dispatches};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pmi_buffer_destroy(device, buffers[b]);
    pmi_boxes_destroy(device, &executor->boxes);
    pmi_levels_destroy(device, &executor->slices);
    for (unsigned id = 0; id < PM_PIPELINES; id++)
        pmi_pipeline_destroy(device, &executor->pipelines[id]);
}

void pmi_executor_close(pmi_executor *executor, const pm_allocator *allocator) {
    if (executor->device.handle) {
        close_on_device(executor, allocator);
        pmi_pipeline_cache_close(&executor->cache, &executor->device, allocator);
    }
    pmi_device_close(&executor->device);
}
