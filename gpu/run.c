/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device's queue, and the way through it: chunks of the input go up, each reduced as it comes; one scan; chunks of
 * the match come down. Chunks go through slots by turns, so that the host copies one while the device works on another.
 */
#include "gpu/run.h"

#include <string.h>

#include "gpu/memory.h"
#include "gpu/pfac_run.h"
#include "gpu/pipeline.h"
#include "gpu/pipeline_cache.h"
#include "gpu/pipeline_choice.h"
#include "gpu/slots.h"

#define SLOT_BYTES ((size_t)1 << 24)
/* What a match shorter than so many slots is cut into, so that there is something to overlap, unless chunks become too
 * short, for each costs a submission. */
#define CHUNKS_LEAST 8u
#define CHUNK_BYTES_LEAST ((size_t)1 << 23)

struct pm_gpu {
    pm_allocator allocator;
    pm_device device;
    pm_pipeline_cache cache;
    bool pipeline_by_n;
    pm_pipeline_id pipeline_asked;       /* unless by n */
    pm_pipeline pipelines[PM_PIPELINES]; /* all zeros: not needed yet */
    size_t slot_bytes;                   /* asked for */
    pm_slots slots;
    pm_buffer parens, scratch, summary;
    pm_pfac_runner pfac;
    bool lost;
};

/* ---- Pipelines ---- */

static pm_status pipeline_open(pm_gpu *gpu, pm_pipeline_id id, const pm_pipeline **pipeline) {
    pm_pipeline *const opened = &gpu->pipelines[id];
    *pipeline = opened;
    return opened->kind ? PM_OK : pm_pipeline_create(&gpu->device, id, opened);
}

/* The pipeline for n elements. By n, one that the device cannot have, or not for so many, gives way to the default. */
static pm_status pipeline_for(pm_gpu *gpu, size_t n, const pm_pipeline **pipeline) {
    if (!gpu->pipeline_by_n)
        return pipeline_open(gpu, gpu->pipeline_asked, pipeline);
    const pm_status status = pipeline_open(gpu, pm_pipeline_fastest(gpu->device.can.type, n), pipeline);
    if (status == PM_UNSUPPORTED || (status == PM_OK && n > pm_pipeline_limit(*pipeline)))
        return pipeline_open(gpu, PM_PIPELINE_WIDE, pipeline);
    return status;
}

static size_t least_of(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Bytes that are whole units of the pipeline both ways, of elements going up and of matches coming down. */
static size_t chunk_unit(const pm_pipeline *pipeline) {
    const size_t up = pm_pipeline_unit(pipeline, PM_STAGE_REDUCE) / 8;
    const size_t down = pm_pipeline_unit(pipeline, PM_STAGE_MATCH) * sizeof(uint32_t);
    return up > down ? up : down; /* both are powers of two */
}

/* Bytes of a chunk for n elements. */
static size_t chunk_bytes(const pm_gpu *gpu, const pm_pipeline *pipeline, size_t n) {
    const size_t unit = chunk_unit(pipeline), all = (n * sizeof(uint32_t) + unit - 1) / unit * unit;
    const size_t share = all / CHUNKS_LEAST - all / CHUNKS_LEAST % unit;
    const size_t wanted = share > CHUNK_BYTES_LEAST ? share : least_of(all, CHUNK_BYTES_LEAST);
    return least_of(wanted, gpu->slot_bytes < unit ? unit : gpu->slot_bytes - gpu->slot_bytes % unit);
}

/* ---- The way of a sequence ---- */

/* Bytes of the 32-bit words that hold n bits. */
static size_t parens_bytes(size_t n) {
    return (n / 32 + (n % 32 != 0)) * 4;
}

static pm_status slot_reserve(const pm_gpu *gpu, size_t chunk, pm_slot *s) {
    const pm_status status = pm_buffer_reserve_for_host(&gpu->device, PM_MEMORY_DEVICE_DOWNLOAD, chunk, &s->output);
    if (status != PM_OK || (gpu->parens.mapped && s->output.mapped))
        return status;
    return pm_buffer_reserve(&gpu->device, PM_MEMORY_DOWNLOAD, chunk, &s->staging);
}

static pm_status buffers_reserve(pm_gpu *gpu, const pm_pipeline *pipeline, uint32_t n, size_t chunk) {
    const pm_device *const device = &gpu->device;
    const uint64_t scratch = pm_pipeline_scratch_bytes(pipeline, n);
    pm_status status = pm_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, parens_bytes(n), &gpu->parens);
    if (status == PM_OK)
        status = pm_buffer_reserve(device, PM_MEMORY_DEVICE, scratch, &gpu->scratch);
    for (unsigned k = 0; k < PM_SLOTS && status == PM_OK; k++)
        status = slot_reserve(gpu, chunk, &gpu->slots.slot[k]);
    return status;
}

