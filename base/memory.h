/* SPDX-License-Identifier: Apache-2.0 */
/* The one way the library gets memory. Sizes are checked: one that overflows fails as if there were no memory. */
#ifndef PM_BASE_MEMORY_H
#define PM_BASE_MEMORY_H

#include "parenmatch.h"

/* Returns head + count * size; SIZE_MAX if that overflows. */
static inline size_t pmi_memory_bytes(size_t head, size_t count, size_t size) {
    size_t bytes;
    const bool overflows = __builtin_mul_overflow(count, size, &bytes) || __builtin_add_overflow(bytes, head, &bytes);
    return overflows ? SIZE_MAX : bytes;
}

/* Returns an uninitialised block of `head` bytes and `count` elements of `size` bytes each; NULL if there is no
 * memory or the sum overflows. */
static inline void *pmi_memory_allocate_with(const pm_allocator *allocator, size_t head, size_t count, size_t size) {
    const size_t bytes = pmi_memory_bytes(head, count, size);
    return bytes < SIZE_MAX ? allocator->alloc(bytes, allocator->user) : NULL;
}

/* Returns a block of `count` elements alone. count = 0 asks for one element, so NULL always means failure. */
static inline void *pmi_memory_allocate(const pm_allocator *allocator, size_t count, size_t size) {
    return pmi_memory_allocate_with(allocator, 0, count > 0 ? count : 1, size);
}

/* Gives a block back; NULL is fine. */
static inline void pmi_memory_free(const pm_allocator *allocator, void *block) {
    if (block)
        allocator->free(block, allocator->user);
}

#endif
