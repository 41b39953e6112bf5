/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way of a scene through a station: chunks go up, each reduced as it comes; one scan; a match, in pieces,
 * and one fix; chunks of the results come down. An end may change what stands at its node far before it, so all results
 * stay on the device until then.
 */
#include "gpu/station.h"

#include "core/sizes.h"

/* Elements of a chunk are a multiple of a tile's. */
static size_t chunk_elements(const pm_station *station) {
    const size_t elements = station->slot_bytes / (sizeof(pm_box) + 1) / PM_BOXES_TILE * PM_BOXES_TILE;
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

static pm_status buffers_reserve(pm_station *station, uint32_t n) {
    const pm_device *const device = &station->device;
    const uint64_t bytes = (uint64_t)n * sizeof(pm_box);
    pm_status status = pm_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, kinds_bytes(n), &station->kinds);
    if (status == PM_OK)
        status = pm_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, bytes, &station->given);
    if (status == PM_OK)
        status = pm_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_DOWNLOAD, bytes, &station->results);
    if (status == PM_OK)
        status =
            pm_buffer_reserve(device, PM_MEMORY_DEVICE, pm_boxes_scratch_bytes(&station->boxes, n), &station->scratch);
    if (status == PM_OK)
        status =
            pm_buffer_reserve(device, PM_MEMORY_DEVICE, pm_boxes_dispatches_bytes(device, n), &station->dispatches);
    const size_t chunk = pm_least(chunk_elements(station), kinds_bytes(n)) * (sizeof(pm_box) + 1);
    const bool staged = !station->kinds.mapped || !station->given.mapped || !station->results.mapped;
    for (unsigned k = 0; k < PM_SLOTS && staged && status == PM_OK; k++)
        status = pm_buffer_reserve(device, PM_MEMORY_DOWNLOAD, chunk, &station->slots.slot[k].staging);
    return status;
}

/* ---- Up ---- */

/* Bytes to their place in a buffer, by way of the slot's staging from `at` on if the host does not see that. */
static void upload(const pm_station *station, pm_slot *s, size_t at, const void *from, size_t bytes,
                   const pm_buffer *to, size_t begin) {
    if (to->mapped) {
        pm_slots_copy(&station->slots, (unsigned char *)to->mapped + begin, from, bytes);
        return;
    }
    const VkBufferCopy copy = {.srcOffset = at, .dstOffset = begin, .size = (bytes + 3) / 4 * 4};
    pm_slots_copy(&station->slots, (unsigned char *)s->staging.mapped + at, from, bytes);
    station->device.vk->CmdCopyBuffer(s->commands, s->staging.handle, to->handle, 1, &copy);
}

static pm_status upload_and_reduce(pm_station *station, const uint8_t *kinds, const pm_box *boxes,
                                   const pm_boxes_scene *scene) {
    const pm_device *const device = &station->device;
    const size_t chunk = chunk_elements(station);
    pm_status status = PM_OK;
    for (size_t begin = 0; begin < scene->n && status == PM_OK; begin += chunk) {
        const size_t count = pm_least(chunk, scene->n - begin);
        pm_slot *s;
        status = pm_slot_begin(device, &station->slots, &s);
        if (status != PM_OK)
            break;
        upload(station, s, 0, boxes + begin, count * sizeof *boxes, &station->given, begin * sizeof *boxes);
        upload(station, s, count * sizeof *boxes, kinds + begin, count, &station->kinds, begin);
        pm_device_barrier(device, s->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
        pm_boxes_record(device, s->commands, &station->boxes, scene, PM_BOXES_REDUCE, (uint32_t)(begin / PM_BOXES_TILE),
                        pm_boxes_tiles((uint32_t)count));
        status = pm_slot_submit(device, s);
    }
    return status;
}

/* ---- On the device ---- */

/* A stage of all tiles, in submissions of at most `most` tiles. */
static pm_status stage_run(pm_station *station, const pm_boxes_scene *scene, pm_boxes_stage stage, uint32_t most) {
    const uint32_t tiles = pm_boxes_tiles(scene->n);
    pm_status status = PM_OK;
    for (uint32_t first = 0; first < tiles && status == PM_OK; first += most) {
        pm_slot *s;
        status = pm_slot_begin(&station->device, &station->slots, &s);
        if (status != PM_OK)
            break;
        pm_boxes_record_barrier(&station->device, s->commands);
        pm_boxes_record(&station->device, s->commands, &station->boxes, scene, stage, first,
                        pm_least32(most, tiles - first));
        status = pm_slot_submit(&station->device, s);
        if (most > tiles - first)
            break;
    }
    return status;
}

/* ---- Down ---- */

static void download(const pm_device *device, pm_slot *s, const pm_buffer *from, size_t begin, size_t bytes) {
    if (from->mapped) {
        pm_device_barrier(device, s->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                          VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
        s->from = (const unsigned char *)from->mapped + begin;
        return;
    }
    const VkBufferCopy copy = {.srcOffset = begin, .size = bytes};
    pm_device_barrier(device, s->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    device->vk->CmdCopyBuffer(s->commands, from->handle, s->staging.handle, 1, &copy);
    pm_device_barrier(device, s->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                      VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

static pm_status results_download(pm_station *station, uint32_t n, pm_box *out) {
    const size_t chunk = chunk_elements(station);
    pm_status status = PM_OK;
    for (size_t begin = 0; begin < n && status == PM_OK; begin += chunk) {
        pm_slot *s;
        status = pm_slot_begin(&station->device, &station->slots, &s);
        if (status != PM_OK)
            break;
        const size_t bytes = pm_least(chunk, n - begin) * sizeof *out;
        download(&station->device, s, &station->results, begin * sizeof *out, bytes);
        s->to = out + begin;
        s->bytes = bytes;
        status = pm_slot_submit(&station->device, s);
    }
    return status;
}

static pm_status boxes_find(pm_station *station, const uint8_t *kinds, const pm_box *boxes, uint32_t n, pm_box *out) {
    const pm_boxes_scene scene = {
        .n = n,
        .kinds = station->kinds.address,
        .boxes = station->given.address,
        .results = station->results.address,
        .scratch = station->scratch.address,
        .dispatches = {.buffer = station->dispatches.handle, .address = station->dispatches.address}};
    const uint32_t all = UINT32_MAX;
    pm_status status = upload_and_reduce(station, kinds, boxes, &scene);
    if (status == PM_OK)
        status = stage_run(station, &scene, PM_BOXES_SCAN, all);
    if (status == PM_OK)
        status = stage_run(station, &scene, PM_BOXES_MATCH, (uint32_t)(chunk_elements(station) / PM_BOXES_TILE));
    if (status == PM_OK)
        status = stage_run(station, &scene, PM_BOXES_FIX, all);
    return status == PM_OK ? results_download(station, n, out) : status;
}

bool pm_station_has_boxes(const pm_station *station) {
    return station->boxes.match.pipeline != VK_NULL_HANDLE;
}

pm_status pm_station_boxes(pm_station *station, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    if (!kinds_are_valid(kinds, n))
        return PM_INVALID_ARGUMENT;
    pm_status status = pm_station_has_boxes(station) ? PM_OK : pm_boxes_create(&station->device, &station->boxes);
    if (status == PM_OK)
        status = buffers_reserve(station, (uint32_t)n);
    return status == PM_OK ? boxes_find(station, kinds, boxes, (uint32_t)n, out) : status;
}
