/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pm_bench_devices: what pm_resident_match() takes on the first, the first two, the first four ... and all devices of a
 * list, the sequence being there already and its match staying there; from the call to its return, by the host's clock.
 * Every match is read and compared. A device that two programs, or two contexts, use by turns takes its time to go from
 * one to the other; so there is one context at a time.
 *
 * Options are those of bench/gpu/options.h, of which device=LIST must be given.
 *
 * Prints a table, its columns parted by tabulators: the median and the least time in microseconds, speed in 10^9
 * elements a second, and the median of one device's time by this one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/options.h"
#include "bench/gpu/table.h"
#include "bench/host_times.h"
#include "bench/stop.h"
#include "inputs/families.h"
#include "parenmatch.h"

enum {
    REPETITIONS_MOST = 100,
    WARM_UP_LEAST_US = 1000000, /* devices that had nothing to do take long to be at the clock they keep */
    WARM_UP_MOST_US = 4000000,
    WARM_UP_STEP_US = 250000,
    CASES_MOST = 128,
    READ_ELEMENTS = 1 << 24,
    LIST_SIZE = 256
};

static const char *const families[] = {"bits", "flat", "deep", NULL};

static gpu_options options;

/* What the present context's devices are given. */
static uint64_t *parens;
static uint32_t *expected, *part;

static double one_us[CASES_MOST]; /* the median of one device, by case */

/* ---- A case ---- */

static void verify(pm_resident *resident, uint64_t n) {
    for (uint64_t first = 0; first < n; first += READ_ELEMENTS) {
        const uint64_t count = n - first < READ_ELEMENTS ? n - first : READ_ELEMENTS;
        must(pm_resident_read(resident, first, count, part), "reading");
        if (memcmp(part, expected + first, count * sizeof *part) != 0)
            stop("pm_resident_match", "the match is wrong");
    }
}

static double match_us(pm_resident *resident) {
    const double begin = host_clock_us();
    must(pm_resident_match(resident, NULL), "matching");
    return host_clock_us() - begin;
}

/* Until it gets no faster. */
static void warm_up(pm_resident *resident) {
    const double begin = host_clock_us();
    double last = 0, least = 0;
    for (double step = begin; step - begin < WARM_UP_MOST_US; step = host_clock_us()) {
        last = least;
        least = match_us(resident);
        while (host_clock_us() - step < WARM_UP_STEP_US) {
            const double us = match_us(resident);
            least = us < least ? us : least;
        }
        if (step - begin > WARM_UP_LEAST_US && least > .99 * last)
            return;
    }
}

static void run_case(pm_context *context, unsigned devices, unsigned number, const char *family, uint64_t n) {
    const unsigned repetitions = options.reps < REPETITIONS_MOST ? options.reps : REPETITIONS_MOST;
    double us[REPETITIONS_MOST];
    pm_resident *resident;
    if (!family_fill(family, 1, n, parens))
        stop(family, "no such family");
    must(pm_match_omp(NULL, parens, n, expected, NULL), "pm_match_omp");
    must(pm_resident_create(context, n, &resident), "making room");
    must(pm_resident_load(resident, parens), "loading");
    must(pm_resident_match(resident, NULL), "matching");
    verify(resident, n);
    warm_up(resident);
    for (unsigned r = 0; r < repetitions; r++)
        us[r] = match_us(resident);
    pm_resident_destroy(resident);
    const double median = times_sort(us, repetitions);
    one_us[number] = devices == 1 ? median : one_us[number];
    printf("%u\t%s\t%llu\t%.1f\t%.1f\t%.2f\t%.2f\tverified\n", devices, family, (unsigned long long)n, median, us[0],
           (double)n / median * 1e-3, one_us[number] / median);
    fflush(stdout);
}

/* ---- All of them ---- */

static unsigned names_count(const char *list) {
    unsigned count = 1;
    for (; *list; list++)
        count += *list == ',';
    return count;
}

/* A context with so many of the list's devices. */
static pm_context *context_open(unsigned devices) {
    char list[LIST_SIZE];
    size_t length = 0;
    for (unsigned seen = 0; options.settings.device[length] && length < sizeof list - 1; length++) {
        seen += options.settings.device[length] == ',';
        if (seen == devices)
            break;
        list[length] = options.settings.device[length];
    }
    list[length] = '\0';
    const pm_options asked = {.struct_size = sizeof asked,
                              .threads = options.threads,
                              .device = list,
                              .allow_cpu_device = options.settings.allow_cpu_device};
    pm_context *context;
    must(pm_context_create(&asked, &context), "opening");
    return context;
}

static uint64_t elements(unsigned log) {
    return log < 32 ? UINT64_C(1) << log : UINT32_MAX;
}

static void run_cases(unsigned devices) {
    pm_context *const context = context_open(devices);
    unsigned number = 0;
    for (unsigned log = options.to;; log -= options.step) {
        const char *const *family = options_families(&options, families);
        for (; *family && number < CASES_MOST; family++)
            run_case(context, devices, number++, *family, elements(log));
        if (log < options.from + options.step)
            break;
    }
    pm_context_destroy(context);
}

int main(int argc, char **argv) {
    options = options_read(argc, argv, 0, 32);
    if (!options.settings.device)
        stop("device", "none is listed");
    const uint64_t most = elements(options.to);
    parens = malloc((most + 63) / 64 * sizeof *parens);
    expected = malloc(most * sizeof *expected);
    part = malloc(READ_ELEMENTS * sizeof *part);
    if (!parens || !expected || !part)
        stop("memory", "none");
    gpu_table_begin(argc, argv, NULL); /* which devices, the command says */
    printf("devices\tfamily\tn\tmedian_us\tleast_us\tGelements_s\ttimes_one\tverified\n");
    const unsigned all = names_count(options.settings.device);
    for (unsigned devices = 1; devices < all; devices *= 2)
        run_cases(devices);
    run_cases(all);
    free(parens);
    free(expected);
    free(part);
    return 0;
}
