/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the figures of a device: few elements and many, with their transfers and without. */
#include <stdio.h>

#include "base/clock.h"
#include "core/choose/measure.h"
#include "core/match/match.h"
#include "gpu/gpu.h"

#define SHORT_N PM_MEASURE_SHORT
#define MIN_LONG_N ((size_t)1 << 16)
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
    *long_n = MIN_LONG_N / 2;
    do {
        *long_n *= 2;
        const double again = pmi_clock_ns();
        if (status == PM_OK)
            status = pm_match_gpu(times->context, times->parens, *long_n, times->match, NULL);
        took = pmi_clock_ns() - again;
    } while (status == PM_OK && *long_n < PM_MEASURE_LONG && took < LONG_CALL_NS);
    return status;
}

/* An element's download, with as many threads as the context has. */
typedef struct download {
    pmi_call_times *times;
    size_t n;
    const pmi_gpu_figures *figures;
    double element;
} download;

static pm_status measure_download(void *user) {
    download *const d = user;
    double both_ways;
    const pm_status status = pmi_call_ns(d->times, &from_host_to_host, d->n, &both_ways);
    d->element = (both_ways - d->figures->call) / (double)(d->n - SHORT_N) - d->figures->match_element -
                 d->figures->upload_element;
    return status;
}

static pm_status measure_copy(pmi_call_times *times, size_t n, unsigned threads, pmi_gpu_figures *figures) {
    download together = {times, n, figures, 0};
    pm_status status = measure_download(&together);
    download alone = together;
    if (status == PM_OK && threads > 1)
        status = pmi_measure_with_one_thread(times->context, measure_download, &alone);
    if (status == PM_OK)
        pmi_measure_split(alone.element, together.element, threads, &figures->copy_element, &figures->download_element);
    return status;
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
    figures->match_element = pmi_measure_at_min(PM_MEASURE_MIN, (there - figures->launch) / more);
    figures->upload_element = pmi_measure_at_min(PM_MEASURE_MIN, (up - there) / more);
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
