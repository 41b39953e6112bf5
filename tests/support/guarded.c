/* SPDX-License-Identifier: Apache-2.0 */
/* Pages, and one behind them that may not be touched. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "tests/support/guarded.h"

#include <sys/mman.h>
#include <unistd.h>

#include "tests/support/unit.h"

guarded_memory guarded_allocate(size_t size) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    guarded_memory memory = {.size = (size + page - 1) / page * page};
    memory.mapped = memory.size + page;
    memory.mapping = mmap(NULL, memory.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory.mapping != MAP_FAILED);
    memory.end = (unsigned char *)memory.mapping + memory.size;
    assert_int_equal(mprotect(memory.end, page, PROT_NONE), 0);
    return memory;
}

void guarded_free(guarded_memory *memory) {
    assert_int_equal(munmap(memory->mapping, memory->mapped), 0);
}

enum {
    PLACES = COUNT_OF(((guarded_blocks *)0)->block),
    ALIGNMENT = 16
};

static void *block_allocate(size_t size, void *user) {
    guarded_blocks *const blocks = user;
    for (size_t k = 0; k < PLACES; k++)
        if (!blocks->block[k]) {
            blocks->memory[k] = guarded_allocate(size);
            return blocks->block[k] = blocks->memory[k].end - (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        }
    return NULL;
}

static void block_free(void *block, void *user) {
    guarded_blocks *const blocks = user;
    for (size_t k = 0; k < PLACES; k++)
        if (blocks->block[k] == block) {
            guarded_free(&blocks->memory[k]);
            blocks->block[k] = NULL;
            return;
        }
    fail_msg("a block is freed that was not allocated");
}

pm_allocator guarded_allocator(guarded_blocks *blocks) {
    return (pm_allocator){block_allocate, block_free, blocks};
}
