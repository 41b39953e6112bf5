/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pm_bench_gpu: what each stage of a pipeline takes on a device, its data being there already, by the device's own
 * clock, and what all of them take together, without a reading of the clock between them; beside the floor: writing the
 * match in the fastest way there is. Every match is verified on the device.
 *
 * See bench/gpu_options.h for the options.
 *
 * Prints a table, its columns parted by tabulators: times in microseconds, speed in 10^9 elements a second.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/gpu_host.h"
#include "bench/gpu_options.h"
#include "gpu/memory.h"
#include "gpu/pipeline.h"
#include "tests/families.h"

enum {
    WARM_UP = 3,     /* repetitions */
    WARM_UP_MS = 400,        /* at least, and at most: */
    WARM_UP_MOST_MS = 2000,
    CHUNKS_MOST = 32,
    STAGING_BYTES = 1 << 26,
    VERIFY_WORKGROUPS = 4096,
    CLOCK_READINGS = (PM_STAGES + 1) * (REPETITIONS_MOST + WARM_UP)
};

static const uint32_t floor_words[] = {
#include "shaders/spv/floor.inc"
};
static const uint32_t verify_words[] = {
#include "shaders/spv/verify.inc"
};

/* What hurts which stage; chosen as the study before the pipeline did. */
static const char *const families[] = {"bits",   "random",   "deep",      "opens", "closes",     "flat",
                                       "saw:64", "saw:1000", "saw:70000", "drift", "sparse:511", NULL};

static gpu_options options;

/* Everything on the device. The match lies in chunks of 2^chunk_shift elements. */
static struct bench {
    pm_device device;
    pm_pipeline pipelines[PM_PIPELINES]; /* all zeros: not asked for */
    pm_kernel floor, verify;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    VkQueryPool clock;
    pm_buffer staging, landing, parens, scratch,
        results; /* results: the summary, what is wrong, the chunks' addresses */
    pm_buffer chunks[CHUNKS_MOST];
    unsigned chunk_count, chunk_shift;
} bench;

static void must(pm_status status, const char *what) {
    if (status != PM_OK)
        stop(what, pm_status_string(status));
}

/* ---- Commands ---- */

static void commands_begin(void) {
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    must(pm_vk_status(bench.device.vk->BeginCommandBuffer(bench.commands, &info)), "recording");
    bench.device.vk->CmdResetQueryPool(bench.commands, bench.clock, 0, CLOCK_READINGS);
}

static void commands_run(void) {
    const pm_device *const device = &bench.device;
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &bench.commands};
    pm_device_barrier(device, bench.commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    must(pm_vk_status(device->vk->EndCommandBuffer(bench.commands)), "recording");
    must(pm_vk_status(device->vk->QueueSubmit(device->queue, 1, &info, bench.fence)), "submitting");
    must(pm_vk_status(device->vk->WaitForFences(device->handle, 1, &bench.fence, VK_TRUE, UINT64_MAX)), "waiting");
    must(pm_vk_status(device->vk->ResetFences(device->handle, 1, &bench.fence)), "waiting");
}

static void clock_read(unsigned reading) {
    bench.device.vk->CmdWriteTimestamp(bench.commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, bench.clock, reading);
}

/* ---- What is timed ---- */

static uint32_t chunk_elements(uint32_t n, unsigned chunk) {
    const uint64_t begin = (uint64_t)chunk << bench.chunk_shift, rest = begin < n ? n - begin : 0;
    return rest >> bench.chunk_shift ? 1u << bench.chunk_shift : (uint32_t)rest;
}

