/* SPDX-License-Identifier: Apache-2.0 */
/* Checked allocation by a caller's allocator. */
#include "base/memory.h"

void *pmi_memory_allocate(const pm_allocator *allocator, size_t count, size_t size) {
    if (count == 0)
        count = 1;
    if (count > SIZE_MAX / size)
        return NULL;
    return allocator->alloc(count * size, allocator->user);
}

void pmi_memory_free(const pm_allocator *allocator, void *block) {
    if (block)
        allocator->free(block, allocator->user);
}
