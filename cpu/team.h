/* SPDX-License-Identifier: Apache-2.0 */
/* A team of threads: all that the library has to do with OpenMP. Without OpenMP a team is the calling thread alone. */
#ifndef PM_CPU_TEAM_H
#define PM_CPU_TEAM_H

#include <stddef.h>

/* Threads that a team of at most `most` would have if one were called now; 0: at most as many as OpenMP gives. */
unsigned pmi_team_threads(unsigned most);

/*
 * Calls work(item, thread, user) for item = 0 ... items - 1, on at most `threads` threads, and returns when all have
 * returned. `thread` < threads tells the thread that calls; items are handed out in order, as threads become free.
 */
void pmi_team_run(unsigned threads, size_t items, void (*work)(size_t item, unsigned thread, void *user), void *user);

#endif
