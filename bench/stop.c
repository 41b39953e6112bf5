/* SPDX-License-Identifier: Apache-2.0 */
/* With a line on standard error. */
#include "bench/stop.h"

#include <stdio.h>
#include <stdlib.h>

void stop(const char *what, const char *why) {
    fprintf(stderr, "pm_bench: %s: %s\n", what, why);
    exit(1);
}
