/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pm_bench_devices: what pm_resident_match() takes on the first, the first two, the first four ... and all devices of a
 * list, the sequence being there already and its match staying there; from the call to its return, by the host's clock.
 * Every match is read and compared. One device after the other is timed in every round, so that they are disturbed
 * alike.
 *
 * Options are those of bench/gpu_options.h, of which device=LIST must be given.
 *
 * Prints a table, its columns parted by tabulators: the median and the least time in microseconds, speed in 10^9
 * elements a second, and the median, over the rounds, of one device's time by this one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/gpu_options.h"
#include "bench/stop.h"
#include "parenmatch.h"
#include "tests/families.h"

enum {
    COUNTS_MOST = 5, /* 1, 2, 4, 8, 16 */
    REPETITIONS_MOST = 100,
    WARM_UP = 5,
    READ_ELEMENTS = 1 << 24,
    LIST_SIZE = 256
};

static const char *const families[] = {"bits", "flat", "deep", NULL};

static gpu_options options;

/* As many of the list's devices, and what is on them. */
static struct team {
    unsigned devices;
    pm_context *context;
    pm_resident *resident;
    double us[REPETITIONS_MOST];
} teams[COUNTS_MOST];
static unsigned team_count;

static void must(pm_status status, const char *what) {
    if (status != PM_OK)
        stop(what, pm_status_string(status));
}

static double microseconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- Teams ---- */

static unsigned names_count(const char *list) {
    unsigned count = 1;
    for (; *list; list++)
        count += *list == ',';
    return count;
}

static void team_open(unsigned devices) {
    char list[LIST_SIZE];
    size_t length = 0;
    for (unsigned seen = 0; length < sizeof list - 1 && options.settings.device[length]; length++) {
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
    struct team *const team = &teams[team_count++];
    team->devices = devices;
    must(pm_context_create(&asked, &team->context), "opening");
}

/* Powers of two, and all. */
static void teams_open(void) {
    const unsigned all = names_count(options.settings.device);
    for (unsigned devices = 1; devices < all; devices *= 2)
        team_open(devices);
    team_open(all);
}

static void team_load(struct team *team, const uint64_t *parens, uint64_t n) {
    must(pm_resident_create(team->context, n, &team->resident), "making room");
    must(pm_resident_load(team->resident, parens), "loading");
    for (unsigned k = 0; k < WARM_UP; k++)
        must(pm_resident_match(team->resident, NULL), "matching");
}

static void team_verify(struct team *team, uint64_t n, const uint32_t *expected, uint32_t *part) {
    for (uint64_t first = 0; first < n; first += READ_ELEMENTS) {
        const uint64_t count = n - first < READ_ELEMENTS ? n - first : READ_ELEMENTS;
        must(pm_resident_read(team->resident, first, count, part), "reading");
        if (memcmp(part, expected + first, count * sizeof *part) != 0)
            stop("pm_resident_match", "the match is wrong");
    }
}

/* ---- Timing ---- */

static void teams_time(unsigned repetitions) {
    for (unsigned r = 0; r < repetitions; r++)
        for (unsigned k = 0; k < team_count; k++) {
            const double begin = microseconds();
            must(pm_resident_match(teams[k].resident, NULL), "matching");
            teams[k].us[r] = microseconds() - begin;
        }
}

static double median(const double *values, unsigned count) {
    double sorted[REPETITIONS_MOST];
    memcpy(sorted, values, count * sizeof *values);
    qsort(sorted, count, sizeof *sorted, compare);
    return sorted[count / 2];
}

static void team_print(const struct team *team, const char *family, uint64_t n, unsigned repetitions) {
    double ratios[REPETITIONS_MOST], least = team->us[0];
    for (unsigned r = 0; r < repetitions; r++) {
        ratios[r] = teams[0].us[r] / team->us[r];
        least = team->us[r] < least ? team->us[r] : least;
    }
    const double us = median(team->us, repetitions);
    printf("%u\t%s\t%llu\t%.1f\t%.1f\t%.2f\t%.2f\tverified\n", team->devices, family, (unsigned long long)n, us, least,
           (double)n / us * 1e-3, median(ratios, repetitions));
    fflush(stdout);
}

static void run_family(const char *family, uint64_t n, uint64_t *parens, uint32_t *expected, uint32_t *part) {
    if (!family_fill(family, 1, n, parens))
        stop(family, "no such family");
    must(pm_match_omp(NULL, parens, n, expected, NULL), "pm_match_omp");
    for (unsigned k = 0; k < team_count; k++) {
        team_load(&teams[k], parens, n);
        team_verify(&teams[k], n, expected, part);
    }
    const unsigned repetitions = options.reps < REPETITIONS_MOST ? options.reps : REPETITIONS_MOST;
    teams_time(WARM_UP);
    teams_time(repetitions);
    for (unsigned k = 0; k < team_count; k++) {
        team_print(&teams[k], family, n, repetitions);
        pm_resident_destroy(teams[k].resident);
    }
}

static uint64_t elements(unsigned log) {
    return log < 32 ? UINT64_C(1) << log : UINT32_MAX;
}

int main(int argc, char **argv) {
    options = options_read(argc, argv);
    if (!options.settings.device)
        stop("device", "none is listed");
    teams_open();
    const uint64_t most = elements(options.to);
    uint64_t *const parens = malloc((most + 63) / 64 * sizeof *parens);
    uint32_t *const expected = malloc(most * sizeof *expected), *const part = malloc(READ_ELEMENTS * sizeof *part);
    if (!parens || !expected || !part)
        stop("memory", "none");
    printf("devices\tfamily\tn\tmedian_us\tleast_us\tGelements_s\ttimes_one\tverified\n");
    for (unsigned log = options.to;; log -= options.step) {
        for (const char *const *family = families; *family && !options.family; family++)
            run_family(*family, elements(log), parens, expected, part);
        if (options.family)
            run_family(options.family, elements(log), parens, expected, part);
        if (log < options.from + options.step)
            break;
    }
    for (unsigned k = 0; k < team_count; k++)
        pm_context_destroy(teams[k].context);
    free(parens);
    free(expected);
    free(part);
    return 0;
}
