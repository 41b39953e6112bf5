/* SPDX-License-Identifier: Apache-2.0 */
/* Matching on the CPU, as the public functions and the choice between them share it; their arguments are valid. */
#ifndef PM_CORE_MATCH_MATCH_H
#define PM_CORE_MATCH_MATCH_H

#include "base/arguments.h"
#include "base/engine.h"
#include "core/context/context.h"
#include "cpu/match/match.h"

/* What a few elements do not need stays out of the functions that begin with pmi_match_few(). */
#if defined(__GNUC__)
#define PM_NOINLINE __attribute__((noinline))
#else
#define PM_NOINLINE
#endif

/* Stores the total of a call that has succeeded, if it is wanted. */
static inline pm_status pmi_total_store(pm_status status, pm_bic sum, pm_bic *total) {
    if (status == PM_OK && total)
        *total = sum;
    return status;
}

/* Matches n < PM_WORTHWHILE_MIN elements with the plain stack; checks pointers, for there cannot be too many. */
static inline pm_status pmi_match_few(const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    pm_bic sum = {0, 0};
    if (n > 0) {
        if (!parens || !match)
            return PM_INVALID_ARGUMENT;
        pmi_seq_match(parens, n, match, &sum);
    }
    if (total)
        *total = sum;
    return PM_OK;
}

/* Matches with at most `threads` threads (0: as many as OpenMP gives), fewer where more do not pay. One thread uses the
 * context's engine, or the plain stack where that is faster. PM_OUT_OF_MEMORY is possible. */
pm_status pmi_match_on_threads(const pm_context *context, unsigned threads, const uint64_t *parens, size_t n,
                               uint32_t *match, pm_bic *total);

/* Returns the number of threads that pm_match_auto() would use for n elements, if it had to use the CPU; 0 for as many
 * as OpenMP gives. */
unsigned pmi_auto_threads(const pm_context *context, size_t n);

/* Returns the number of threads that pm_match_omp() uses for n elements. */
static inline unsigned pmi_threads_of(const pm_context *context, size_t n) {
    return pmi_omp_threads(n, context ? context->threads : 0);
}

/* Matches a batch on the context's device, sequences that have at most `most` <= PM_N_MAX elements together at once. */
pm_status pmi_match_batch_gpu(pm_context *context, const pmi_batch *batch, uint64_t most);

/* pmi_arguments_check(), then checks that each match is PM_NONE or an open before its element; else
 * PM_INVALID_ARGUMENT. So each match may be used as an index, and following matches ends, even if they are not those of
 * the sequence (pm_match_verify() would find that, in up to five times the time). The first element has no match. */
pm_status pmi_match_check(const uint64_t *parens, size_t n, const uint32_t *match, bool outputs_present);

#endif
