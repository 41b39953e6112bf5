/* SPDX-License-Identifier: Apache-2.0 */
/* Measuring this machine: times of calls and figures of the CPU from them (measure.c), those of a device
 * (measure_gpu.c) and of boxes (measure_boxes.c). */
#ifndef PM_CORE_CHOOSE_MEASURE_H
#define PM_CORE_CHOOSE_MEASURE_H

#include "core/context/context.h"

#define PM_MEASURE_SHORT ((size_t)1 << 12) /* elements */
#define PM_MEASURE_LONG ((size_t)1 << 23)
#define PM_MEASURE_MIN 1e-5 /* ns an element, which is negligible */
#define PM_CALL_INPUTS 4u   /* kinds of sequences over which a mean is taken */

/* ---- Times ---- */

typedef struct pmi_call_times {
    pm_context *context;
    double input_ns; /* to spend on an input, unless the least number of samples takes longer */
    uint64_t *parens;
    uint32_t *match;
} pmi_call_times;

typedef pm_status pmi_timed_match(pm_context *, const uint64_t *, size_t, uint32_t *, pm_bic *);

typedef struct pmi_timed_call {
    pmi_timed_match *match;
    pmi_timed_match *prepare; /* called once for an input, before the calls with it; NULL: nothing */
} pmi_timed_call;

/* A function to time, with its arguments. */
typedef pm_status pmi_timed(void *user);

/* Stores the median time of a call, from as many samples of `calls` calls as fit into all_ns, but at least three. */
pm_status pmi_median_ns(pmi_timed *call, void *user, size_t calls, double all_ns, double *median);

/* Stores the mean over all inputs of the median time of a call. The arrays have room for n elements, in whole words. */
pm_status pmi_call_ns(pmi_call_times *times, const pmi_timed_call *call, size_t n, double *mean);

/* Returns the next number of a generator, whose state is not 0. */
uint64_t pmi_random_next(uint64_t *state);

/* ---- Figures ---- */

/* Returns the value, or `min` if noise has made it smaller. */
static inline double pmi_measure_at_min(double min, double value) {
    return value > min ? value : min;
}

/* Splits an element's time with several threads into the part that they divide, which follows from its time with one
 * thread, and the rest. With one thread nothing follows: then threads are taken to divide nothing. */
static inline void pmi_measure_split(double alone, double together, unsigned threads, double *divided, double *rest) {
    *divided =
        threads > 1 ? pmi_measure_at_min(PM_MEASURE_MIN, (alone - together) / (1 - 1. / threads)) : PM_MEASURE_MIN;
    *rest = pmi_measure_at_min(PM_MEASURE_MIN, together - *divided / threads);
}

/* Calls a function with the context's device opened again for one copying thread, then opens it as before. */
pm_status pmi_measure_with_one_thread(pm_context *context, pmi_timed *function, void *user);

/* Measures the context's device, if one works. The device is closed and opened again. */
void pmi_profile_measure_gpu(pmi_call_times *times, pmi_profile *profile);

/* Measures boxes on the CPU and on the open device, which is closed and opened again. */
void pmi_profile_measure_boxes(pm_context *context, double input_ns, pmi_box_figures *figures);

#endif