static void record_barrier(const pm_device *device, VkCommandBuffer commands) {
    pm_device_barrier(device, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

/* A call on its way. */
typedef struct passage {
    pm_gpu *gpu;
    const pm_pipeline *pipeline;
    pm_sequence sequence;
    const uint64_t *parens; /* NULL: there already */
    uint32_t *match;        /* NULL: stays there */
    size_t chunk;           /* bytes */
    pm_slot *whole;         /* of a sequence that is one chunk: takes all steps, in one submission; else NULL */
} passage;

static pm_status step_begin(const passage *p, pm_slot **s) {
    *s = p->whole;
    return p->whole ? PM_OK : pm_slot_begin(&p->gpu->device, &p->gpu->slots, s);
}

static pm_status step_submit(const passage *p, pm_slot *s) {
    return p->whole ? PM_OK : pm_slot_submit(&p->gpu->device, s);
}

/* Bytes of the sequence to their place on the device. What the host writes before a submission, the device sees. */
static void upload(const passage *p, pm_slot *s, size_t begin, size_t bytes) {
    const pm_gpu *const gpu = p->gpu;
    const unsigned char *const from = (const unsigned char *)p->parens + begin;
    if (gpu->parens.mapped) {
        pm_slots_copy(&gpu->slots, (unsigned char *)gpu->parens.mapped + begin, from, bytes);
        return;
    }
    const VkBufferCopy copy = {.dstOffset = begin, .size = bytes};
    pm_slots_copy(&gpu->slots, s->staging.mapped, from, bytes);
    gpu->device.vk->CmdCopyBuffer(s->commands, s->staging.handle, gpu->parens.handle, 1, &copy);
    pm_device_barrier(&gpu->device, s->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
}

static pm_status upload_and_reduce(const passage *p) {
    const size_t bytes = parens_bytes(p->sequence.n);
    pm_status status = PM_OK;
    for (size_t done = 0; done < bytes && status == PM_OK; done += p->chunk) {
        pm_slot *s;
        status = step_begin(p, &s);
        if (status != PM_OK)
            break;
        const size_t piece = least_of(p->chunk, bytes - done), first = done * 8;
        if (p->parens)
            upload(p, s, done, piece);
        pm_pipeline_record(&p->gpu->device, s->commands, p->pipeline, PM_STAGE_REDUCE, &p->sequence, (uint32_t)first,
                           (uint32_t)least_of(piece * 8, p->sequence.n - first), 0);
        status = step_submit(p, s);
    }
    return status;
}

static pm_status scan(const passage *p) {
    const pm_device *const device = &p->gpu->device;
    if (!pm_pipeline_has_stage(device, p->pipeline, PM_STAGE_SCAN, p->sequence.n))
        return PM_OK;
    pm_slot *s;
    const pm_status status = step_begin(p, &s);
    if (status != PM_OK)
        return status;
    record_barrier(device, s->commands);
    pm_pipeline_record(device, s->commands, p->pipeline, PM_STAGE_SCAN, &p->sequence, 0, p->sequence.n, 0);
    return step_submit(p, s);
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

static pm_status match_and_download(const passage *p) {
    const pm_device *const device = &p->gpu->device;
    const size_t chunk_elements = p->chunk / sizeof *p->match, n = p->sequence.n;
    pm_status status = PM_OK;
    for (size_t begin = 0; begin < n && status == PM_OK; begin += chunk_elements) {
        pm_slot *s;
        status = step_begin(p, &s);
        if (status != PM_OK)
            break;
        const size_t count = least_of(chunk_elements, n - begin);
        if (begin == 0)
            record_barrier(device, s->commands);
        pm_pipeline_record(device, s->commands, p->pipeline, PM_STAGE_MATCH, &p->sequence, (uint32_t)begin,
                           (uint32_t)count, s->output.address);
        if (p->match) {
            s->to = p->match + begin;
            s->bytes = count * sizeof *p->match;
            download(device, s, s->bytes);
        }
        status = step_submit(p, s);
    }
    return status;
}

/* All steps. A sequence that is one chunk goes through them at one go, for submissions and waits are what takes long
 * there. */
static pm_status go(passage *p) {
    const pm_device *const device = &p->gpu->device;
    const size_t bytes = p->sequence.n * sizeof *p->match;
    pm_status status = bytes <= p->chunk ? pm_slot_begin(device, &p->gpu->slots, &p->whole) : PM_OK;
    if (status == PM_OK)
        status = upload_and_reduce(p);
    if (status == PM_OK)
        status = scan(p);
    if (status == PM_OK)
        status = match_and_download(p);
    return status == PM_OK && p->whole ? pm_slot_submit(device, p->whole) : status;
}

pm_status pm_gpu_match(pm_gpu *gpu, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    if (gpu->lost)
        return PM_DEVICE_LOST;
    const pm_pipeline *pipeline;
    pm_status status = pipeline_for(gpu, n, &pipeline);
    if (status != PM_OK)
        return status;
    if (n > pm_pipeline_limit(pipeline))
        return PM_TOO_LARGE;
    const size_t chunk = chunk_bytes(gpu, pipeline, n);
    status = pm_slots_land(&gpu->device, &gpu->slots, false); /* of a call that failed */
    if (status == PM_OK)
        status = buffers_reserve(gpu, pipeline, (uint32_t)n, chunk);
    if (status != PM_OK)
        return status;
    passage p = {.gpu = gpu,
                 .pipeline = pipeline,
                 .sequence = {.n = (uint32_t)n,
                              .parens = gpu->parens.address,
                              .scratch = gpu->scratch.address,
                              .summary = gpu->summary.address},
                 .parens = parens,
                 .match = match,
                 .chunk = chunk};
    status = go(&p);
    const pm_status landed = pm_slots_land(&gpu->device, &gpu->slots, status == PM_OK);
    status = status == PM_OK ? landed : status;
    gpu->lost = status == PM_DEVICE_LOST || landed == PM_DEVICE_LOST;
    const uint32_t *const summary = gpu->summary.mapped;
    *total = (pm_bic){.close = summary[0], .open = summary[1]};
    return status;
}

pm_status pm_gpu_find(pm_gpu *gpu, const struct pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                      size_t capacity, uint64_t *found) {
    if (gpu->lost)
        return PM_DEVICE_LOST;
    const pm_pfac_request request = {.dict = dict,
                                     .text = (const unsigned char *)text,
                                     .n = n,
                                     .hits = hits,
                                     .capacity = capacity,
                                     .slot_bytes = gpu->slot_bytes};
    pm_status status = pm_slots_land(&gpu->device, &gpu->slots, false); /* of a call that failed */
    if (status == PM_OK)
        status = pm_pfac_run(&gpu->device, &gpu->slots, &gpu->pfac, &request, found);
    gpu->lost = status == PM_DEVICE_LOST;
    return status;
}

/* ---- Opening and closing ---- */

const char *pm_gpu_key(const pm_gpu *gpu) {
    return gpu->device.key;
}

const char *pm_gpu_kind(const pm_gpu *gpu) {
    switch (gpu->device.can.type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return "discrete";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return "integrated";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return "virtual";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return "cpu";
    default:
        return "other";
    }
}

pm_device *pm_gpu_device(pm_gpu *gpu) {
    return &gpu->device;
}

pm_status pm_gpu_open(const pm_gpu_settings *settings, const pm_allocator *allocator, pm_gpu **gpu) {
    *gpu = NULL;
    pm_gpu *const opened = allocator->alloc(sizeof *opened, allocator->user);
    if (!opened)
        return PM_OUT_OF_MEMORY;
    *opened = (pm_gpu){.allocator = *allocator,
                       .pipeline_by_n = settings->pipeline_by_n,
                       .pipeline_asked = settings->pipeline,
                       .slot_bytes = settings->slot_bytes ? settings->slot_bytes : SLOT_BYTES};
    pm_status status = pm_device_open(settings, &opened->device);
    if (status == PM_OK) {
        const pm_pipeline *asked;
        pm_pipeline_cache_open(&opened->cache, &opened->device, settings->pipeline_cache, allocator);
        status = opened->pipeline_by_n ? PM_OK : pipeline_open(opened, opened->pipeline_asked, &asked);
    }
    if (status == PM_OK)
        status = pm_slots_create(&opened->device, settings, &opened->slots);
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
    pm_pfac_runner_clear(device, &gpu->pfac);
    pm_buffer_destroy(device, &gpu->parens);
    pm_buffer_destroy(device, &gpu->scratch);
    pm_buffer_destroy(device, &gpu->summary);
    for (unsigned id = 0; id < PM_PIPELINES; id++)
        pm_pipeline_destroy(device, &gpu->pipelines[id]);
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
