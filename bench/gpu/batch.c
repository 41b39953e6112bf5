/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite batch: many sequences of random bits, stage by stage and all together, elements and offsets being on the
 * device; the floor is one match of all elements. Every result is compared with that of several threads of the host.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/bench.h"
#include "gpu/match/batch.h"
#include "inputs/families.h"

/* Lengths: the same number for each, or random ones below it. */
static const char *const families[] = {"each:8", "each:64", "each:1000", "each:100000", "below:2000", NULL};

enum {
    REDUCE,
    SCAN,
    MATCH,
    TOTALS, /* when match ends, without waiting for its end */
    STAGES
};

static struct bench {
    gpu_timing timing;
    pmi_levels levels;
    pmi_batch_kernels kernels;
    pmi_buffer parens, offsets, scratch, match, totals;
    uint64_t *host_parens, *host_offsets; /* from here on: on the host */
    uint32_t *found, *expected;
    pm_bic *expected_totals;
    double floor_us;
} bench;

/* A batch, or if it has no sequences, one match. */
struct job {
    uint32_t n;
    size_t count;
};

/* ---- What is timed ---- */

static void record_stage(unsigned stage, const void *of) {
    const struct job *const job = of;
    const pmi_device *const device = &bench.timing.device;
    const VkCommandBuffer commands = bench.timing.commands;
    const uint32_t tiles = pmi_levels_tiles(job->n);
    pmi_levels_parameters p =
        pmi_levels_parameters_make(job->n, bench.parens.address, bench.scratch.address + 16, bench.scratch.address);
    pmi_batch_parameters_add(&p, bench.offsets.address, (uint32_t)job->count);
    if (stage == REDUCE)
        pmi_levels_record_reduce(device, commands, &bench.levels, p, 0, p.superblocks);
    else if (stage == SCAN && job->count > 0)
        pmi_levels_record_scan_of_any(device, commands, &bench.levels, p);
    else if (stage == SCAN)
        pmi_levels_record_scan(device, commands, &bench.levels, p);
    else if (stage == MATCH && job->count > 0)
        pmi_batch_record_match(device, commands, &bench.kernels, p, 0, tiles, bench.match.address);
    else if (stage == MATCH)
        pmi_levels_record_match(device, commands, &bench.levels, p, 0, tiles, bench.match.address);
    else if (job->count > 0)
        pmi_batch_record_totals(device, commands, &bench.kernels, p, bench.totals.address);
    if (stage != MATCH)
        gpu_timing_barrier(&bench.timing);
}

/* ---- Batches ---- */

static bool totals_are_right(size_t count) {
    for (size_t s = 0; s < count; s++)
        if (bench.found[2 * s] != bench.expected_totals[s].close ||
            bench.found[2 * s + 1] != bench.expected_totals[s].open)
            return false;
    return true;
}

static enum gpu_verdict verify(const struct job *job) {
    gpu_timing_once(&bench.timing, record_stage, STAGES, job);
    gpu_timing_download(&bench.timing, &bench.match, (uint64_t)job->n * 4, bench.found);
    bool right = memcmp(bench.found, bench.expected, (size_t)job->n * 4) == 0;
    gpu_timing_download(&bench.timing, &bench.totals, job->count * 8, bench.found);
    right = right && totals_are_right(job->count);
    return right ? GPU_VERIFIED : GPU_WRONG;
}

/* Returns how many sequences there are. */
static size_t offsets_fill(const char *family, uint32_t n) {
    const bool random = strncmp(family, "below:", 6) == 0;
    const char *const colon = strchr(family, ':');
    const uint64_t length = colon ? strtoull(colon + 1, NULL, 10) : 0;
    uint64_t seed = 1;
    size_t count = 0;
    if (length < 2 || (!random && strncmp(family, "each:", 5) != 0))
        stop(family, "lengths are each:N or below:N, N at least 2");
    for (uint64_t at = 0; at < n; count++) {
        at += random ? 1 + random_below(&seed, length - 1) : length;
        bench.host_offsets[count + 1] = at < n ? at : n;
    }
    return count;
}

