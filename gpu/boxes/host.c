/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way of a scene through a executor: chunks go up, each reduced as it comes; one scan; a match, in pieces,
 * and one fix; chunks of the results come down. An end may change what stands at its node far before it, so all results
 * stay on the device until then.
 */
#include "gpu/device/executor.h"

#include "base/sizes.h"

/* Elements of a chunk are a multiple of a tile's. */
static size_t chunk_elements(const pmi_executor *executor) {
    const size_t elements = executor->slot_bytes / (sizeof(pm_box) + 1) / PM_BOXES_TILE * PM_BOXES_TILE;
    return elements > 0 ? elements : PM_BOXES_TILE;
}

static size_t kinds_bytes(size_t n) {
    return (n + 3) / 4 * 4; /* whole words, which shaders read */
}

static bool kinds_are_valid(const uint8_t *kinds, size_t n) {
    uint8_t bits = 0;
    for (size_t i = 0; i < n; i++)
        bits |= kinds[i];
    return bits <= PM_END;
}

/* ---- Buffers ---- */

static pm_status buffers_reserve(pmi_executor *executor, uint32_t n) {
    const pmi_device *const device = &executor->device;
    const uint64_t bytes = (uint64_t)n * sizeof(pm_box);
    pm_status status = pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, kinds_bytes(n), &executor->kinds);
    if (status == PM_OK)
        status = pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, bytes, &executor->given);
    if (status == PM_OK)
        status = pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_DOWNLOAD, bytes, &executor->results);
    if (status == PM_OK)
        status = pmi_buffer_reserve(device, PM_MEMORY_DEVICE, pmi_boxes_scratch_bytes(&executor->boxes, n),
                                    &executor->scratch);
    if (status == PM_OK)
        status =
            pmi_buffer_reserve(device, PM_MEMORY_DEVICE, pmi_boxes_dispatches_bytes(device, n), &executor->dispatches);
    const size_t chunk = pmi_min(chunk_elements(executor), kinds_bytes(n)) * (sizeof(pm_box) + 1);
    const bool staged = !executor->kinds.mapped || !executor->given.mapped || !executor->results.mapped;
    for (unsigned k = 0; k < PM_SLOTS && staged && status == PM_OK; k++)
        status = pmi_buffer_reserve(device, PM_MEMORY_DOWNLOAD, chunk, &executor->slots.slot[k].staging);
    return status;
}

/* ---- Up ---- */

/* Bytes to their place in a buffer, by way of the slot's staging from `at` on if the host does not see that. */
static void upload(const pmi_executor *executor, pmi_staging_chunk *s, size_t at, const void *from, size_t bytes,
                   const pmi_buffer *to, size_t begin) {
    if (to->mapped) {
        pmi_staging_ring_copy(&executor->slots, (unsigned char *)to->mapped + begin, from, bytes);
        return;
    }
    const VkBufferCopy copy = {.srcOffset = at, .dstOffset = begin, .size = (bytes + 3) / 4 * 4};
    pmi_staging_ring_copy(&executor->slots, (unsigned char *)s->staging.mapped + at, from, bytes);
    executor->device.vk->CmdCopyBuffer(s->commands, s->staging.handle, to->handle, 1, &copy);
}

