/* SPDX-License-Identifier: Apache-2.0 */
/* Recording, waiting, reading the clock. */
#include "bench/gpu_timing.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    WARM_UP_MS = 400, /* at least, and at most: */
    WARM_UP_MOST_MS = 2000
};

void must(pm_status status, const char *what) {
    if (status != PM_OK)
        stop(what, pm_status_string(status));
}

/* ---- Opening and closing ---- */

static void commands_make(gpu_timing *t) {
    pm_device *const device = &t->device;
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = device->queue_family};
    must(pm_vk_status(device->vk->CreateCommandPool(device->handle, &pool, NULL, &t->pool)), "commands");
    const VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                  .commandPool = t->pool,
                                                  .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                  .commandBufferCount = 1};
    must(pm_vk_status(device->vk->AllocateCommandBuffers(device->handle, &commands, &t->commands)), "commands");
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    must(pm_vk_status(device->vk->CreateFence(device->handle, &fence, NULL, &t->fence)), "commands");
    const VkQueryPoolCreateInfo clock = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                         .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                         .queryCount = CLOCK_READINGS};
    must(pm_vk_status(device->vk->CreateQueryPool(device->handle, &clock, NULL, &t->clock)), "the clock");
}

void gpu_timing_open(const pm_gpu_settings *settings, gpu_timing *t) {
    must(pm_device_open(settings, &t->device), "opening the device");
    if (t->device.tick_ns == 0)
        stop(t->device.name, "its queue has no clock");
    commands_make(t);
    must(pm_buffer_create(&t->device, PM_MEMORY_DOWNLOAD, STAGING_BYTES, &t->staging), "memory of the host");
}

void gpu_timing_close(gpu_timing *t) {
    pm_device *const device = &t->device;
    pm_buffer_destroy(device, &t->staging);
    device->vk->DestroyQueryPool(device->handle, t->clock, NULL);
    device->vk->DestroyFence(device->handle, t->fence, NULL);
    device->vk->DestroyCommandPool(device->handle, t->pool, NULL);
    pm_device_close(device);
}

/* ---- Commands ---- */

void gpu_timing_begin(const gpu_timing *t) {
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    must(pm_vk_status(t->device.vk->BeginCommandBuffer(t->commands, &info)), "recording");
    t->device.vk->CmdResetQueryPool(t->commands, t->clock, 0, CLOCK_READINGS);
}

void gpu_timing_run(const gpu_timing *t) {
    const pm_device *const device = &t->device;
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &t->commands};
    pm_device_barrier(device, t->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                      VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                      VK_ACCESS_HOST_READ_BIT);
    must(pm_vk_status(device->vk->EndCommandBuffer(t->commands)), "recording");
    must(pm_vk_status(device->vk->QueueSubmit(device->queue, 1, &info, t->fence)), "submitting");
    must(pm_vk_status(device->vk->WaitForFences(device->handle, 1, &t->fence, VK_TRUE, UINT64_MAX)), "waiting");
    must(pm_vk_status(device->vk->ResetFences(device->handle, 1, &t->fence)), "waiting");
}

void gpu_timing_barrier(const gpu_timing *t) {
    pm_device_barrier(&t->device, t->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

static void copy(const gpu_timing *t, const pm_buffer *from, uint64_t from_begin, const pm_buffer *to,
                 uint64_t to_begin, uint64_t bytes) {
    const VkBufferCopy region = {.srcOffset = from_begin, .dstOffset = to_begin, .size = bytes};
    gpu_timing_begin(t);
    t->device.vk->CmdCopyBuffer(t->commands, from->handle, to->handle, 1, &region);
    pm_device_barrier(&t->device, t->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
    gpu_timing_run(t);
}

void gpu_timing_upload(const gpu_timing *t, const void *from, uint64_t bytes, const pm_buffer *to) {
    for (uint64_t done = 0; done < bytes; done += STAGING_BYTES) {
        const uint64_t piece = bytes - done < STAGING_BYTES ? bytes - done : STAGING_BYTES;
        memcpy(t->staging.mapped, (const unsigned char *)from + done, piece);
        copy(t, &t->staging, 0, to, done, piece);
    }
}

void gpu_timing_download(const gpu_timing *t, const pm_buffer *from, uint64_t bytes, void *to) {
    for (uint64_t done = 0; done < bytes; done += STAGING_BYTES) {
        const uint64_t piece = bytes - done < STAGING_BYTES ? bytes - done : STAGING_BYTES;
        copy(t, from, done, &t->staging, 0, piece);
        memcpy((unsigned char *)to + done, t->staging.mapped, piece);
    }
}

/* ---- Times ---- */

static void clock_read(const gpu_timing *t, unsigned reading) {
    t->device.vk->CmdWriteTimestamp(t->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, t->clock, reading);
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median, over the repetitions after the warm-up, of what passed from reading `from` to reading `to` of each. */
static double median_us(const gpu_timing *t, unsigned reps, const uint64_t *readings, unsigned per_rep, unsigned from,
                        unsigned to) {
    double us[REPETITIONS_MOST];
    for (unsigned r = 0; r < reps; r++) {
        const uint64_t *const of_rep = readings + (size_t)(r + WARM_UP) * per_rep;
        us[r] = (double)(of_rep[to] - of_rep[from]) * t->device.tick_ns * 1e-3;
    }
    qsort(us, reps, sizeof *us, compare);
    return us[reps / 2];
}

static void readings_get(const gpu_timing *t, uint64_t *readings, unsigned count) {
    must(pm_vk_status(t->device.vk->GetQueryPoolResults(t->device.handle, t->clock, 0, count, count * sizeof *readings,
                                                        readings, sizeof *readings,
                                                        VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT)),
         "reading the clock");
}

static double milliseconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* The median time of all stages, in one submission. */
static double submission_us(const gpu_timing *t, unsigned reps, gpu_timed *record, unsigned stages, const void *of) {
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
    return median_us(t, reps, readings, 2, 0, 1);
}

double gpu_timing_all_us(const gpu_timing *t, unsigned reps, gpu_timed *record, unsigned stages, const void *of) {
    const double begin = milliseconds();
    double best = submission_us(t, reps, record, stages, of);
    for (unsigned no_faster = 0; no_faster < 3 || milliseconds() < begin + WARM_UP_MS;) {
        const double us = submission_us(t, reps, record, stages, of);
        no_faster = us < 0.98 * best ? 0 : no_faster + 1;
        best = us < best ? us : best;
        if (milliseconds() > begin + WARM_UP_MOST_MS)
            break;
    }
    return best;
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
    for (unsigned stage = 0; stage < stages; stage++)
        us[stage] = median_us(t, reps, readings, per_rep, stage, stage + 1);
}
