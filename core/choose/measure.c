/* SPDX-License-Identifier: Apache-2.0 */
/* Measures times of calls; and the figures of the CPU: the model solved for times of a few lengths. */
#include "core/choose/measure.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/engine.h"
#include "core/choose/profile.h"
#include "core/match/match.h"

#define SAMPLE_ELEMENTS ((size_t)1 << 16) /* short calls are timed together: as many as have this many elements */

enum {
    SAMPLES_MIN = 3,
    SAMPLES_MAX = 63
};

/* ---- Inputs ---- */

uint64_t pmi_random_next(uint64_t *state) {
    *state ^= *state << 13; /* xorshift, by Marsaglia */
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

/* Fair coins; pairs; 64 opens and 64 closes; opens, then closes. */
static void fill_input(pmi_call_times *times, unsigned kind, size_t n) {
    uint64_t state = 88172645463325252u;
    for (size_t w = 0; w < n / 64; w++)
        switch (kind) {
        case 0:
            times->parens[w] = pmi_random_next(&state);
            break;
        case 1:
            times->parens[w] = UINT64_C(0x5555555555555555);
            break;
        case 2:
            times->parens[w] = w % 2 == 0 ? UINT64_MAX : 0;
            break;
        default:
            times->parens[w] = w < n / 128 ? UINT64_MAX : 0;
            break;
        }
}

/* ---- Times ---- */

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static pm_status sample_ns(pmi_timed *call, void *user, size_t calls, double *ns) {
    pm_status status = PM_OK;
    const double begin = pmi_clock_ns();
    for (size_t c = 0; c < calls && status == PM_OK; c++)
        status = call(user);
    *ns = (pmi_clock_ns() - begin) / (double)calls;
    return status;
}

pm_status pmi_median_ns(pmi_timed *call, void *user, size_t calls, double all_ns, double *median) {
    double samples[SAMPLES_MAX];
    size_t count = 0;
    pm_status status = sample_ns(call, user, calls, samples); /* warms up, and is not counted */
    const double begin = pmi_clock_ns();
    while (status == PM_OK && count < SAMPLES_MAX && (count < SAMPLES_MIN || pmi_clock_ns() - begin < all_ns))
        status = sample_ns(call, user, calls, &samples[count++]);
    if (status == PM_OK) {
        qsort(samples, count, sizeof *samples, compare_doubles);
        *median = samples[count / 2];
    }
    return status;
}

/* ---- Of matches ---- */

typedef struct timed_match {
    const pmi_call_times *times;
    pmi_timed_match *match;
    size_t n;
} timed_match;

static pm_status match_once(void *user) {
    const timed_match *const timed = user;
    return timed->match(timed->times->context, timed->times->parens, timed->n, timed->times->match, NULL);
}

pm_status pmi_call_ns(pmi_call_times *times, const pmi_timed_call *call, size_t n, double *mean) {
    const size_t calls = n < SAMPLE_ELEMENTS ? SAMPLE_ELEMENTS / n : 1; /* where one would be too short for the clock */
    *mean = 0;
    for (unsigned kind = 0; kind < PM_CALL_INPUTS; kind++) {
        timed_match prepare = {times, call->prepare, n}, timed = {times, call->match, n};
        double median = 0;
        fill_input(times, kind, n);
        pm_status status = call->prepare ? match_once(&prepare) : PM_OK;
        if (status == PM_OK)
            status = pmi_median_ns(match_once, &timed, calls, times->input_ns, &median);
        if (status != PM_OK)
            return status;
        *mean += median / PM_CALL_INPUTS;
    }
    return PM_OK;
}

/* ---- The figures of the CPU ---- */

/* The lengths: short and middle ones stay in a core's cache, of a long one most does not. */
#define SHORT_N PM_MEASURE_SHORT
#define MIDDLE_N ((size_t)1 << 16)
#define LONG_N PM_MEASURE_LONG

/* Measurements: six cases of the CPU and six of a device, with all inputs; and twelve of boxes. */
#define CELLS (15 * PM_CALL_INPUTS)

static pm_status call_ns(pmi_call_times *b, pmi_timed_match *match, size_t n, double *mean) {
    return pmi_call_ns(b, &(pmi_timed_call){.match = match}, n, mean);
}

pm_status pmi_measure_with_one_thread(pm_context *context, pmi_timed *function, void *user) {
    const unsigned threads = context->threads;
    pmi_context_gpu_close(context); /* the number of copying threads is fixed when the device is opened */
    context->threads = 1;
    const pm_status status = function(user);
    pmi_context_gpu_close(context);
    context->threads = threads;
    return status == PM_OK ? pmi_context_gpu_open(context) : status;
}

static pm_status measure_one_thread(pmi_call_times *b, pmi_figures *figures) {
    double seq, brief, middle, whole;
    pm_status status = call_ns(b, pm_match_seq, SHORT_N, &seq);
    if (status == PM_OK)
        status = call_ns(b, pm_match_broadword, SHORT_N, &brief);
    if (status == PM_OK)
        status = call_ns(b, pm_match_broadword, MIDDLE_N, &middle);
    if (status == PM_OK)
        status = call_ns(b, pm_match_broadword, LONG_N, &whole);
    if (status != PM_OK)
        return status;
    figures->seq_element = seq / SHORT_N;
    figures->cached_element =
        pmi_measure_at_min(middle / MIDDLE_N / 2, (middle - brief) / (double)(MIDDLE_N - SHORT_N));
    figures->call = pmi_measure_at_min(10, brief - SHORT_N * figures->cached_element);
    const double cached_ns = figures->cached_elements * figures->cached_element;
    figures->memory_element = pmi_measure_at_min(figures->cached_element / 2,
                                                 (whole - cached_ns) / ((double)LONG_N - figures->cached_elements));
    return PM_OK;
}

/* Returns the time of a team beyond its share of the time of one thread. */
static double team_rest(const pmi_figures *figures, double ns, size_t n, unsigned threads) {
    const double share = (double)n / threads;
    const double cached = share < figures->cached_elements ? share : figures->cached_elements;
    return ns - cached * figures->cached_element - (share - cached) * figures->memory_element;
}

/* At the long length, and at the shortest that has as large a team. */
static pm_status measure_team(pmi_call_times *b, unsigned threads, pmi_figures *figures) {
    size_t n = LONG_N / 2;
    while (pmi_threads_of(b->context, n / 2) == threads)
        n /= 2;
    double some, whole;
    pm_status status = call_ns(b, pm_match_omp, n, &some);
    if (status == PM_OK)
        status = call_ns(b, pm_match_omp, LONG_N, &whole);
    if (status != PM_OK)
        return status;
    const double some_rest = team_rest(figures, some, n, threads), rest = team_rest(figures, whole, LONG_N, threads);
    figures->shared_element = pmi_measure_at_min(1e-4, (rest - some_rest) / (double)(LONG_N - n));
    const double fixed = pmi_measure_at_min(100, some_rest - (double)n * figures->shared_element);
    figures->team_call = fixed / (1 + threads / 2.); /* a thread takes half of what the call does, as shipped */
    figures->team_thread = figures->team_call / 2;
    return PM_OK;
}

pm_status pm_profile_measure(pm_context *context, double seconds, const char *path) {
    if (!path || !(seconds >= 0 && seconds <= 3600))
        return PM_INVALID_ARGUMENT;
    const pm_allocator allocator = pm_context_allocator(context);
    const char *const simd = pmi_simd_of(context)->name;
    pmi_call_times b = {.context = context, .input_ns = seconds * 1e9 / CELLS};
    b.parens = pmi_memory_allocate(&allocator, LONG_N / 64, sizeof *b.parens);
    b.match = pmi_memory_allocate(&allocator, LONG_N, sizeof *b.match);
    pmi_profile profile = {.cpu = *pmi_figures_shipped(simd), .device = ""};
    pm_status status = b.parens && b.match ? measure_one_thread(&b, &profile.cpu) : PM_OUT_OF_MEMORY;
    const unsigned threads = pmi_threads_of(context, LONG_N);
    if (status == PM_OK && threads > 1 && threads == pmi_threads_of(context, LONG_N / 2))
        status = measure_team(&b, threads, &profile.cpu);
    if (status == PM_OK && context)
        pmi_profile_measure_gpu(&b, &profile);
    if (status == PM_OK)
        status = pmi_profile_write(&allocator, path, simd, &profile);
    pmi_memory_free(&allocator, b.match);
    pmi_memory_free(&allocator, b.parens);
    return status;
}
