/* SPDX-License-Identifier: Apache-2.0 */
/* From the public matching functions to the backends: checks once, then hands on. The only file that knows them all
 * (core/match/auto.c chooses among its functions). */
#include "core/match/match.h"

#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/engine.h"
#include "base/options_read.h"
#include "broadword/match/match.h"
#include "core/context/context.h"
#include "cpu/copy_team.h"
#include "cpu/match/omp.h"
#include "cpu/match/seq.h"
#include "gpu/gpu.h"

pm_status pmi_engine_choose(const char *name, const struct pmi_engine **engine) {
    *engine = name ? pmi_engine_by_name(name) : NULL;
    if (!name)
        return PM_OK;
    if (!*engine)
        return PM_INVALID_ARGUMENT;
    return (*engine)->supported() ? PM_OK : PM_UNSUPPORTED;
}

pm_status pmi_pipeline_choose(const char *name, unsigned *pipeline) {
    pmi_pipeline_id id = PM_PIPELINES;
    if (name && !pmi_pipeline_by_name(name, &id))
        return PM_INVALID_ARGUMENT;
    *pipeline = id;
    return PM_OK;
}

const struct pmi_engine *pmi_engine_of(const pm_context *context) {
    return context && context->engine ? context->engine : pmi_engine_best();
}

pm_status pm_match_seq(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    (void)context; /* the sequential stack needs neither memory nor settings */
    pm_bic sum = {0, 0};
    const pm_status status = pmi_arguments_check(n, parens && match);
    if (status != PM_OK)
        return status;
    if (n > 0)
        pmi_seq_match(parens, n, match, &sum);
    if (total)
        *total = sum;
    return PM_OK;
}

/* The plain stack for so few elements that there cannot be too many. */
static inline pm_status match_few(const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
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

/* With the engine, or the plain stack where that is faster. */
static pm_status match_on_one_thread(const pmi_engine *engine, const pm_allocator *allocator, const uint64_t *parens,
                                     size_t n, uint32_t *match, pm_bic *total) {
    if (pmi_engine_worthwhile(engine, n))
        return pmi_broadword_match(engine, allocator, parens, n, match, total);
    pmi_seq_match(parens, n, match, total);
    return PM_OK;
}

/* Apart from what is handed on to it, which for a few elements is all that there is to do. */
#if defined(__GNUC__)
#define APART __attribute__((noinline))
#else
#define APART
#endif

APART static pm_status match_broadword(const pm_context *context, const uint64_t *parens, size_t n, uint32_t *match,
                                       pm_bic *total) {
    pm_bic sum = {0, 0};
    pm_status status = pmi_arguments_check(n, parens && match);
    if (status == PM_OK) {
        const pm_allocator allocator = pm_context_allocator(context);
        status = match_on_one_thread(pmi_engine_of(context), &allocator, parens, n, match, &sum);
    }
    if (status == PM_OK && total)
        *total = sum;
    return status;
}

pm_status pm_match_broadword(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    if (n < PM_WORTHWHILE_LEAST)
        return match_few(parens, n, match, total);
    return match_broadword(context, parens, n, match, total);
}

APART static pm_status match_omp(const pm_context *context, const uint64_t *parens, size_t n, uint32_t *match,
                                 pm_bic *total) {
    pm_bic sum = {0, 0};
    pm_status status = pmi_arguments_check(n, parens && match);
    if (status == PM_OK) {
        const pm_allocator allocator = pm_context_allocator(context);
        const pmi_engine *engine = pmi_engine_of(context);
        const pmi_omp_plan plan = pmi_omp_plan_make(n, context ? context->threads : 0);
        status = plan.threads > 1 ? pmi_omp_match(engine, &allocator, &plan, parens, n, match, &sum)
                                  : match_on_one_thread(engine, &allocator, parens, n, match, &sum);
    }
    if (status == PM_OK && total)
        *total = sum;
    return status;
}

pm_status pm_match_omp(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    if (n < PM_WORTHWHILE_LEAST)
        return match_few(parens, n, match, total);
    return match_omp(context, parens, n, match, total);
}

pm_status pm_match_auto(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    if (n < PM_WORTHWHILE_LEAST)
        return match_few(parens, n, match, total);
    return pmi_match_chosen(context, parens, n, match, total);
}

/* The one variable that the library reads; pm_options.allow_cpu_device says what it is for. */
static bool environment_allows_cpu_device(void) {
    const char *const value = getenv("PARENMATCH_ALLOW_CPU_DEVICE");
    return value && strcmp(value, "1") == 0;
}

static bool cpu_device_allowed(const pm_context *context) {
    return (context && context->allow_cpu_device) || environment_allows_cpu_device();
}

pm_status pm_device_at(pm_context *context, size_t index, pm_device_info *device) {
    if (!device)
        return PM_INVALID_ARGUMENT;
    pm_device_info found = {.name = ""};
    const pmi_gpu_settings settings = {.allow_cpu_device = cpu_device_allowed(context)};
    const pm_status status = pmi_gpu_describe(&settings, index, &found);
    if (status != PM_OK)
        return status;
    return pmi_options_write(&found, device, sizeof found, offsetof(pm_device_info, trouble) + sizeof found.trouble);
}

pm_status pmi_context_gpu_open(pm_context *context) {
    const pmi_gpu_settings settings = {.device = context->device,
                                       .pipeline_cache = context->pipeline_cache,
                                       .allow_cpu_device = cpu_device_allowed(context),
                                       .pipeline_by_n = context->pipeline == PM_PIPELINES,
                                       .pipeline = (pmi_pipeline_id)context->pipeline,
                                       .copy = pmi_copy_team,
                                       .copy_threads = context->threads};
    return context->gpu ? PM_OK : pmi_gpu_open(&settings, &context->allocator, &context->gpu);
}

void pmi_context_gpu_close(pm_context *context) {
    pmi_gpu_close(context->gpu);
    context->gpu = NULL;
}

const char *pmi_context_gpu_key(const pm_context *context) {
    return context->gpu ? pmi_gpu_key(context->gpu) : "";
}

const char *pmi_context_gpu_kind(const pm_context *context) {
    return context->gpu ? pmi_gpu_kind(context->gpu) : "";
}

pm_status pmi_context_gpu_match_on_device(pm_context *context, const uint64_t *parens, size_t n) {
    pm_bic sum;
    const pm_status status = pmi_context_gpu_open(context);
    return status == PM_OK ? pmi_gpu_match(context->gpu, parens, n, NULL, &sum) : status;
}

pm_status pm_match_gpu(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    pm_bic sum = {0, 0};
    pm_status status = context ? pmi_arguments_check(n, parens && match) : PM_INVALID_ARGUMENT;
    if (status == PM_OK && n > 0) {
        status = pmi_context_gpu_open(context);
        if (status == PM_OK)
            status = pmi_gpu_match(context->gpu, parens, n, match, &sum);
    }
    if (status == PM_OK && total)
        *total = sum;
    return status;
}

unsigned pmi_threads_of(const pm_context *context, size_t n) {
    return pmi_omp_threads(n, context ? context->threads : 0);
}

pm_status pm_match_masks(pm_context *context, const uint64_t *opens, const uint64_t *closes, size_t n, uint32_t *match,
                         pm_bic *total) {
    (void)context;
    pm_bic sum = {0, 0};
    pm_status status = pmi_arguments_check(n, opens && closes && match);
    if (status == PM_OK && n > 0)
        status = pmi_seq_match_masks(opens, closes, n, match, &sum);
    if (status == PM_OK && total)
        *total = sum;
    return status;
}
