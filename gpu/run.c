/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device's queue, and the way through it: chunks of the input go up, each reduced as it comes; one scan; chunks of
 * the match come down. Chunks go through slots by turns, so that the host copies one while the device works on another.
 */
#include "gpu/run.h"

#include <string.h>

#include "gpu/memory.h"
#include "gpu/pipeline.h"
#include "gpu/pipeline_cache.h"

enum {
    SLOTS = 3, /* one that the host copies, one that the device works on, one that waits for either */
    SLOT_BYTES = 1 << 24,
    CHUNKS = 8, /* that a match shorter than so many slots is cut into, so that there is something to overlap, */
    CHUNK_BYTES = 1 << 22, /* unless they become shorter than this: each costs a submission */
};

static const uint64_t patience_ns = UINT64_C(60000000000); /* for a chunk, which takes a second at the very most */

/* A chunk on its way. */
typedef struct slot {
    VkCommandBuffer commands;
    VkFence fence;
    pm_buffer staging; /* the host's side, unless the host sees the device's both ways */
    pm_buffer output;  /* the device's side of what comes down */
    bool in_flight;
    void *to; /* where `bytes` of the match go when it has landed; NULL: nowhere */
    size_t bytes;
} slot;

struct pm_gpu {
    pm_allocator allocator;
    pm_device device;
    pm_pipeline_cache cache;
    pm_pipeline pipeline;
    VkCommandPool pool;
    size_t unit;       /* bytes: a multiple of the pipeline's units, of elements going up and of matches coming down */
    size_t slot_bytes; /* a multiple of unit */
    slot slots[SLOTS];
    unsigned turn;
    pm_buffer parens, scratch, summary;
    pm_gpu_copy *copy;
    unsigned copy_threads;
    bool lost;
};

static void copy_alone(void *to, const void *from, size_t bytes, unsigned threads) {
    (void)threads;
    memcpy(to, from, bytes);
}

/* ---- Slots ---- */

/* Waits for the slot's chunk and copies it to where it goes. */
static pm_status slot_land(pm_gpu *gpu, slot *s) {
    if (!s->in_flight)
        return PM_OK;
    const pm_vk *const vk = gpu->device.vk;
    pm_status status = pm_vk_status(vk->WaitForFences(gpu->device.handle, 1, &s->fence, VK_TRUE, patience_ns));
    if (status == PM_OK)
        status = pm_vk_status(vk->ResetFences(gpu->device.handle, 1, &s->fence));
    if (status != PM_OK)
        return status;
    s->in_flight = false;
    if (s->to)
        gpu->copy(s->to, s->output.mapped ? s->output.mapped : s->staging.mapped, s->bytes, gpu->copy_threads);
    return PM_OK;
}

/* The next slot, empty and with its commands begun. */
static pm_status slot_begin(pm_gpu *gpu, slot **begun) {
    slot *const s = &gpu->slots[gpu->turn++ % SLOTS];
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    *begun = s;
    const pm_status status = slot_land(gpu, s);
    s->to = NULL; /* of a call that failed before the chunk was on its way */
    return status == PM_OK ? pm_vk_status(gpu->device.vk->BeginCommandBuffer(s->commands, &info)) : status;
}

static pm_status slot_submit(pm_gpu *gpu, slot *s) {
    const pm_vk *const vk = gpu->device.vk;
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &s->commands};
    pm_status status = pm_vk_status(vk->EndCommandBuffer(s->commands));
    if (status == PM_OK)
        status = pm_vk_status(vk->QueueSubmit(gpu->device.queue, 1, &info, s->fence));
    s->in_flight = status == PM_OK;
    return status;
}

/* Waits for all slots, the oldest first. `deliver` false: what comes down goes nowhere. */
static pm_status slots_land(pm_gpu *gpu, bool deliver) {
    pm_status status = PM_OK;
    for (unsigned k = 0; k < SLOTS; k++) {
        slot *const s = &gpu->slots[(gpu->turn + k) % SLOTS];
        if (!deliver || status != PM_OK)
            s->to = NULL;
        const pm_status landed = slot_land(gpu, s);
        status = status == PM_OK ? landed : status;
    }
    return status;
}

/* ---- The way of a sequence ---- */

