/* SPDX-License-Identifier: Apache-2.0 */
/* Where the blocks of a grid begin, and by which stores its results are best written. */
#include "base/engine.h"

#include <stdatomic.h>
#include <unistd.h>

#define LINE_ELEMENTS (64u / (unsigned)sizeof(uint32_t))

/* Elements between the beginning of a cache line and `match`. */
static unsigned line_offset(const uint32_t *match) {
    return (unsigned)((uintptr_t)match / sizeof *match % LINE_ELEMENTS);
}

pmi_grid pmi_grid_make(const uint64_t *parens, size_t n, uint32_t *match) {
    const unsigned lead = n <= UINT32_MAX - LINE_ELEMENTS ? line_offset(match) : 0;
    return (pmi_grid){.parens = parens, .n = n, .match = match, .lead = lead};
}

/* The size of the second-level cache. */
static size_t cache_size(void) {
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

bool pmi_results_should_stream(size_t bytes) {
    return bytes >= cache_size() / 2; /* half of it, as measured */
}

bool pmi_grid_should_stream(const pmi_grid *grid, size_t elements) {
    return grid->lead == line_offset(grid->match) && pmi_results_should_stream(elements * sizeof *grid->match);
}
