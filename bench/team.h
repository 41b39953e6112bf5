/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A team of threads that work on one thing together. It is OpenMP's, so that a floor and the backend beside it share
 * their threads: idle threads of one kind, which may spin, never sit on the cores that the other kind needs.
 */
#ifndef PM_BENCH_TEAM_H
#define PM_BENCH_TEAM_H

/* Most threads that may be asked for: 1 in a build without OpenMP. */
unsigned team_threads_most(void);

/* Calls work(t, threads, user) for t = 0 ... threads - 1, each on a thread of its own, and waits for all. */
void team_run(unsigned threads, void (*work)(unsigned thread, unsigned threads, void *user), void *user);

#endif
