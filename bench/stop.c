/* SPDX-License-Identifier: Apache-2.0 */
/* With a line on standard error. */
#include "bench/stop.h"

#include <stdio.h>
#include <stdlib.h>

void stop(const char *what, const char *why) {
    fprintf(stderr, "pm_bench: %s: %s\n", what, why);
    exit(1);
}

void must(pm_status status, const char *what) {
    if (status != PM_OK)
        stop(what, pm_status_string(status));
}
