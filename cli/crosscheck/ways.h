/* SPDX-License-Identifier: Apache-2.0 */
/* All ways to match, and to find boxes and scan trees: backends, vector instructions, numbers of threads, pipelines. */
#ifndef PM_CLI_CROSSCHECK_WAYS_H
#define PM_CLI_CROSSCHECK_WAYS_H

#include "cli/crosscheck/compare.h"
#include "cli/machine_options.h"

/* What to check; NULL, or 0: everything. */
typedef struct crosscheck_choice {
    const char *backend;
    machine_options machine; /* its own choice of a backend is not used */
} crosscheck_choice;

typedef struct crosscheck_ways {
    crosscheck_way *ways;
    size_t count, present; /* listed; that can be had here */
    double shrinking;      /* seconds, of making differences small */
} crosscheck_ways;

bool crosscheck_is_backend(const char *name);

/* The ways of a choice, each with a context that works, or else why it cannot be had here. PM_OUT_OF_MEMORY is
 * possible, then also to be closed. */
pm_status crosscheck_ways_open(const crosscheck_choice *choice, crosscheck_ways *all);

void crosscheck_ways_close(crosscheck_ways *all);

#endif
