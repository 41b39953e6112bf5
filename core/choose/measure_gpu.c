/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the figures of a device: few elements and many, with their transfers and without. */
#include <stdio.h>

#include "base/clock.h"
#include "core/choose/measure.h"
#include "core/match/match.h"
#include "gpu/gpu.h"

#define SHORT_N PM_MEASURE_SHORT
#define LEAST_LONG_N ((size_t)1 << 16)
#define LONG_CALL_NS 2e7 /* long enough */

/* Matches, and leaves the match on the device. */
static pm_status upload_and_match(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match,
                                  pm_bic *total) {
    (void)match, (void)total;
    pm_bic sum;
    const pm_status status = pmi_context_gpu_open(context);
    return status == PM_OK ? pmi_gpu_match(context->gpu, parens, n, NULL, &sum) : status;
}

/* Matches what the last call has uploaded. */
static pm_status match_again(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    (void)parens;
    return upload_and_match(context, NULL, n, match, total);
}

static const pmi_timed_call from_host_to_host = {.match = pm_match_gpu}, from_host = {.match = upload_and_match},
                            on_device = {.match = match_again, .prepare = upload_and_match};

/* The device, opened, with the kernels that such lengths need. Finds how long that takes, and how many elements are
 * many for it: as many as there is room for, or fewer on a slow device. */
static pm_status open_device(pmi_call_times *times, size_t *long_n, double *open_ns) {
    pmi_context_gpu_close(times->context);
    const double begin = pmi_clock_ns();
    pm_status status = pmi_context_gpu_open(times->context);
    if (status == PM_OK)
        status = pm_match_gpu(times->context, times->parens, SHORT_N, times->match, NULL);
    *open_ns = pmi_clock_ns() - begin;
    double took = 0;
    *long_n = LEAST_LONG_N / 2;
    do {
        *long_n *= 2;
        const double again = pmi_clock_ns();
        if (status == PM_OK)
            status = pm_match_gpu(times->context, times->parens, *long_n, times->match, NULL);
        took = pmi_clock_ns() - again;
    } while (status == PM_OK && *long_n < PM_MEASURE_LONG && took < LONG_CALL_NS);
    return status;
}

#define LEAST 1e-5 /* ns an element: whatever it is, it does not count */

/* The way of the match to the host, with as many threads as the context has. */
static pm_status measure_download(pmi_call_times *times, size_t n, const pmi_gpu_figures *figures, double *element) {
    double both_ways;
    const pm_status status = pmi_call_ns(times, &from_host_to_host, n, &both_ways);
    *element = (both_ways - figures->call) / (double)(n - SHORT_N) - figures->match_element - figures->upload_element;
    return status;
}

/* The same with one thread. Who copies is settled when the device is opened. */
static pm_status measure_download_alone(pmi_call_times *times, size_t n, const pmi_gpu_figures *figures,
                                        double *element) {
    pm_context *const context = times->context;
    const unsigned threads = context->threads;
    pmi_context_gpu_close(context);
    context->threads = 1;
    const pm_status status = measure_download(times, n, figures, element);
    pmi_context_gpu_close(context);
    context->threads = threads;
    return status == PM_OK ? pmi_context_gpu_open(context) : status;
}

/* What one thread takes beyond several tells which part they divide. Where there is but one, nothing does: then more
 * threads are taken to be of no use. */
static pm_status measure_copy(pmi_call_times *times, size_t n, unsigned threads, pmi_gpu_figures *figures) {
    double shared, alone;
    pm_status status = measure_download(times, n, figures, &shared);
    alone = shared;
    if (status == PM_OK && threads > 1)
        status = measure_download_alone(times, n, figures, &alone);
    if (status != PM_OK)
        return status;
    figures->copy_element = threads > 1 ? pmi_measure_at_min(LEAST, (alone - shared) / (1 - 1. / threads)) : LEAST;
    figures->download_element = pmi_measure_at_min(LEAST, shared - figures->copy_element / threads);
    return PM_OK;
}

static pm_status measure(pmi_call_times *times, size_t n, pmi_gpu_figures *figures) {
    double up, there, more = (double)(n - SHORT_N);
    pm_status status = pmi_call_ns(times, &from_host_to_host, SHORT_N, &figures->call);
    if (status == PM_OK)
        status = pmi_call_ns(times, &on_device, SHORT_N, &figures->launch);
    if (status == PM_OK)
        status = pmi_call_ns(times, &on_device, n, &there);
    if (status == PM_OK)
        status = pmi_call_ns(times, &from_host, n, &up);
    if (status != PM_OK)
        return status;
    figures->match_element = pmi_measure_at_min(LEAST, (there - figures->launch) / more);
    figures->upload_element = pmi_measure_at_min(LEAST, (up - there) / more);
    return measure_copy(times, n, pmi_threads_of(times->context, n), figures);
}

void pmi_profile_measure_gpu(pmi_call_times *times, pmi_profile *profile) {
    size_t long_n;
    pmi_gpu_figures figures;
    if (open_device(times, &long_n, &figures.open) != PM_OK || measure(times, long_n, &figures) != PM_OK)
        return;
    profile->gpu = figures;
    snprintf(profile->device, sizeof profile->device, "%s", pmi_context_gpu_key(times->context));
    pmi_profile_measure_boxes(times->context, times->input_ns, &profile->box);
}
