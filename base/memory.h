/* SPDX-License-Identifier: Apache-2.0 */
/* The one way the library gets memory. */
#ifndef PM_BASE_MEMORY_H
#define PM_BASE_MEMORY_H

#include "parenmatch.h"

/* Room for `count` elements of `size` bytes each, uninitialised; NULL when there is none or the product overflows.
 * count = 0 asks for one element, so NULL always means failure. */
void *pmi_memory_allocate(const pm_allocator *allocator, size_t count, size_t size);

/* Gives a block back; NULL is fine. */
void pmi_memory_free(const pm_allocator *allocator, void *block);

#endif
