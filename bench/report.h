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

/* Prints the first line of a run: what was asked, when, and on which machine. */
void report_run(int argc, char *const *argv);

/* Prints a line for one case; returns OUTCOME_VERIFIED or OUTCOME_WRONG. Times are in nanoseconds an element, except
 * ns_per_call; null where n = 0. */
enum outcome report_result(const struct result *result);

/* Print a line of another kind: its beginning with the suite, fields, and its end. A number that is not finite is null.
 */
void report_begin(const char *suite);
void report_text(const char *name, const char *value);
void report_number(const char *name, double value);
void report_count(const char *name, unsigned long long value);
void report_verified(bool verified); /* instead of report_end() */
void report_end(void);

#endif
