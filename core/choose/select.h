/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of the fastest backend for n elements, by a model of the time that each takes. */
#ifndef PM_CORE_CHOOSE_SELECT_H
#define PM_CORE_CHOOSE_SELECT_H

#include "core/choose/profile.h"

/* Of equally fast backends the first is chosen. */
typedef enum pmi_backend {
    PM_BACKEND_SEQ,
    PM_BACKEND_BROADWORD,
    PM_BACKEND_OMP,
    PM_BACKEND_GPU,
    PM_BACKEND_COUNT
} pmi_backend;

/* Fewer elements are matched without a prediction, which would take a hundredth of the time: neither teams nor devices
 * pay. */
#define PM_SELECT_MIN ((size_t)1 << 14)

/* Fewer elements never go to a device. */
#define PM_SELECT_GPU_MIN ((size_t)1 << 20)

typedef struct pmi_selection {
    pmi_backend backend;
    double ns[PM_BACKEND_COUNT]; /* predicted times; 0: not considered */
} pmi_selection;

/* Returns predictions and the choice for n >= PM_SELECT_MIN elements in host memory.
 * gpu      the figures of a device that may be used; NULL: no device
 * threads  of a team for n elements; they also copy a device's results; 1: no team */
pmi_selection pmi_backend_select(const pmi_figures *figures, const pmi_gpu_figures *gpu, size_t n, unsigned threads);

/* Returns the fastest backend that was considered, up to `last`. */
pmi_backend pmi_selection_best(const pmi_selection *selection, pmi_backend last);

/* Returns the time that a device takes for n elements in its memory, whose match stays there. */
double pmi_device_resident_time(const pmi_gpu_figures *gpu, size_t n);

/* Return the times for boxes of n >= PM_SELECT_GPU_MIN elements in host memory: with some threads, if the share
 * `wrong` of all kinds is mispredicted; and on a device, with some threads that copy. */
double pmi_box_host_time(const pmi_box_figures *figures, size_t n, unsigned threads, double wrong);
double pmi_box_device_time(const pmi_box_figures *figures, size_t n, unsigned threads);

#endif
