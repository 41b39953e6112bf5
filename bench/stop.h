/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a program that measures, where going on makes no sense. */
#ifndef PM_BENCH_STOP_H
#define PM_BENCH_STOP_H

/* Says what went wrong, and ends the program with status 1. */
void stop(const char *what, const char *why);

#endif
