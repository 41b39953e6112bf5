/* SPDX-License-Identifier: Apache-2.0 */
/* The one device that is open, with all that lies on it. */
#include "bench/gpu_bed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/stop.h"
#include "gpu/memory.h"

enum {
    WARM_UP = 3, /* repetitions */
    WARM_UP_LEAST_MS = 20,
    WARM_UP_IDLE_MS = 400, /* at least, after a long time with nothing to do */
    WARM_UP_MOST_MS = 2000,
    CHUNKS_MOST = 32,
    STAGING_BYTES = 1 << 26,
    VERIFY_WORKGROUPS = 4096,
    CLOCK_READINGS = (PM_STAGES + 1) * (GPU_BED_REPETITIONS + WARM_UP)
};

static const uint32_t write_words[] = {
#include "shaders/spv/floor.inc"
};
static const uint32_t expand_words[] = {
#include "shaders/spv/floor_expand.inc"
};
static const uint32_t copy_words[] = {
#include "shaders/spv/floor_copy.inc"
};
static const uint32_t verify_words[] = {
#include "shaders/spv/verify.inc"
};

/* Everything on the device. The match lies in chunks of 2^chunk_shift elements. */
static struct gpu_bed {
    pm_device device;
    pm_pipeline pipelines[PM_PIPELINES]; /* all zeros: not asked for */
    pm_kernel write, expand, copy, verify;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    VkQueryPool clock;
    pm_buffer staging, landing, source, parens, scratch,
        results; /* results: the summary, what is wrong, the chunks' addresses */
    pm_buffer chunks[CHUNKS_MOST];
    unsigned chunk_count, chunk_shift;
    double idle_since; /* milliseconds() */
} bed;

static void must(pm_status status, const char *what) {
    if (status != PM_OK)
        stop(what, pm_status_string(status));
}

/* ---- Commands ---- */

static void commands_begin(void) {
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    must(pm_vk_status(bed.device.vk->BeginCommandBuffer(bed.commands, &info)), "recording");
    bed.device.vk->CmdResetQueryPool(bed.commands, bed.clock, 0, CLOCK_READINGS);
}

static void commands_run(void) {
    const pm_device *const device = &bed.device;
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &bed.commands};
    pm_device_barrier(device, bed.commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    must(pm_vk_status(device->vk->EndCommandBuffer(bed.commands)), "recording");
    must(pm_vk_status(device->vk->QueueSubmit(device->queue, 1, &info, bed.fence)), "submitting");
    must(pm_vk_status(device->vk->WaitForFences(device->handle, 1, &bed.fence, VK_TRUE, UINT64_MAX)), "waiting");
    must(pm_vk_status(device->vk->ResetFences(device->handle, 1, &bed.fence)), "waiting");
}

static void clock_read(unsigned reading) {
    bed.device.vk->CmdWriteTimestamp(bed.commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, bed.clock, reading);
}

/* ---- What is timed ---- */

static uint32_t chunk_elements(uint32_t n, unsigned chunk) {
    const uint64_t begin = (uint64_t)chunk << bed.chunk_shift, rest = begin < n ? n - begin : 0;
    return rest >> bed.chunk_shift ? 1u << bed.chunk_shift : (uint32_t)rest;
}

