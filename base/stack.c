/* SPDX-License-Identifier: Apache-2.0 */
/* The chunked stack. */
#include "base/stack.h"

struct pmi_stack_chunk {
    pmi_stack_chunk *below, *above;
    uint64_t entries[]; /* 8-byte units, so that any entry is aligned */
};

#define CHUNK_BYTES 16384u /* small compared with any input worth chunking, large compared with the two links */

static unsigned char *chunk_entry(const pmi_stack *stack, pmi_stack_chunk *chunk, size_t index) {
    return (unsigned char *)chunk->entries + index * stack->entry_size;
}

void pmi_stack_init(pmi_stack *stack, const pm_allocator *allocator, size_t entry_size) {
    *stack = (pmi_stack){.allocator = *allocator,
                         .entry_size = entry_size,
                         .capacity = (CHUNK_BYTES - sizeof(pmi_stack_chunk)) / entry_size};
}

void *pmi_stack_push(pmi_stack *stack) {
    if (!stack->top || stack->used == stack->capacity) {
        pmi_stack_chunk *chunk = stack->spare;
        if (!chunk)
            chunk = pmi_memory_allocate(&stack->allocator, 1, sizeof *chunk + stack->capacity * stack->entry_size);
        if (!chunk)
            return NULL;
        stack->spare = NULL;
        chunk->below = stack->top;
        chunk->above = NULL;
        if (stack->top)
            stack->top->above = chunk;
        else
            stack->bottom = chunk;
        stack->top = chunk;
        stack->used = 0;
    }
    return chunk_entry(stack, stack->top, stack->used++);
}

void *pmi_stack_push_some(pmi_stack *stack, size_t *count) {
    void *const first = pmi_stack_push(stack);
    if (!first)
        return NULL;
    const size_t room = stack->capacity - stack->used + 1;
    *count = *count < room ? *count : room;
    stack->used += *count - 1;
    return first;
}

void *pmi_stack_top(const pmi_stack *stack) {
    return stack->top ? chunk_entry(stack, stack->top, stack->used - 1) : NULL;
}

void *pmi_stack_bottom(const pmi_stack *stack) {
    return stack->bottom ? chunk_entry(stack, stack->bottom, 0) : NULL;
}

void pmi_stack_pop(pmi_stack *stack) {
    if (--stack->used > 0)
        return;
    pmi_stack_chunk *emptied = stack->top;
    stack->top = emptied->below;
    if (stack->top) {
        stack->top->above = NULL;
        stack->used = stack->capacity;
    } else {
        stack->bottom = NULL;
    }
    pmi_memory_free(&stack->allocator, stack->spare);
    stack->spare = emptied;
}

void pmi_stack_visit(const pmi_stack *stack, bool (*visit)(const void *entry, void *user), void *user) {
    for (pmi_stack_chunk *chunk = stack->bottom; chunk; chunk = chunk->above) {
        const size_t count = chunk == stack->top ? stack->used : stack->capacity;
        for (size_t i = 0; i < count; i++)
            if (!visit(chunk_entry(stack, chunk, i), user))
                return;
    }
}

void pmi_stack_visit_down(const pmi_stack *stack, bool (*visit)(const void *entry, void *user), void *user) {
    for (pmi_stack_chunk *chunk = stack->top; chunk; chunk = chunk->below)
        for (size_t i = chunk == stack->top ? stack->used : stack->capacity; i-- > 0;)
            if (!visit(chunk_entry(stack, chunk, i), user))
                return;
}

void pmi_stack_clear(pmi_stack *stack) {
    for (pmi_stack_chunk *chunk = stack->bottom, *above; chunk; chunk = above) {
        above = chunk->above;
        pmi_memory_free(&stack->allocator, chunk);
    }
    pmi_memory_free(&stack->allocator, stack->spare);
    stack->bottom = stack->top = stack->spare = NULL;
    stack->used = 0;
}
