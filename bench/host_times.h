/* SPDX-License-Identifier: Apache-2.0 */
/* Times by the host's clock, in microseconds. */
#ifndef PM_BENCH_HOST_TIMES_H
#define PM_BENCH_HOST_TIMES_H

double host_clock_us(void);

/* Sorts count > 0 times and returns their median. */
double times_sort(double *us, unsigned count);

#endif
