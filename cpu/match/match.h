/* SPDX-License-Identifier: Apache-2.0 */
/* Matching on one thread by a plain stack (seq.c), and by the engine of a SIMD target: one sequence on several threads
 * (omp.c), many on one or several (batch.c). The public functions have checked the arguments; n > 0; total may not be
 * NULL. */
#ifndef PM_CPU_MATCH_MATCH_H
#define PM_CPU_MATCH_MATCH_H

#include "base/engine.h"
#include "base/sizes.h"

/* So many bytes, and what is missing to a multiple of the scratch memory's alignment. */
static inline size_t pmi_scratch_aligned(size_t bytes) {
    return pmi_divide_up(bytes, PM_SCRATCH_ALIGN) * PM_SCRATCH_ALIGN;
}

/* Matches a sequence. */
void pmi_seq_match(const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total);

/* Many sequences, as pm_match_batch_auto() has them; the offsets ascend, and none is too long. */
typedef struct pmi_batch {
    const uint64_t *parens, *offsets;
    size_t count; /* > 0 */
    uint32_t *match;
    pm_bic *totals; /* NULL: not wanted */
} pmi_batch;

/* The elements of a sequence. */
static inline uint64_t pmi_batch_length(const pmi_batch *batch, size_t s) {
    return batch->offsets[s + 1] - batch->offsets[s];
}

/* Matches many sequences, one after another. */
void pmi_seq_match_batch(const pmi_batch *batch);

/* Matches many sequences with an engine, on at most `threads` threads. PM_OUT_OF_MEMORY is possible. */
pm_status pmi_omp_match_batch(const pmi_engine *engine, const pm_allocator *allocator, unsigned threads,
                              const pmi_batch *batch);

/* Matches with a stack for each key, on at most `threads` threads (0: as many as OpenMP gives). Keys have `width`
 * bytes, 1, 2 or 4. PM_OUT_OF_MEMORY is possible. */
pm_status pmi_omp_match_keys(const pm_allocator *allocator, unsigned threads, const uint64_t *parens, const void *keys,
                             size_t width, size_t n, uint32_t *match);

/* Matches the elements that are in either mask. PM_INVALID_ARGUMENT for an element that is in both. */
pm_status pmi_seq_match_masks(const uint64_t *opens, const uint64_t *closes, size_t n, uint32_t *match, pm_bic *total);

/* How the work is divided: blocks make groups, groups make slices, and threads take slices. */
typedef struct pmi_omp_plan {
    unsigned threads;
    size_t group_blocks; /* at most PM_REDUCE_BLOCKS */
    size_t slice_groups;
    size_t below_room; /* entries of the stack below a slice that its thread holds; more than a group's elements */
} pmi_omp_plan;

/* Divides n elements among at most `most` threads (0: as many as OpenMP gives); 1 thread where more would not pay. */
pmi_omp_plan pmi_omp_plan_make(size_t n, unsigned most);

/* Returns the number of threads of that division. */
unsigned pmi_omp_threads(size_t n, unsigned most);

/* Matches a sequence as planned. PM_OUT_OF_MEMORY is possible. */
pm_status pmi_omp_match(const pmi_engine *engine, const pm_allocator *allocator, const pmi_omp_plan *plan,
                        const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total);

#endif
