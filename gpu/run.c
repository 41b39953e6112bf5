/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way of a sequence through a device's queue: chunks go up, each reduced as it comes; one scan; chunks of the match
 * come down.
 */
#include "gpu/run.h"

#include <string.h>

#include "gpu/opened.h"

enum {
    SLOT_BYTES = 1 << 24,
    CHUNKS = 8, /* that a match shorter than so many slots is cut into, so that there is something to overlap, */
    CHUNK_BYTES = 1 << 22, /* unless they become shorter than this: each costs a submission */
};

static void copy_alone(void *to, const void *from, size_t bytes, unsigned threads) {
    (void)threads;
    memcpy(to, from, bytes);
}

/* ---- The way of a sequence ---- */

static size_t least_of(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Bytes of the 32-bit words that hold n bits. */
static size_t parens_bytes(size_t n) {
    return (n / 32 + (n % 32 != 0)) * 4;
}

static pm_status slot_reserve(const pm_gpu *gpu, size_t chunk, pm_slot *s) {
    const pm_status status = pm_device_side_reserve(&gpu->device, PM_MEMORY_DEVICE_DOWNLOAD, chunk, &s->output);
    if (status != PM_OK || (gpu->parens.mapped && s->output.mapped))
        return status;
    return pm_buffer_reserve(&gpu->device, PM_MEMORY_DOWNLOAD, chunk, &s->staging);
}

static pm_status buffers_reserve(pm_gpu *gpu, uint32_t n, size_t chunk) {
    const pm_device *const device = &gpu->device;
    const uint64_t scratch = pm_pipeline_scratch_bytes(&gpu->pipeline, n);
    pm_status status = pm_device_side_reserve(device, PM_MEMORY_DEVICE_UPLOAD, parens_bytes(n), &gpu->parens);
    if (status == PM_OK)
        status = pm_buffer_reserve(device, PM_MEMORY_DEVICE, scratch, &gpu->scratch);
    for (unsigned k = 0; k < PM_SLOTS && status == PM_OK; k++)
        status = slot_reserve(gpu, chunk, &gpu->slots.slots[k]);
    return status;
}

static void record_barrier(const pm_device *device, VkCommandBuffer commands) {
    pm_device_barrier(device, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

/* Bytes of the sequence to their place on the device. What the host writes before a submission, the device sees. */
static void upload(pm_gpu *gpu, pm_slot *s, const void *from, size_t begin, size_t bytes) {
    const pm_device *const device = &gpu->device;
    if (gpu->parens.mapped) {
        pm_slots_copy(&gpu->slots, (unsigned char *)gpu->parens.mapped + begin, from, bytes);
        return;
    }
    const VkBufferCopy copy = {.dstOffset = begin, .size = bytes};
    pm_slots_copy(&gpu->slots, s->staging.mapped, from, bytes);
    device->vk->CmdCopyBuffer(s->commands, s->staging.handle, gpu->parens.handle, 1, &copy);
    pm_device_barrier(device, s->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
}

static pm_status upload_and_reduce(pm_gpu *gpu, const uint64_t *parens, const pm_sequence *sequence, size_t chunk) {
    const size_t bytes = parens_bytes(sequence->n);
    pm_status status = PM_OK;
    for (size_t done = 0; done < bytes && status == PM_OK; done += chunk) {
        pm_slot *s;
        status = pm_slot_begin(&gpu->device, &gpu->slots, &s);
        if (status != PM_OK)
            break;
        const size_t piece = least_of(chunk, bytes - done), first = done * 8;
        upload(gpu, s, (const unsigned char *)parens + done, done, piece);
        pm_pipeline_record(&gpu->device, s->commands, &gpu->pipeline, PM_STAGE_REDUCE, sequence, (uint32_t)first,
                           (uint32_t)least_of(piece * 8, sequence->n - first), 0);
        status = pm_slot_submit(&gpu->device, s);
    }
    return status;
}

static pm_status scan(pm_gpu *gpu, const pm_sequence *sequence) {
    if (!pm_pipeline_has_stage(&gpu->device, &gpu->pipeline, PM_STAGE_SCAN, sequence->n))
        return PM_OK;
    pm_slot *s;
    const pm_status status = pm_slot_begin(&gpu->device, &gpu->slots, &s);
    if (status != PM_OK)
        return status;
    record_barrier(&gpu->device, s->commands);
    pm_pipeline_record(&gpu->device, s->commands, &gpu->pipeline, PM_STAGE_SCAN, sequence, 0, sequence->n, 0);
    return pm_slot_submit(&gpu->device, s);
}

/* A chunk of the match, which shaders have written, to where the host sees it; and the summary, in the last of them. */
static void download(const pm_device *device, pm_slot *s, size_t bytes) {
    if (s->output.mapped) {
        pm_device_barrier(device, s->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                          VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
        return;
    }
    const VkBufferCopy copy = {.size = bytes};
    pm_device_barrier(device, s->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                      VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_HOST_READ_BIT); /* the match; the summary */
    device->vk->CmdCopyBuffer(s->commands, s->output.handle, s->staging.handle, 1, &copy);
    pm_device_barrier(device, s->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                      VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

static pm_status match_and_download(pm_gpu *gpu, uint32_t *match, const pm_sequence *sequence, size_t chunk) {
    const pm_device *const device = &gpu->device;
    const size_t chunk_elements = chunk / sizeof *match;
    pm_status status = PM_OK;
    for (size_t begin = 0; begin < sequence->n && status == PM_OK; begin += chunk_elements) {
        pm_slot *s;
        status = pm_slot_begin(&gpu->device, &gpu->slots, &s);
        if (status != PM_OK)
            break;
        const size_t count = least_of(chunk_elements, sequence->n - begin);
        if (begin == 0)
            record_barrier(device, s->commands);
        pm_pipeline_record(device, s->commands, &gpu->pipeline, PM_STAGE_MATCH, sequence, (uint32_t)begin,
                           (uint32_t)count, s->output.address);
        s->to = match + begin;
        s->from = s->output.mapped ? s->output.mapped : s->staging.mapped;
        s->bytes = count * sizeof *match;
        download(device, s, s->bytes);
        status = pm_slot_submit(&gpu->device, s);
    }
    return status;
}

/* How many bytes go up, or come down, at a time, when `all` bytes come down. */
static size_t chunk_bytes(const pm_gpu *gpu, size_t all) {
    const size_t share = all / CHUNKS > CHUNK_BYTES ? all / CHUNKS : CHUNK_BYTES;
    const size_t units = (least_of(share, all) + gpu->unit - 1) / gpu->unit;
    return least_of(gpu->slot_bytes, units * gpu->unit);
}

pm_status pm_gpu_match(pm_gpu *gpu, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    if (gpu->lost)
        return PM_DEVICE_LOST;
    if (n > pm_pipeline_limit(&gpu->pipeline))
        return PM_TOO_LARGE;
    const size_t chunk = chunk_bytes(gpu, n * sizeof *match);
    pm_status status = pm_slots_land(&gpu->device, &gpu->slots, false); /* of a call that failed */
    if (status == PM_OK)
        status = buffers_reserve(gpu, (uint32_t)n, chunk);
    if (status != PM_OK)
        return status;
    const pm_sequence sequence = {.n = (uint32_t)n,
                                  .parens = gpu->parens.address,
                                  .scratch = gpu->scratch.address,
                                  .summary = gpu->summary.address};
    status = upload_and_reduce(gpu, parens, &sequence, chunk);
    if (status == PM_OK)
        status = scan(gpu, &sequence);
    if (status == PM_OK)
        status = match_and_download(gpu, match, &sequence, chunk);
    const pm_status landed = pm_slots_land(&gpu->device, &gpu->slots, status == PM_OK);
    status = status == PM_OK ? landed : status;
    gpu->lost = status == PM_DEVICE_LOST || landed == PM_DEVICE_LOST;
    const uint32_t *const summary = gpu->summary.mapped;
    *total = (pm_bic){.close = summary[0], .open = summary[1]};
    return status;
}

/* ---- Opening and closing ---- */

pm_device *pm_gpu_device(pm_gpu *gpu) {
    return &gpu->device;
}

pm_status pm_gpu_open(const pm_gpu_settings *settings, const pm_allocator *allocator, pm_gpu **gpu) {
    *gpu = NULL;
    pm_gpu *const opened = allocator->alloc(sizeof *opened, allocator->user);
    if (!opened)
        return PM_OUT_OF_MEMORY;
    *opened = (pm_gpu){.allocator = *allocator};
    pm_status status = pm_device_open(settings, &opened->device);
    if (status == PM_OK) {
        pm_pipeline_cache_open(&opened->cache, &opened->device, settings->pipeline_cache, allocator);
        status = pm_pipeline_create(&opened->device, settings->pipeline, &opened->pipeline);
    }
    if (status == PM_OK) {
        const size_t up = pm_pipeline_unit(&opened->pipeline, PM_STAGE_REDUCE) / 8;
        const size_t down = pm_pipeline_unit(&opened->pipeline, PM_STAGE_MATCH) * sizeof(uint32_t);
        const size_t asked = settings->slot_bytes ? settings->slot_bytes : SLOT_BYTES;
        opened->unit = up > down ? up : down; /* both are powers of two */
        opened->slot_bytes = asked < opened->unit ? opened->unit : asked - asked % opened->unit;
    }
    if (status == PM_OK)
        status = pm_slots_create(&opened->device, settings->copy ? settings->copy : copy_alone, settings->copy_threads,
                                 &opened->slots);
    if (status == PM_OK)
        status = pm_buffer_create(&opened->device, PM_MEMORY_DOWNLOAD, 2 * sizeof(uint32_t), &opened->summary);
    if (status != PM_OK) {
        pm_gpu_close(opened);
        return status;
    }
    *gpu = opened;
    return PM_OK;
}

/* What was made on a device that is open. */
static void close_on_device(pm_gpu *gpu) {
    const pm_device *const device = &gpu->device;
    const pm_vk *const vk = device->vk;
    vk->DeviceWaitIdle(device->handle); /* there is work only after a failure, whose status has been given */
    pm_slots_destroy(device, &gpu->slots);
    pm_buffer *const buffers[] = {&gpu->parens, &gpu->scratch, &gpu->summary, &gpu->kinds, &gpu->given, &gpu->results};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pm_buffer_destroy(device, buffers[b]);
    pm_boxes_destroy(device, &gpu->boxes);
    pm_pipeline_destroy(device, &gpu->pipeline);
}

void pm_gpu_close(pm_gpu *gpu) {
    if (!gpu)
        return;
    if (gpu->device.handle) {
        close_on_device(gpu);
        pm_pipeline_cache_close(&gpu->cache, &gpu->device, &gpu->allocator);
    }
    pm_device_close(&gpu->device);
    const pm_allocator allocator = gpu->allocator; /* outlives the block it frees */
    allocator.free(gpu, allocator.user);
}
