/* SPDX-License-Identifier: Apache-2.0 */
/* The machine that a benchmark runs on: its memory, threads and CPUs; and the end of a program that cannot go on. */
#ifndef PM_BENCH_MACHINE_H
#define PM_BENCH_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "parenmatch.h"

/* Prints a line on standard error and ends the program with status 2. */
void stop(const char *what, const char *why);

/* Stops unless the status is PM_OK. */
void must(pm_status status, const char *what);

/* Returns memory for free(); stops if memory runs out. */
void *must_allocate(size_t bytes);

/* Returns at least `size` bytes for free(), NULL if there is no memory. They are on huge pages where the system grants
 * them, and written once, so that no page is touched for the first time while the clock runs. */
void *buffer_create(size_t size);

/* Returns how many threads may be asked for: 1 in a build without OpenMP. */
unsigned threads_most(void);

/* Calls work(part, parts, user) for part = 0 ... parts - 1, on at most `threads` threads, and waits for all. Threads
 * are the library's own: two thread pools, whose idle threads may spin, would compete for the cores. */
void threads_run(unsigned threads, void (*work)(unsigned part, unsigned parts, void *user), void *user);

struct machine {
    char cpu[128];       /* the processor's name */
    long cores;          /* on line */
    double load;         /* the load average of the last minute; negative where unknown */
    char huge_pages[16]; /* the system's policy: "always", "madvise", "never", or "unknown" */
};

void machine_describe(struct machine *machine);

/* Restricts the process to `count` CPUs from `first` on; returns false where that is not possible. */
bool machine_pin(int first, unsigned count);

#endif
