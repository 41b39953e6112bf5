/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that ends where nothing may be read or written: reading past it is noticed whoever reads. */
#ifndef PM_TESTS_SUPPORT_GUARDED_H
#define PM_TESTS_SUPPORT_GUARDED_H

#include <stddef.h>

typedef struct guarded_memory {
    unsigned char *end; /* `size` bytes before it are there */
    size_t size;
    void *mapping;
    size_t mapped;
} guarded_memory;

/* At least `size` bytes before `end`. */
guarded_memory guarded_allocate(size_t size);

void guarded_free(guarded_memory *memory);

#endif
