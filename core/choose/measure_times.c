/* SPDX-License-Identifier: Apache-2.0 */
/* Times of calls: inputs, samples, and their medians. */
#include "core/choose/measure.h"

#include <stdlib.h>

#include "base/clock.h"

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
