/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pm_bench_gpu: what each stage of a pipeline takes on a device, its data being there already, by the device's own
 * clock, and what all of them take together, without a reading of the clock between them; beside the floor: writing the
 * match in the fastest way there is. Every match is verified on the device.
 *
 * See bench/gpu/options.h for the options.
 *
 * Prints a table, its columns parted by tabulators: times in microseconds, speed in 10^9 elements a second.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/host.h"
#include "bench/gpu/match_fixture.h"
#include "bench/gpu/options.h"
#include "bench/gpu/table.h"
#include "bench/gpu/variant.h"
#include "bench/stop.h"
#include "inputs/families.h"

/* What hurts which stage; chosen as the study before the pipeline did. */
static const char *const families[] = {"bits",   "random",   "deep",      "opens", "closes",     "flat",
                                       "saw:64", "saw:1000", "saw:70000", "drift", "sparse:511", NULL};

static gpu_options options;
static pmi_pipeline variants[GPU_VARIANTS_MOST]; /* for options.spirv */
static bool variant_wrong;                       /* was one of them? */

static double median_us(const pmi_pipeline *pipeline, uint32_t n) {
    double us[GPU_BED_REPETITIONS];
    gpu_bed_time(pipeline, n, options.reps, us);
    return us[options.reps / 2];
}

/* Returns whether the match is right. */
static bool run_pipeline(const char *name, const pmi_pipeline *pipeline, const char *family, uint32_t n, double floor) {
    const uint32_t wrong = gpu_bed_wrong(pipeline, n);
    const double all = median_us(pipeline, n);
    double us[PM_STAGES];
    gpu_bed_time_stages(pipeline, n, options.reps, us);
    printf("%s\t%s\t%u\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.2f\t%.3f\t%s\n", name, family, n, us[0], us[1], us[2], all,
           floor, n / all * 1e-3, floor / all, wrong ? "WRONG" : "verified");
    fflush(stdout);
    return wrong == 0;
}

static void run_pipelines(const char *family, uint32_t n, double floor) {
    for (unsigned id = 0; id < PM_PIPELINES; id++) {
        const pmi_pipeline *const pipeline = gpu_bed_pipeline((pmi_pipeline_id)id, n);
        if (pipeline && !run_pipeline(pm_pipeline_at(id)->name, pipeline, family, n, floor))
            stop(family, "the match is wrong");
    }
    for (unsigned v = 0; v < options.variants; v++)
        variant_wrong |= !run_pipeline(options.spirv[v], &variants[v], family, n, floor);
}

/* The median; 0 if there is not the memory for it. */
static double floor_us(gpu_floor floor, uint32_t n) {
    double us[GPU_BED_REPETITIONS];
    return gpu_bed_time_floor(floor, n, options.reps, us) ? us[options.reps / 2] : 0;
}

/* What else a device does with as many elements, beside the floor. */
static void print_floor(const char *name, gpu_floor floor, uint32_t n, double write) {
    const double all = floor_us(floor, n);
    if (all > 0)
        printf("floor\t%s\t%u\t\t\t\t%.1f\t%.1f\t%.2f\t%.3f\t\n", name, n, all, write, n / all * 1e-3, write / all);
}

/* From the host to the host. */
static void run_host(const char *family, uint32_t n, const uint64_t *parens, double floor) {
    const double all = gpu_host_us(&options, parens, n);
    printf("host-to-host\t%s\t%u\t\t\t\t%.1f\t%.1f\t%.2f\t%.3f\tverified\n", family, n, all, floor, n / all * 1e-3,
           floor / all);
    fflush(stdout);
}

static void run_family(const char *family, uint32_t n, uint64_t *parens, double floor) {
    if (!family_fill(family, 1, n, parens))
        stop(family, "no such family");
    if (options.host) {
        run_host(family, n, parens, floor);
        return;
    }
    gpu_bed_load(parens, n);
    run_pipelines(family, n, floor);
}

static uint32_t elements(unsigned log) {
    return log < 32 ? UINT32_C(1) << log : UINT32_MAX;
}

int main(int argc, char **argv) {
    options = options_read(argc, argv, 0, 32);
    pmi_gpu_settings settings = options.settings;
    if (options.host)
        settings.device = NULL; /* that may be a list, and what is timed there is one device's way down */
    if (options.variants > 0)
        options.pipeline =
            pm_pipeline_at(PM_PIPELINE_LEVELS)->name; /* what they are held against, and whose scratch they use */
    const pm_status status = gpu_bed_open(&settings, options.pipeline, elements(options.to));
    if (status != PM_OK)
        stop("opening the device", pm_status_string(status));
    const pmi_device *const device = gpu_bed_device();
    for (unsigned v = 0; v < options.variants; v++)
        gpu_variant_create(device, options.spirv[v], &variants[v]);
    gpu_table_begin(argc, argv, device);
    printf(
        "pipeline\tfamily\tn\treduce_us\tscan_us\tmatch_us\tall_us\tfloor_us\tGelements_s\tshare_of_floor\tverified\n");
    uint64_t *const parens = malloc(((size_t)elements(options.to) + 63) / 64 * 8);
    if (!parens)
        stop("memory", "none");
    for (unsigned log = options.to;; log -= options.step) {
        const uint32_t n = elements(log);
        /* The least that a match takes that goes to the host, or else stays. */
        const double floor = floor_us(options.host ? GPU_FLOOR_DOWNLOAD : GPU_FLOOR_WRITE, n);
        if (!options.host) {
            print_floor("expand", GPU_FLOOR_EXPAND, n, floor);
            print_floor("copy", GPU_FLOOR_COPY, n, floor);
        }
        for (const char *const *family = options_families(&options, families); *family; family++)
            run_family(*family, n, parens, floor);
        if (log < options.from + options.step)
            break;
    }
    free(parens);
    for (unsigned v = 0; v < options.variants; v++)
        pmi_pipeline_destroy(device, &variants[v]);
    gpu_bed_close();
    return variant_wrong ? 1 : 0;
}
