/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite scan: scans of trees, part by part and all together, sequence and values being on the device; the floor is
 * copying the values. Every result is compared with that of several threads of the host. A size counts parentheses, so
 * there is a value for every second element.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/bench.h"
#include "bench/suites/tree_values.h"
#include "gpu/trees/scan.h"
#include "inputs/families.h"
#include "shaders/spv/match.h"

static const char *const families[] = {"random", "zigzag", "flat", "deep", "saw:5000", "twist:.5", NULL};

/* A monoid and a direction. */
static const struct subject {
    const char *name;
    const pm_gpu_monoid *(*gpu)(void);
    const pm_monoid *(*host)(void);
    bool up, exclusive;
} subjects[] = {{"down-sum", pm_gpu_monoid_sum_u64, pm_monoid_sum_u64, false, false},
                {"up-sum", pm_gpu_monoid_sum_u64, pm_monoid_sum_u64, true, false},
                {"up-union", pm_gpu_monoid_box_union, pm_monoid_box_union, true, false},
                {"down-affine", pm_gpu_monoid_affine, pm_monoid_affine, false, false},
                {"down-affine-exclusive", pm_gpu_monoid_affine, pm_monoid_affine, false, true},
                {"up-affine", pm_gpu_monoid_affine, pm_monoid_affine, true, false}};

/* The parts that are timed alone. Of a scan down, products stand for chains and jumps. Only it has survivors. */
enum {
    LINKS,
    PRODUCTS,
    SURVIVORS,
    RESULTS,
    PARTS
};

static struct bench {
    gpu_timing timing;
    pmi_levels levels;
    pmi_nodes nodes;
    pmi_kernel floor;
    pmi_buffer parens, given, results, scratch;
    uint64_t *host_parens; /* from here on: on the host */
    unsigned char *host_values, *expected, *found;
} bench;

/* The scan that is timed. */
struct job {
    const struct subject *subject;
    pmi_monoid_kernels kernels;
    pmi_tree_scanner scanner;
    pmi_tree_scan scan;
};

/* ---- What is timed ---- */

static void record_part(unsigned part, const void *of) {
    const struct job *const job = of;
    const pmi_device *const device = &bench.timing.device;
    const uint32_t steps = pmi_tree_scan_steps(device, &job->scanner, &job->scan);
    const uint32_t links = pmi_tree_scan_link_steps(device, &job->scan),
                   apart = job->scan.up || steps < links + 3 ? 0 : 1;
    const uint32_t begins[PARTS + 1] = {0, links, steps - 1 - apart, steps - 1, steps};
    for (uint32_t step = begins[part]; step < begins[part + 1]; step++)
        pmi_tree_scan_record_step(device, bench.timing.commands, &job->scanner, &job->scan, step);
    gpu_timing_barrier(&bench.timing);
}

static void record_floor(unsigned part, const void *of) {
    const struct job *const job = of;
    const uint64_t bytes = (uint64_t)job->scan.nodes * job->kernels.value_size;
    const pmi_floor_parameters p = {.to = job->scan.results, .from = job->scan.values, .count = (uint32_t)(bytes / 16)};
    (void)part;
    pmi_kernel_dispatch(&bench.timing.device, bench.timing.commands, &bench.floor, &p, sizeof p,
                        p.count / PM_FLOOR_FOURS + 1);
    gpu_timing_barrier(&bench.timing);
}

/* ---- Trees and values ---- */

/* Zeros are equal, whatever their signs. */
static bool results_are_equal(const pm_monoid *monoid, size_t bytes) {
    if (monoid != pm_monoid_affine())
        return memcmp(bench.expected, bench.found, bytes) == 0;
    const float *const a = (const void *)bench.expected, *const b = (const void *)bench.found;
    size_t differ = 0;
    for (size_t k = 0; k < bytes / sizeof *a; k++)
        differ += a[k] != b[k];
    return differ == 0;
}

static bool results_are_right(const struct job *job) {
    const pm_monoid *const monoid = job->subject->host();
    const pm_scan_mode scan = job->subject->exclusive ? PM_SCAN_EXCLUSIVE : PM_SCAN_INCLUSIVE;
    const size_t n = job->scan.n, bytes = job->scan.nodes * monoid->size;
    must(job->scan.up
             ? pm_tree_reduce_up_auto(NULL, bench.host_parens, n, monoid, bench.host_values, bench.expected)
             : pm_tree_scan_down_auto(NULL, bench.host_parens, n, monoid, scan, bench.host_values, bench.expected),
         "the host's scan");
    gpu_timing_once(&bench.timing, record_part, PARTS, job);
    gpu_timing_download(&bench.timing, &bench.results, bytes, bench.found);
    return results_are_equal(monoid, bytes);
}

