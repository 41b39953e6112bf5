/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stack before and after every slice of a sequence, without a stack ever being put together.
 *
 * A slice leaves some opens of its own on the stack, its survivors, on top of what its unmatched closes leave of the
 * stack before it. So a stack is the lowest survivors of one slice, on top of the stack that this slice rests
 * on; all stacks together are one tree of such portions (Levien, "The stack monoid revisited", with indices shared).
 */
#ifndef PM_CPU_SLICE_STACK_H
#define PM_CPU_SLICE_STACK_H

#include "base/slice.h"

/* How the work on slices is divided among threads. */
typedef struct pmi_slice_plan {
    unsigned threads;
    size_t slice_size;    /* elements of each slice but the last */
    size_t survivors_max; /* nodes left open by slices, of all together, that are not too many to go on */
} pmi_slice_plan;

/* A stack: the lowest `count` survivors of a slice, on what the slice rests on. count = 0: the empty stack. */
typedef struct pmi_portion {
    uint32_t slice, count;
} pmi_portion;

/* What a slice does to the stack, */
typedef struct pmi_slice_effect {
    uint64_t close;            /* its unmatched closes */
    uint32_t open;             /* its survivors */
    const uint32_t *survivors; /* top first */
    pmi_portion before;        /* and, from the scan, the stack before it */
    pmi_portion rest;          /* and what its closes leave of that */
} pmi_slice_effect;

/* Finds the stack before each slice and what it rests on; returns the stack after the last. */
pmi_portion pmi_slice_stack_scan(pmi_slice_effect *slices, size_t count);

/* Survivor number `rank` of a slice, from 1 at the lowest. */
static inline uint32_t pmi_survivor_at(const pmi_slice_effect *slice, uint32_t rank) {
    return slice->survivors[slice->open - rank];
}

/* What is on top of a stack that is not empty. */
static inline uint32_t pmi_portion_top(const pmi_slice_effect *slices, pmi_portion stack) {
    return pmi_survivor_at(&slices[stack.slice], stack.count);
}

/* The stack below its top. */
static inline pmi_portion pmi_portion_pop(const pmi_slice_effect *slices, pmi_portion stack) {
    if (stack.count > 1)
        return (pmi_portion){stack.slice, stack.count - 1};
    return slices[stack.slice].rest;
}

#endif
