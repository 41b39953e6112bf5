/* SPDX-License-Identifier: Apache-2.0 */
/* C11's own clock, which all of these programs can ask for. */
#include "bench/host_times.h"

#include <stdlib.h>
#include <time.h>

double host_clock_us(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double times_sort(double *us, unsigned count) {
    qsort(us, count, sizeof *us, compare);
    return us[count / 2];
}
