/* SPDX-License-Identifier: Apache-2.0 */
/* Matches a whole sequence: as one range, from an empty stack. */
#include "broadword/match.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <unistd.h>

/*
 * Results go past the caches where they would not fit the core's own anyway: there, ordinary stores first read every
 * line that they are going to overwrite. The size is that of the second-level cache.
 */
static size_t streaming_threshold(void) {
    static _Atomic(size_t) known; /* asking takes long, and the answer does not change */
    size_t bytes = atomic_load_explicit(&known, memory_order_relaxed);
    if (bytes == 0) {
        bytes = (size_t)1 << 20; /* where the system does not tell */
#ifdef _SC_LEVEL2_CACHE_SIZE
        const long level2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
        if (level2 > 0)
            bytes = (size_t)level2;
#endif
        atomic_store_explicit(&known, bytes, memory_order_relaxed);
    }
    return bytes;
}

#define LINE_ELEMENTS (64u / (unsigned)sizeof(uint32_t))

/* Elements between the beginning of a cache line and `match`. */
static unsigned line_offset(const uint32_t *match) {
    return (unsigned)((uintptr_t)match / sizeof *match % LINE_ELEMENTS);
}

static pm_bic match_from_empty(const pm_engine *engine, const pm_grid *grid, bool streaming, pm_far_stack *stack,
                               void *scratch, size_t scratch_size) {
    const pm_range range = {.first = 0, .last = pm_grid_blocks(grid), .streaming = streaming, .keep = false};
    const uint64_t close = engine->match_range(grid, &range, stack, scratch, scratch_size);
    return (pm_bic){close, stack->depth};
}

pm_status pm_broadword_match(const pm_engine *engine, const pm_allocator *allocator, const uint64_t *parens, size_t n,
                             uint32_t *match, pm_bic *total) {
    pm_grid grid = {.parens = parens, .n = n, .match = match, .lead = 0};
    pm_far_stack stack = {.survivors = NULL, .used = 0, .depth = 0};
    if (n <= PM_WORD_BITS && engine->match_block) {
        *total = engine->match_block(*parens, n, match);
        return PM_OK;
    }
    if (n <= PM_RANGE_SHORT) {
        alignas(PM_SCRATCH_ALIGN) unsigned char scratch[PM_SCRATCH_SIZE_SHORT];
        *total = match_from_empty(engine, &grid, false, &stack, scratch, sizeof scratch);
        return PM_OK;
    }

    /* Blocks begin with cache lines, if counting from the first line's beginning still fits 32 bits. */
    grid.lead = n <= UINT32_MAX - LINE_ELEMENTS ? line_offset(match) : 0;
    const size_t far_size = pm_grid_blocks(&grid) * sizeof *stack.survivors;
    void *block = allocator->alloc(PM_SCRATCH_ALIGN + PM_SCRATCH_SIZE + far_size, allocator->user);
    if (!block)
        return PM_OUT_OF_MEMORY;
    const uintptr_t padding = -(uintptr_t)block % PM_SCRATCH_ALIGN;
    unsigned char *scratch = (unsigned char *)block + padding;
    stack.survivors = (pm_survivors *)(void *)(scratch + PM_SCRATCH_SIZE);
    const bool aligned = grid.lead == line_offset(match);
    const bool streaming = aligned && n > streaming_threshold() / sizeof *match;
    *total = match_from_empty(engine, &grid, streaming, &stack, scratch, PM_SCRATCH_SIZE);
    allocator->free(block, allocator->user);
    return PM_OK;
}
