/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite crossover: all who can match, at every length, with the data in the host's memory and with the data on a
 * device; where one overtakes another; and the regret of the library's choice, its time / that of the best, in the same
 * run. Beside the lines of cases there are lines of the suites regret and crossing.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/backends.h"
#include "bench/report.h"
#include "bench/suites/crossover_place.h"
#include "bench/suites/suite.h"

static int compare_sizes(const void *a, const void *b) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static enum outcome run_place(struct place *place, const struct settings *settings) {
    enum outcome worst = OUTCOME_VERIFIED;
    for (size_t s = 0; s < settings->sizes.count; s++)
        for (size_t f = 0; f < settings->families.count && worst != OUTCOME_FAILED; f++)
            worst = outcome_worse(worst, place_case(place, f, settings->sizes.sizes[s]));
    return worst;
}

/* What it takes to choose, and to tell of it, which is more than pm_match_auto() does. */
struct choosing {
    pm_context *context;
    size_t n;
    pm_match_choice choice;
};

static void choose(void *user, size_t calls) {
    struct choosing *const choosing = user;
    for (size_t c = 0; c < calls; c++)
        pm_match_explain(choosing->context, choosing->n, &choosing->choice);
}

static enum outcome run_choosing(const struct settings *settings) {
    const struct backend backend = {"auto", "none", 0, pm_match_auto, false};
    struct choosing choosing = {.choice = {.struct_size = sizeof choosing.choice}};
    if (backend_context_create(&backend, settings->threads, settings, &choosing.context) != PM_OK)
        return OUTCOME_FAILED;
    for (size_t s = 0; s < settings->sizes.count; s++) {
        choosing.n = settings->sizes.sizes[s];
        struct turn turn = {.action = {choose, &choosing}};
        const unsigned repetitions = timing_turns(settings->sampling, &turn, 1);
        const struct result result = {.suite = "crossover",
                                      .backend = "choosing",
                                      .simd = "none",
                                      .kind = "any",
                                      .floor = "none",
                                      .n = choosing.n,
                                      .threads = settings->threads,
                                      .times = {{0, 0, 0}, turn.time, (double)NAN, repetitions},
                                      .verified = true};
        report_result(&result);
    }
    pm_context_destroy(choosing.context);
    return OUTCOME_VERIFIED;
}

static enum outcome run(const struct suite *suite, const struct settings *asked) {
    (void)suite;
    struct settings settings = *asked;
    qsort(settings.sizes.sizes, settings.sizes.count, sizeof *settings.sizes.sizes, compare_sizes);
    enum outcome worst = run_choosing(&settings);
    struct place *const host = worst == OUTCOME_VERIFIED ? crossover_host_open(&settings) : NULL;
    if (host) {
        worst = outcome_worse(worst, run_place(host, &settings));
        crossover_host_close();
    }
    struct place *const device = name_list_wants(&settings.backends, "gpu") ? crossover_device_open(&settings) : NULL;
    if (device && worst != OUTCOME_FAILED)
        worst = outcome_worse(worst, run_place(device, &settings));
    if (device)
        crossover_device_close();
    return host ? worst : OUTCOME_FAILED;
}

const struct suite suite_crossover = {
    .name = "crossover",
    .description = "all who can match by length, data on the host and on a device; the regret of the choice",
    .families = {10,
                 {"random", "bits", "flat", "zigzag", "saw:100", "saw:5000", "deep", "opens", "closes", "twist:.25"}},
    .sizes = {14,
              {1u << 4, 1u << 6, 1u << 8, 1u << 10, 1u << 12, 1u << 14, 1u << 16, 1u << 18, 1u << 20, 1u << 22,
               1u << 24, 1u << 26, 1u << 28, 1u << 30}},
    .run = run};
