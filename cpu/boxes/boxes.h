/* SPDX-License-Identifier: Apache-2.0 */
/* The boxes of a scene on one thread (seq.c), and on several, each at work on slices of the scene (omp.c). The public
 * functions have checked the arguments; n > 0. */
#ifndef PM_CPU_BOXES_BOXES_H
#define PM_CPU_BOXES_BOXES_H

#include "base/box_algebra.h"
#include "cpu/slice_stack.h"

/* A scene, and where its results go. */
typedef struct pmi_scene {
    const uint8_t *kinds;
    const pm_box *boxes;
    size_t n;
    pm_box *out;
} pmi_scene;

/* Both write the results of a scene. PM_INVALID_ARGUMENT for an invalid kind; PM_OUT_OF_MEMORY is possible. */
pm_status pmi_seq_boxes(const pm_allocator *allocator, const pmi_scene *scene);
pm_status pmi_omp_boxes(const pm_allocator *allocator, const pmi_slice_plan *plan, const pmi_scene *scene);

/* Divides n elements among at most `most` threads (0: as many as OpenMP gives); 1 thread where more would not pay. */
pmi_slice_plan pmi_box_plan_make(size_t n, unsigned most);

/* Fills in close, open and survivors of the slice begin ... end - 1, from its kinds alone (reduce.c). Returns false for
 * an invalid kind. `survivors` has room for end - begin indices. */
bool pmi_box_reduce(const uint8_t *kinds, size_t begin, size_t end, uint32_t *survivors, pmi_slice_effect *effect);

#endif
