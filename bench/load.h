/* SPDX-License-Identifier: Apache-2.0 */
/* Other processes that keep cores busy while something is timed. */
#ifndef PM_BENCH_LOAD_H
#define PM_BENCH_LOAD_H

#include <stdbool.h>

#define LOAD_MOST 256

/* Starts processes, which stand still and end with this one. Call it before there are threads. */
void load_start(unsigned processes);

/* Are there any? */
bool load_exists(void);

/* Lets them run or stand still, and waits until the scheduler has taken note. */
void load_set(bool running);

#endif
