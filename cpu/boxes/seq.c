/* SPDX-License-Identifier: Apache-2.0 */
/* The reference implementation: one walk over all of the scene, with nothing outside it. */
#include "cpu/boxes/walk.h"

#include "base/memory.h"

pm_status pmi_seq_boxes(const pm_allocator *allocator, const pmi_scene *scene) {
    uint32_t *const stack = pmi_memory_allocate(allocator, scene->n, sizeof *stack);
    if (!stack)
        return PM_OUT_OF_MEMORY;
    pmi_outside outside = {.context = pmi_box_everything};
    const bool valid = pmi_box_walk(scene, 0, scene->n, stack, &outside);
    pmi_memory_free(allocator, stack);
    return valid ? PM_OK : PM_INVALID_ARGUMENT;
}
