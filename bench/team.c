/* SPDX-License-Identifier: Apache-2.0 */
/* The team, on OpenMP where the compiler has it. */
#include "bench/team.h"

unsigned team_threads_most(void) {
#ifdef _OPENMP
    return 1024;
#else
    return 1;
#endif
}

void team_run(unsigned threads, void (*work)(unsigned thread, unsigned threads, void *user), void *user) {
    if (threads == 1) {
        work(0, 1, user);
        return;
    }
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1)
#endif
    for (unsigned t = 0; t < threads; t++)
        work(t, threads, user);
}
