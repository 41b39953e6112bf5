/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite crossover: all backends at every length, with the data in host memory and with the data on a device; where one
 * overtakes another; and the regret of the library's choice, its time / that of the fastest, in one run. In addition to
 * the lines of cases there are lines of the suites regret and crossing.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/backends.h"
#include "bench/report.h"
#include "bench/suites/crossover.h"
#include "bench/suites/suite.h"

/* ---- The contests at one place ---- */

enum {
    BISECTIONS = 4
};

#define OVERTAKEN 1.05 /* a smaller difference may be noise */

static size_t best_of(const struct contest *contest) {
    size_t best = CONTESTANTS_MOST;
    for (size_t c = 0; c < CONTESTANTS_MOST; c++)
        if (contest->ran[c] && (best == CONTESTANTS_MOST || contest->time[c].median < contest->time[best].median))
            best = c;
    return best;
}

static double least_of(const struct contest *contest) {
    double least = (double)INFINITY;
    for (size_t c = 0; c < CONTESTANTS_MOST; c++)
        if (contest->ran[c] && contest->time[c].min < least)
            least = contest->time[c].min;
    return least;
}

static void print_regret(const struct place *place, const struct contest *contest) {
    const size_t best = best_of(contest);
    report_begin("regret");
    report_text("place", place->name);
    report_text("kind", contest->family);
    report_count("n", contest->n);
    report_count("threads", place->threads);
    report_text("chosen", place->names[contest->chosen]);
    report_text("best", place->names[best]);
    report_number("chosen_ns", contest->chosen_time.median);
    report_number("best_ns", contest->time[best].median);
    report_number("regret_least", contest->chosen_time.min / least_of(contest));
    report_number("regret", contest->chosen_time.median / contest->time[best].median);
    report_end();
}

/* The first length in (from, to] for which the library chooses it, if it does for `to`. */
static size_t first_chosen(const struct place *place, size_t contestant, size_t from, size_t to) {
    if (place->chosen(from) == contestant || place->chosen(to) != contestant)
        return 0;
    while (to - from > 1) {
        const size_t middle = from + (to - from) / 2;
        *(place->chosen(middle) == contestant ? &to : &from) = middle;
    }
    return to;
}

/* Between two lengths, where does one overtake the other? By bisection. False without memory. */
static bool print_crossing(const struct place *place, const struct contest *before, const struct contest *after) {
    const size_t from = best_of(before), to = best_of(after);
    if (from == to || !after->ran[from] || !before->ran[to] ||
        after->time[from].median < OVERTAKEN * after->time[to].median)
        return true;
    double low = (double)before->n, high = (double)after->n;
    for (unsigned k = 0; k < BISECTIONS; k++) {
        const double middle = sqrt(low * high), ratio = place->compare(after->family, (size_t)middle, from, to);
        if (ratio < 0)
            return false;
        *(ratio > 1 ? &high : &low) = middle;
    }
    report_begin("crossing");
    report_text("place", place->name);
    report_text("kind", after->family);
    report_count("threads", place->threads);
    report_text("from", place->names[from]);
    report_text("to", place->names[to]);
    report_count("chosen", first_chosen(place, to, before->n, after->n));
    report_number("n", sqrt(low * high));
    report_end();
    return true;
}

static enum outcome place_case(struct place *place, size_t family, size_t n) {
    struct contest contest = {.family = place->settings->families.names[family], .n = n};
    struct contest *const before = &place->before[family];
    if (!place->measure(&contest))
        return OUTCOME_FAILED;
    if (best_of(&contest) == CONTESTANTS_MOST)
        return OUTCOME_VERIFIED;
    print_regret(place, &contest);
    if (before->n > 0 && !print_crossing(place, before, &contest))
        return OUTCOME_FAILED;
    *before = contest;
    return contest.verified ? OUTCOME_VERIFIED : OUTCOME_WRONG;
}

/* ---- The suite ---- */

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

/* Choosing, and explaining it, which is more than pm_match_auto() does. */
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
        const struct result result = {
            .suite = "crossover",
            .backend = "choosing",
            .simd = "none",
            .kind = "any",
            .floor = "none",
            .n = choosing.n,
            .threads = settings->threads,
            .times = {.subject = turn.time, .share_spread = (double)NAN, .repetitions = repetitions},
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
    .description = "all backends by length, data on the host and on a device; the regret of the choice",
    .families = {10,
                 {"random", "bits", "flat", "zigzag", "saw:100", "saw:5000", "deep", "opens", "closes", "twist:.25"}},
    .sizes = {14,
              {1u << 4, 1u << 6, 1u << 8, 1u << 10, 1u << 12, 1u << 14, 1u << 16, 1u << 18, 1u << 20, 1u << 22,
               1u << 24, 1u << 26, 1u << 28, 1u << 30}},
    .run = run};
