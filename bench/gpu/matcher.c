/* SPDX-License-Identifier: Apache-2.0 */
/* The device, its buffers and kernels. */
#include "bench/gpu/matcher.h"

#include <string.h>

#include "shaders/spv/match.h"

enum {
    CHUNKS_MOST = 32,
    VERIFY_WORKGROUPS = 4096
};

/* Everything on the device. The match lies in chunks of 2^chunk_shift elements. */
static struct matcher {
    gpu_timing timing;
    pmi_pipeline pipelines[PM_PIPELINES]; /* all zeros: not opened */
    pmi_kernel write, expand, copy, verify;
    pmi_buffer source, parens, scratch, results; /* results: the summary, what is wrong, the chunks' addresses */
    pmi_buffer chunks[CHUNKS_MOST];
    unsigned chunk_count, chunk_shift;
} matcher;

/* ---- What is timed ---- */

static uint32_t chunk_elements(uint32_t n, unsigned chunk) {
    const uint64_t begin = (uint64_t)chunk << matcher.chunk_shift, rest = begin < n ? n - begin : 0;
    return rest >> matcher.chunk_shift ? 1u << matcher.chunk_shift : (uint32_t)rest;
}

static void record_stage(const pmi_pipeline *pipeline, pmi_stage stage, const pmi_sequence *sequence) {
    if (!pmi_pipeline_has_stage(&matcher.timing.device, pipeline, stage, sequence->n))
        return;
    if (stage != PM_STAGE_MATCH)
        pmi_pipeline_record(&matcher.timing.device, matcher.timing.commands, pipeline, stage, sequence, 0, sequence->n,
                            0);
    else
        for (unsigned c = 0; c < matcher.chunk_count && chunk_elements(sequence->n, c) > 0; c++)
            pmi_pipeline_record(&matcher.timing.device, matcher.timing.commands, pipeline, stage, sequence,
                                c << matcher.chunk_shift, chunk_elements(sequence->n, c), matcher.chunks[c].address);
    gpu_timing_barrier(&matcher.timing);
}

static pmi_sequence sequence_of(uint32_t n) {
    return (pmi_sequence){.n = n,
                          .parens = matcher.parens.address,
                          .scratch = matcher.scratch.address,
                          .summary = matcher.results.address};
}

static void record_stages(const pmi_pipeline *pipeline, const pmi_sequence *sequence) {
    for (unsigned stage = 0; stage < PM_STAGES; stage++)
        record_stage(pipeline, (pmi_stage)stage, sequence);
}

/* Four words at a time; the next chunk reads `step` bytes further on. */
static void record_kernel(const pmi_kernel *kernel, uint32_t n, uint64_t from, uint64_t step) {
    for (unsigned c = 0; c < matcher.chunk_count && chunk_elements(n, c) > 0; c++) {
        const pmi_floor_parameters p = {
            .to = matcher.chunks[c].address, .from = from + c * step, .count = chunk_elements(n, c) / 4};
        pmi_kernel_dispatch(&matcher.timing.device, matcher.timing.commands, kernel, &p, sizeof p,
                            (p.count + PM_FLOOR_FOURS - 1) / PM_FLOOR_FOURS);
    }
    gpu_timing_barrier(&matcher.timing);
}

static void record_write(uint32_t n) {
    record_kernel(&matcher.write, n, 0, 0);
}

static void record_expand(uint32_t n) {
    record_kernel(&matcher.expand, n, matcher.parens.address, UINT64_C(1) << matcher.chunk_shift >> 3);
}

/* Each chunk from the same source, which is as long as the first. */
static void record_copy(uint32_t n) {
    record_kernel(&matcher.copy, n, matcher.source.address, 0);
}

