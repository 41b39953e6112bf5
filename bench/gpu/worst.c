/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite worst: the inputs that the pipeline `levels` matches most slowly. From each family the search goes on to one
 * with a number changed, or another seed, if that takes longer, until its time is over; then it is measured as in the
 * suite match. Every input that the search meets is verified.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/bench.h"
#include "bench/gpu/matcher.h"
#include "bench/timing.h"
#include "inputs/families.h"

enum {
    NAME_MOST = 64
};

typedef struct input {
    char name[NAME_MOST];
    uint64_t seed;
} input;

static const char *const families[] = {
    "wells:511:16384", "wells:16383:1024", "hills:20:32768:49152:16384", "twist:.25", "saw:1000", "mixture", NULL};

static uint64_t *parens;
static double floor_us; /* of writing, for the present size */

/* ---- The search ---- */

static uint64_t number_moved(uint64_t number, uint64_t *random) {
    switch (random_below(random, 6)) {
    case 0:
        return number + 1;
    case 1:
        return number > 1 ? number - 1 : 1;
    case 2:
        return number * 2;
    case 3:
        return number + number / 2;
    case 4:
        return number / 4 * 3 + 1;
    default:
        return number / 2 + 1;
    }
}

/* Another seed, if the name has no numbers; else the name with one of them changed, which may be no family. */
static input input_moved(const input *from, uint64_t *random) {
    input to = {.seed = from->seed};
    const char *begins[NAME_MOST];
    size_t count = 0;
    for (const char *c = from->name; *c; c++)
        if (isdigit((unsigned char)*c) && (c == from->name || !isdigit((unsigned char)c[-1])))
            begins[count++] = c;
    if (count == 0) {
        to.seed = random_next(random);
        memcpy(to.name, from->name, sizeof to.name);
        return to;
    }
    char *end;
    const char *const begin = begins[random_below(random, count)];
    const uint64_t moved = number_moved(strtoull(begin, &end, 10), random);
    snprintf(to.name, sizeof to.name, "%.*s%llu%s", (int)(begin - from->name), from->name, (unsigned long long)moved,
             end);
    return to;
}

/* Microseconds; 0 if it is no family. */
static double input_time(const input *of, uint32_t n, enum gpu_verdict *verdict) {
    const pmi_pipeline *const levels = gpu_matcher_pipeline(PM_PIPELINE_LEVELS, n);
    if (!family_fill(of->name, of->seed, n, parens))
        return 0;
    gpu_matcher_load(parens, n);
    if (gpu_matcher_wrong(levels, n) != 0)
        *verdict = GPU_WRONG;
    return gpu_matcher_take(levels, n, gpu_options.repetitions / 4 + 1).all_us;
}

static void run(const char *family, uint32_t n) {
    const uint64_t end = clock_now() + gpu_options.seconds * UINT64_C(1000000000);
    input worst = {.seed = 1};
    uint64_t random = n;
    unsigned tried = 1;
    enum gpu_verdict verdict = GPU_VERIFIED;
    snprintf(worst.name, sizeof worst.name, "%s", family);
    double most = input_time(&worst, n, &verdict);
    if (most == 0)
        stop(family, "no such family");
    for (; verdict == GPU_VERIFIED && clock_now() < end; tried++) {
        const input next = input_moved(&worst, &random);
        const double us = input_time(&next, n, &verdict);
        if (us > most || verdict != GPU_VERIFIED) {
            most = us;
            worst = next;
        }
    }
    input_time(&worst, n, &verdict); /* loads it */
    gpu_times times = gpu_matcher_take(gpu_matcher_pipeline(PM_PIPELINE_LEVELS, n), n, gpu_options.repetitions);
    times.floor_us = floor_us;
    gpu_row(&times, n, verdict, "%s\t%u\t%s\t%llu\t%u", family, tried, worst.name, (unsigned long long)worst.seed, n);
}

/* ---- The suite ---- */

static void begin(uint32_t n) {
    double us[GPU_REPETITIONS_MOST];
    floor_us = gpu_matcher_time_floor(GPU_FLOOR_WRITE, n, gpu_options.repetitions, us)
                   ? distribution_of(us, gpu_options.repetitions).median
                   : 0;
}

static gpu_timing *bench_open(uint32_t n) {
    must(gpu_matcher_open(&gpu_options.settings, pm_pipeline_at(PM_PIPELINE_LEVELS)->name, n), "opening the device");
    parens = must_allocate(((size_t)n + 63) / 64 * 8);
    return gpu_matcher_timing();
}

static void bench_close(void) {
    free(parens);
    gpu_matcher_close();
}

const struct gpu_suite gpu_suite_worst = {
    .name = "worst",
    .description = "the slowest inputs of matching that a search from each family finds",
    .columns =
        "from\ttried\tfamily\tseed\tn\treduce_us\tscan_us\tmatch_us\tall_us\tfloor_us\tGelements_s\tshare_of_floor\t"
        "verified",
    .families = families,
    .log_most = 32,
    .log_from = 20,
    .open = bench_open,
    .begin = begin,
    .run = run,
    .close = bench_close};
