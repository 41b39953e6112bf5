/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that take items. All callers share them. They are started when first asked for, and sleep between jobs.
 *
 * OpenMP's teams meet at barriers: a region ends when all its threads have run, even those that had nothing to do. On a
 * busy machine the scheduler may let one wait for milliseconds. Here a job waits only for items that are being worked
 * on. A thread that comes late finds the items taken.
 */
#ifndef PM_CPU_POOL_H
#define PM_CPU_POOL_H

#include <stddef.h>

/* Calls work(item, thread, user) as pmi_threads_run() says. Fewer threads than asked for work if the system refuses to
 * start some, or if others are working for other callers. */
void pmi_pool_run(unsigned threads, size_t items, void (*work)(size_t item, unsigned thread, void *user), void *user);

#endif