static void run(const char *family, uint32_t n) {
    const struct job job = {.n = n, .count = offsets_fill(family, n)};
    gpu_timing_upload(&bench.timing, bench.host_offsets, (job.count + 1) * sizeof *bench.host_offsets, &bench.offsets);
    must(pm_match_batch_omp(NULL, bench.host_parens, bench.host_offsets, job.count, bench.expected,
                            bench.expected_totals),
         "batches on the host");
    const enum gpu_verdict verdict = verify(&job);
    gpu_times times = gpu_timing_take(&bench.timing, gpu_options.repetitions, record_stage, STAGES, &job);
    times.floor_us = bench.floor_us;
    gpu_row(&times, n, verdict, "%s\t%u", family, n);
}

static void begin(uint32_t n) {
    const struct job one = {.n = n};
    if (!family_fill("bits", 1, n, bench.host_parens))
        stop("bits", "no such family");
    gpu_timing_upload(&bench.timing, bench.host_parens, ((uint64_t)n + 63) / 64 * 8, &bench.parens);
    bench.floor_us = gpu_timing_all_us(&bench.timing, gpu_options.repetitions, record_stage, STAGES, &one);
}

/* ---- Setting up ---- */

static gpu_timing *bench_open(uint32_t n) {
    const gpu_timing *const timing = &bench.timing;
    const uint64_t most = (uint64_t)n / 2 + 2; /* sequences, and one offset more */
    gpu_timing_open(&gpu_options.settings, &bench.timing);
    must(pmi_levels_create(&timing->device, &bench.levels), "kernels");
    must(pmi_batch_kernels_create(&timing->device, &bench.kernels), "kernels");
    gpu_timing_reserve(timing, ((uint64_t)n + 127) / 128 * 16, &bench.parens);
    gpu_timing_reserve(timing, most * 8, &bench.offsets);
    gpu_timing_reserve(timing, pmi_levels_scratch_bytes(n) + 16, &bench.scratch);
    gpu_timing_reserve(timing, (uint64_t)n * 4, &bench.match);
    gpu_timing_reserve(timing, most * 8, &bench.totals);
    bench.host_parens = must_allocate(((size_t)n + 63) / 64 * 8);
    bench.host_offsets = must_allocate(most * sizeof *bench.host_offsets);
    bench.host_offsets[0] = 0;
    bench.found = must_allocate(((size_t)n + 4) * sizeof *bench.found);
    bench.expected = must_allocate((size_t)n * sizeof *bench.expected);
    bench.expected_totals = must_allocate(most * sizeof *bench.expected_totals);
    return &bench.timing;
}

static void bench_close(void) {
    pmi_device *const device = &bench.timing.device;
    pmi_buffer *const buffers[] = {&bench.parens, &bench.offsets, &bench.scratch, &bench.match, &bench.totals};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pmi_buffer_destroy(device, buffers[b]);
    pmi_batch_kernels_destroy(device, &bench.kernels);
    pmi_levels_destroy(device, &bench.levels);
    gpu_timing_close(&bench.timing);
    free(bench.host_parens);
    free(bench.host_offsets);
    free(bench.found);
    free(bench.expected);
    free(bench.expected_totals);
}

const struct gpu_suite gpu_suite_batch = {
    .name = "batch",
    .description = "many sequences, stage by stage; the floor is one match of all elements",
    .columns = "lengths\tn\treduce_us\tscan_us\tmatch_us\ttotals_us\tall_us\tfloor_us\tGelements_s\tshare_of_floor\t"
               "verified",
    .families = families,
    .log_least = 3,
    .log_most = 28,
    .log_from = 20,
    .open = bench_open,
    .begin = begin,
    .run = run,
    .close = bench_close};
