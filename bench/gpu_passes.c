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

#include "bench/gpu_timing.h"
#include "gpu/pipeline.h"
#include "tests/families.h"

enum {
    CHUNKS_MOST = 32,
    VERIFY_WORKGROUPS = 4096
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
    gpu_timing timing;
    pm_pipeline pipelines[PM_PIPELINES]; /* all zeros: not asked for */
    pm_kernel floor, verify;
    pm_buffer parens, scratch, results; /* results: the summary, what is wrong, the chunks' addresses */
    pm_buffer chunks[CHUNKS_MOST];
    unsigned chunk_count, chunk_shift;
} bench;

/* ---- What is timed ---- */

static uint32_t chunk_elements(uint32_t n, unsigned chunk) {
    const uint64_t begin = (uint64_t)chunk << bench.chunk_shift, rest = begin < n ? n - begin : 0;
    return rest >> bench.chunk_shift ? 1u << bench.chunk_shift : (uint32_t)rest;
}

/* A pipeline, and what it is given. */
typedef struct task {
    const pm_pipeline *pipeline;
    pm_sequence sequence;
} task;

static void record_stage(unsigned stage, const void *of) {
    const pm_pipeline *const pipeline = ((const task *)of)->pipeline;
    const pm_sequence *const sequence = &((const task *)of)->sequence;
    if (!pm_pipeline_has_stage(&bench.timing.device, pipeline, (pm_stage)stage, sequence->n))
        return;
    if (stage != PM_STAGE_MATCH)
        pm_pipeline_record(&bench.timing.device, bench.timing.commands, pipeline, (pm_stage)stage, sequence, 0,
                           sequence->n, 0);
    else
        for (unsigned c = 0; c < bench.chunk_count && chunk_elements(sequence->n, c) > 0; c++)
            pm_pipeline_record(&bench.timing.device, bench.timing.commands, pipeline, PM_STAGE_MATCH, sequence,
                               c << bench.chunk_shift, chunk_elements(sequence->n, c), bench.chunks[c].address);
    gpu_timing_barrier(&bench.timing);
}

static void record_floor(unsigned stage, const void *of) {
    const uint32_t n = *(const uint32_t *)of;
    (void)stage;
    for (unsigned c = 0; c < bench.chunk_count && chunk_elements(n, c) > 0; c++) {
        const pm_floor_parameters p = {.to = bench.chunks[c].address, .count = chunk_elements(n, c) / 4};
        pm_kernel_dispatch(&bench.timing.device, bench.timing.commands, &bench.floor, &p, sizeof p,
                           (p.count + PM_FLOOR_FOURS - 1) / PM_FLOOR_FOURS);
    }
    gpu_timing_barrier(&bench.timing);
}

/* ---- Verifying ---- */

/* The number of wrong elements. The match is filled with something else before. */
static uint32_t wrong_elements(const task *of) {
    const pm_sequence *const sequence = &of->sequence;
    uint32_t *const wrong = (uint32_t *)bench.results.mapped + 2;
    wrong[0] = 0;
    wrong[1] = UINT32_MAX;
    const pm_verify_parameters parameters = {.parens = sequence->parens,
                                             .chunks = bench.results.address + 16,
                                             .wrong = bench.results.address + 8,
                                             .n = sequence->n,
                                             .chunk_shift = bench.chunk_shift,
                                             .count = sequence->n};
    gpu_timing_begin(&bench.timing);
    record_floor(0, &sequence->n);
    for (unsigned stage = 0; stage < PM_STAGES; stage++)
        record_stage(stage, of);
    pm_kernel_dispatch(&bench.timing.device, bench.timing.commands, &bench.verify, &parameters, sizeof parameters,
                       VERIFY_WORKGROUPS);
    gpu_timing_run(&bench.timing);
    return wrong[0];
}

/* ---- Inputs ---- */

static void run_pipeline(pm_pipeline_id id, const char *family, uint32_t n, double floor) {
    const pm_pipeline *const pipeline = &bench.pipelines[id];
    const task of = {
        pipeline,
        {.n = n, .parens = bench.parens.address, .scratch = bench.scratch.address, .summary = bench.results.address}};
    if (!pipeline->kind || n > pm_pipeline_limit(pipeline))
        return;
    const uint32_t wrong = wrong_elements(&of);
    const double all = gpu_timing_all_us(&bench.timing, options.reps, record_stage, PM_STAGES, &of);
    double us[PM_STAGES];
    gpu_timing_stages_us(&bench.timing, options.reps, record_stage, PM_STAGES, &of, us);
    for (unsigned stage = 0; stage < PM_STAGES; stage++)
        us[stage] = pm_pipeline_has_stage(&bench.timing.device, pipeline, (pm_stage)stage, n) ? us[stage] : 0;
    printf("%s\t%s\t%u\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.2f\t%.3f\t%s\n", pm_pipeline_name(id), family, n, us[0], us[1],
           us[2], all, floor, n / all * 1e-3, floor / all, wrong ? "WRONG" : "verified");
    fflush(stdout);
    if (wrong)
        stop(family, "the match is wrong");
}

