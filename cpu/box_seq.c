/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle: one walk over all of the scene, with nothing outside it. */
#include "cpu/box_seq.h"

pm_status pm_box_sequential(const pm_allocator *allocator, const pm_scene *scene) {
    if (scene->n > SIZE_MAX / sizeof(uint32_t))
        return PM_OUT_OF_MEMORY;
    uint32_t *stack = allocator->alloc(scene->n * sizeof *stack, allocator->user);
    if (!stack)
        return PM_OUT_OF_MEMORY;
    pm_outside outside = {.context = pm_box_everything};
    const bool valid = pm_box_walk(scene, 0, scene->n, stack, &outside);
    allocator->free(stack, allocator->user);
    return valid ? PM_OK : PM_INVALID_ARGUMENT;
}
