/* SPDX-License-Identifier: Apache-2.0 */
/* What a run of pm_bench was asked for on its command line. */
#ifndef PM_BENCH_SETTINGS_H
#define PM_BENCH_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/report.h"

#define SETTINGS_MOST 64u /* of one option given repeatedly */

struct name_list {
    size_t count;
    const char *names[SETTINGS_MOST];
};

struct size_list {
    size_t count;
    size_t sizes[SETTINGS_MOST];
};

/* An empty list means: what the suite has by default, or everything. */
struct settings {
    struct name_list suites, families, backends;
    struct size_list sizes;
    size_t most;         /* elements, of a suite's own sizes */
    const char *simd;    /* NULL: any */
    const char *profile; /* that contexts go by; NULL: none */
    unsigned threads;
    struct sampling sampling;
    int pin; /* the first CPU to run on; -1: any */
    uint64_t seed;
    bool list, help;
};

/* Reads the command line. False, after a line on standard error, for one that is wrong. */
bool settings_parse(int argc, char **argv, struct settings *settings);

/* What --help prints. */
extern const char settings_help[];

/* Is the name asked for: in the list, or is the list empty? */
bool name_list_wants(const struct name_list *list, const char *name);

#endif
