/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite match: each stage of each pipeline and all together, the data being on the device; the floor is writing the
 * match. Every match is verified on the device. With --host, pm_match_gpu() from host memory to host memory, by the
 * host's clock.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/bench.h"
#include "bench/gpu/matcher.h"
#include "inputs/families.h"

/* Each of them is slow for some stage. */
static const char *const families[] = {"bits",   "random",   "deep",      "opens", "closes",     "flat",
                                       "saw:64", "saw:1000", "saw:70000", "drift", "sparse:511", NULL};

static pmi_pipeline variants[GPU_VARIANTS_MOST]; /* for gpu_options.spirv */
static uint64_t *parens;
static double floor_us; /* of the present size: the least time of a match that stays on the device, or leaves it */

/* ---- Shaders from files ---- */

/* The pipeline `levels` with shaders from the folder in place of its own, as far as there are some. */
static void variant_create(const pmi_device *device, const char *folder, pmi_pipeline *pipeline) {
    static const char *const names[PM_LEVELS_SHADERS] = {[PM_LEVELS_REDUCE] = "levels_reduce",
                                                         [PM_LEVELS_SCAN] = "levels_scan",
                                                         [PM_LEVELS_MATCH] = "levels_match",
                                                         [PM_LEVELS_MATCH_SHORT] = "levels_match_short"};
    unsigned found = 0;
    must(pmi_pipeline_create(device, PM_PIPELINE_LEVELS, pipeline), folder);
    for (unsigned which = 0; which < PM_LEVELS_SHADERS; which++) {
        size_t bytes;
        uint32_t *const words = gpu_variant_read(device, folder, names[which], &bytes);
        if (!words)
            continue;
        const pmi_shader shader = {words, bytes};
        must(pmi_levels_replace_shader(device, &pipeline->levels, (pmi_levels_shader)which, shader), names[which]);
        free(words);
        found++;
    }
    if (found == 0)
        stop(folder, "no shaders of levels for this device there");
}

/* ---- From host to host ---- */

/* The median time in microseconds. The match is written before the clock starts, so that its pages exist. */
static double host_us(uint32_t n, enum gpu_verdict *verdict) {
    const size_t bytes = (size_t)n * sizeof(uint32_t);
    uint32_t *const match = must_allocate(bytes), *const expected = must_allocate(bytes);
    pm_context *const context = gpu_context_create(gpu_options.settings.device);
    double us[GPU_REPETITIONS_MOST];
    must(pm_match_broadword(context, parens, n, expected, NULL), "pm_match_broadword");
    must(pm_match_gpu(context, parens, n, match, NULL), "pm_match_gpu"); /* opens the device */
    *verdict = GPU_VERIFIED;
    for (unsigned r = 0; r < gpu_options.repetitions; r++) {
        memset(match, 0, bytes);
        const uint64_t begin = clock_now();
        must(pm_match_gpu(context, parens, n, match, NULL), "pm_match_gpu");
        us[r] = (double)(clock_now() - begin) * 1e-3;
        if (memcmp(match, expected, bytes) != 0)
            *verdict = GPU_WRONG;
    }
    pm_context_destroy(context);
    free(match);
    free(expected);
    return distribution_of(us, gpu_options.repetitions).median;
}

/* ---- Rows ---- */

/* A row without times of stages. */
static void row_all(const char *name, const char *family, uint32_t n, double all_us, enum gpu_verdict verdict) {
    const double no_time = (double)NAN;
    const gpu_times times = {
        .stages = PM_STAGES, .stage_us = {no_time, no_time, no_time}, .all_us = all_us, .floor_us = floor_us};
    gpu_row(&times, n, verdict, "%s\t%s\t%u", name, family, n);
}

static void run_pipeline(const char *name, const pmi_pipeline *pipeline, const char *family, uint32_t n) {
    const enum gpu_verdict verdict = gpu_matcher_wrong(pipeline, n) == 0 ? GPU_VERIFIED : GPU_WRONG;
    gpu_times times = gpu_matcher_take(pipeline, n, gpu_options.repetitions);
    times.floor_us = floor_us;
    gpu_row(&times, n, verdict, "%s\t%s\t%u", name, family, n);
}

static void run(const char *family, uint32_t n) {
    if (!family_fill(family, 1, n, parens))
        stop(family, "no such family");
    if (gpu_options.host) {
        enum gpu_verdict verdict;
        const double us = host_us(n, &verdict);
        row_all("host-to-host", family, n, us, verdict);
        return;
    }
    gpu_matcher_load(parens, n);
    for (unsigned id = 0; id < PM_PIPELINES; id++) {
        const pmi_pipeline *const pipeline = gpu_matcher_pipeline((pmi_pipeline_id)id, n);
        if (pipeline)
            run_pipeline(pm_pipeline_at(id)->name, pipeline, family, n);
    }
    for (size_t v = 0; v < gpu_options.spirv.count; v++)
        run_pipeline(gpu_options.spirv.names[v], &variants[v], family, n);
}

/* The median; 0 if there is too little memory for it. */
static double time_floor(gpu_floor floor, uint32_t n) {
    double us[GPU_REPETITIONS_MOST];
    return gpu_matcher_time_floor(floor, n, gpu_options.repetitions, us)
               ? distribution_of(us, gpu_options.repetitions).median
               : 0;
}

static void begin(uint32_t n) {
    floor_us = time_floor(gpu_options.host ? GPU_FLOOR_DOWNLOAD : GPU_FLOOR_WRITE, n);
    if (gpu_options.host)
        return;
    row_all("floor", "expand", n, time_floor(GPU_FLOOR_EXPAND, n), GPU_UNVERIFIED);
    const double copy_us = time_floor(GPU_FLOOR_COPY, n);
    if (copy_us > 0)
        row_all("floor", "copy", n, copy_us, GPU_UNVERIFIED);
}

static gpu_timing *bench_open(uint32_t n) {
    pmi_gpu_settings settings = gpu_options.settings;
    pmi_pipeline_id id;
    if (gpu_options.host)
        settings.device = NULL;      /* which may be a list; the floor is one device's download */
    if (gpu_options.spirv.count > 0) /* these are compared with levels, and use its scratch */
        gpu_options.pipeline = pm_pipeline_at(PM_PIPELINE_LEVELS)->name;
    if (gpu_options.pipeline && !pmi_pipeline_by_name(gpu_options.pipeline, &id))
        stop(gpu_options.pipeline, "no such pipeline");
    must(gpu_matcher_open(&settings, gpu_options.pipeline, n), "opening the device");
    for (size_t v = 0; v < gpu_options.spirv.count; v++)
        variant_create(&gpu_matcher_timing()->device, gpu_options.spirv.names[v], &variants[v]);
    parens = must_allocate(((size_t)n + 63) / 64 * 8);
    return gpu_matcher_timing();
}

static void bench_close(void) {
    free(parens);
    for (size_t v = 0; v < gpu_options.spirv.count; v++)
        pmi_pipeline_destroy(&gpu_matcher_timing()->device, &variants[v]);
    gpu_matcher_close();
}

const struct gpu_suite gpu_suite_match = {
    .name = "match",
    .description = "pipelines of matching, stage by stage; the floor is writing the match",
    .columns = "pipeline\tfamily\tn\treduce_us\tscan_us\tmatch_us\tall_us\tfloor_us\tGelements_s\tshare_of_floor\t"
               "verified",
    .families = families,
    .log_most = 32,
    .log_from = 20,
    .open = bench_open,
    .begin = begin,
    .run = run,
    .close = bench_close};
