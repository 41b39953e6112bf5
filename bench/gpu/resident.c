/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite resident: pm_resident_match() on the first, the first two, the first four ... and all devices of the list that
 * --device names, sequence and match staying there; from the call to its return, by the host's clock. Every match is
 * read and compared. There is one context at a time, as a device that two contexts use takes time to switch.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/bench.h"
#include "inputs/families.h"

enum {
    WARM_UP_LEAST_US = 1000000, /* an idle device takes long to reach its lasting clock rate */
    WARM_UP_MOST_US = 4000000,
    WARM_UP_STEP_US = 250000,
    READ_ELEMENTS = 1 << 24,
    LIST_SIZE = 256
};

static const char *const families[] = {"bits", "flat", "deep", NULL};

static uint64_t *parens;
static uint32_t *expected, *part;

static enum gpu_verdict verify(pm_resident *resident, uint64_t n) {
    bool right = true;
    for (uint64_t first = 0; first < n; first += READ_ELEMENTS) {
        const uint64_t count = n - first < READ_ELEMENTS ? n - first : READ_ELEMENTS;
        must(pm_resident_read(resident, first, count, part), "reading");
        right = right && memcmp(part, expected + first, count * sizeof *part) == 0;
    }
    return right ? GPU_VERIFIED : GPU_WRONG;
}

static double now_us(void) {
    return (double)clock_now() * 1e-3;
}

static double match_us(pm_resident *resident) {
    const double begin = now_us();
    must(pm_resident_match(resident, NULL), "matching");
    return now_us() - begin;
}

/* Until it gets no faster. */
static void warm_up(pm_resident *resident) {
    const double begin = now_us();
    double last = 0, least = 0;
    for (double step = begin; step - begin < WARM_UP_MOST_US; step = now_us()) {
        last = least;
        least = match_us(resident);
        while (now_us() - step < WARM_UP_STEP_US) {
            const double us = match_us(resident);
            least = us < least ? us : least;
        }
        if (step - begin > WARM_UP_LEAST_US && least > 0.99 * last)
            return;
    }
}

/* A context with the first devices of the list. */
static pm_context *context_open(unsigned devices) {
    const char *const all = gpu_options.settings.device;
    char list[LIST_SIZE];
    size_t length = 0;
    for (unsigned seen = 0; all && all[length] && length < sizeof list - 1; length++) {
        seen += all[length] == ',';
        if (seen == devices)
            break;
        list[length] = all[length];
    }
    list[length] = '\0';
    return gpu_context_create(all ? list : NULL);
}

/* Prints a row; returns the median. one_us: that of one device, 0 if this is it. */
static double run_devices(unsigned devices, const char *family, uint32_t n, double one_us) {
    double us[GPU_REPETITIONS_MOST];
    pm_context *const context = context_open(devices);
    pm_resident *resident;
    must(pm_resident_create(context, n, &resident), "making room");
    must(pm_resident_load(resident, parens), "loading");
    must(pm_resident_match(resident, NULL), "matching");
    const enum gpu_verdict verdict = verify(resident, n);
    warm_up(resident);
    for (unsigned r = 0; r < gpu_options.repetitions; r++)
        us[r] = match_us(resident);
    pm_resident_destroy(resident);
    pm_context_destroy(context);
    const struct distribution times = distribution_of(us, gpu_options.repetitions);
    printf("%u\t%s\t%u\t%.1f\t%.1f\t%.2f\t%.2f\t%s\n", devices, family, n, times.median, times.min,
           n / times.median * 1e-3, (one_us > 0 ? one_us : times.median) / times.median, gpu_verdict_word(verdict));
    fflush(stdout);
    return times.median;
}

static void run(const char *family, uint32_t n) {
    unsigned all = 1;
    for (const char *at = gpu_options.settings.device; at && *at; at++)
        all += *at == ',';
    if (!family_fill(family, 1, n, parens))
        stop(family, "no such family");
    must(pm_match_omp(NULL, parens, n, expected, NULL), "pm_match_omp");
    double one_us = 0;
    for (unsigned devices = 1; devices < all; devices *= 2) {
        const double us = run_devices(devices, family, n, one_us);
        one_us = devices == 1 ? us : one_us;
    }
    run_devices(all, family, n, one_us);
}

static gpu_timing *bench_open(uint32_t n) {
    parens = must_allocate(((size_t)n + 63) / 64 * sizeof *parens);
    expected = must_allocate(n * sizeof *expected);
    part = must_allocate(READ_ELEMENTS * sizeof *part);
    return NULL;
}

static void bench_close(void) {
    free(parens);
    free(expected);
    free(part);
}

const struct gpu_suite gpu_suite_resident = {
    .name = "resident",
    .description = "sequences that stay on the devices of --device LIST: one, two, four ... and all of them",
    .columns = "devices\tfamily\tn\tmedian_us\tleast_us\tGelements_s\ttimes_one\tverified",
    .families = families,
    .log_most = 32,
    .log_from = 20,
    .open = bench_open,
    .run = run,
    .close = bench_close};
