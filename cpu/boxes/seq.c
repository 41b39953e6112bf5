/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle: one walk over all of the scene, with nothing outside it. */
#include "cpu/boxes/seq.h"

pm_status pmi_seq_boxes(const pm_allocator *allocator, const pmi_scene *scene) {
    if (scene->n > SIZE_MAX / sizeof(uint32_t))
        return PM_OUT_OF_MEMORY;
    uint32_t *stack = allocator->alloc(scene->n * sizeof *stack, allocator->user);
    if (!stack)
        return PM_OUT_OF_MEMORY;
    pmi_outside outside = {.context = pmi_box_everything};
    const bool valid = pmi_box_walk(scene, 0, scene->n, stack, &outside);
    allocator->free(stack, allocator->user);
    return valid ? PM_OK : PM_INVALID_ARGUMENT;
}
