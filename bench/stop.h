/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a program that measures, where going on makes no sense. */
#ifndef PM_BENCH_STOP_H
#define PM_BENCH_STOP_H

#include "parenmatch.h"

/* Says what went wrong, and ends the program with status 1. */
void stop(const char *what, const char *why);

/* Stops unless that is PM_OK. */
void must(pm_status status, const char *what);

#endif
