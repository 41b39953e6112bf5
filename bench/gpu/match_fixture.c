/* SPDX-License-Identifier: Apache-2.0 */
/* The one device that is open, with all that lies on it. */
#include "bench/gpu/match_fixture.h"

#include <string.h>

#include "bench/gpu/timing.h"
#include "shaders/spv/match.h"

enum {
    CHUNKS_MOST = 32,
    VERIFY_WORKGROUPS = 4096
};

_Static_assert(GPU_BED_REPETITIONS <= REPETITIONS_MOST && (unsigned)PM_STAGES <= TIMED_STAGES_MOST,
               "what can be timed");

/* Everything on the device. The match lies in chunks of 2^chunk_shift elements. */
static struct gpu_bed {
    gpu_timing timing;
    pmi_pipeline pipelines[PM_PIPELINES]; /* all zeros: not asked for */
    pmi_kernel write, expand, copy, verify;
    pmi_buffer source, parens, scratch, results; /* results: the summary, what is wrong, the chunks' addresses */
    pmi_buffer chunks[CHUNKS_MOST];
    unsigned chunk_count, chunk_shift;
} bed;

/* ---- What is timed ---- */

static uint32_t chunk_elements(uint32_t n, unsigned chunk) {
    const uint64_t begin = (uint64_t)chunk << bed.chunk_shift, rest = begin < n ? n - begin : 0;
    return rest >> bed.chunk_shift ? 1u << bed.chunk_shift : (uint32_t)rest;
}

static void record_stage(const pmi_pipeline *pipeline, pm_stage stage, const pmi_sequence *sequence) {
    if (!pmi_pipeline_has_stage(&bed.timing.device, pipeline, stage, sequence->n))
        return;
    if (stage != PM_STAGE_MATCH)
        pmi_pipeline_record(&bed.timing.device, bed.timing.commands, pipeline, stage, sequence, 0, sequence->n, 0);
    else
        for (unsigned c = 0; c < bed.chunk_count && chunk_elements(sequence->n, c) > 0; c++)
            pmi_pipeline_record(&bed.timing.device, bed.timing.commands, pipeline, stage, sequence,
                                c << bed.chunk_shift, chunk_elements(sequence->n, c), bed.chunks[c].address);
    gpu_timing_barrier(&bed.timing);
}

static pmi_sequence sequence_of(uint32_t n) {
    return (pmi_sequence){
        .n = n, .parens = bed.parens.address, .scratch = bed.scratch.address, .summary = bed.results.address};
}

static void record_stages(const pmi_pipeline *pipeline, const pmi_sequence *sequence) {
    for (unsigned stage = 0; stage < PM_STAGES; stage++)
        record_stage(pipeline, (pm_stage)stage, sequence);
}

/* Four words at a time; from chunk to chunk what is read goes on by `step` bytes. */
static void record_kernel(const pmi_kernel *kernel, uint32_t n, uint64_t from, uint64_t step) {
    for (unsigned c = 0; c < bed.chunk_count && chunk_elements(n, c) > 0; c++) {
        const pmi_floor_parameters p = {
            .to = bed.chunks[c].address, .from = from + c * step, .count = chunk_elements(n, c) / 4};
        pmi_kernel_dispatch(&bed.timing.device, bed.timing.commands, kernel, &p, sizeof p,
                            (p.count + PM_FLOOR_FOURS - 1) / PM_FLOOR_FOURS);
    }
    gpu_timing_barrier(&bed.timing);
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
            bed.timing.device.vk->CmdCopyBuffer(bed.timing.commands, bed.chunks[c].handle, bed.timing.staging.handle, 1,
                                                &copy);
        }
    pmi_device_barrier(&bed.timing.device, bed.timing.commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
}

