/* SPDX-License-Identifier: Apache-2.0 */
/* The inner loops of the floors, as this processor runs them fastest. Sizes are in bytes, a multiple of 4; `to` and
 * `from` are aligned to 64 bytes. */
#ifndef PM_BENCH_FLOOR_LOOPS_H
#define PM_BENCH_FLOOR_LOOPS_H

#include <stddef.h>
#include <stdint.h>

struct floor_loops {
    const char *simd;
    void (*store)(void *to, uint32_t value, size_t size); /* past the caches where the processor can */
    uint32_t (*read)(const void *from, size_t size);      /* the exclusive or of all values */
};

/* The best loops for the processor that runs. */
const struct floor_loops *floor_loops_best(void);

/* The same by single elements: for every processor, and for what is left after the last whole vector. */
static inline void elements_store(uint32_t *to, uint32_t value, size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] = value;
}

static inline uint32_t elements_read(const uint32_t *from, size_t count) {
    uint32_t all = 0;
    for (size_t i = 0; i < count; i++)
        all ^= from[i];
    return all;
}

#endif
