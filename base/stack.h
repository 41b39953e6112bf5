/* SPDX-License-Identifier: Apache-2.0 */
/* A stack of entries of one size, in chunks. Growing never moves or copies entries, and memory follows the height. Some
 * empty chunks are kept, so a height that swings about a chunk's edge allocates nothing, and are given back together:
 * one by one, the lowest addresses last, each would shrink the heap, which takes a hundred times as long. */
#ifndef PM_BASE_STACK_H
#define PM_BASE_STACK_H

#include "base/memory.h"

#define PM_STACK_CHUNK_BYTES 4096u /* small compared with any input worth chunking, large compared with the links */
#define PM_STACK_SPARES 4u         /* empty chunks that are kept */

/* For base/stack.c, and for its size. */
typedef struct pmi_stack_chunk {
    struct pmi_stack_chunk *below;
    struct pmi_stack_chunk *above; /* during a visit from the bottom, and in release() */
    size_t users;                  /* chunks above it, and stacks that it is the top of */
    uint64_t entries[];            /* 8-byte units, so that any entry is aligned */
} pmi_stack_chunk;

typedef struct pmi_stack {
    pm_allocator allocator;
    size_t entry_size; /* a multiple of 8 */
    size_t capacity;   /* entries of a chunk */
    pmi_stack_chunk *bottom, *top;
    pmi_stack_chunk *spare; /* empty ones, linked by `below`, the last one emptied first */
    size_t spares;
    size_t used; /* entries of the top chunk; > 0 unless the stack is empty */
} pmi_stack;

/* Inline, because a division by a constant takes no time. */
static inline void pmi_stack_init(pmi_stack *stack, const pm_allocator *allocator, size_t entry_size) {
    *stack = (pmi_stack){.allocator = *allocator,
                         .entry_size = entry_size,
                         .capacity = (PM_STACK_CHUNK_BYTES - sizeof(pmi_stack_chunk)) / entry_size};
}

/* Room for one more entry on top, uninitialised; NULL when there is no memory. */
void *pmi_stack_push(pmi_stack *stack);

/* The same for several at once: *count of them at most, and at least one; as many as lie next to each other. */
void *pmi_stack_push_some(pmi_stack *stack, size_t *count);

/* The top entry; NULL when the stack is empty. Valid until the next push or pop. */
void *pmi_stack_top(const pmi_stack *stack);

/* The lowest entry; NULL when the stack is empty. */
void *pmi_stack_bottom(const pmi_stack *stack);

/* Removes the top entry of a stack that is not empty. */
void pmi_stack_pop(pmi_stack *stack);

/* Calls visit for each entry, bottom first, until it returns false. */
void pmi_stack_visit(const pmi_stack *stack, bool (*visit)(const void *entry, void *user), void *user);

/* The same, top first. */
void pmi_stack_visit_down(const pmi_stack *stack, bool (*visit)(const void *entry, void *user), void *user);

/* Goes down a stack that does not change meanwhile. */
typedef struct pmi_stack_walk {
    const pmi_stack *stack;
    pmi_stack_chunk *chunk;
    size_t left; /* entries of the chunk */
} pmi_stack_walk;

pmi_stack_walk pmi_stack_walk_begin(const pmi_stack *stack);

/* The next entry, the top one first; NULL below the lowest. */
const void *pmi_stack_walk_down(pmi_stack_walk *walk);

/* Empties the stack and gives all memory back. */
void pmi_stack_clear(pmi_stack *stack);

/*
 * Saved stacks: they share all chunks with the stack but the topmost, so that both functions copy one chunk at most,
 * however high the stack is. A saved stack is only to be restored, visited and cleared, by the thread that uses the
 * stack. False: there is no memory; then the saved stack is empty.
 */
bool pmi_stack_save(const pmi_stack *stack, pmi_stack *saved);

/* Makes the stack what was saved of it; pmi_stack_reserve_for() said that this is possible. */
void pmi_stack_restore(pmi_stack *stack, const pmi_stack *saved);

/* Sees to it that the stack can be restored. A stack that has held an entry since it was cleared can be. False: there
 * is no memory. */
bool pmi_stack_reserve_for(pmi_stack *stack, const pmi_stack *saved);

#endif
