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

#define TURNS_MOST 12u

/* Times each by turns, as pairs are; returns how many samples each had. */
unsigned timing_turns(struct sampling sampling, struct turn *turns, unsigned count);

/* A subject that takes its turn beside the floor, and the times of its pairs; `check` is as above. */
struct pair_turn {
    struct action subject;
    void (*check)(void *user);
    struct pair_times times;
};

/* Times pairs of each by turns: floor, one, floor, the next, ..., so that what else the machine does meets all alike.
 */
void timing_pairs_by_turns(struct sampling sampling, struct action floor, struct pair_turn *turns, unsigned count);

/* Times pairs of one subject. */
struct pair_times timing_pairs(struct sampling sampling, struct action floor, struct action subject,
                               void (*check)(void *user));

#endif
