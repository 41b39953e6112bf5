/* SPDX-License-Identifier: Apache-2.0 */
/* Data on a device: its pipelines by its own clock, without transfers, and the one that the library chooses. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/matcher.h"
#include "bench/report.h"
#include "bench/suites/crossover.h"
#include "gpu/match/pipeline.h"
#include "inputs/families.h"
#include "parenmatch.h"

static uint64_t *parens;
static size_t room; /* elements that the device has memory for */

static const pmi_pipeline *pipeline_at(size_t pipeline, size_t n) {
    return gpu_matcher_pipeline((pmi_pipeline_id)pipeline, (uint32_t)n);
}

/* The library's choice for n elements on the device. */
static size_t chosen(size_t n) {
    const pmi_pipeline_id id = pmi_pipeline_fastest(gpu_matcher_timing()->device.can.type, n);
    return pipeline_at(id, n) ? id : PM_PIPELINE_LEVELS;
}

static struct place place = {.name = "device", .threads = 1, .chosen = chosen};

/* Makes the input and brings it to the device. */
static bool load(const char *family, size_t n) {
    if (!family_fill(family, place.settings->seed, n, parens)) {
        fprintf(stderr, "pm_bench: cannot make inputs of family %s\n", family);
        return false;
    }
    gpu_matcher_load(parens, (uint32_t)n);
    return true;
}

/* A pipeline's or, if that is NULL, the floor's times. */
static void time_once(const pmi_pipeline *pipeline, size_t n, unsigned repetitions, double *us) {
    if (pipeline)
        gpu_matcher_time(pipeline, (uint32_t)n, repetitions, us);
    else
        gpu_matcher_time_floor(GPU_FLOOR_WRITE, (uint32_t)n, repetitions, us);
}

/* In nanoseconds, by the device's clock, as many repetitions as the settings allow. */
static struct distribution time_pipeline(const pmi_pipeline *pipeline, size_t n, unsigned *repetitions) {
    const struct sampling sampling = place.settings->sampling;
    double times[GPU_REPETITIONS_MOST];
    time_once(pipeline, n, 1, times);
    const double fitting = fmax(3, sampling.repetitions ? sampling.repetitions : sampling.seconds * 1e6 / times[0]);
    *repetitions = (unsigned)fmin(fitting, GPU_REPETITIONS_MOST);
    time_once(pipeline, n, *repetitions, times);
    for (unsigned r = 0; r < *repetitions; r++)
        times[r] *= 1e3;
    return distribution_of(times, *repetitions);
}

static void report_pipeline(const struct contest *contest, size_t p, struct distribution floor, unsigned repetitions,
                            bool verified) {
    char name[64];
    snprintf(name, sizeof name, "device/%s", place.names[p]);
    const struct result result = {
        .suite = "crossover",
        .backend = name,
        .simd = "none",
        .kind = contest->family,
        .floor = "write",
        .n = contest->n,
        .threads = 1,
        .times = {.floor = floor, .subject = contest->time[p], .share_spread = (double)NAN, .repetitions = repetitions},
        .verified = verified};
    report_result(&result);
}

static bool measure(struct contest *contest) {
    const size_t n = contest->n;
    contest->verified = true;
    if (n == 0 || n > room)
        return true;
    if (!load(contest->family, n))
        return false;
    unsigned repetitions;
    const struct distribution floor = time_pipeline(NULL, n, &repetitions);
    for (size_t p = 0; pm_pipeline_at(p) && p < CONTESTANTS_MOST; p++) {
        const pmi_pipeline *const pipeline = pipeline_at(p, n);
        contest->ran[p] = pipeline != NULL;
        if (!pipeline)
            continue;
        const bool verified = gpu_matcher_wrong(pipeline, (uint32_t)n) == 0;
        contest->time[p] = time_pipeline(pipeline, n, &repetitions);
        contest->verified = contest->verified && verified;
        report_pipeline(contest, p, floor, repetitions, verified);
    }
    contest->chosen = chosen(n);
    contest->chosen_time = contest->time[contest->chosen];
    return true;
}

static double compare(const char *family, size_t n, size_t a, size_t b) {
    unsigned repetitions;
    if (!load(family, n))
        return -1;
    const struct distribution first = time_pipeline(pipeline_at(a, n), n, &repetitions);
    const struct distribution second = time_pipeline(pipeline_at(b, n), n, &repetitions);
    return first.median / second.median;
}

struct place *crossover_device_open(const struct settings *settings) {
    size_t most = 0;
    for (size_t s = 0; s < settings->sizes.count; s++)
        if (settings->sizes.sizes[s] > most)
            most = settings->sizes.sizes[s];
    const char *const cpu = getenv("PARENMATCH_ALLOW_CPU_DEVICE");
    const pmi_gpu_settings device = {.allow_cpu_device = cpu && strcmp(cpu, "1") == 0};
    room = most == 0 ? 1 : most < UINT32_MAX ? most : UINT32_MAX;
    if (gpu_matcher_open(&device, NULL, (uint32_t)room) != PM_OK)
        return NULL;
    parens = calloc(most / 64 + 1, sizeof *parens);
    if (!parens) {
        gpu_matcher_close();
        return NULL;
    }
    place.settings = settings;
    place.measure = measure;
    place.compare = compare;
    for (size_t p = 0; pm_pipeline_at(p) && p < CONTESTANTS_MOST; p++)
        place.names[p] = pm_pipeline_at(p)->name;
    return &place;
}

void crossover_device_close(void) {
    free(parens);
    gpu_matcher_close();
}
