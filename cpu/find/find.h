/* SPDX-License-Identifier: Apache-2.0 */
/* The engines that read one byte after another (automaton.c), and searches on one thread (seq.c) or several (omp.c). */
#ifndef PM_CPU_FIND_FIND_H
#define PM_CPU_FIND_FIND_H

#include "base/hit_sink.h"

extern const pmi_find_engine pmi_find_automaton; /* the reference implementation */
extern const pmi_find_engine pmi_find_interleaved;
extern const pmi_find_engine pmi_find_trie; /* PFAC */

/* Sets how many threads search n places, at most `most` (0: as many as OpenMP gives), and how much in each turn. */
void pmi_find_plan_threads(pmi_find_plan *plan, size_t n, unsigned most);

/* Both search as planned, on one thread or on the plan's threads. PM_OUT_OF_MEMORY is possible. */
pm_status pmi_seq_find(const pm_allocator *allocator, const pmi_find_plan *plan, const pmi_search *search,
                       pmi_hit_sink *sink);
pm_status pmi_omp_find(const pm_allocator *allocator, const pmi_find_plan *plan, const pmi_search *search,
                       pmi_hit_sink *sink);

#endif
