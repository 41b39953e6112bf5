/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many small objects in few large blocks of memory: for a structure with thousands of parts that come and go one by one
 * and end together. Blocks of some megabytes come in large pages, where the system has them, and need few of them.
 *
 * Parts of a block lie one behind the other. Each has a head with its size; free ones know their neighbours and are in
 * a list of those of about their size, so that getting and freeing take the same short time whatever there is.
 */
#ifndef PM_BASE_HEAP_H
#define PM_BASE_HEAP_H

#include "base/memory.h"

#define PM_HEAP_BINS 320u

typedef struct pmi_heap_part pmi_heap_part;
typedef struct pmi_heap_block pmi_heap_block;

typedef struct pmi_heap {
    pm_allocator allocator;
    pmi_heap_block *blocks;
    pmi_heap_block *spare; /* was empty once: the only one that may be; NULL: none */
    size_t bytes;          /* of all blocks */
    uint64_t filled[PM_HEAP_BINS / 64];
    pmi_heap_part *bins[PM_HEAP_BINS];
} pmi_heap;

/* Makes room for some bytes in one block; returns false if there is no memory. Every heap begins as zeros, with its
 * allocator set. */
bool pmi_heap_reserve(pmi_heap *heap, size_t bytes);

/* Returns head + count * size bytes, aligned as malloc aligns; NULL if there is no memory or that overflows. */
void *pmi_heap_allocate(pmi_heap *heap, size_t head, size_t count, size_t size);

/* NULL is fine. */
void pmi_heap_free(pmi_heap *heap, void *object);

/* Gives all blocks back, whatever is in them. */
void pmi_heap_clear(pmi_heap *heap);

#endif
