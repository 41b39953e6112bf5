/* SPDX-License-Identifier: Apache-2.0 */
/* A search on one thread (seq.c), or on several. */
#ifndef PM_CPU_FIND_OMP_H
#define PM_CPU_FIND_OMP_H

#include "base/find_engine.h"
#include "base/hit_sink.h"

/* Sets how many threads search n places, at most `most` (0: as many as OpenMP gives), and by turns of how much. */
void pmi_find_plan_threads(pmi_find_plan *plan, size_t n, unsigned most);

/* Searches on one thread. PM_OUT_OF_MEMORY is possible. */
pm_status pmi_seq_find(const pm_allocator *allocator, const pmi_find_plan *plan, const pmi_search *search,
                       pmi_hit_sink *sink);

/* Searches on the plan's threads. PM_OUT_OF_MEMORY is possible. */
pm_status pmi_omp_find(const pm_allocator *allocator, const pmi_find_plan *plan, const pmi_search *search,
                       pmi_hit_sink *sink);

#endif
