/* SPDX-License-Identifier: Apache-2.0 */
/* What a call takes on this machine: a median; of matches as a mean over several inputs. */
#ifndef PM_CORE_CHOOSE_MEASURE_TIMES_H
#define PM_CORE_CHOOSE_MEASURE_TIMES_H

#include "parenmatch.h"

#define PM_CALL_INPUTS 4u /* of which the mean is taken: each another kind of sequence */

typedef struct pmi_call_times {
    pm_context *context;
    double input_ns; /* to be spent on an input, but for the least samples */
    uint64_t *parens;
    uint32_t *match;
} pmi_call_times;

typedef pm_status pmi_timed_match(pm_context *, const uint64_t *, size_t, uint32_t *, pm_bic *);

typedef struct pmi_timed_call {
    pmi_timed_match *match;
    pmi_timed_match *prepare; /* before the calls with an input; NULL: nothing */
} pmi_timed_call;

/* Something to time, with what it works on. */
typedef pm_status pmi_timed(void *user);

/* The median of what a call takes, of as many samples as fit into so many ns, but for the least; so many calls each. */
pm_status pmi_median_ns(pmi_timed *call, void *user, size_t calls, double all_ns, double *median);

/* The next number of a generator whose state is not 0. */
uint64_t pmi_random_next(uint64_t *state);

/* The arrays have room for n elements, whole words of them. */
pm_status pmi_call_ns(pmi_call_times *times, const pmi_timed_call *call, size_t n, double *mean);

#endif
