/* SPDX-License-Identifier: Apache-2.0 */
/* The public matching functions of one backend each, and those for sequences that stay on devices. */
#include "core/match/match.h"

#include "broadword/match/match.h"
#include "gpu/gpu.h"

static pm_status match_on_one_thread(const pmi_engine *engine, const pm_allocator *allocator, const uint64_t *parens,
                                     size_t n, uint32_t *match, pm_bic *total) {
    if (pmi_engine_worthwhile(engine, n))
        return pmi_broadword_match(engine, allocator, parens, n, match, total);
    pmi_seq_match(parens, n, match, total);
    return PM_OK;
}

pm_status pmi_match_on_threads(const pm_context *context, unsigned threads, const uint64_t *parens, size_t n,
                               uint32_t *match, pm_bic *total) {
    const pm_allocator allocator = pm_context_allocator(context);
    const pmi_engine *const engine = pmi_simd_of(context)->engine;
    if (threads == 1)
        return match_on_one_thread(engine, &allocator, parens, n, match, total);
    const pmi_omp_plan plan = pmi_omp_plan_make(n, threads);
    return plan.threads > 1 ? pmi_omp_match(engine, &allocator, &plan, parens, n, match, total)
                            : match_on_one_thread(engine, &allocator, parens, n, match, total);
}

PM_NOINLINE static pm_status check_and_match(const pm_context *context, unsigned threads, const uint64_t *parens,
                                             size_t n, uint32_t *match, pm_bic *total) {
    pm_bic sum = {0, 0};
    pm_status status = pmi_arguments_check(n, parens && match);
    if (status == PM_OK)
        status = pmi_match_on_threads(context, threads, parens, n, match, &sum);
    return pmi_total_store(status, sum, total);
}

pm_status pm_match_broadword(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    if (n < PM_WORTHWHILE_MIN)
        return pmi_match_few(parens, n, match, total);
    return check_and_match(context, 1, parens, n, match, total);
}

pm_status pm_match_omp(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    if (n < PM_WORTHWHILE_MIN)
        return pmi_match_few(parens, n, match, total);
    return check_and_match(context, context ? context->threads : 0, parens, n, match, total);
}

pm_status pm_match_gpu(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    pm_bic sum = {0, 0};
    pm_status status = context ? pmi_arguments_check(n, parens && match) : PM_INVALID_ARGUMENT;
    if (status == PM_OK && n > 0) {
        status = pmi_context_gpu_open(context);
        if (status == PM_OK)
            status = pmi_gpu_match(context->gpu, parens, n, match, &sum);
    }
    return pmi_total_store(status, sum, total);
}

/* ---- Sequences that stay on devices ---- */

pm_status pm_resident_create(pm_context *context, uint64_t n, pm_resident **resident) {
    if (!resident)
        return PM_INVALID_ARGUMENT;
    *resident = NULL;
    if (!context)
        return PM_INVALID_ARGUMENT;
    if (n > PM_N_MAX)
        return PM_TOO_LARGE;
    const pm_status status = pmi_context_gpu_open(context);
    return status == PM_OK ? pmi_gpu_resident_create(context->gpu, n, NULL, resident) : status;
}

void pm_resident_destroy(pm_resident *resident) {
    if (resident)
        pmi_gpu_resident_destroy(resident);
}

pm_status pm_resident_load(pm_resident *resident, const uint64_t *parens) {
    const pmi_gpu_resident_shape *const shape = resident ? pmi_gpu_resident_shape_of(resident) : NULL;
    if (!shape || shape->of_batch || (!parens && shape->n > 0))
        return PM_INVALID_ARGUMENT;
    return pmi_gpu_resident_load(resident, parens);
}

pm_status pm_resident_match(pm_resident *resident, pm_bic *total) {
    pm_bic sum = {0, 0};
    if (!resident || (total && pmi_gpu_resident_shape_of(resident)->of_batch))
        return PM_INVALID_ARGUMENT;
    return pmi_total_store(pmi_gpu_resident_match(resident, &sum), sum, total);
}

pm_status pm_resident_read(pm_resident *resident, uint64_t first, uint64_t count, uint32_t *match) {
    if (!resident || (count > 0 && !match))
        return PM_INVALID_ARGUMENT;
    const pmi_gpu_resident_shape *const shape = pmi_gpu_resident_shape_of(resident);
    if (first < shape->first || first - shape->first > shape->n || count > shape->n - (first - shape->first))
        return PM_INVALID_ARGUMENT;
    return pmi_gpu_resident_read(resident, first, count, match);
}
