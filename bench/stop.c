/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a program that cannot go on. */
#include "bench/stop.h"

#include <stdio.h>
#include <stdlib.h>

void stop(const char *what, const char *why) {
    fprintf(stderr, "pm_bench: %s: %s\n", what, why);
    exit(2);
}

void must(pm_status status, const char *what) {
    if (status != PM_OK)
        stop(what, pm_status_string(status));
}

void *must_allocate(size_t bytes) {
    void *const memory = malloc(bytes + 1); /* not NULL for no bytes */
    if (!memory)
        stop("memory", "there is not enough");
    return memory;
}
