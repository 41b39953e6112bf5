/* SPDX-License-Identifier: Apache-2.0 */
/* Recording commands, waiting for them, reading the device's clock. */
#include "bench/gpu/timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/timing.h"
#include "gpu/device/commands.h"
#include "gpu/device/kernel.h"
#include "shaders/shared/layout.h"
#include "shaders/shared/parameters.h"
#include "shaders/spv/match.h"

enum {
    WARM_UP_LEAST_MS = 20,
    WARM_UP_IDLE_MS = 400, /* at least, after a long idle time */
    WARM_UP_MOST_MS = 2000
};

/* ---- Opening and closing ---- */

static void commands_make(gpu_timing *t) {
    pmi_device *const device = &t->device;
    must(pmi_vk_status(pmi_commands_pool(device, &t->pool)), "commands");
    must(pmi_vk_status(pmi_commands_create(device, t->pool, &t->commands, &t->fence)), "commands");
    const VkQueryPoolCreateInfo clock = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                         .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                         .queryCount = CLOCK_READINGS};
    must(pmi_vk_status(device->vk->CreateQueryPool(device->handle, &clock, NULL, &t->clock)), "the clock");
}

pm_status gpu_timing_try(const pmi_gpu_settings *settings, gpu_timing *t) {
    *t = (gpu_timing){0};
    const pm_status status = pmi_device_open(settings, &t->device);
    if (status != PM_OK)
        return status;
    if (t->device.tick_ns <= 0) {
        pmi_device_close(&t->device);
        return PM_NO_DEVICE;
    }
    commands_make(t);
    must(pmi_buffer_create(&t->device, PM_MEMORY_DOWNLOAD, STAGING_BYTES, &t->staging), "memory of the host");
    return PM_OK;
}

void gpu_timing_open(const pmi_gpu_settings *settings, gpu_timing *t) {
    must(gpu_timing_try(settings, t), "a device with a clock");
}

void gpu_timing_close(gpu_timing *t) {
    pmi_device *const device = &t->device;
    pmi_buffer_destroy(device, &t->staging);
    device->vk->DestroyQueryPool(device->handle, t->clock, NULL);
    device->vk->DestroyFence(device->handle, t->fence, NULL);
    device->vk->DestroyCommandPool(device->handle, t->pool, NULL);
    pmi_device_close(device);
}

/* ---- Commands ---- */

void gpu_timing_begin(const gpu_timing *t) {
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    must(pmi_vk_status(t->device.vk->BeginCommandBuffer(t->commands, &info)), "recording");
    t->device.vk->CmdResetQueryPool(t->commands, t->clock, 0, CLOCK_READINGS);
}

void gpu_timing_run(const gpu_timing *t) {
    const pmi_device *const device = &t->device;
    pmi_device_barrier(device, t->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                       VK_ACCESS_HOST_READ_BIT);
    must(pmi_vk_status(device->vk->EndCommandBuffer(t->commands)), "recording");
    must(pmi_vk_status(pmi_commands_submit(device, t->commands, t->fence)), "submitting");
    must(pmi_vk_status(device->vk->WaitForFences(device->handle, 1, &t->fence, VK_TRUE, UINT64_MAX)), "waiting");
    must(pmi_vk_status(device->vk->ResetFences(device->handle, 1, &t->fence)), "waiting");
}

void gpu_timing_once(const gpu_timing *t, gpu_timed *record, unsigned stages, const void *of) {
    gpu_timing_begin(t);
    for (unsigned stage = 0; stage < stages; stage++)
        record(stage, of);
    gpu_timing_run(t);
}

