/* SPDX-License-Identifier: Apache-2.0 */
/* Matches a whole sequence: as one range, from an empty stack. */
#include "broadword/match/match.h"

#include <stdalign.h>

#include "base/memory.h"

static pm_bic match_from_empty(const pmi_engine *engine, const pmi_grid *grid, bool streaming, pmi_far_stack *stack,
                               void *scratch, size_t scratch_size) {
    const pmi_range range = {.first = 0, .last = pmi_grid_blocks(grid), .streaming = streaming, .keep = false};
    const uint64_t close = engine->match_range(grid, &range, stack, scratch, scratch_size);
    return (pm_bic){close, stack->depth};
}

pm_status pmi_broadword_match(const pmi_engine *engine, const pm_allocator *allocator, const uint64_t *parens, size_t n,
                              uint32_t *match, pm_bic *total) {
    pmi_far_stack stack = {.survivors = NULL, .used = 0, .depth = 0};
    if (n <= PM_WORD_BITS && engine->match_block) {
        *total = engine->match_block(*parens, n, match);
        return PM_OK;
    }
    if (n <= PM_RANGE_SHORT) {
        alignas(PM_SCRATCH_ALIGN) unsigned char scratch[PM_SCRATCH_SIZE_SHORT];
        const pmi_grid grid = {.parens = parens, .n = n, .match = match, .lead = 0};
        *total = match_from_empty(engine, &grid, false, &stack, scratch, sizeof scratch);
        return PM_OK;
    }

    const pmi_grid grid = pmi_grid_make(parens, n, match);
    void *block = pmi_memory_allocate_with(allocator, PM_SCRATCH_ALIGN + PM_SCRATCH_SIZE, pmi_grid_blocks(&grid),
                                           sizeof *stack.survivors);
    if (!block)
        return PM_OUT_OF_MEMORY;
    const uintptr_t padding = -(uintptr_t)block % PM_SCRATCH_ALIGN;
    unsigned char *scratch = (unsigned char *)block + padding;
    stack.survivors = (pm_survivors *)(void *)(scratch + PM_SCRATCH_SIZE);
    *total = match_from_empty(engine, &grid, pmi_grid_should_stream(&grid, n), &stack, scratch, PM_SCRATCH_SIZE);
    pmi_memory_free(allocator, block);
    return PM_OK;
}
