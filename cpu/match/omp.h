/* SPDX-License-Identifier: Apache-2.0 */
/* Matching with several threads, each at work on slices of the sequence with an engine. */
#ifndef PM_CPU_MATCH_OMP_H
#define PM_CPU_MATCH_OMP_H

#include "base/engine.h"

/* How the work is divided: blocks make groups, groups make slices, and threads take slices. */
typedef struct pmi_omp_plan {
    unsigned threads;
    size_t group_blocks; /* at most PM_REDUCE_BLOCKS */
    size_t slice_groups;
    size_t
        below_room; /* entries of the stack below its slice that a thread has at hand; more than a group's elements */
} pmi_omp_plan;

/* The division of n elements among at most `most` threads (0: as many as OpenMP gives); 1 thread where more would not
 * pay. */
pmi_omp_plan pmi_omp_plan_make(size_t n, unsigned most);

/* The threads of that division alone. */
unsigned pmi_omp_threads(size_t n, unsigned most);

/* Matches a sequence, n > 0. PM_OUT_OF_MEMORY is possible. */
pm_status pmi_omp_match(const pmi_engine *engine, const pm_allocator *allocator, const pmi_omp_plan *plan,
                        const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total);

#endif
