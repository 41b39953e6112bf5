/* SPDX-License-Identifier: Apache-2.0 */
/* The chunked stack. Chunks below the top may belong to several stacks; the top chunk belongs to one. */
#include "base/stack.h"

#include <string.h>

static unsigned char *chunk_entry(const pmi_stack *stack, pmi_stack_chunk *chunk, size_t index) {
    return (unsigned char *)chunk->entries + index * stack->entry_size;
}

/* ---- Empty chunks ---- */

static void spare_keep(pmi_stack *stack, pmi_stack_chunk *chunk) {
    chunk->below = stack->spare;
    stack->spare = chunk;
    stack->spares++;
}

static pmi_stack_chunk *spare_take(pmi_stack *stack) {
    pmi_stack_chunk *const chunk = stack->spare;
    if (!chunk)
        return pmi_memory_allocate(&stack->allocator, 1, sizeof *chunk + stack->capacity * stack->entry_size);
    stack->spare = chunk->below;
    stack->spares--;
    return chunk;
}

/* Gives them back, in the order in which they were allocated. */
static void spares_free(pmi_stack *stack) {
    while (stack->spare) {
        pmi_stack_chunk *const chunk = stack->spare;
        stack->spare = chunk->below;
        pmi_memory_free(&stack->allocator, chunk);
    }
    stack->spares = 0;
}

/* ---- Entries ---- */

void *pmi_stack_push(pmi_stack *stack) {
    if (!stack->top || stack->used == stack->capacity) {
        pmi_stack_chunk *const chunk = spare_take(stack);
        if (!chunk)
            return NULL;
        chunk->below = stack->top;
        chunk->users = 1;
        if (!stack->top)
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

static pmi_stack_chunk *refer(pmi_stack_chunk *chunk) {
    if (chunk)
        chunk->users++;
    return chunk;
}

/* Gives up a chunk, and those below it that nobody else uses, in the order in which they were allocated. */
static void release(const pmi_stack *stack, pmi_stack_chunk *chunk) {
    pmi_stack_chunk *unused = NULL;
    for (; chunk && --chunk->users == 0; chunk = chunk->below) {
        chunk->above = unused;
        unused = chunk;
    }
    while (unused) {
        pmi_stack_chunk *const above = unused->above;
        pmi_memory_free(&stack->allocator, unused);
        unused = above;
    }
}

/* Makes the emptied top chunk a copy of the one below, which others use too. */
static void copy_below(pmi_stack *stack) {
    pmi_stack_chunk *const copy = stack->top, *const shared = copy->below;
    memcpy(copy->entries, shared->entries, stack->capacity * stack->entry_size);
    copy->below = refer(shared->below);
    if (stack->bottom == shared)
        stack->bottom = copy;
    release(stack, shared);
    stack->used = stack->capacity;
}

void pmi_stack_pop(pmi_stack *stack) {
    if (--stack->used > 0)
        return;
    pmi_stack_chunk *emptied = stack->top;
    if (emptied->below && emptied->below->users > 1) {
        copy_below(stack);
        return;
    }
    stack->top = emptied->below;
    if (stack->top)
        stack->used = stack->capacity;
    else
        stack->bottom = NULL;
    if (stack->spares == PM_STACK_SPARES)
        spares_free(stack);
    spare_keep(stack, emptied);
}

/* ---- Saved stacks ---- */

bool pmi_stack_save(const pmi_stack *stack, pmi_stack *saved) {
    *saved = *stack;
    saved->spare = NULL;
    saved->spares = 0;
    if (!stack->top)
        return true;
    pmi_stack_chunk *const chunk =
        pmi_memory_allocate_with(&stack->allocator, sizeof *chunk, stack->used, stack->entry_size);
    if (!chunk) {
        saved->top = saved->bottom = NULL;
        return false;
    }
    chunk->below = refer(stack->top->below);
    chunk->users = 1;
    memcpy(chunk->entries, stack->top->entries, stack->used * stack->entry_size);
    saved->top = chunk;
    if (stack->bottom == stack->top)
        saved->bottom = chunk;
    return true;
}

bool pmi_stack_reserve_for(pmi_stack *stack, const pmi_stack *saved) {
    if (!saved->top || stack->top || stack->spare)
        return true;
    pmi_stack_chunk *const chunk = spare_take(stack);
    if (chunk)
        spare_keep(stack, chunk);
    return chunk != NULL;
}

void pmi_stack_restore(pmi_stack *stack, const pmi_stack *saved) {
    pmi_stack_chunk *const rest = stack->top ? stack->top->below : NULL;
    pmi_stack_chunk *chunk = stack->top;
    if (!saved->top) {
        if (chunk)
            spare_keep(stack, chunk);
        stack->top = stack->bottom = NULL;
    } else {
        if (!chunk)
            chunk = spare_take(stack);
        memcpy(chunk->entries, saved->top->entries, saved->used * saved->entry_size);
        chunk->below = refer(saved->top->below);
        chunk->users = 1;
        stack->top = chunk;
        stack->bottom = saved->bottom == saved->top ? chunk : saved->bottom;
    }
    release(stack, rest);
    stack->used = saved->used;
}

/* ---- Visits ---- */

void pmi_stack_visit(const pmi_stack *stack, bool (*visit)(const void *entry, void *user), void *user) {
    pmi_stack_chunk *above = NULL;
    for (pmi_stack_chunk *chunk = stack->top; chunk; chunk = chunk->below) {
        chunk->above = above;
        above = chunk;
    }
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

pmi_stack_walk pmi_stack_walk_begin(const pmi_stack *stack) {
    return (pmi_stack_walk){stack, stack->top, stack->used};
}

const void *pmi_stack_walk_down(pmi_stack_walk *walk) {
    if (walk->chunk && walk->left == 0) {
        walk->chunk = walk->chunk->below;
        walk->left = walk->stack->capacity;
    }
    return walk->chunk ? chunk_entry(walk->stack, walk->chunk, --walk->left) : NULL;
}

void pmi_stack_clear(pmi_stack *stack) {
    release(stack, stack->top);
    spares_free(stack);
    stack->bottom = stack->top = NULL;
    stack->used = 0;
}
