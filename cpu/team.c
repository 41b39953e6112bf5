/* SPDX-License-Identifier: Apache-2.0 */
/* The team, on OpenMP where the compiler has it. */
#include "cpu/team.h"

#ifdef _OPENMP
#include <omp.h>
#endif

unsigned pmi_team_threads(unsigned most) {
#ifdef _OPENMP
    if (omp_get_active_level() >= omp_get_max_active_levels())
        return 1; /* inside the caller's own team, which may not have teams within */
    const unsigned given = (unsigned)omp_get_max_threads(), limit = (unsigned)omp_get_thread_limit();
    const unsigned wanted = most > 0 ? most : given;
    return wanted < limit ? wanted : limit;
#else
    (void)most;
    return 1;
#endif
}

#ifdef _OPENMP
void pmi_team_run(unsigned threads, size_t items, void (*work)(size_t item, unsigned thread, void *user), void *user) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (size_t item = 0; item < items; item++)
        work(item, (unsigned)omp_get_thread_num(), user);
}
#else
void pmi_team_run(unsigned threads, size_t items, void (*work)(size_t item, unsigned thread, void *user), void *user) {
    (void)threads;
    for (size_t item = 0; item < items; item++)
        work(item, 0, user);
}
#endif
