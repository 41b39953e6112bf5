/* SPDX-License-Identifier: Apache-2.0 */
/* Samples long enough for the clock, taken in pairs, and what is said of them. */
#include "bench/timing.h"

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "bench/load.h"

#define SAMPLE_NS 200000.0           /* a sample's least length: thousands of times what reading the clock costs */
#define CALLS_MOST ((size_t)1 << 24) /* a call that a compiler has removed would otherwise never add up to a sample */
#define REPETITIONS_LEAST 5u

uint64_t clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Nanoseconds that the calls take together. A call before them goes untimed: it finds the caches as the other half of
 * the pair left them (stores past the caches are slow where lines are dirty, other stores where lines are gone). */
static double sample(struct action action, size_t calls) {
    action.run(action.user, 1);
    const uint64_t start = clock_now();
    action.run(action.user, calls);
    return (double)(clock_now() - start);
}

/* Calls that make a sample long enough. Finding out warms caches, predictors and clock frequency up. */
static size_t calls_for_sample(struct action action) {
    size_t calls = 1;
    for (double took; calls < CALLS_MOST && (took = sample(action, calls)) < SAMPLE_NS;) {
        const double factor = took > 0 ? 1.2 * SAMPLE_NS / took : 16;
        calls = (size_t)((double)calls * (factor < 2 ? 2 : factor > 16 ? 16 : factor));
    }
    return calls;
}

static int compare_times(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value with the given part of the sorted values below it, interpolated. */
static double quantile(const double *sorted, size_t count, double part) {
    const double position = part * (double)(count - 1);
    const size_t below = (size_t)position;
    const size_t above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (position - (double)below) * (sorted[above] - sorted[below]);
}

struct distribution distribution_of(double *times, size_t count) {
    qsort(times, count, sizeof *times, compare_times);
    const double median = quantile(times, count, 0.5);
    const double between = quantile(times, count, 0.75) - quantile(times, count, 0.25);
    return (struct distribution){times[0], median, between / (median > 0 ? median : 1)};
}

/* Is sample r still to be taken? */
static bool goes_on(struct sampling sampling, unsigned r, uint64_t end) {
    const unsigned least = sampling.repetitions ? sampling.repetitions : REPETITIONS_LEAST;
    const unsigned most = sampling.repetitions ? sampling.repetitions : REPETITIONS_MOST;
    return r < least || (r < most && clock_now() < end);
}

unsigned timing_turns(struct sampling sampling, struct turn *turns, unsigned count) {
    static double times[TURNS_MOST][REPETITIONS_MOST];
    size_t calls[TURNS_MOST];
    for (unsigned t = 0; t < count; t++)
        calls[t] = calls_for_sample(turns[t].action);
    const uint64_t end = clock_now() + (uint64_t)(sampling.seconds * 1e9);
    unsigned r = 0;
    for (; goes_on(sampling, r, end); r++)
        for (unsigned t = 0; t < count; t++) {
            times[t][r] = sample(turns[t].action, calls[t]) / (double)calls[t];
            if (turns[t].check)
                turns[t].check(turns[t].action.user);
        }
    for (unsigned t = 0; t < count; t++)
        turns[t].time = distribution_of(times[t], r);
    return r;
}

void timing_pairs_interleaved(struct sampling sampling, struct action floor, struct pair_turn *turns, unsigned count) {
    static double floors[TURNS_MOST][REPETITIONS_MOST], subjects[TURNS_MOST][REPETITIONS_MOST],
        shares[TURNS_MOST][REPETITIONS_MOST];
    const size_t floor_calls = calls_for_sample(floor);
    size_t calls[TURNS_MOST];
    for (unsigned t = 0; t < count; t++)
        calls[t] = calls_for_sample(turns[t].subject);
    const uint64_t end = clock_now() + (uint64_t)(sampling.seconds * 1e9);

    unsigned r = 0;
    for (; goes_on(sampling, r, end); r++)
        for (unsigned t = 0; t < count; t++) {
            floors[t][r] = sample(floor, floor_calls) / (double)floor_calls;
            subjects[t][r] = sample(turns[t].subject, calls[t]) / (double)calls[t];
            shares[t][r] = floors[t][r] / subjects[t][r];
            if (turns[t].check)
                turns[t].check(turns[t].subject.user);
        }
    for (unsigned t = 0; t < count; t++)
        turns[t].times = (struct pair_times){.floor = distribution_of(floors[t], r),
                                             .subject = distribution_of(subjects[t], r),
                                             .share_spread = distribution_of(shares[t], r).spread,
                                             .repetitions = r};
}

/* ---- Pairs of one subject; with other processes: of the subject while they stand still, and while they run ---- */

struct loaded {
    struct action action;
    void (*check)(void *user);
};

static void quiet_run(void *user, size_t calls) {
    const struct loaded *const subject = user;
    load_set(false);
    subject->action.run(subject->action.user, calls);
}

static void loaded_run(void *user, size_t calls) {
    const struct loaded *const subject = user;
    load_set(true);
    subject->action.run(subject->action.user, calls);
}

static void loaded_check(void *user) {
    const struct loaded *const subject = user;
    if (subject->check)
        subject->check(subject->action.user);
}

static struct pair_times timing_loaded(struct sampling sampling, struct loaded floor, struct loaded subject) {
    struct pair_turn turns[] = {{.subject = {quiet_run, &floor}},
                                {.subject = {loaded_run, &floor}},
                                {.subject = {loaded_run, &subject}, .check = loaded_check}};
    timing_pairs_interleaved(sampling, (struct action){quiet_run, &subject}, turns, 3);
    load_set(false);
    struct pair_times times = turns[2].times;
    times.load_share = turns[0].times.subject.median / turns[1].times.subject.median;
    return times;
}

struct pair_times timing_pairs(struct sampling sampling, struct action floor, struct action subject,
                               void (*check)(void *user)) {
    if (load_exists())
        return timing_loaded(sampling, (struct loaded){floor, NULL}, (struct loaded){subject, check});
    struct pair_turn turn = {.subject = subject, .check = check};
    timing_pairs_interleaved(sampling, floor, &turn, 1);
    return turn.times;
}
