/* SPDX-License-Identifier: Apache-2.0 */
/* Which backend is the fastest for n elements, by a model of what each takes. */
#ifndef PM_CORE_CHOOSE_SELECT_H
#define PM_CORE_CHOOSE_SELECT_H

#include "core/choose/profile.h"

/* In this order, of equal ones the first is chosen. */
typedef enum pmi_backend {
    PM_BACKEND_SEQ,
    PM_BACKEND_BROADWORD,
    PM_BACKEND_OMP,
    PM_BACKEND_GPU,
    PM_BACKEND_COUNT
} pmi_backend;

/* For fewer elements the engine's own bounds are enough: there are neither teams nor devices, and to predict would take
 * a hundredth of the time. */
#define PM_SELECT_LEAST ((size_t)1 << 14)

/* For fewer elements no device is used, whatever its figures say. */
#define PM_SELECT_GPU_LEAST ((size_t)1 << 20)

typedef struct pmi_selection {
    pmi_backend backend;
    double ns[PM_BACKEND_COUNT]; /* what each would take; 0: it does not come into question */
} pmi_selection;

/* Chooses for n >= PM_SELECT_LEAST elements that lie in host memory.
 * gpu      of a device that may be used; NULL: none
 * threads  that a team for so many elements would have, which also copy what a device brings; 1: no team */
pmi_selection pmi_backend_select(const pmi_figures *figures, const pmi_gpu_figures *gpu, size_t n, unsigned threads);

/* The fastest of those that come into question, up to `last`. */
pmi_backend pmi_selection_best(const pmi_selection *selection, pmi_backend last);

/* What a device takes for n elements that are there, and whose match stays there. */
double pmi_device_resident_time(const pmi_gpu_figures *gpu, size_t n);

/* What boxes of n >= PM_SELECT_GPU_LEAST elements in host memory take: by so many threads, if of all kinds such a share
 * is guessed wrongly; and by a device, to and from which so many threads copy. */
double pmi_box_host_time(const pmi_box_figures *figures, size_t n, unsigned threads, double wrong);
double pmi_box_device_time(const pmi_box_figures *figures, size_t n, unsigned threads);

#endif
