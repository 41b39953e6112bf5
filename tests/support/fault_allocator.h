/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An allocator for tests: counts what is alive, fails one allocation of choice, and notices a block given back that it
 * never gave, or before which something was written. New and freed memory is filled with junk.
 */
#ifndef PM_TESTS_SUPPORT_FAULT_ALLOCATOR_H
#define PM_TESTS_SUPPORT_FAULT_ALLOCATOR_H

#include "parenmatch.h"

typedef struct fault_block fault_block;

/* Zero-initialise, and set fail_at if wanted. */
typedef struct fault_allocator {
    size_t fail_at;                 /* the allocation to fail, the first being 1; 0: none */
    size_t calls;                   /* allocations asked for, the failed one included */
    size_t live_blocks, live_bytes; /* given and not given back */
    size_t peak_bytes;              /* most bytes alive at once */
    size_t wrong_frees;             /* frees of NULL or of what is not alive */
    size_t wrong_writes;            /* blocks given back with a change in the bytes before them */
    fault_block *blocks;            /* alive, newest first */
} fault_allocator;

/* The allocator to put into pm_options; uses *faults until the last block is given back. */
pm_allocator fault_allocator_functions(fault_allocator *faults);

/* A context on it. */
pm_status fault_allocator_context(fault_allocator *faults, pm_context **context);

/* True when every block has been given back, and nothing else, and no byte before one was written. */
bool fault_allocator_is_settled(const fault_allocator *faults);

#endif
