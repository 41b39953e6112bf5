/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stack of entries of one size, in chunks: growing never moves or copies what is there, and memory follows the height
 * (one empty chunk is kept, so a height that swings about a chunk's edge allocates nothing).
 */
#ifndef PM_CORE_STACK_H
#define PM_CORE_STACK_H

#include "core/context.h"

typedef struct pm_stack_chunk pm_stack_chunk;

typedef struct pm_stack {
    pm_allocator allocator;
    size_t entry_size; /* a multiple of 8 */
    size_t capacity;   /* entries of a chunk */
    pm_stack_chunk *bottom, *top, *spare;
    size_t used; /* entries of the top chunk; > 0 unless the stack is empty */
} pm_stack;

void pm_stack_init(pm_stack *stack, const pm_allocator *allocator, size_t entry_size);

/* Room for one more entry on top, uninitialised; NULL when there is no memory. */
void *pm_stack_push(pm_stack *stack);

/* The same for several at once: *count of them at most, and at least one; as many as lie next to each other. */
void *pm_stack_push_some(pm_stack *stack, size_t *count);

/* The top entry; NULL when the stack is empty. Valid until the next push or pop. */
void *pm_stack_top(const pm_stack *stack);

/* The lowest entry; NULL when the stack is empty. */
void *pm_stack_bottom(const pm_stack *stack);

/* Removes the top entry of a stack that is not empty. */
void pm_stack_pop(pm_stack *stack);

/* Calls visit for each entry, bottom first, until it returns false. */
void pm_stack_visit(const pm_stack *stack, bool (*visit)(const void *entry, void *user), void *user);

/* The same, top first. */
void pm_stack_visit_down(const pm_stack *stack, bool (*visit)(const void *entry, void *user), void *user);

/* Empties the stack and gives all memory back. */
void pm_stack_clear(pm_stack *stack);

#endif
