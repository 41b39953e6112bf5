/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks are kept in a list, so that a wrong free is noticed without touching what it points to. */
#include "tests/support/fault_allocator.h"

#include <stdlib.h>
#include <string.h>

#define GUARD 64 /* bytes before a block; sanitizers watch those behind it */
#define GUARD_BYTE 0xb7

struct fault_block {
    fault_block *older;
    size_t size;
    unsigned char before[GUARD];
    max_align_t memory[];
};

static bool is_guarded(const unsigned char *guard) {
    for (size_t i = 0; i < GUARD; i++)
        if (guard[i] != GUARD_BYTE)
            return false;
    return true;
}

static void *allocate(size_t size, void *user) {
    fault_allocator *faults = user;
    faults->calls++;
    fault_block *block = faults->calls == faults->fail_at ? NULL : malloc(sizeof *block + size);
    if (!block)
        return NULL;
    block->older = faults->blocks;
    block->size = size;
    memset(block->before, GUARD_BYTE, GUARD);
    faults->blocks = block;
    faults->live_blocks++;
    faults->live_bytes += size;
    if (faults->peak_bytes < faults->live_bytes)
        faults->peak_bytes = faults->live_bytes;
    return memset(block->memory, 0xa5, size);
}

static void give_back(void *memory, void *user) {
    fault_allocator *faults = user;
    fault_block **link = &faults->blocks;
    while (*link && (void *)(*link)->memory != memory)
        link = &(*link)->older;
    fault_block *block = *link;
    if (!block) {
        faults->wrong_frees++;
        return;
    }
    *link = block->older;
    faults->live_blocks--;
    faults->live_bytes -= block->size;
    faults->wrong_writes += !is_guarded(block->before);
    memset(block->memory, 0x5a, block->size);
    free(block);
}

pm_allocator fault_allocator_functions(fault_allocator *faults) {
    return (pm_allocator){allocate, give_back, faults};
}

pm_status fault_allocator_context(fault_allocator *faults, pm_context **context) {
    const pm_options options = {.struct_size = sizeof options, .allocator = fault_allocator_functions(faults)};
    return pm_context_create(&options, context);
}

bool fault_allocator_is_settled(const fault_allocator *faults) {
    return !faults->blocks && faults->live_bytes == 0 && faults->wrong_frees == 0 && faults->wrong_writes == 0;
}
