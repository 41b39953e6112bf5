/* SPDX-License-Identifier: Apache-2.0 */
/* The chunked stack. */
#include "core/stack.h"

struct pm_stack_chunk {
    pm_stack_chunk *below, *above;
    uint64_t entries[]; /* 8-byte units, so that any entry is aligned */
};

#define CHUNK_BYTES 16384u /* small beside any input worth chunking, large beside the two links */

static unsigned char *chunk_entry(const pm_stack *stack, pm_stack_chunk *chunk, size_t index) {
    return (unsigned char *)chunk->entries + index * stack->entry_size;
}

void pm_stack_init(pm_stack *stack, const pm_allocator *allocator, size_t entry_size) {
    *stack = (pm_stack){.allocator = *allocator,
                        .entry_size = entry_size,
                        .capacity = (CHUNK_BYTES - sizeof(pm_stack_chunk)) / entry_size};
}

void *pm_stack_push(pm_stack *stack) {
    if (!stack->top || stack->used == stack->capacity) {
        pm_stack_chunk *chunk = stack->spare;
        if (!chunk)
            chunk = pm_memory_allocate(&stack->allocator, 1, sizeof *chunk + stack->capacity * stack->entry_size);
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

void *pm_stack_push_some(pm_stack *stack, size_t *count) {
    void *const first = pm_stack_push(stack);
    if (!first)
        return NULL;
    const size_t room = stack->capacity - stack->used + 1;
    *count = *count < room ? *count : room;
    stack->used += *count - 1;
    return first;
}

void *pm_stack_top(const pm_stack *stack) {
    return stack->top ? chunk_entry(stack, stack->top, stack->used - 1) : NULL;
}

void *pm_stack_bottom(const pm_stack *stack) {
    return stack->bottom ? chunk_entry(stack, stack->bottom, 0) : NULL;
}

void pm_stack_pop(pm_stack *stack) {
    if (--stack->used > 0)
        return;
    pm_stack_chunk *emptied = stack->top;
    stack->top = emptied->below;
    if (stack->top) {
        stack->top->above = NULL;
        stack->used = stack->capacity;
    } else {
        stack->bottom = NULL;
    }
    pm_memory_free(&stack->allocator, stack->spare);
    stack->spare = emptied;
}

void pm_stack_visit(const pm_stack *stack, bool (*visit)(const void *entry, void *user), void *user) {
    for (pm_stack_chunk *chunk = stack->bottom; chunk; chunk = chunk->above) {
        const size_t count = chunk == stack->top ? stack->used : stack->capacity;
        for (size_t i = 0; i < count; i++)
            if (!visit(chunk_entry(stack, chunk, i), user))
                return;
    }
}

void pm_stack_visit_down(const pm_stack *stack, bool (*visit)(const void *entry, void *user), void *user) {
    for (pm_stack_chunk *chunk = stack->top; chunk; chunk = chunk->below)
        for (size_t i = chunk == stack->top ? stack->used : stack->capacity; i-- > 0;)
            if (!visit(chunk_entry(stack, chunk, i), user))
                return;
}

void pm_stack_clear(pm_stack *stack) {
    for (pm_stack_chunk *chunk = stack->bottom, *above; chunk; chunk = above) {
        above = chunk->above;
        pm_memory_free(&stack->allocator, chunk);
    }
    pm_memory_free(&stack->allocator, stack->spare);
    stack->bottom = stack->top = stack->spare = NULL;
    stack->used = 0;
}