static pm_status upload_and_reduce(pmi_executor *executor, const uint8_t *kinds, const pm_box *boxes,
                                   const pmi_boxes_scene *scene) {
    const pmi_device *const device = &executor->device;
    const size_t chunk = chunk_elements(executor);
    pm_status status = PM_OK;
    for (size_t begin = 0; begin < scene->n && status == PM_OK; begin += chunk) {
        const size_t count = pmi_min(chunk, scene->n - begin);
        pmi_staging_chunk *s;
        status = pmi_staging_chunk_begin(device, &executor->slots, &s);
        if (status != PM_OK)
            break;
        upload(executor, s, 0, boxes + begin, count * sizeof *boxes, &executor->given, begin * sizeof *boxes);
        upload(executor, s, count * sizeof *boxes, kinds + begin, count, &executor->kinds, begin);
        pmi_device_barrier(device, s->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                           VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
        pmi_boxes_record(device, s->commands, &executor->boxes, scene, PM_BOXES_REDUCE,
                         (uint32_t)(begin / PM_BOXES_TILE), pmi_boxes_tiles((uint32_t)count));
        status = pmi_staging_chunk_submit(device, s);
    }
    return status;
}

/* ---- On the device ---- */

/* A stage of all tiles, in submissions of at most `most` tiles. */
static pm_status stage_run(pmi_executor *executor, const pmi_boxes_scene *scene, pmi_boxes_stage stage, uint32_t most) {
    const uint32_t tiles = pmi_boxes_tiles(scene->n);
    pm_status status = PM_OK;
    for (uint32_t first = 0; first < tiles && status == PM_OK; first += most) {
        pmi_staging_chunk *s;
        status = pmi_staging_chunk_begin(&executor->device, &executor->slots, &s);
        if (status != PM_OK)
            break;
        pmi_boxes_record_barrier(&executor->device, s->commands);
        pmi_boxes_record(&executor->device, s->commands, &executor->boxes, scene, stage, first,
                         pmi_min32(most, tiles - first));
        status = pmi_staging_chunk_submit(&executor->device, s);
        if (most > tiles - first)
            break;
    }
    return status;
}

/* ---- Down ---- */

static void download(const pmi_device *device, pmi_staging_chunk *s, const pmi_buffer *from, size_t begin,
                     size_t bytes) {
    if (from->mapped) {
        pmi_device_barrier(device, s->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                           VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
        s->from = (const unsigned char *)from->mapped + begin;
        return;
    }
    const VkBufferCopy copy = {.srcOffset = begin, .size = bytes};
    pmi_device_barrier(device, s->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    device->vk->CmdCopyBuffer(s->commands, from->handle, s->staging.handle, 1, &copy);
    pmi_device_barrier(device, s->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                       VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

static pm_status results_download(pmi_executor *executor, uint32_t n, pm_box *out) {
    const size_t chunk = chunk_elements(executor);
    pm_status status = PM_OK;
    for (size_t begin = 0; begin < n && status == PM_OK; begin += chunk) {
        pmi_staging_chunk *s;
        status = pmi_staging_chunk_begin(&executor->device, &executor->slots, &s);
        if (status != PM_OK)
            break;
        const size_t bytes = pmi_min(chunk, n - begin) * sizeof *out;
        download(&executor->device, s, &executor->results, begin * sizeof *out, bytes);
        s->to = out + begin;
        s->bytes = bytes;
        status = pmi_staging_chunk_submit(&executor->device, s);
    }
    return status;
}

static pm_status boxes_find(pmi_executor *executor, const uint8_t *kinds, const pm_box *boxes, uint32_t n,
                            pm_box *out) {
    const pmi_boxes_scene scene = {
        .n = n,
        .kinds = executor->kinds.address,
        .boxes = executor->given.address,
        .results = executor->results.address,
        .scratch = executor->scratch.address,
        .dispatches = {.buffer = executor->dispatches.handle, .address = executor->dispatches.address}};
    const uint32_t all = UINT32_MAX;
    pm_status status = upload_and_reduce(executor, kinds, boxes, &scene);
    if (status == PM_OK)
        status = stage_run(executor, &scene, PM_BOXES_SCAN, all);
    if (status == PM_OK)
        status = stage_run(executor, &scene, PM_BOXES_MATCH, (uint32_t)(chunk_elements(executor) / PM_BOXES_TILE));
    if (status == PM_OK)
        status = stage_run(executor, &scene, PM_BOXES_FIX, all);
    return status == PM_OK ? results_download(executor, n, out) : status;
}

bool pmi_executor_has_boxes(const pmi_executor *executor) {
    return executor->boxes.match.pipeline != VK_NULL_HANDLE;
}

pm_status pmi_executor_boxes(pmi_executor *executor, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    if (!kinds_are_valid(kinds, n))
        return PM_INVALID_ARGUMENT;
    pm_status status = pmi_executor_has_boxes(executor) ? PM_OK : pmi_boxes_create(&executor->device, &executor->boxes);
    if (status == PM_OK)
        status = buffers_reserve(executor, (uint32_t)n);
    return status == PM_OK ? boxes_find(executor, kinds, boxes, (uint32_t)n, out) : status;
}
