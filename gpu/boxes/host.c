/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boxes from host to host. Chunks of the scene are uploaded, and each is reduced when it arrives. Then come one scan, a
 * match, in pieces, and one fix; chunks of the results are downloaded. An end may change the result of its node far
 * before it, so all results stay on the device until the fix.
 */
#include "base/sizes.h"
#include "gpu/device/executor.h"
#include "gpu/device/transfer.h"

typedef struct boxes_call {
    const uint8_t *kinds;
    const pm_box *boxes;
    size_t n;
    pm_box *out;
} boxes_call;

/* Elements of a chunk, a multiple of a tile. */
static size_t chunk_elements(const pmi_executor *executor) {
    const size_t elements = executor->chunk_bytes / (sizeof(pm_box) + 1) / PM_BOXES_TILE * PM_BOXES_TILE;
    return elements > 0 ? elements : PM_BOXES_TILE;
}

static size_t kinds_bytes(size_t n) {
    return (n + 3) / 4 * 4; /* shaders read words */
}

/* Bytes of a chunk's boxes and kinds. */
static size_t staging_bytes(const pmi_executor *executor, size_t n) {
    return pmi_min(chunk_elements(executor), kinds_bytes(n)) * (sizeof(pm_box) + 1);
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
    return status;
}

/* ---- Stages ---- */

static pm_status upload_and_reduce(pmi_executor *executor, const uint8_t *kinds, const pm_box *boxes,
                                   const pmi_boxes_scene *scene) {
    const pmi_device *const device = &executor->device;
    const size_t most = chunk_elements(executor);
    const uint64_t staging = executor->kinds.mapped && executor->given.mapped ? 0 : staging_bytes(executor, scene->n);
    pm_status status = PM_OK;
    for (size_t begin = 0; begin < scene->n && status == PM_OK; begin += most) {
        const size_t count = pmi_min(most, scene->n - begin);
        pmi_staging_chunk *chunk;
        status = pmi_staging_chunk_begin(device, &executor->ring, staging, &chunk);
        if (status != PM_OK)
            break;
        const size_t bytes = count * sizeof *boxes;
        pmi_transfer_record_upload(device, &executor->ring, chunk, 0, boxes + begin,
                                   (pmi_buffer_range){&executor->given, begin * sizeof *boxes, bytes});
        pmi_transfer_record_upload(device, &executor->ring, chunk, bytes, kinds + begin,
                                   (pmi_buffer_range){&executor->kinds, begin, count});
        pmi_boxes_record(device, chunk->commands, &executor->boxes, scene, PM_BOXES_REDUCE,
                         (uint32_t)(begin / PM_BOXES_TILE), pmi_boxes_tiles((uint32_t)count));
        status = pmi_staging_chunk_submit(device, chunk);
    }
    return status;
}

/* Runs a stage for all tiles, in submissions of at most `most` tiles. */
static pm_status stage_run(pmi_executor *executor, const pmi_boxes_scene *scene, pmi_boxes_stage stage, uint32_t most) {
    const uint32_t tiles = pmi_boxes_tiles(scene->n);
    pm_status status = PM_OK;
    for (uint32_t first = 0; first < tiles && status == PM_OK; first += most) {
        pmi_staging_chunk *chunk;
        status = pmi_staging_chunk_begin(&executor->device, &executor->ring, 0, &chunk);
        if (status != PM_OK)
            break;
        pmi_shader_barrier(&executor->device, chunk->commands);
        pmi_boxes_record(&executor->device, chunk->commands, &executor->boxes, scene, stage, first,
                         pmi_min32(most, tiles - first));
        status = pmi_staging_chunk_submit(&executor->device, chunk);
        if (most > tiles - first)
            break;
    }
    return status;
}

static pm_status stages_run(pmi_executor *executor, const boxes_call *call) {
    const uint32_t n = (uint32_t)call->n;
    const pmi_boxes_scene scene = {
        .n = n,
        .kinds = executor->kinds.address,
        .boxes = executor->given.address,
        .results = executor->results.address,
        .scratch = executor->scratch.address,
        .dispatches = {.buffer = executor->dispatches.handle, .address = executor->dispatches.address}};
    const pmi_buffer_range results = {&executor->results, 0, n * sizeof *call->out};
    const uint32_t all = UINT32_MAX;
    pm_status status = upload_and_reduce(executor, call->kinds, call->boxes, &scene);
    if (status == PM_OK)
        status = stage_run(executor, &scene, PM_BOXES_SCAN, all);
    if (status == PM_OK)
        status = stage_run(executor, &scene, PM_BOXES_MATCH, (uint32_t)(chunk_elements(executor) / PM_BOXES_TILE));
    if (status == PM_OK)
        status = stage_run(executor, &scene, PM_BOXES_FIX, all);
    return status == PM_OK ? pmi_transfer_download(&executor->device, &executor->ring, results, call->out,
                                                   pmi_min(chunk_elements(executor), n) * sizeof *call->out)
                           : status;
}

bool pmi_gpu_has_boxes(const pmi_gpu *gpu) {
    return gpu->executors[0].boxes.match.pipeline != VK_NULL_HANDLE;
}

/* Only the first device: an end may change results far before it, so a scene cannot be divided. */
static pm_status boxes_run(pmi_gpu *gpu, void *arguments) {
    const boxes_call *const call = arguments;
    pmi_executor *const executor = &gpu->executors[0];
    if (call->n > PM_BOXES_N_MAX)
        return PM_TOO_LARGE;
    if (!kinds_are_valid(call->kinds, call->n))
        return PM_INVALID_ARGUMENT;
    pm_status status = pmi_gpu_has_boxes(gpu) ? PM_OK : pmi_boxes_create(&executor->device, &executor->boxes);
    if (status == PM_OK)
        status = buffers_reserve(executor, (uint32_t)call->n);
    return status == PM_OK ? stages_run(executor, call) : status;
}

pm_status pmi_gpu_boxes(pmi_gpu *gpu, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    boxes_call call = {kinds, boxes, n, out};
    return pmi_gpu_run(gpu, &(pmi_gpu_call){.run = boxes_run, .arguments = &call});
}
