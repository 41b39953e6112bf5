/* SPDX-License-Identifier: Apache-2.0 */
/* A search on several threads. */
#ifndef PM_CPU_FIND_OMP_H
#define PM_CPU_FIND_OMP_H

#include "core/find_engine.h"
#include "core/hit_sink.h"

/* Sets how many threads search n places, at most `most` (0: as many as OpenMP gives), and by turns of how much. */
void pm_find_plan_threads(pm_find_plan *plan, size_t n, unsigned most);

/* Searches its places. PM_OUT_OF_MEMORY is possible. */
pm_status pm_find_parallel(const pm_allocator *allocator, const pm_find_plan *plan, const pm_search *search,
                           pm_hit_sink *sink);

#endif