static void record_download(uint32_t n) {
    for (unsigned c = 0; c < matcher.chunk_count && chunk_elements(n, c) > 0; c++)
        for (uint64_t done = 0, all = 4 * (uint64_t)chunk_elements(n, c); done < all; done += STAGING_BYTES) {
            const VkBufferCopy copy = {.srcOffset = done,
                                       .size = all - done < STAGING_BYTES ? all - done : STAGING_BYTES};
            matcher.timing.device.vk->CmdCopyBuffer(matcher.timing.commands, matcher.chunks[c].handle,
                                                    matcher.timing.staging.handle, 1, &copy);
        }
    pmi_device_barrier(&matcher.timing.device, matcher.timing.commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
}

/* Overwrites the scratch, where another kernel may have left the right values. */
static void record_overwriting(void) {
    matcher.timing.device.vk->CmdFillBuffer(matcher.timing.commands, matcher.scratch.handle, 0, VK_WHOLE_SIZE,
                                            0x55555555u);
    pmi_device_barrier(&matcher.timing.device, matcher.timing.commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

/* ---- Times ---- */

/* The stages of a pipeline or, if that is NULL, a floor. */
typedef struct timed {
    const pmi_pipeline *pipeline;
    void (*floor)(uint32_t n);
    uint32_t n;
} timed;

static void record_timed(unsigned stage, const void *of) {
    const timed *const what = of;
    const pmi_sequence sequence = sequence_of(what->n);
    if (what->pipeline)
        record_stage(what->pipeline, (pmi_stage)stage, &sequence);
    else
        what->floor(what->n);
}

void gpu_matcher_time(const pmi_pipeline *pipeline, uint32_t n, unsigned repetitions, double *us) {
    const timed what = {.pipeline = pipeline, .n = n};
    gpu_timing_settled_us(&matcher.timing, repetitions, record_timed, PM_STAGES, &what, us);
}

bool gpu_matcher_time_floor(gpu_floor floor, uint32_t n, unsigned repetitions, double *us) {
    static void (*const records[])(uint32_t n) = {[GPU_FLOOR_WRITE] = record_write,
                                                  [GPU_FLOOR_EXPAND] = record_expand,
                                                  [GPU_FLOOR_COPY] = record_copy,
                                                  [GPU_FLOOR_DOWNLOAD] = record_download};
    const timed what = {.floor = records[floor], .n = n};
    if (floor == GPU_FLOOR_COPY &&
        pmi_buffer_reserve(&matcher.timing.device, PM_MEMORY_DEVICE, matcher.chunks[0].size, &matcher.source) != PM_OK)
        return false;
    gpu_timing_settled_us(&matcher.timing, repetitions, record_timed, 1, &what, us);
    return true;
}

gpu_times gpu_matcher_take(const pmi_pipeline *pipeline, uint32_t n, unsigned repetitions) {
    const timed what = {.pipeline = pipeline, .n = n};
    gpu_times times = gpu_timing_take(&matcher.timing, repetitions, record_timed, PM_STAGES, &what);
    for (unsigned stage = 0; stage < PM_STAGES; stage++)
        if (!pmi_pipeline_has_stage(&matcher.timing.device, pipeline, (pmi_stage)stage, n))
            times.stage_us[stage] = 0;
    return times;
}

uint32_t gpu_matcher_wrong(const pmi_pipeline *pipeline, uint32_t n) {
    uint32_t *const wrong = (uint32_t *)matcher.results.mapped + 2;
    const pmi_sequence sequence = sequence_of(n);
    wrong[0] = 0;
    wrong[1] = UINT32_MAX;
    const pmi_verify_parameters parameters = {.parens = sequence.parens,
                                              .chunks = matcher.results.address + 16,
                                              .wrong = matcher.results.address + 8,
                                              .n = n,
                                              .chunk_shift = matcher.chunk_shift,
                                              .count = n};
    gpu_timing_begin(&matcher.timing);
    record_write(n);
    record_overwriting();
    record_stages(pipeline, &sequence);
    pmi_kernel_dispatch(&matcher.timing.device, matcher.timing.commands, &matcher.verify, &parameters,
                        sizeof parameters, VERIFY_WORKGROUPS);
    gpu_timing_run(&matcher.timing);
    return wrong[0];
}

/* ---- Inputs ---- */

void gpu_matcher_load(const uint64_t *parens, uint32_t n) {
    gpu_timing_upload(&matcher.timing, parens, ((uint64_t)n + 63) / 64 * 8, &matcher.parens);
}

/* ---- Setting up ---- */

static void buffer_make(pmi_memory_kind kind, uint64_t size, pmi_buffer *buffer) {
    must(pmi_buffer_create(&matcher.timing.device, kind, size, buffer), "memory of the device");
}

/* Enough for every pipeline and every length up to n. */
static uint64_t scratch_bytes(uint32_t n) {
    uint64_t most = 16;
    for (unsigned id = 0; id < PM_PIPELINES; id++)
        if (matcher.pipelines[id].kind) {
            const uint64_t limit = pmi_pipeline_limit(&matcher.pipelines[id]);
            const uint64_t bytes = pmi_pipeline_scratch_bytes(&matcher.pipelines[id], limit < n ? (uint32_t)limit : n);
            most = bytes > most ? bytes : most;
        }
    return most;
}

static void buffers_make(uint32_t n) {
    buffer_make(PM_MEMORY_DEVICE, ((uint64_t)n + 127) / 128 * 16, &matcher.parens);
    buffer_make(PM_MEMORY_DEVICE, scratch_bytes(n), &matcher.scratch);
    buffer_make(PM_MEMORY_DOWNLOAD, 16 + 8 * CHUNKS_MOST, &matcher.results);
    for (matcher.chunk_shift = 30; (UINT64_C(4) << matcher.chunk_shift) > matcher.timing.device.can.allocation_bytes;)
        matcher.chunk_shift--;
    for (; matcher.chunk_count < CHUNKS_MOST && chunk_elements(n, matcher.chunk_count) > 0; matcher.chunk_count++) {
        const uint64_t bytes = ((uint64_t)chunk_elements(n, matcher.chunk_count) + 3) / 4 * 16;
        buffer_make(PM_MEMORY_DEVICE, bytes, &matcher.chunks[matcher.chunk_count]);
        ((uint64_t *)matcher.results.mapped)[2 + matcher.chunk_count] = matcher.chunks[matcher.chunk_count].address;
    }
}

/* The pipelines, or the one that is named; not those that the device cannot have. */
static void pipelines_make(const char *name) {
    for (unsigned id = 0; id < PM_PIPELINES; id++) {
        if (name && strcmp(name, pm_pipeline_at(id)->name) != 0)
            continue;
        const pm_status status =
            pmi_pipeline_create(&matcher.timing.device, (pmi_pipeline_id)id, &matcher.pipelines[id]);
        if (status != PM_UNSUPPORTED || name)
            must(status, pm_pipeline_at(id)->name);
    }
}

pm_status gpu_matcher_open(const pmi_gpu_settings *settings, const char *pipeline, uint32_t n) {
    const pm_status status = gpu_timing_try(settings, &matcher.timing);
    if (status != PM_OK)
        return status;
    const pmi_device *const device = &matcher.timing.device;
    pipelines_make(pipeline);
    must(pmi_kernel_create(device, PM_SHADER(spv_match_floor), 0, &matcher.write), "kernels");
    must(pmi_kernel_create(device, PM_SHADER(spv_match_floor_expand), 0, &matcher.expand), "kernels");
    must(pmi_kernel_create(device, PM_SHADER(spv_match_floor_copy), 0, &matcher.copy), "kernels");
    must(pmi_kernel_create(device, PM_SHADER(spv_match_verify), 0, &matcher.verify), "kernels");
    buffers_make(n);
    return PM_OK;
}

gpu_timing *gpu_matcher_timing(void) {
    return &matcher.timing;
}

const pmi_pipeline *gpu_matcher_pipeline(pmi_pipeline_id id, uint32_t n) {
    const pmi_pipeline *const pipeline = &matcher.pipelines[id];
    return pipeline->kind && n <= pmi_pipeline_limit(pipeline) ? pipeline : NULL;
}

void gpu_matcher_close(void) {
    const pmi_device *const device = &matcher.timing.device;
    pmi_buffer *const buffers[] = {&matcher.source, &matcher.parens, &matcher.scratch, &matcher.results};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pmi_buffer_destroy(device, buffers[b]);
    for (unsigned c = 0; c < matcher.chunk_count; c++)
        pmi_buffer_destroy(device, &matcher.chunks[c]);
    pmi_kernel_destroy(device, &matcher.write);
    pmi_kernel_destroy(device, &matcher.expand);
    pmi_kernel_destroy(device, &matcher.copy);
    pmi_kernel_destroy(device, &matcher.verify);
    for (unsigned id = 0; id < PM_PIPELINES; id++)
        pmi_pipeline_destroy(device, &matcher.pipelines[id]);
    gpu_timing_close(&matcher.timing);
    matcher = (struct matcher){0};
}
