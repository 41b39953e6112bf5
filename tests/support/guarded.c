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
