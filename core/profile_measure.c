/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the figures of this machine: times of a few lengths, and the model solved for its figures. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/context.h"
#include "core/dispatch.h"
#include "core/engine.h"
#include "core/profile_file.h"

/* The lengths: short and middle ones stay in a core's cache, of a long one most does not. */
#define SHORT_N ((size_t)1 << 12)
#define MIDDLE_N ((size_t)1 << 16)
#define LONG_N ((size_t)1 << 23)

enum {
    CELLS = 6 * 4, /* measurements: six cases, each with four inputs */
    SAMPLES_LEAST = 3,
    SAMPLES_MOST = 63
};

typedef pm_status match_function(pm_context *, const uint64_t *, size_t, uint32_t *, pm_bic *);

typedef struct bench {
    pm_context *context;
    double cell_ns; /* to be spent on a measurement, but for the least samples */
    uint64_t *parens;
    uint32_t *match;
} bench;

static double now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* ---- Inputs */

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13; /* xorshift, by Marsaglia */
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

/* Fair coins; pairs; 64 opens and 64 closes; opens, then closes. */
static void fill_input(bench *b, unsigned kind, size_t n) {
    uint64_t state = 88172645463325252u;
    for (size_t w = 0; w < n / 64; w++)
        switch (kind) {
        case 0:
            b->parens[w] = next_random(&state);
            break;
        case 1:
            b->parens[w] = UINT64_C(0x5555555555555555);
            break;
        case 2:
            b->parens[w] = w % 2 == 0 ? UINT64_MAX : 0;
            break;
        default:
            b->parens[w] = w < n / 128 ? UINT64_MAX : 0;
            break;
        }
}

/* ---- Times */

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Several calls for a sample where one would be too short for the clock. */
static pm_status sample_ns(bench *b, match_function *function, size_t n, double *ns) {
    const size_t calls = n < MIDDLE_N ? MIDDLE_N / n : 1;
    pm_status status = PM_OK;
    const double begin = now_ns();
    for (size_t c = 0; c < calls && status == PM_OK; c++)
        status = function(b->context, b->parens, n, b->match, NULL);
    *ns = (now_ns() - begin) / (double)calls;
    return status;
}

/* The mean over the inputs of the median time of a call. */
static pm_status call_ns(bench *b, match_function *function, size_t n, double *mean) {
    *mean = 0;
    for (unsigned kind = 0; kind < 4; kind++) {
        double samples[SAMPLES_MOST];
        size_t count = 0;
        fill_input(b, kind, n);
        pm_status status = sample_ns(b, function, n, samples); /* warms up, and is not counted */
        const double begin = now_ns();
        while (status == PM_OK && count < SAMPLES_MOST && (count < SAMPLES_LEAST || now_ns() - begin < b->cell_ns))
            status = sample_ns(b, function, n, &samples[count++]);
        if (status != PM_OK)
            return status;
        qsort(samples, count, sizeof *samples, compare_doubles);
        *mean += samples[count / 2] / 4;
    }
    return PM_OK;
}

/* ---- The model, solved */

/* Noise may make a difference negative: then it is small, and this stands for it. */
static double at_least(double least, double value) {
    return value > least ? value : least;
}

static pm_status measure_one_thread(bench *b, pm_figures *figures) {
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
    figures->cached_element = at_least(middle / MIDDLE_N / 2, (middle - brief) / (double)(MIDDLE_N - SHORT_N));
    figures->call = at_least(10, brief - SHORT_N * figures->cached_element);
    const double cached_ns = figures->cached_elements * figures->cached_element;
    figures->memory_element =
        at_least(figures->cached_element / 2, (whole - cached_ns) / ((double)LONG_N - figures->cached_elements));
    return PM_OK;
}

/* What a team of so many takes beyond its share of what one thread takes. */
static double team_rest(const pm_figures *figures, double ns, size_t n, unsigned threads) {
    const double share = (double)n / threads;
    const double cached = share < figures->cached_elements ? share : figures->cached_elements;
    return ns - cached * figures->cached_element - (share - cached) * figures->memory_element;
}

/* At the long length, and at the shortest that has as large a team. */
static pm_status measure_team(bench *b, unsigned threads, pm_figures *figures) {
    size_t n = LONG_N / 2;
    while (pm_threads_of(b->context, n / 2) == threads)
        n /= 2;
    double some, whole;
    pm_status status = call_ns(b, pm_match_omp, n, &some);
    if (status == PM_OK)
        status = call_ns(b, pm_match_omp, LONG_N, &whole);
    if (status != PM_OK)
        return status;
    const double some_rest = team_rest(figures, some, n, threads), rest = team_rest(figures, whole, LONG_N, threads);
    figures->shared_element = at_least(1e-4, (rest - some_rest) / (double)(LONG_N - n));
    const double fixed = at_least(100, some_rest - (double)n * figures->shared_element);
    figures->team_call = fixed / (1 + threads / 2.); /* a thread takes half of what the call does, as shipped */
    figures->team_thread = figures->team_call / 2;
    return PM_OK;
}

pm_status pm_profile_measure(pm_context *context, double seconds, const char *path) {
    if (!path || !(seconds >= 0 && seconds <= 3600))
        return PM_INVALID_ARGUMENT;
    const pm_allocator allocator = pm_context_allocator(context);
    const char *const simd = pm_engine_of(context)->name;
    bench b = {.context = context, .cell_ns = seconds * 1e9 / CELLS};
    b.parens = pm_memory_allocate(&allocator, LONG_N / 64, sizeof *b.parens);
    b.match = pm_memory_allocate(&allocator, LONG_N, sizeof *b.match);
    pm_figures figures = *pm_figures_shipped(simd);
    pm_status status = b.parens && b.match ? measure_one_thread(&b, &figures) : PM_OUT_OF_MEMORY;
    const unsigned threads = pm_threads_of(context, LONG_N);
    if (status == PM_OK && threads > 1 && threads == pm_threads_of(context, LONG_N / 2))
        status = measure_team(&b, threads, &figures);
    if (status == PM_OK)
        status = pm_profile_write(&allocator, path, simd, &figures);
    pm_memory_free(&allocator, b.match);
    pm_memory_free(&allocator, b.parens);
    return status;
}
