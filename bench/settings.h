/* SPDX-License-Identifier: Apache-2.0 */
/* What a run of pm_bench was asked for on its command line. */
#ifndef PM_BENCH_SETTINGS_H
#define PM_BENCH_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/options.h"
#include "bench/report.h"

struct size_list {
    size_t count;
    size_t sizes[NAMES_MOST];
};

/* An empty list stands for what the suite has by default, or for everything. */
struct settings {
    struct name_list suites, families, backends;
    struct size_list sizes;
    size_t most;         /* elements: limits a suite's own sizes */
    const char *simd;    /* NULL: any */
    const char *profile; /* for contexts; NULL: none */
    unsigned threads;
    struct sampling sampling;
    unsigned load; /* processes that keep cores busy */
    int pin;       /* the first CPU to run on; -1: any */
    uint64_t seed;
    bool list, help;
};

/* Reads the command line; `own` is an option of the program's own, or NULL. False, after a line on standard error, for
 * one that is wrong. */
bool settings_parse(int argc, char **argv, const struct option_known *own, struct settings *settings);

/* What --help prints. */
extern const char settings_help[];

#endif
