/* SPDX-License-Identifier: Apache-2.0 */
/* What pm_bench prints: one JSON object a line on standard output. Only --list and --help print there as well. */
#ifndef PM_BENCH_REPORT_H
#define PM_BENCH_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/timing.h"

/* What the program exits with. A run's outcome is the worst of its parts'. */
enum outcome {
    OUTCOME_VERIFIED = 0, /* everything timed was right */
    OUTCOME_WRONG = 1,    /* something timed gave a wrong result, or failed */
    OUTCOME_FAILED = 2    /* the command line was wrong, or the machine lacks memory or a device */
};

static inline enum outcome outcome_worse(enum outcome a, enum outcome b) {
    return a > b ? a : b;
}

/* One case that was timed. */
struct result {
    const char *suite;
    const char *backend, *simd; /* what was timed */
    const char *kind;           /* the family of inputs */
    const char *floor;          /* which it was compared with */
    size_t n;
    size_t length;     /* of the sequence that n queries were put to; 0: n elements were timed */
    double index_bits; /* of the index, for each of its elements */
    unsigned threads;
    struct pair_times times; /* of a call */
    bool verified;
};

/* Of one case, the fastest and what the library chooses. */
struct regret {
    const char *place; /* where the data lies: "host" or "device" */
    const char *kind;
    size_t n;
    unsigned threads;
    const char *chosen, *best;
    double chosen_ns, best_ns; /* medians of a call; chosen_ns that of the call that chooses, where there is one */
    double chosen_least, best_least; /* minima of a call */
};

/* Where one overtakes another. */
struct crossing {
    const char *place, *kind;
    unsigned threads;
    const char *from, *to;
    double n;      /* elements; between the two nearest lengths that were compared */
    size_t chosen; /* the first for which the library chooses `to`; 0: it does not, or did so for fewer */
};

/* The first line of a run: what was asked, when, and on which machine. */
void report_run(int argc, char *const *argv);

/* Prints a line for one case; returns OUTCOME_VERIFIED or OUTCOME_WRONG. Times are in nanoseconds an element, except
 * ns_per_call; null where n = 0. */
enum outcome report_result(const struct result *result);

/* Lines of the suite crossover that are not cases. */
void report_regret(const struct regret *regret);
void report_crossing(const struct crossing *crossing);

#endif