static void record_barrier(void) {
    pm_device_barrier(&bed.device, bed.commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

static void record_stage(const pm_pipeline *pipeline, pm_stage stage, const pm_sequence *sequence) {
    if (!pm_pipeline_has_stage(&bed.device, pipeline, stage, sequence->n))
        return;
    if (stage != PM_STAGE_MATCH)
        pm_pipeline_record(&bed.device, bed.commands, pipeline, stage, sequence, 0, sequence->n, 0);
    else
        for (unsigned c = 0; c < bed.chunk_count && chunk_elements(sequence->n, c) > 0; c++)
            pm_pipeline_record(&bed.device, bed.commands, pipeline, stage, sequence, c << bed.chunk_shift,
                               chunk_elements(sequence->n, c), bed.chunks[c].address);
    record_barrier();
}

static pm_sequence sequence_of(uint32_t n) {
    return (pm_sequence){
        .n = n, .parens = bed.parens.address, .scratch = bed.scratch.address, .summary = bed.results.address};
}

static void record_stages(const pm_pipeline *pipeline, const pm_sequence *sequence) {
    for (unsigned stage = 0; stage < PM_STAGES; stage++)
        record_stage(pipeline, (pm_stage)stage, sequence);
}

/* Four words at a time; from chunk to chunk what is read goes on by `step` bytes. */
static void record_kernel(const pm_kernel *kernel, uint32_t n, uint64_t from, uint64_t step) {
    for (unsigned c = 0; c < bed.chunk_count && chunk_elements(n, c) > 0; c++) {
        const pm_floor_parameters p = {
            .to = bed.chunks[c].address, .from = from + c * step, .count = chunk_elements(n, c) / 4};
        pm_kernel_dispatch(&bed.device, bed.commands, kernel, &p, sizeof p,
                           (p.count + PM_FLOOR_FOURS - 1) / PM_FLOOR_FOURS);
    }
    record_barrier();
}

static void record_write(uint32_t n) {
    record_kernel(&bed.write, n, 0, 0);
}

static void record_expand(uint32_t n) {
    record_kernel(&bed.expand, n, bed.parens.address, UINT64_C(1) << bed.chunk_shift >> 3);
}

/* Each chunk from the same source, which is as long as the first. */
static void record_copy(uint32_t n) {
    record_kernel(&bed.copy, n, bed.source.address, 0);
}

static void record_download(uint32_t n) {
    for (unsigned c = 0; c < bed.chunk_count && chunk_elements(n, c) > 0; c++)
        for (uint64_t done = 0, all = 4 * (uint64_t)chunk_elements(n, c); done < all; done += STAGING_BYTES) {
            const VkBufferCopy copy = {.srcOffset = done,
                                       .size = all - done < STAGING_BYTES ? all - done : STAGING_BYTES};
            bed.device.vk->CmdCopyBuffer(bed.commands, bed.chunks[c].handle, bed.landing.handle, 1, &copy);
        }
    pm_device_barrier(&bed.device, bed.commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                      VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
}

/* Overwrites the scratch, in which another kernel may have left what this one should. */
static void record_forgetting(void) {
    bed.device.vk->CmdFillBuffer(bed.commands, bed.scratch.handle, 0, VK_WHOLE_SIZE, 0x55555555u);
    pm_device_barrier(&bed.device, bed.commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

/* ---- Times ---- */

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What passed from reading `from` to reading `to` of each repetition after the warm-up, sorted. */
static void passed_us(const uint64_t *readings, unsigned per_rep, unsigned from, unsigned to, unsigned repetitions,
                      double *us) {
    for (unsigned r = 0; r < repetitions; r++) {
        const uint64_t *const of_rep = readings + (size_t)(r + WARM_UP) * per_rep;
        us[r] = (double)(of_rep[to] - of_rep[from]) * bed.device.tick_ns * 1e-3;
    }
    qsort(us, repetitions, sizeof *us, compare);
}

static void readings_get(uint64_t *readings, unsigned count) {
    must(pm_vk_status(bed.device.vk->GetQueryPoolResults(bed.device.handle, bed.clock, 0, count,
                                                         count * sizeof *readings, readings, sizeof *readings,
                                                         VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT)),
         "reading the clock");
}

static double milliseconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* What is timed: the stages of a pipeline or, if that is NULL, one of the floors. */
typedef struct timed {
    const pm_pipeline *pipeline;
    void (*floor)(uint32_t n);
} timed;

/* Repetitions in one submission, sorted. */
static void submission_time(timed what, uint32_t n, unsigned repetitions, double *us) {
    uint64_t readings[CLOCK_READINGS];
    const pm_sequence sequence = sequence_of(n);
    commands_begin();
    for (unsigned r = 0; r < repetitions + WARM_UP; r++) {
        clock_read(2 * r);
        if (what.pipeline)
            record_stages(what.pipeline, &sequence);
        else
            what.floor(n);
        clock_read(2 * r + 1);
    }
    commands_run();
    readings_get(readings, 2 * (repetitions + WARM_UP));
    passed_us(readings, 2, 0, 1, repetitions, us);
}

/* Until submissions get no faster. A device that had nothing to do while the host made an input can be several times
 * slower at first, for a tenth of a second and more. */
static void settled_time(timed what, uint32_t n, unsigned repetitions, double *us) {
    const double begin = milliseconds(), idle = begin - bed.idle_since;
    const double least = fmin(fmax(4 * idle, WARM_UP_LEAST_MS), WARM_UP_IDLE_MS);
    double best = HUGE_VAL;
    for (unsigned no_faster = 0; no_faster < 3 || milliseconds() < begin + least;) {
        submission_time(what, n, repetitions, us);
        no_faster = us[repetitions / 2] < 0.98 * best ? 0 : no_faster + 1;
        best = fmin(best, us[repetitions / 2]);
        if (milliseconds() > begin + WARM_UP_MOST_MS)
            break;
    }
    bed.idle_since = milliseconds();
}

void gpu_bed_time(const pm_pipeline *pipeline, uint32_t n, unsigned repetitions, double *us) {
    settled_time((timed){.pipeline = pipeline, .floor = record_write}, n, repetitions, us);
}

bool gpu_bed_time_floor(gpu_floor floor, uint32_t n, unsigned repetitions, double *us) {
    static void (*const records[])(uint32_t n) = {[GPU_FLOOR_WRITE] = record_write,
                                                  [GPU_FLOOR_EXPAND] = record_expand,
                                                  [GPU_FLOOR_COPY] = record_copy,
                                                  [GPU_FLOOR_DOWNLOAD] = record_download};
    if (floor == GPU_FLOOR_COPY &&
        pm_buffer_reserve(&bed.device, PM_MEMORY_DEVICE, bed.chunks[0].size, &bed.source) != PM_OK)
        return false;
    settled_time((timed){.floor = records[floor]}, n, repetitions, us);
    return true;
}

void gpu_bed_time_stages(const pm_pipeline *pipeline, uint32_t n, unsigned repetitions, double us[PM_STAGES]) {
    const unsigned per_rep = PM_STAGES + 1;
    uint64_t readings[CLOCK_READINGS];
    const pm_sequence sequence = sequence_of(n);
    commands_begin();
    for (unsigned r = 0; r < repetitions + WARM_UP; r++) {
        clock_read(r * per_rep);
        for (unsigned stage = 0; stage < PM_STAGES; stage++) {
            record_stage(pipeline, (pm_stage)stage, &sequence);
            clock_read(r * per_rep + stage + 1);
        }
    }
    commands_run();
    readings_get(readings, per_rep * (repetitions + WARM_UP));
    for (unsigned stage = 0; stage < PM_STAGES; stage++) {
        double of_stage[GPU_BED_REPETITIONS];
        passed_us(readings, per_rep, stage, stage + 1, repetitions, of_stage);
        us[stage] = pm_pipeline_has_stage(&bed.device, pipeline, (pm_stage)stage, n) ? of_stage[repetitions / 2] : 0;
    }
}

uint32_t gpu_bed_wrong(const pm_pipeline *pipeline, uint32_t n) {
    uint32_t *const wrong = (uint32_t *)bed.results.mapped + 2;
    const pm_sequence sequence = sequence_of(n);
    wrong[0] = 0;
    wrong[1] = UINT32_MAX;
    const pm_verify_parameters parameters = {.parens = sequence.parens,
                                             .chunks = bed.results.address + 16,
                                             .wrong = bed.results.address + 8,
                                             .n = n,
                                             .chunk_shift = bed.chunk_shift,
                                             .count = n};
    commands_begin();
    record_write(n);
    record_forgetting();
    record_stages(pipeline, &sequence);
    pm_kernel_dispatch(&bed.device, bed.commands, &bed.verify, &parameters, sizeof parameters, VERIFY_WORKGROUPS);
    commands_run();
    return wrong[0];
}

/* ---- Inputs ---- */

void gpu_bed_load(const uint64_t *parens, uint32_t n) {
    const size_t bytes = ((size_t)n + 63) / 64 * 8;
    for (size_t done = 0; done < bytes; done += STAGING_BYTES) {
        const VkBufferCopy copy = {.dstOffset = done,
                                   .size = bytes - done < STAGING_BYTES ? bytes - done : STAGING_BYTES};
        memcpy(bed.staging.mapped, (const unsigned char *)parens + done, copy.size);
        commands_begin();
        bed.device.vk->CmdCopyBuffer(bed.commands, bed.staging.handle, bed.parens.handle, 1, &copy);
        pm_device_barrier(&bed.device, bed.commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
        commands_run();
    }
}

/* ---- Setting up ---- */

static void buffer_make(pm_memory_kind kind, uint64_t size, pm_buffer *buffer) {
    must(pm_buffer_create(&bed.device, kind, size, buffer), "memory of the device");
}

/* Enough for every pipeline and every length up to n. */
static uint64_t scratch_bytes(uint32_t n) {
    uint64_t most = 16;
    for (unsigned id = 0; id < PM_PIPELINES; id++)
        if (bed.pipelines[id].kind) {
            const uint64_t limit = pm_pipeline_limit(&bed.pipelines[id]);
            const uint64_t bytes = pm_pipeline_scratch_bytes(&bed.pipelines[id], limit < n ? (uint32_t)limit : n);
            most = bytes > most ? bytes : most;
        }
    return most;
}

static void buffers_make(uint32_t n) {
    buffer_make(PM_MEMORY_UPLOAD, STAGING_BYTES, &bed.staging);
    buffer_make(PM_MEMORY_DOWNLOAD, STAGING_BYTES, &bed.landing);
    buffer_make(PM_MEMORY_DEVICE, ((uint64_t)n + 127) / 128 * 16, &bed.parens);
    buffer_make(PM_MEMORY_DEVICE, scratch_bytes(n), &bed.scratch);
    buffer_make(PM_MEMORY_DOWNLOAD, 16 + 8 * CHUNKS_MOST, &bed.results);
    for (bed.chunk_shift = 30; (UINT64_C(4) << bed.chunk_shift) > bed.device.can.allocation_bytes;)
        bed.chunk_shift--;
    for (; bed.chunk_count < CHUNKS_MOST && chunk_elements(n, bed.chunk_count) > 0; bed.chunk_count++) {
        const uint64_t bytes = ((uint64_t)chunk_elements(n, bed.chunk_count) + 3) / 4 * 16;
        buffer_make(PM_MEMORY_DEVICE, bytes, &bed.chunks[bed.chunk_count]);
        ((uint64_t *)bed.results.mapped)[2 + bed.chunk_count] = bed.chunks[bed.chunk_count].address;
    }
}

/* The pipelines, or the one that is named; not those that the device cannot have. */
static void pipelines_make(const char *name) {
    for (unsigned id = 0; id < PM_PIPELINES; id++) {
        if (name && strcmp(name, pm_pipeline_name(id)) != 0)
            continue;
        const pm_status status = pm_pipeline_create(&bed.device, (pm_pipeline_id)id, &bed.pipelines[id]);
        if (status != PM_UNSUPPORTED || name)
            must(status, pm_pipeline_name(id));
    }
}

static void commands_make(void) {
    const pm_device *const device = &bed.device;
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = device->queue_family};
    must(pm_vk_status(device->vk->CreateCommandPool(device->handle, &pool, NULL, &bed.pool)), "commands");
    const VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                  .commandPool = bed.pool,
                                                  .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                  .commandBufferCount = 1};
    must(pm_vk_status(device->vk->AllocateCommandBuffers(device->handle, &commands, &bed.commands)), "commands");
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    must(pm_vk_status(device->vk->CreateFence(device->handle, &fence, NULL, &bed.fence)), "commands");
    const VkQueryPoolCreateInfo clock = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                         .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                         .queryCount = CLOCK_READINGS};
    must(pm_vk_status(device->vk->CreateQueryPool(device->handle, &clock, NULL, &bed.clock)), "the clock");
}

pm_status gpu_bed_open(const pm_gpu_settings *settings, const char *pipeline, uint32_t n) {
    pm_device *const device = &bed.device;
    const pm_status status = pm_device_open(settings, device);
    if (status != PM_OK)
        return status;
    if (device->tick_ns <= 0) {
        pm_device_close(device);
        return PM_NO_DEVICE;
    }
    pipelines_make(pipeline);
    must(pm_kernel_create(device, (pm_shader){write_words, sizeof write_words}, 0, &bed.write), "kernels");
    must(pm_kernel_create(device, (pm_shader){expand_words, sizeof expand_words}, 0, &bed.expand), "kernels");
    must(pm_kernel_create(device, (pm_shader){copy_words, sizeof copy_words}, 0, &bed.copy), "kernels");
    must(pm_kernel_create(device, (pm_shader){verify_words, sizeof verify_words}, 0, &bed.verify), "kernels");
    commands_make();
    buffers_make(n);
    return PM_OK;
}

const pm_device *gpu_bed_device(void) {
    return &bed.device;
}

const pm_pipeline *gpu_bed_pipeline(pm_pipeline_id id, uint32_t n) {
    const pm_pipeline *const pipeline = &bed.pipelines[id];
    return pipeline->kind && n <= pm_pipeline_limit(pipeline) ? pipeline : NULL;
}

void gpu_bed_close(void) {
    pm_device *const device = &bed.device;
    pm_buffer *const buffers[] = {&bed.staging, &bed.landing, &bed.source, &bed.parens, &bed.scratch, &bed.results};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pm_buffer_destroy(device, buffers[b]);
    for (unsigned c = 0; c < bed.chunk_count; c++)
        pm_buffer_destroy(device, &bed.chunks[c]);
    device->vk->DestroyQueryPool(device->handle, bed.clock, NULL);
    device->vk->DestroyFence(device->handle, bed.fence, NULL);
    device->vk->DestroyCommandPool(device->handle, bed.pool, NULL);
    pm_kernel_destroy(device, &bed.write);
    pm_kernel_destroy(device, &bed.expand);
    pm_kernel_destroy(device, &bed.copy);
    pm_kernel_destroy(device, &bed.verify);
    for (unsigned id = 0; id < PM_PIPELINES; id++)
        pm_pipeline_destroy(device, &bed.pipelines[id]);
    pm_device_close(device);
    bed = (struct gpu_bed){0};
}