static void record_barrier(void) {
    pm_device_barrier(&bench.device, bench.commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

static void record_stage(const pm_pipeline *pipeline, pm_stage stage, const pm_sequence *sequence) {
    if (!pm_pipeline_has_stage(&bench.device, pipeline, stage, sequence->n))
        return;
    if (stage != PM_STAGE_MATCH)
        pm_pipeline_record(&bench.device, bench.commands, pipeline, stage, sequence, 0, sequence->n, 0);
    else
        for (unsigned c = 0; c < bench.chunk_count && chunk_elements(sequence->n, c) > 0; c++)
            pm_pipeline_record(&bench.device, bench.commands, pipeline, stage, sequence, c << bench.chunk_shift,
                               chunk_elements(sequence->n, c), bench.chunks[c].address);
    record_barrier();
}

static void record_stages(const pm_pipeline *pipeline, const pm_sequence *sequence) {
    for (unsigned stage = 0; stage < PM_STAGES; stage++)
        record_stage(pipeline, (pm_stage)stage, sequence);
}

static void record_floor(uint32_t n) {
    for (unsigned c = 0; c < bench.chunk_count && chunk_elements(n, c) > 0; c++) {
        const pm_floor_parameters p = {.to = bench.chunks[c].address, .count = chunk_elements(n, c) / 4};
        pm_kernel_dispatch(&bench.device, bench.commands, &bench.floor, &p, sizeof p,
                           (p.count + PM_FLOOR_FOURS - 1) / PM_FLOOR_FOURS);
    }
    record_barrier();
}

/* The least that a match needs that goes to the host: copying as many bytes there, into memory that they share. */
static void record_download(uint32_t n) {
    for (unsigned c = 0; c < bench.chunk_count && chunk_elements(n, c) > 0; c++)
        for (uint64_t done = 0, all = 4 * (uint64_t)chunk_elements(n, c); done < all; done += STAGING_BYTES) {
            const VkBufferCopy copy = {.srcOffset = done,
                                       .size = all - done < STAGING_BYTES ? all - done : STAGING_BYTES};
            bench.device.vk->CmdCopyBuffer(bench.commands, bench.chunks[c].handle, bench.landing.handle, 1, &copy);
        }
    pm_device_barrier(&bench.device, bench.commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                      VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
}

/* ---- Times ---- */

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median, over the repetitions after the warm-up, of what passed from reading `from` to reading `to` of each. */
static double median_us(const uint64_t *readings, unsigned per_rep, unsigned from, unsigned to) {
    double us[REPETITIONS_MOST];
    for (unsigned r = 0; r < options.reps; r++) {
        const uint64_t *const of_rep = readings + (size_t)(r + WARM_UP) * per_rep;
        us[r] = (double)(of_rep[to] - of_rep[from]) * bench.device.tick_ns * 1e-3;
    }
    qsort(us, options.reps, sizeof *us, compare);
    return us[options.reps / 2];
}

static void readings_get(uint64_t *readings, unsigned count) {
    must(pm_vk_status(bench.device.vk->GetQueryPoolResults(bench.device.handle, bench.clock, 0, count,
                                                           count * sizeof *readings, readings, sizeof *readings,
                                                           VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT)),
         "reading the clock");
}

static double milliseconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* The median time of all stages of a pipeline, or, if that is NULL, of what `floor` records, in one submission. */
static double submission_us(const pm_pipeline *pipeline, const pm_sequence *sequence, void (*floor)(uint32_t n)) {
    uint64_t readings[CLOCK_READINGS];
    commands_begin();
    for (unsigned r = 0; r < options.reps + WARM_UP; r++) {
        clock_read(2 * r);
        if (pipeline)
            record_stages(pipeline, sequence);
        else
            floor(sequence->n);
        clock_read(2 * r + 1);
    }
    commands_run();
    readings_get(readings, 2 * (options.reps + WARM_UP));
    return median_us(readings, 2, 0, 1);
}

/* The same, repeated until the device is at the clock it keeps: until submissions get no faster. A device that had
 * nothing to do while the host made an input can be several times slower at first, and for long. */
static double all_us(const pm_pipeline *pipeline, const pm_sequence *sequence, void (*floor)(uint32_t n)) {
    const double begin = milliseconds();
    double best = submission_us(pipeline, sequence, floor);
    for (unsigned no_faster = 0; no_faster < 3 || milliseconds() < begin + WARM_UP_MS;) {
        const double us = submission_us(pipeline, sequence, floor);
        no_faster = us < 0.98 * best ? 0 : no_faster + 1;
        best = us < best ? us : best;
        if (milliseconds() > begin + WARM_UP_MOST_MS)
            break;
    }
    return best;
}

/* us[k]: stage k. */
static void stages_us(const pm_pipeline *pipeline, const pm_sequence *sequence, double us[PM_STAGES]) {
    const unsigned per_rep = PM_STAGES + 1;
    uint64_t readings[CLOCK_READINGS];
    commands_begin();
    for (unsigned r = 0; r < options.reps + WARM_UP; r++) {
        clock_read(r * per_rep);
        for (unsigned stage = 0; stage < PM_STAGES; stage++) {
            record_stage(pipeline, (pm_stage)stage, sequence);
            clock_read(r * per_rep + stage + 1);
        }
    }
    commands_run();
    readings_get(readings, per_rep * (options.reps + WARM_UP));
    for (unsigned stage = 0; stage < PM_STAGES; stage++)
        us[stage] = pm_pipeline_has_stage(&bench.device, pipeline, (pm_stage)stage, sequence->n)
                        ? median_us(readings, per_rep, stage, stage + 1)
                        : 0;
}

/* The number of wrong elements. The match is filled with something else before. */
static uint32_t wrong_elements(const pm_pipeline *pipeline, const pm_sequence *sequence) {
    uint32_t *const wrong = (uint32_t *)bench.results.mapped + 2;
    wrong[0] = 0;
    wrong[1] = UINT32_MAX;
    const pm_verify_parameters parameters = {.parens = sequence->parens,
                                             .chunks = bench.results.address + 16,
                                             .wrong = bench.results.address + 8,
                                             .n = sequence->n,
                                             .chunk_shift = bench.chunk_shift,
                                             .count = sequence->n};
    commands_begin();
    record_floor(sequence->n);
    record_stages(pipeline, sequence);
    pm_kernel_dispatch(&bench.device, bench.commands, &bench.verify, &parameters, sizeof parameters, VERIFY_WORKGROUPS);
    commands_run();
    return wrong[0];
}

/* ---- Inputs ---- */

static void upload(const uint64_t *parens, size_t bytes) {
    for (size_t done = 0; done < bytes; done += STAGING_BYTES) {
        const VkBufferCopy copy = {.dstOffset = done,
                                   .size = bytes - done < STAGING_BYTES ? bytes - done : STAGING_BYTES};
        memcpy(bench.staging.mapped, (const unsigned char *)parens + done, copy.size);
        commands_begin();
        bench.device.vk->CmdCopyBuffer(bench.commands, bench.staging.handle, bench.parens.handle, 1, &copy);
        pm_device_barrier(&bench.device, bench.commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
        commands_run();
    }
}

static void run_pipeline(pm_pipeline_id id, const char *family, uint32_t n, double floor) {
    const pm_pipeline *const pipeline = &bench.pipelines[id];
    const pm_sequence sequence = {
        .n = n, .parens = bench.parens.address, .scratch = bench.scratch.address, .summary = bench.results.address};
    if (!pipeline->kind || n > pm_pipeline_limit(pipeline))
        return;
    const uint32_t wrong = wrong_elements(pipeline, &sequence);
    const double all = all_us(pipeline, &sequence, NULL);
    double us[PM_STAGES];
    stages_us(pipeline, &sequence, us);
    printf("%s\t%s\t%u\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.2f\t%.3f\t%s\n", pm_pipeline_name(id), family, n, us[0], us[1],
           us[2], all, floor, n / all * 1e-3, floor / all, wrong ? "WRONG" : "verified");
    fflush(stdout);
    if (wrong)
        stop(family, "the match is wrong");
}

/* From the host to the host, beside copying the match down alone. */
static void run_host(const char *family, uint32_t n, const uint64_t *parens, double download) {
    const double all = gpu_host_us(&options, parens, n);
    printf("host-to-host\t%s\t%u\t\t\t\t%.1f\t%.1f\t%.2f\t%.3f\tverified\n", family, n, all, download, n / all * 1e-3,
           download / all);
    fflush(stdout);
}

static void run_family(const char *family, uint32_t n, uint64_t *parens, double floor) {
    if (!family_fill(family, 1, n, parens))
        stop(family, "no such family");
    if (options.host) {
        run_host(family, n, parens, floor);
        return;
    }
    upload(parens, ((size_t)n + 63) / 64 * 8);
    for (unsigned id = 0; id < PM_PIPELINES; id++)
        run_pipeline((pm_pipeline_id)id, family, n, floor);
}

/* ---- Setting up ---- */

static void buffer_make(pm_memory_kind kind, uint64_t size, pm_buffer *buffer) {
    must(pm_buffer_create(&bench.device, kind, size, buffer), "memory of the device");
}

/* Enough for every pipeline and every length up to n. */
static uint64_t scratch_bytes(uint32_t n) {
    uint64_t most = 16;
    for (unsigned id = 0; id < PM_PIPELINES; id++)
        if (bench.pipelines[id].kind) {
            const uint64_t limit = pm_pipeline_limit(&bench.pipelines[id]);
            const uint64_t bytes = pm_pipeline_scratch_bytes(&bench.pipelines[id], limit < n ? (uint32_t)limit : n);
            most = bytes > most ? bytes : most;
        }
    return most;
}

static void buffers_make(uint32_t n) {
    buffer_make(PM_MEMORY_UPLOAD, STAGING_BYTES, &bench.staging);
    buffer_make(PM_MEMORY_DOWNLOAD, STAGING_BYTES, &bench.landing);
    buffer_make(PM_MEMORY_DEVICE, ((uint64_t)n + 127) / 128 * 16, &bench.parens);
    buffer_make(PM_MEMORY_DEVICE, scratch_bytes(n), &bench.scratch);
    buffer_make(PM_MEMORY_DOWNLOAD, 16 + 8 * CHUNKS_MOST, &bench.results);
    for (bench.chunk_shift = 30; (UINT64_C(4) << bench.chunk_shift) > bench.device.can.allocation_bytes;)
        bench.chunk_shift--;
    for (; bench.chunk_count < CHUNKS_MOST && chunk_elements(n, bench.chunk_count) > 0; bench.chunk_count++) {
        const uint64_t bytes = ((uint64_t)chunk_elements(n, bench.chunk_count) + 3) / 4 * 16;
        buffer_make(PM_MEMORY_DEVICE, bytes, &bench.chunks[bench.chunk_count]);
        ((uint64_t *)bench.results.mapped)[2 + bench.chunk_count] = bench.chunks[bench.chunk_count].address;
    }
}

static void bench_open(void) {
    pm_device *const device = &bench.device;
    must(pm_device_open(&options.settings, device), "opening the device");
    if (device->tick_ns == 0)
        stop(device->name, "its queue has no clock");
    for (unsigned id = 0; id < PM_PIPELINES; id++)
        if (!options.pipeline || strcmp(options.pipeline, pm_pipeline_name(id)) == 0)
            must(pm_pipeline_create(device, (pm_pipeline_id)id, &bench.pipelines[id]), pm_pipeline_name(id));
    must(pm_kernel_create(device, (pm_shader){floor_words, sizeof floor_words}, 0, &bench.floor), "kernels");
    must(pm_kernel_create(device, (pm_shader){verify_words, sizeof verify_words}, 0, &bench.verify), "kernels");
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = device->queue_family};
    must(pm_vk_status(device->vk->CreateCommandPool(device->handle, &pool, NULL, &bench.pool)), "commands");
    const VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                  .commandPool = bench.pool,
                                                  .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                  .commandBufferCount = 1};
    must(pm_vk_status(device->vk->AllocateCommandBuffers(device->handle, &commands, &bench.commands)), "commands");
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    must(pm_vk_status(device->vk->CreateFence(device->handle, &fence, NULL, &bench.fence)), "commands");
    const VkQueryPoolCreateInfo clock = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                         .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                         .queryCount = CLOCK_READINGS};
    must(pm_vk_status(device->vk->CreateQueryPool(device->handle, &clock, NULL, &bench.clock)), "the clock");
}

static void bench_close(void) {
    pm_device *const device = &bench.device;
    pm_buffer *const buffers[] = {&bench.staging, &bench.landing, &bench.parens, &bench.scratch, &bench.results};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pm_buffer_destroy(device, buffers[b]);
    for (unsigned c = 0; c < bench.chunk_count; c++)
        pm_buffer_destroy(device, &bench.chunks[c]);
    device->vk->DestroyQueryPool(device->handle, bench.clock, NULL);
    device->vk->DestroyFence(device->handle, bench.fence, NULL);
    device->vk->DestroyCommandPool(device->handle, bench.pool, NULL);
    pm_kernel_destroy(device, &bench.floor);
    pm_kernel_destroy(device, &bench.verify);
    for (unsigned id = 0; id < PM_PIPELINES; id++)
        pm_pipeline_destroy(device, &bench.pipelines[id]);
    pm_device_close(device);
}

static uint32_t elements(unsigned log) {
    return log < 32 ? UINT32_C(1) << log : UINT32_MAX;
}

int main(int argc, char **argv) {
    options = options_read(argc, argv);
    bench_open();
    buffers_make(elements(options.to));
    printf("# %s, queue family %u, teams are %ss\n", bench.device.name, bench.device.queue_family,
           bench.device.can.team_kind == PM_TEAM_SUBGROUP ? "subgroup" : "workgroup");
    printf(
        "pipeline\tfamily\tn\treduce_us\tscan_us\tmatch_us\tall_us\tfloor_us\tGelements_s\tshare_of_floor\tverified\n");
    uint64_t *const parens = malloc(((size_t)elements(options.to) + 63) / 64 * 8);
    if (!parens)
        stop("memory", "none");
    for (unsigned log = options.to;; log -= options.step) {
        const uint32_t n = elements(log);
        const double floor = all_us(NULL, &(pm_sequence){.n = n}, options.host ? record_download : record_floor);
        for (const char *const *family = families; *family && !options.family; family++)
            run_family(*family, n, parens, floor);
        if (options.family)
            run_family(options.family, n, parens, floor);
        if (log < options.from + options.step)
            break;
    }
    free(parens);
    bench_close();
    return 0;
}