static void run_family(const char *family, uint32_t n, uint64_t *parens, double floor) {
    if (!family_fill(family, 1, n, parens))
        stop(family, "no such family");
    gpu_timing_upload(&bench.timing, parens, ((uint64_t)n + 63) / 64 * 8, &bench.parens);
    for (unsigned id = 0; id < PM_PIPELINES; id++)
        run_pipeline((pm_pipeline_id)id, family, n, floor);
}

/* ---- Setting up ---- */

static void buffer_make(pm_memory_kind kind, uint64_t size, pm_buffer *buffer) {
    must(pm_buffer_create(&bench.timing.device, kind, size, buffer), "memory of the device");
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
    buffer_make(PM_MEMORY_DEVICE, ((uint64_t)n + 127) / 128 * 16, &bench.parens);
    buffer_make(PM_MEMORY_DEVICE, scratch_bytes(n), &bench.scratch);
    buffer_make(PM_MEMORY_DOWNLOAD, 16 + 8 * CHUNKS_MOST, &bench.results);
    for (bench.chunk_shift = 30; (UINT64_C(4) << bench.chunk_shift) > bench.timing.device.can.allocation_bytes;)
        bench.chunk_shift--;
    for (; bench.chunk_count < CHUNKS_MOST && chunk_elements(n, bench.chunk_count) > 0; bench.chunk_count++) {
        const uint64_t bytes = ((uint64_t)chunk_elements(n, bench.chunk_count) + 3) / 4 * 16;
        buffer_make(PM_MEMORY_DEVICE, bytes, &bench.chunks[bench.chunk_count]);
        ((uint64_t *)bench.results.mapped)[2 + bench.chunk_count] = bench.chunks[bench.chunk_count].address;
    }
}

static void bench_open(void) {
    pm_device *const device = &bench.timing.device;
    gpu_timing_open(&options.settings, &bench.timing);
    for (unsigned id = 0; id < PM_PIPELINES; id++)
        if (!options.pipeline || strcmp(options.pipeline, pm_pipeline_name(id)) == 0)
            must(pm_pipeline_create(device, (pm_pipeline_id)id, &bench.pipelines[id]), pm_pipeline_name(id));
    must(pm_kernel_create(device, (pm_shader){floor_words, sizeof floor_words}, 0, &bench.floor), "kernels");
    must(pm_kernel_create(device, (pm_shader){verify_words, sizeof verify_words}, 0, &bench.verify), "kernels");
}

static void bench_close(void) {
    pm_device *const device = &bench.timing.device;
    pm_buffer *const buffers[] = {&bench.parens, &bench.scratch, &bench.results};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pm_buffer_destroy(device, buffers[b]);
    for (unsigned c = 0; c < bench.chunk_count; c++)
        pm_buffer_destroy(device, &bench.chunks[c]);
    pm_kernel_destroy(device, &bench.floor);
    pm_kernel_destroy(device, &bench.verify);
    for (unsigned id = 0; id < PM_PIPELINES; id++)
        pm_pipeline_destroy(device, &bench.pipelines[id]);
    gpu_timing_close(&bench.timing);
}

static uint32_t elements(unsigned log) {
    return log < 32 ? UINT32_C(1) << log : UINT32_MAX;
}

int main(int argc, char **argv) {
    options = options_read(argc, argv);
    bench_open();
    buffers_make(elements(options.to));
    printf("# %s, queue family %u, teams are %ss\n", bench.timing.device.name, bench.timing.device.queue_family,
           bench.timing.device.can.team_kind == PM_TEAM_SUBGROUP ? "subgroup" : "workgroup");
    printf(
        "pipeline\tfamily\tn\treduce_us\tscan_us\tmatch_us\tall_us\tfloor_us\tGelements_s\tshare_of_floor\tverified\n");
    uint64_t *const parens = malloc(((size_t)elements(options.to) + 63) / 64 * 8);
    if (!parens)
        stop("memory", "none");
    for (unsigned log = options.to;; log -= options.step) {
        const uint32_t n = elements(log);
        const double floor = gpu_timing_all_us(&bench.timing, options.reps, record_floor, 1, &n);
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
