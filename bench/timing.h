/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timing in pairs: floor, subject, floor, subject, ... so that whatever else the machine does meets both alike.
 * Medians, not means, because disturbances only ever add time.
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

/* Something to time: `calls` times the same work. */
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
    double share_spread; /* of floor / subject within pairs, likewise */
    unsigned repetitions;
};

/* A clock in nanoseconds. */
uint64_t clock_now(void);

/* Something that takes its turn, is checked after each sample, untimed, and how long a call took. */
struct turn {
    struct action action;
    void (*check)(void *user); /* with the action's user; NULL: nothing to check */
    struct distribution time;
};

#define TURNS_MOST 8u

/* Times each by turns, as pairs are; returns how many samples each had. */
unsigned timing_turns(struct sampling sampling, struct turn *turns, unsigned count);

/* Times pairs. check(user) is called, untimed, after each sample of the subject, with the subject's user;
 * NULL: nothing to check. */
struct pair_times timing_pairs(struct sampling sampling, struct action floor, struct action subject,
                               void (*check)(void *user));

#endif
