/* SPDX-License-Identifier: Apache-2.0 */
/* Stations: pipelines made when first needed, buffers that grow. */
#include "gpu/station.h"

#include "core/sizes.h"
#include "gpu/pipeline_choice.h"

#define SLOT_BYTES ((size_t)1 << 24)
/* What a match shorter than so many slots is cut into, so that there is something to overlap, unless chunks become too
 * short, for each costs a submission. */
#define CHUNKS_LEAST 8u
#define CHUNK_BYTES_LEAST ((size_t)1 << 23)
#define RANGE_ELEMENTS (UINT32_C(1) << 28) /* 1 GiB: an allocation that every device allows */

#define SLICE_ELEMENTS (UINT32_C(1) << 26) /* of fewer, what devices need of each other takes more than it brings */

/* ---- Pipelines ---- */

static pm_status pipeline_open(pm_station *station, pm_pipeline_id id, const pm_pipeline **pipeline) {
    pm_pipeline *const opened = &station->pipelines[id];
    *pipeline = opened;
    return opened->kind ? PM_OK : pm_pipeline_create(&station->device, id, opened);
}

/* The pipeline for n elements. By n, one that the device cannot have, or not for so many, gives way to the default. */
static pm_status pipeline_choose(pm_station *station, size_t n, const pm_pipeline **pipeline) {
    if (!station->pipeline_by_n)
        return pipeline_open(station, station->pipeline_asked, pipeline);
    const pm_status status = pipeline_open(station, pm_pipeline_fastest(station->device.can.type, n), pipeline);
    if (status == PM_UNSUPPORTED || (status == PM_OK && n > pm_pipeline_limit(*pipeline)))
        return pipeline_open(station, PM_PIPELINE_WIDE, pipeline);
    return status;
}

pm_status pm_station_pipeline(pm_station *station, size_t n, const pm_pipeline **pipeline) {
    const pm_status status = pipeline_choose(station, n, pipeline);
    return status == PM_OK && n > pm_pipeline_limit(*pipeline) ? PM_TOO_LARGE : status;
}

pm_status pm_station_wide(pm_station *station, const pm_wide **wide) {
    const pm_pipeline *pipeline;
    const pm_status status = pipeline_open(station, PM_PIPELINE_WIDE, &pipeline);
    *wide = &pipeline->wide;
    return status;
}

/* ---- Chunks ---- */

/* Bytes that are whole units of the pipeline both ways, of elements going up and of matches coming down. */
static size_t chunk_unit(const pm_pipeline *pipeline) {
    const size_t up = pm_pipeline_unit(pipeline, PM_STAGE_REDUCE) / 8;
    const size_t down = pm_pipeline_unit(pipeline, PM_STAGE_MATCH) * sizeof(uint32_t);
    return up > down ? up : down; /* both are powers of two */
}

size_t pm_station_chunk_bytes(const pm_station *station, const pm_pipeline *pipeline, size_t n) {
    const size_t unit = chunk_unit(pipeline), all = (n * sizeof(uint32_t) + unit - 1) / unit * unit;
    const size_t share = all / CHUNKS_LEAST - all / CHUNKS_LEAST % unit;
    const size_t wanted = share > CHUNK_BYTES_LEAST ? share : pm_least(all, CHUNK_BYTES_LEAST);
    return pm_least(wanted, station->slot_bytes < unit ? unit : station->slot_bytes - station->slot_bytes % unit);
}

/* ---- Buffers ---- */

/* Bytes of the 32-bit words that hold n bits. */
static size_t parens_bytes(size_t n) {
    return (n / 32 + (n % 32 != 0)) * 4;
}

static pm_status slot_reserve(const pm_station *station, size_t chunk, pm_slot *s) {
    const pm_status status = pm_buffer_reserve_for_host(&station->device, PM_MEMORY_DEVICE_DOWNLOAD, chunk, &s->output);
    if (status != PM_OK || (station->parens.mapped && s->output.mapped))
        return status;
    return pm_buffer_reserve(&station->device, PM_MEMORY_DOWNLOAD, chunk, &s->staging);
}

pm_status pm_station_reserve(pm_station *station, const pm_pipeline *pipeline, uint32_t n, size_t chunk) {
    const pm_device *const device = &station->device;
    const uint64_t scratch = pm_pipeline_scratch_bytes(pipeline, n);
    pm_status status = pm_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, parens_bytes(n), &station->parens);
    if (status == PM_OK)
        status = pm_buffer_reserve(device, PM_MEMORY_DEVICE, scratch, &station->scratch);
    for (unsigned k = 0; k < PM_SLOTS && status == PM_OK; k++)
        status = slot_reserve(station, chunk, &station->slots.slot[k]);
    return status;
}

/* ---- Opening and closing ---- */

pm_status pm_station_open(const pm_gpu_settings *settings, const pm_allocator *allocator, pm_station *station) {
    *station = (pm_station){.pipeline_by_n = settings->pipeline_by_n,
                            .pipeline_asked = settings->pipeline,
                            .slot_bytes = settings->slot_bytes ? settings->slot_bytes : SLOT_BYTES,
                            .range_elements = settings->range_elements ? settings->range_elements : RANGE_ELEMENTS,
                            .slice_elements = settings->slice_elements ? settings->slice_elements : SLICE_ELEMENTS,
                            .ahead_elements = settings->ahead_elements};
    pm_status status = pm_device_open(settings, &station->device);
    if (status == PM_OK) {
        const pm_pipeline *asked;
        pm_pipeline_cache_open(&station->cache, &station->device, settings->pipeline_cache, allocator);
        status = station->pipeline_by_n ? PM_OK : pipeline_open(station, station->pipeline_asked, &asked);
    }
    if (status == PM_OK)
        status = pm_slots_create(&station->device, settings, &station->slots);
    if (status == PM_OK)
        status = pm_buffer_create(&station->device, PM_MEMORY_DOWNLOAD, 2 * sizeof(uint32_t), &station->summary);
    return status;
}

/* What was made on a device that is open. */
static void close_on_device(pm_station *station, const pm_allocator *allocator) {
    const pm_device *const device = &station->device;
    device->vk->DeviceWaitIdle(device->handle); /* there is work only after a failure, whose status has been given */
    pm_slots_destroy(device, &station->slots);
    pm_pfac_runner_clear(device, &station->pfac);
    pm_structure_runner_clear(device, &station->structure);
    pm_station_scan_clear(station, allocator);
    pm_buffer *const buffers[] = {&station->parens, &station->scratch, &station->summary,   &station->kinds,
                                  &station->given,  &station->results, &station->dispatches};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pm_buffer_destroy(device, buffers[b]);
    pm_boxes_destroy(device, &station->boxes);
    pm_wide_destroy(device, &station->slices);
    for (unsigned id = 0; id < PM_PIPELINES; id++)
        pm_pipeline_destroy(device, &station->pipelines[id]);
}

void pm_station_close(pm_station *station, const pm_allocator *allocator) {
    if (station->device.handle) {
        close_on_device(station, allocator);
        pm_pipeline_cache_close(&station->cache, &station->device, allocator);
    }
    pm_device_close(&station->device);
}