void gpu_timing_barrier(const gpu_timing *t) {
    pmi_device_barrier(&t->device, t->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

/* ---- Memory ---- */

void gpu_timing_reserve(const gpu_timing *t, uint64_t bytes, pmi_buffer *buffer) {
    const uint64_t read_past_the_end = 16; /* by shaders that read four words at a time */
    must(pmi_buffer_reserve(&t->device, PM_MEMORY_DEVICE, bytes + read_past_the_end, buffer), "memory of the device");
}

static void copy(const gpu_timing *t, const pmi_buffer *from, uint64_t from_begin, const pmi_buffer *to,
                 uint64_t to_begin, uint64_t bytes) {
    const VkBufferCopy region = {.srcOffset = from_begin, .dstOffset = to_begin, .size = bytes};
    gpu_timing_begin(t);
    t->device.vk->CmdCopyBuffer(t->commands, from->handle, to->handle, 1, &region);
    pmi_device_barrier(&t->device, t->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
    gpu_timing_run(t);
}

void gpu_timing_upload(const gpu_timing *t, const void *from, uint64_t bytes, const pmi_buffer *to) {
    for (uint64_t done = 0; done < bytes; done += STAGING_BYTES) {
        const uint64_t piece = bytes - done < STAGING_BYTES ? bytes - done : STAGING_BYTES;
        memcpy(t->staging.mapped, (const unsigned char *)from + done, piece);
        copy(t, &t->staging, 0, to, done, piece);
    }
}

void gpu_timing_download(const gpu_timing *t, const pmi_buffer *from, uint64_t bytes, void *to) {
    for (uint64_t done = 0; done < bytes; done += STAGING_BYTES) {
        const uint64_t piece = bytes - done < STAGING_BYTES ? bytes - done : STAGING_BYTES;
        copy(t, from, done, &t->staging, 0, piece);
        memcpy((unsigned char *)to + done, t->staging.mapped, piece);
    }
}

bool gpu_timing_holds(const gpu_timing *t, const pmi_buffer *buffer, const void *wanted, uint64_t bytes) {
    void *const found = must_allocate(bytes);
    gpu_timing_download(t, buffer, bytes, found);
    const bool equal = memcmp(found, wanted, bytes) == 0;
    free(found);
    return equal;
}

/* ---- Times ---- */

static void clock_read(const gpu_timing *t, unsigned reading) {
    t->device.vk->CmdWriteTimestamp(t->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, t->clock, reading);
}

/* The time from reading `from` to reading `to` in each repetition after the warm-up, sorted; returns the median. */
static double passed_us(const gpu_timing *t, unsigned reps, const uint64_t *readings, unsigned per_rep, unsigned from,
                        unsigned to, double *us) {
    for (unsigned r = 0; r < reps; r++) {
        const uint64_t *const of_rep = readings + (size_t)(r + WARM_UP) * per_rep;
        us[r] = (double)(of_rep[to] - of_rep[from]) * t->device.tick_ns * 1e-3;
    }
    return distribution_of(us, reps).median;
}

static void readings_get(const gpu_timing *t, uint64_t *readings, unsigned count) {
    must(pmi_vk_status(t->device.vk->GetQueryPoolResults(t->device.handle, t->clock, 0, count, count * sizeof *readings,
                                                         readings, sizeof *readings,
                                                         VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT)),
         "reading the clock");
}

static double milliseconds(void) {
    return (double)clock_now() * 1e-6;
}

/* Runs all stages in one submission; returns the median of the times. */
static double submission_us(const gpu_timing *t, unsigned reps, gpu_timed *record, unsigned stages, const void *of,
                            double *us) {
    uint64_t readings[CLOCK_READINGS];
    gpu_timing_begin(t);
    for (unsigned r = 0; r < reps + WARM_UP; r++) {
        clock_read(t, 2 * r);
        for (unsigned stage = 0; stage < stages; stage++)
            record(stage, of);
        clock_read(t, 2 * r + 1);
    }
    gpu_timing_run(t);
    readings_get(t, readings, 2 * (reps + WARM_UP));
    return passed_us(t, reps, readings, 2, 0, 1, us);
}

/* A device that was idle while the host made an input can be several times slower for the first 100 ms and more. */
double gpu_timing_settled_us(gpu_timing *t, unsigned reps, gpu_timed *record, unsigned stages, const void *of,
                             double *us) {
    const double begin = milliseconds(), idle = begin - t->idle_since;
    const double least = fmin(fmax(4 * idle, WARM_UP_LEAST_MS), WARM_UP_IDLE_MS);
    double best = HUGE_VAL;
    for (unsigned no_faster = 0; no_faster < 3 || milliseconds() < begin + least;) {
        const double median = submission_us(t, reps, record, stages, of, us);
        no_faster = median < 0.98 * best ? 0 : no_faster + 1;
        best = fmin(best, median);
        if (milliseconds() > begin + WARM_UP_MOST_MS)
            break;
    }
    t->idle_since = milliseconds();
    return best;
}

double gpu_timing_all_us(gpu_timing *t, unsigned reps, gpu_timed *record, unsigned stages, const void *of) {
    double us[GPU_REPETITIONS_MOST];
    return gpu_timing_settled_us(t, reps, record, stages, of, us);
}

void gpu_timing_stages_us(const gpu_timing *t, unsigned reps, gpu_timed *record, unsigned stages, const void *of,
                          double *us) {
    const unsigned per_rep = stages + 1;
    uint64_t readings[CLOCK_READINGS];
    gpu_timing_begin(t);
    for (unsigned r = 0; r < reps + WARM_UP; r++) {
        clock_read(t, r * per_rep);
        for (unsigned stage = 0; stage < stages; stage++) {
            record(stage, of);
            clock_read(t, r * per_rep + stage + 1);
        }
    }
    gpu_timing_run(t);
    readings_get(t, readings, per_rep * (reps + WARM_UP));
    for (unsigned stage = 0; stage < stages; stage++) {
        double of_stage[GPU_REPETITIONS_MOST];
        us[stage] = passed_us(t, reps, readings, per_rep, stage, stage + 1, of_stage);
    }
}

gpu_times gpu_timing_take(gpu_timing *t, unsigned reps, gpu_timed *record, unsigned stages, const void *of) {
    gpu_times times = {.stages = stages, .all_us = gpu_timing_all_us(t, reps, record, stages, of)};
    gpu_timing_stages_us(t, reps, record, stages, of, times.stage_us);
    return times;
}

/* ---- The floor of a text ---- */

struct reading {
    const gpu_timing *timing;
    pmi_kernel kernel;
    pmi_floor_read_parameters parameters;
};

static void record_reading(unsigned stage, const void *of) {
    const struct reading *const r = of;
    (void)stage;
    pmi_kernel_dispatch(&r->timing->device, r->timing->commands, &r->kernel, &r->parameters, sizeof r->parameters,
                        (r->parameters.count + PM_FLOOR_FOURS - 1) / PM_FLOOR_FOURS);
    gpu_timing_barrier(r->timing);
}

double gpu_timing_read_us(gpu_timing *t, unsigned reps, const pmi_buffer *from, uint32_t bytes, const pmi_buffer *to) {
    struct reading r = {.timing = t, .parameters = {.from = from->address, .to = to->address, .count = bytes / 16}};
    must(pmi_kernel_create(&t->device, PM_SHADER(spv_match_floor_read), 0, &r.kernel), "kernels");
    const double us = gpu_timing_all_us(t, reps, record_reading, 1, &r);
    pmi_kernel_destroy(&t->device, &r.kernel);
    return us;
}
