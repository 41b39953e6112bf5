/* SPDX-License-Identifier: Apache-2.0 */
/* The boxes of a scene with several threads, each at work on slices of it. */
#ifndef PM_CPU_BOXES_OMP_H
#define PM_CPU_BOXES_OMP_H

#include "cpu/boxes/walk.h"
#include "cpu/slice_stack.h"

/* The division of n elements among at most `most` threads (0: as many as OpenMP gives); 1 thread where more would not
 * pay. */
pmi_slice_plan pmi_box_plan_make(size_t n, unsigned most);

/* PM_INVALID_ARGUMENT for a kind that is none. PM_OUT_OF_MEMORY is possible. */
pm_status pmi_omp_boxes(const pm_allocator *allocator, const pmi_slice_plan *plan, const pmi_scene *scene);

#endif