static void run_subject(const char *family, const struct subject *subject, uint32_t n, uint32_t nodes) {
    const pmi_device *const device = &bench.timing.device;
    struct job job = {.subject = subject,
                      .scan = {.n = n,
                               .nodes = nodes,
                               .up = subject->up,
                               .exclusive = subject->exclusive,
                               .parens = bench.parens.address,
                               .values = bench.given.address,
                               .results = bench.results.address}};
    must(pmi_monoid_kernels_create(device, subject->gpu(), &job.kernels), "the monoid's kernels");
    job.scanner = (pmi_tree_scanner){&bench.levels, &bench.nodes, &job.kernels};
    gpu_timing_reserve(&bench.timing, pmi_tree_scan_scratch_bytes(device, &job.kernels, n, nodes), &bench.scratch);
    job.scan.scratch = bench.scratch.address;
    tree_values_fill(subject->host(), 1, nodes, bench.host_values);
    gpu_timing_upload(&bench.timing, bench.host_values, (uint64_t)nodes * job.kernels.value_size, &bench.given);
    const enum gpu_verdict verdict = results_are_right(&job) ? GPU_VERIFIED : GPU_WRONG;
    gpu_times times = gpu_timing_take(&bench.timing, gpu_options.repetitions, record_part, PARTS, &job);
    times.floor_us = gpu_timing_all_us(&bench.timing, gpu_options.repetitions, record_floor, 1, &job);
    gpu_row(&times, nodes, verdict, "%s\t%s\t%u\t%u", family, subject->name, n, nodes);
    pmi_monoid_kernels_destroy(device, &job.kernels);
}

static void run(const char *family, uint32_t n) {
    if (!family_fill(family, 1, n, bench.host_parens))
        stop(family, "no such family");
    gpu_timing_upload(&bench.timing, bench.host_parens, n / 8, &bench.parens);
    const uint32_t nodes = (uint32_t)pm_forest_count(bench.host_parens, n);
    for (size_t s = 0; s < sizeof subjects / sizeof *subjects; s++)
        if (!gpu_options.scan || strcmp(gpu_options.scan, subjects[s].name) == 0)
            run_subject(family, &subjects[s], n, nodes);
}

/* ---- Setting up ---- */

static gpu_timing *bench_open(uint32_t n) {
    const gpu_timing *const timing = &bench.timing;
    const pmi_device *const device = &timing->device;
    const size_t bytes = ((size_t)n / 2 + (1 << 16)) * sizeof(pm_affine); /* some inputs have a few nodes more */
    gpu_timing_open(&gpu_options.settings, &bench.timing);
    must(pmi_levels_create(device, &bench.levels), "kernels");
    must(pmi_nodes_create(device, &bench.nodes), "kernels");
    must(pmi_kernel_create(device, PM_SHADER(spv_match_floor_copy), 0, &bench.floor), "kernels");
    gpu_timing_reserve(timing, n / 8, &bench.parens);
    gpu_timing_reserve(timing, bytes, &bench.given);
    gpu_timing_reserve(timing, bytes, &bench.results);
    bench.host_parens = must_allocate(n / 8);
    bench.host_values = must_allocate(bytes);
    bench.expected = must_allocate(bytes);
    bench.found = must_allocate(bytes);
    return &bench.timing;
}

static void bench_close(void) {
    const pmi_device *const device = &bench.timing.device;
    pmi_buffer *const buffers[] = {&bench.parens, &bench.given, &bench.results, &bench.scratch};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pmi_buffer_destroy(device, buffers[b]);
    pmi_kernel_destroy(device, &bench.floor);
    pmi_nodes_destroy(device, &bench.nodes);
    pmi_levels_destroy(device, &bench.levels);
    gpu_timing_close(&bench.timing);
    free(bench.host_parens);
    free(bench.host_values);
    free(bench.expected);
    free(bench.found);
}

const struct gpu_suite gpu_suite_scan = {
    .name = "scan",
    .description = "scans of trees, part by part; the floor is copying the values",
    .columns = "family\tscan\tn\tnodes\tlinks_us\tproducts_us\tsurvivors_us\tresults_us\tall_us\tfloor_us\tGnodes_s\t"
               "share_of_floor\tverified",
    .families = families,
    .log_least = 6,
    .log_most = 27,
    .log_from = 20,
    .open = bench_open,
    .run = run,
    .close = bench_close};
