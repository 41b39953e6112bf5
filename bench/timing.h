/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timing in pairs: floor, subject, floor, subject, ..., so that disturbances of the machine affect both equally.
 * Medians, not means, because disturbances only add time.
 */
#ifndef PM_BENCH_TIMING_H
#define PM_BENCH_TIMING_H

#include <stddef.h>
#include <stdint.h>

#define REPETITIONS_MOST 1000u

/* How long to go on. */
struct sampling {
    unsigned repetitions; /* pairs of samples, at most REPETITIONS_MOST; 0: as many as the seconds allow, 5 at least */
    double seconds;       /* checks included */
};

/* Something to time: does its work `calls` times. */
struct action {
    void (*run)(void *user, size_t calls);
    void *user;
};

/* Of nanoseconds a call. */
struct distribution {
    double min, median;
    double spread; /* (upper quartile - lower quartile) / median */
};

/* Of some times, count > 0, which it sorts. */
struct distribution distribution_of(double *times, size_t count);

struct pair_times {
    struct distribution floor, subject;
    double share_spread; /* the spread of floor / subject within pairs */
    double load_share;   /* with --load: of the floor itself, its time on a quiet machine / while the load runs */
    unsigned repetitions;
};

/* A clock in nanoseconds. */
uint64_t clock_now(void);

/* Something to interleave with others, and the time of a call. It is checked after each sample, untimed. */
struct turn {
    struct action action;
    void (*check)(void *user); /* with the action's user; NULL: nothing to check */
    struct distribution time;
};

#define TURNS_MOST 12u

/* Times each, interleaved; returns the number of samples of each. */
unsigned timing_turns(struct sampling sampling, struct turn *turns, unsigned count);

/* A subject to interleave with others, each after the floor, and the times of its pairs. */
struct pair_turn {
    struct action subject;
    void (*check)(void *user);
    struct pair_times times;
};

/* Times pairs of each, interleaved: floor, one, floor, the next, ... */
void timing_pairs_interleaved(struct sampling sampling, struct action floor, struct pair_turn *turns, unsigned count);

/* Times pairs of one subject. With --load the floor is the subject itself, on a quiet machine, and both are interleaved
 * with the actual floor, on a quiet machine and under the load: the load costs the subject at least what it costs that.
 */
struct pair_times timing_pairs(struct sampling sampling, struct action floor, struct action subject,
                               void (*check)(void *user));

#endif
