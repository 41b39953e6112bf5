/* SPDX-License-Identifier: Apache-2.0 */
/* Ends a program that cannot go on, after a line on standard error, with status 2. */
#ifndef PM_BENCH_STOP_H
#define PM_BENCH_STOP_H

#include <stddef.h>

#include "parenmatch.h"

void stop(const char *what, const char *why);

/* Stops unless the status is PM_OK. */
void must(pm_status status, const char *what);

/* Returns memory for free(); stops if there is none. */
void *must_allocate(size_t bytes);

#endif
