/* SPDX-License-Identifier: Apache-2.0 */
/* The boxes of a scene with several threads, each at work on slices of it. */
#ifndef PM_CPU_BOX_OMP_H
#define PM_CPU_BOX_OMP_H

#include "cpu/box_walk.h"

/* How the work is divided. */
typedef struct pm_box_plan {
    unsigned threads;
    size_t slice_size;     /* elements of each slice but the last */
    size_t survivors_most; /* nodes left open by slices, of all together, that are not too many to go on */
} pm_box_plan;

/* The division of n elements among at most `most` threads (0: as many as OpenMP gives); 1 thread where more would not
 * pay. */
pm_box_plan pm_box_plan_make(size_t n, unsigned most);

/* PM_INVALID_ARGUMENT for a kind that is none. PM_OUT_OF_MEMORY is possible. */
pm_status pm_box_parallel(const pm_allocator *allocator, const pm_box_plan *plan, const pm_scene *scene);

#endif