/* Overwrites the scratch, in which another kernel may have left what this one should. */
static void record_forgetting(void) {
    bed.timing.device.vk->CmdFillBuffer(bed.timing.commands, bed.scratch.handle, 0, VK_WHOLE_SIZE, 0x55555555u);
    pmi_device_barrier(&bed.timing.device, bed.timing.commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

/* ---- Times ---- */

/* What is timed: the stages of a pipeline or, if that is NULL, one of the floors. */
typedef struct timed {
    const pmi_pipeline *pipeline;
    void (*floor)(uint32_t n);
    uint32_t n;
} timed;

static void record_timed(unsigned stage, const void *of) {
    const timed *const what = of;
    const pmi_sequence sequence = sequence_of(what->n);
    if (what->pipeline)
        record_stage(what->pipeline, (pm_stage)stage, &sequence);
    else
        what->floor(what->n);
}

static void time_all(timed what, unsigned repetitions, double *us) {
    gpu_timing_settled_us(&bed.timing, repetitions, record_timed, what.pipeline ? PM_STAGES : 1, &what, us);
}

void gpu_bed_time(const pmi_pipeline *pipeline, uint32_t n, unsigned repetitions, double *us) {
    time_all((timed){.pipeline = pipeline, .floor = record_write, .n = n}, repetitions, us);
}

bool gpu_bed_time_floor(gpu_floor floor, uint32_t n, unsigned repetitions, double *us) {
    static void (*const records[])(uint32_t n) = {[GPU_FLOOR_WRITE] = record_write,
                                                  [GPU_FLOOR_EXPAND] = record_expand,
                                                  [GPU_FLOOR_COPY] = record_copy,
                                                  [GPU_FLOOR_DOWNLOAD] = record_download};
    if (floor == GPU_FLOOR_COPY &&
        pmi_buffer_reserve(&bed.timing.device, PM_MEMORY_DEVICE, bed.chunks[0].size, &bed.source) != PM_OK)
        return false;
    time_all((timed){.floor = records[floor], .n = n}, repetitions, us);
    return true;
}

void gpu_bed_time_stages(const pmi_pipeline *pipeline, uint32_t n, unsigned repetitions, double us[PM_STAGES]) {
    const timed what = {.pipeline = pipeline, .n = n};
    gpu_timing_stages_us(&bed.timing, repetitions, record_timed, PM_STAGES, &what, us);
    for (unsigned stage = 0; stage < PM_STAGES; stage++)
        if (!pmi_pipeline_has_stage(&bed.timing.device, pipeline, (pm_stage)stage, n))
            us[stage] = 0;
}

uint32_t gpu_bed_wrong(const pmi_pipeline *pipeline, uint32_t n) {
    uint32_t *const wrong = (uint32_t *)bed.results.mapped + 2;
    const pmi_sequence sequence = sequence_of(n);
    wrong[0] = 0;
    wrong[1] = UINT32_MAX;
    const pmi_verify_parameters parameters = {.parens = sequence.parens,
                                              .chunks = bed.results.address + 16,
                                              .wrong = bed.results.address + 8,
                                              .n = n,
                                              .chunk_shift = bed.chunk_shift,
                                              .count = n};
    gpu_timing_begin(&bed.timing);
    record_write(n);
    record_forgetting();
    record_stages(pipeline, &sequence);
    pmi_kernel_dispatch(&bed.timing.device, bed.timing.commands, &bed.verify, &parameters, sizeof parameters,
                        VERIFY_WORKGROUPS);
    gpu_timing_run(&bed.timing);
    return wrong[0];
}

/* ---- Inputs ---- */

void gpu_bed_load(const uint64_t *parens, uint32_t n) {
    gpu_timing_upload(&bed.timing, parens, ((uint64_t)n + 63) / 64 * 8, &bed.parens);
}

/* ---- Setting up ---- */

static void buffer_make(pmi_memory_kind kind, uint64_t size, pmi_buffer *buffer) {
    must(pmi_buffer_create(&bed.timing.device, kind, size, buffer), "memory of the device");
}

/* Enough for every pipeline and every length up to n. */
static uint64_t scratch_bytes(uint32_t n) {
    uint64_t most = 16;
    for (unsigned id = 0; id < PM_PIPELINES; id++)
        if (bed.pipelines[id].kind) {
            const uint64_t limit = pmi_pipeline_limit(&bed.pipelines[id]);
            const uint64_t bytes = pmi_pipeline_scratch_bytes(&bed.pipelines[id], limit < n ? (uint32_t)limit : n);
            most = bytes > most ? bytes : most;
        }
    return most;
}

static void buffers_make(uint32_t n) {
    buffer_make(PM_MEMORY_DEVICE, ((uint64_t)n + 127) / 128 * 16, &bed.parens);
    buffer_make(PM_MEMORY_DEVICE, scratch_bytes(n), &bed.scratch);
    buffer_make(PM_MEMORY_DOWNLOAD, 16 + 8 * CHUNKS_MOST, &bed.results);
    for (bed.chunk_shift = 30; (UINT64_C(4) << bed.chunk_shift) > bed.timing.device.can.allocation_bytes;)
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
        if (name && strcmp(name, pm_pipeline_at(id)->name) != 0)
            continue;
        const pm_status status = pmi_pipeline_create(&bed.timing.device, (pmi_pipeline_id)id, &bed.pipelines[id]);
        if (status != PM_UNSUPPORTED || name)
            must(status, pm_pipeline_at(id)->name);
    }
}

pm_status gpu_bed_open(const pmi_gpu_settings *settings, const char *pipeline, uint32_t n) {
    const pm_status status = gpu_timing_try(settings, &bed.timing);
    if (status != PM_OK)
        return status;
    const pmi_device *const device = &bed.timing.device;
    pipelines_make(pipeline);
    must(pmi_kernel_create(device, (pmi_shader){spv_match_floor, sizeof spv_match_floor}, 0, &bed.write), "kernels");
    must(pmi_kernel_create(device, (pmi_shader){spv_match_floor_expand, sizeof spv_match_floor_expand}, 0, &bed.expand),
         "kernels");
    must(pmi_kernel_create(device, (pmi_shader){spv_match_floor_copy, sizeof spv_match_floor_copy}, 0, &bed.copy),
         "kernels");
    must(pmi_kernel_create(device, (pmi_shader){spv_match_verify, sizeof spv_match_verify}, 0, &bed.verify), "kernels");
    buffers_make(n);
    return PM_OK;
}

const pmi_device *gpu_bed_device(void) {
    return &bed.timing.device;
}

const pmi_pipeline *gpu_bed_pipeline(pmi_pipeline_id id, uint32_t n) {
    const pmi_pipeline *const pipeline = &bed.pipelines[id];
    return pipeline->kind && n <= pmi_pipeline_limit(pipeline) ? pipeline : NULL;
}

void gpu_bed_close(void) {
    const pmi_device *const device = &bed.timing.device;
    pmi_buffer *const buffers[] = {&bed.source, &bed.parens, &bed.scratch, &bed.results};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pmi_buffer_destroy(device, buffers[b]);
    for (unsigned c = 0; c < bed.chunk_count; c++)
        pmi_buffer_destroy(device, &bed.chunks[c]);
    pmi_kernel_destroy(device, &bed.write);
    pmi_kernel_destroy(device, &bed.expand);
    pmi_kernel_destroy(device, &bed.copy);
    pmi_kernel_destroy(device, &bed.verify);
    for (unsigned id = 0; id < PM_PIPELINES; id++)
        pmi_pipeline_destroy(device, &bed.pipelines[id]);
    gpu_timing_close(&bed.timing);
    bed = (struct gpu_bed){0};
}
