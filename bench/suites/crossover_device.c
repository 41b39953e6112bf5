/* SPDX-License-Identifier: Apache-2.0 */
/* Data on a device: its pipelines, by its own clock, and the one that the library chooses. Nothing is transferred. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/report.h"
#include "bench/resident.h"
#include "bench/suites/crossover_place.h"
#include "inputs/families.h"
#include "parenmatch.h"

static uint64_t *parens;
static size_t room; /* elements */

static struct place place = {.name = "device", .threads = 1, .chosen = resident_chosen};

/* Makes the input and brings it to the device. */
static bool load(const char *family, size_t n) {
    if (!family_fill(family, place.settings->seed, n, parens)) {
        fprintf(stderr, "pm_bench: cannot make inputs of family %s\n", family);
        return false;
    }
    resident_load(parens, n);
    return true;
}

static void report_pipeline(const struct contest *contest, size_t p, struct distribution floor, unsigned repetitions,
                            bool verified) {
    char name[64];
    snprintf(name, sizeof name, "device/%s", place.names[p]);
    const struct result result = {.suite = "crossover",
                                  .backend = name,
                                  .simd = "none",
                                  .kind = contest->family,
                                  .floor = "write",
                                  .n = contest->n,
                                  .threads = 1,
                                  .times = {floor, contest->time[p], (double)NAN, repetitions},
                                  .verified = verified};
    report_result(&result);
}

static bool measure(struct contest *contest) {
    const size_t n = contest->n;
    const struct sampling sampling = place.settings->sampling;
    contest->verified = true;
    if (n == 0 || n > room)
        return true;
    if (!load(contest->family, n))
        return false;
    unsigned repetitions;
    const struct distribution floor = resident_time(RESIDENT_FLOOR, n, sampling, &repetitions);
    for (size_t p = 0; pm_pipeline_at(p) && p < CONTESTANTS_MOST; p++) {
        contest->ran[p] = resident_takes(p, n);
        if (!contest->ran[p])
            continue;
        const bool verified = resident_is_right(p, n);
        contest->time[p] = resident_time(p, n, sampling, &repetitions);
        contest->verified = contest->verified && verified;
        report_pipeline(contest, p, floor, repetitions, verified);
    }
    contest->chosen = resident_chosen(n);
    contest->chosen_time = contest->time[contest->chosen];
    return true;
}

static double compare(const char *family, size_t n, size_t a, size_t b) {
    unsigned repetitions;
    if (!load(family, n))
        return -1;
    const struct distribution first = resident_time(a, n, place.settings->sampling, &repetitions);
    const struct distribution second = resident_time(b, n, place.settings->sampling, &repetitions);
    return first.median / second.median;
}

struct place *crossover_device_open(const struct settings *settings) {
    size_t most = 0;
    for (size_t s = 0; s < settings->sizes.count; s++)
        if (settings->sizes.sizes[s] > most)
            most = settings->sizes.sizes[s];
    room = resident_open(most > 0 ? most : 1);
    if (room == 0)
        return NULL;
    parens = calloc(most / 64 + 1, sizeof *parens);
    if (!parens) {
        resident_close();
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
    resident_close();
}
