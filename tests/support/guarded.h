/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that ends where nothing may be read or written: reading past it is noticed whoever reads. */
#ifndef PM_TESTS_SUPPORT_GUARDED_H
#define PM_TESTS_SUPPORT_GUARDED_H

#include <stddef.h>

#include "parenmatch.h"

typedef struct guarded_memory {
    unsigned char *end; /* `size` bytes before it are there */
    size_t size;
    void *mapping;
    size_t mapped;
} guarded_memory;

/* At least `size` bytes before `end`. */
guarded_memory guarded_allocate(size_t size);

void guarded_free(guarded_memory *memory);

/* Blocks of an allocator, at most as many as there are places. */
typedef struct guarded_blocks {
    guarded_memory memory[16];
    void *block[16]; /* NULL: not in use */
} guarded_blocks;

/* An allocator whose blocks end where nothing may be read, or less than 16 bytes before, as they are aligned. */
pm_allocator guarded_allocator(guarded_blocks *blocks);

#endif