static size_t least_of(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Bytes of the 32-bit words that hold n bits. */
static size_t parens_bytes(size_t n) {
    return (n / 32 + (n % 32 != 0)) * 4;
}

/* The device's side of a way: mapped for the host, where it is to be and there is such memory left, else not. */
static pm_status device_side_reserve(const pm_device *device, pm_memory_kind kind, uint64_t size, pm_buffer *buffer) {
    if (device->can.transfer == PM_TRANSFER_MAPPED && pm_buffer_reserve(device, kind, size, buffer) == PM_OK)
        return PM_OK;
    return pm_buffer_reserve(device, PM_MEMORY_DEVICE, size, buffer);
}

static pm_status slot_reserve(const pm_gpu *gpu, size_t chunk, slot *s) {
    const pm_status status = device_side_reserve(&gpu->device, PM_MEMORY_DEVICE_DOWNLOAD, chunk, &s->output);
    if (status != PM_OK || (gpu->parens.mapped && s->output.mapped))
        return status;
    return pm_buffer_reserve(&gpu->device, PM_MEMORY_DOWNLOAD, chunk, &s->staging);
}

static pm_status buffers_reserve(pm_gpu *gpu, uint32_t n, size_t chunk) {
    const pm_device *const device = &gpu->device;
    const uint64_t scratch = pm_pipeline_scratch_bytes(&gpu->pipeline, n);
    pm_status status = device_side_reserve(device, PM_MEMORY_DEVICE_UPLOAD, parens_bytes(n), &gpu->parens);
    if (status == PM_OK)
        status = pm_buffer_reserve(device, PM_MEMORY_DEVICE, scratch, &gpu->scratch);
    for (unsigned k = 0; k < SLOTS && status == PM_OK; k++)
        status = slot_reserve(gpu, chunk, &gpu->slots[k]);
    return status;
}

static void record_barrier(const pm_device *device, VkCommandBuffer commands) {
    pm_device_barrier(device, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

/* Bytes of the sequence to their place on the device. What the host writes before a submission, the device sees. */
static void upload(pm_gpu *gpu, slot *s, const void *from, size_t begin, size_t bytes) {
    const pm_device *const device = &gpu->device;
    if (gpu->parens.mapped) {
        gpu->copy((unsigned char *)gpu->parens.mapped + begin, from, bytes, gpu->copy_threads);
        return;
    }
    const VkBufferCopy copy = {.dstOffset = begin, .size = bytes};
    gpu->copy(s->staging.mapped, from, bytes, gpu->copy_threads);
    device->vk->CmdCopyBuffer(s->commands, s->staging.handle, gpu->parens.handle, 1, &copy);
    pm_device_barrier(device, s->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
}

static pm_status upload_and_reduce(pm_gpu *gpu, const uint64_t *parens, const pm_sequence *sequence, size_t chunk) {
    const size_t bytes = parens_bytes(sequence->n);
    pm_status status = PM_OK;
    for (size_t done = 0; done < bytes && status == PM_OK; done += chunk) {
        slot *s;
        status = slot_begin(gpu, &s);
        if (status != PM_OK)
            break;
        const size_t piece = least_of(chunk, bytes - done), first = done * 8;
        upload(gpu, s, (const unsigned char *)parens + done, done, piece);
        pm_pipeline_record(&gpu->device, s->commands, &gpu->pipeline, PM_STAGE_REDUCE, sequence, (uint32_t)first,
                           (uint32_t)least_of(piece * 8, sequence->n - first), 0);
        status = slot_submit(gpu, s);
    }
    return status;
}

static pm_status scan(pm_gpu *gpu, const pm_sequence *sequence) {
    if (!pm_pipeline_has_stage(&gpu->device, &gpu->pipeline, PM_STAGE_SCAN, sequence->n))
        return PM_OK;
    slot *s;
    const pm_status status = slot_begin(gpu, &s);
    if (status != PM_OK)
        return status;
    record_barrier(&gpu->device, s->commands);
    pm_pipeline_record(&gpu->device, s->commands, &gpu->pipeline, PM_STAGE_SCAN, sequence, 0, sequence->n, 0);
    return slot_submit(gpu, s);
}

/* A chunk of the match, which shaders have written, to where the host sees it; and the summary, in the last of them. */
static void download(const pm_device *device, slot *s, size_t bytes) {
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
        slot *s;
        status = slot_begin(gpu, &s);
        if (status != PM_OK)
            break;
        const size_t count = least_of(chunk_elements, sequence->n - begin);
        if (begin == 0)
            record_barrier(device, s->commands);
        pm_pipeline_record(device, s->commands, &gpu->pipeline, PM_STAGE_MATCH, sequence, (uint32_t)begin,
                           (uint32_t)count, s->output.address);
        s->to = match + begin;
        s->bytes = count * sizeof *match;
        download(device, s, s->bytes);
        status = slot_submit(gpu, s);
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
    pm_status status = slots_land(gpu, false); /* of a call that failed */
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
    const pm_status landed = slots_land(gpu, status == PM_OK);
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

static VkResult slots_create(pm_gpu *gpu) {
    const pm_device *const device = &gpu->device;
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = device->queue_family};
    VkResult result = device->vk->CreateCommandPool(device->handle, &pool, NULL, &gpu->pool);
    for (unsigned k = 0; k < SLOTS && result == VK_SUCCESS; k++) {
        const VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                      .commandPool = gpu->pool,
                                                      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                      .commandBufferCount = 1};
        const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        result = device->vk->AllocateCommandBuffers(device->handle, &commands, &gpu->slots[k].commands);
        if (result == VK_SUCCESS)
            result = device->vk->CreateFence(device->handle, &fence, NULL, &gpu->slots[k].fence);
    }
    return result;
}

pm_status pm_gpu_open(const pm_gpu_settings *settings, const pm_allocator *allocator, pm_gpu **gpu) {
    *gpu = NULL;
    pm_gpu *const opened = allocator->alloc(sizeof *opened, allocator->user);
    if (!opened)
        return PM_OUT_OF_MEMORY;
    *opened = (pm_gpu){.allocator = *allocator,
                       .copy = settings->copy ? settings->copy : copy_alone,
                       .copy_threads = settings->copy_threads};
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
        status = pm_vk_status(slots_create(opened));
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
    for (unsigned k = 0; k < SLOTS; k++) {
        vk->DestroyFence(device->handle, gpu->slots[k].fence, NULL);
        pm_buffer_destroy(device, &gpu->slots[k].staging);
        pm_buffer_destroy(device, &gpu->slots[k].output);
    }
    pm_buffer_destroy(device, &gpu->parens);
    pm_buffer_destroy(device, &gpu->scratch);
    pm_buffer_destroy(device, &gpu->summary);
    vk->DestroyCommandPool(device->handle, gpu->pool, NULL);
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
