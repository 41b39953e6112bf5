/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Floors: the time of moving the output alone, with nothing computed. A matcher of n elements writes 4n bytes, so its
 * floor is a non-temporal store of 4n bytes by as many threads; the others show what else the memory can do.
 */
#ifndef PM_BENCH_FLOORS_H
#define PM_BENCH_FLOORS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/timing.h"

/* Inner loops. Sizes are in bytes, multiples of 4; `to` and `from` are aligned to 64 bytes. */
struct floor_loops {
    const char *simd;
    void (*store)(void *to, uint32_t value, size_t size); /* past the caches where the processor can */
    uint32_t (*read)(const void *from, size_t size);      /* the exclusive or of all values */
};

/* The fastest loops for the processor that runs. */
const struct floor_loops *floor_loops_best(void);

/* Loops by single elements: for every processor, and for the rest after the last whole vector. */
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

/* What a floor works on. */
struct floor_block {
    void *to;
    const void *from; /* NULL if the floor only writes */
    size_t size;      /* bytes of each, a multiple of 4 */
    unsigned threads;
    atomic_uint_least32_t seen; /* by floors that read or compute: the exclusive or of all values */
};

struct floor {
    const char *name, *description;
    bool vectors; /* does it use struct floor_loops? */
    void (*slice_run)(struct floor_block *block, size_t begin, size_t size);
    bool (*holds)(const struct floor_block *block); /* was the work done? */
};

/* The floors, by index: store, memset, copy, read, compute; NULL past the last. */
const struct floor *floor_at(size_t index);

/* The instruction set of a floor, or "none". */
const char *floor_simd(const struct floor *floor);

/* A floor at work on a block. */
struct floor_job {
    const struct floor *floor;
    struct floor_block block;
    bool held; /* was every call that was checked right? */
};

/* The floor of that name on blocks of `size` bytes, less those after the last whole element. */
struct floor_job floor_job_make(const char *name, void *to, const void *from, size_t size, unsigned threads);

/* The job as something to time; valid as long as the job is. */
struct action floor_action(struct floor_job *job);

/* Checks, with the action's user, that the last call did its work. */
void floor_check(void *job);

/* The floor of what reads as many bytes as it writes, and some more: copying, then reading. Results call it "copy". */
struct moving {
    struct floor_job copy, read;
};

/* Copies `copied` bytes and reads `read` more. Blocks are aligned to 64 bytes. */
struct moving moving_make(void *to, const void *from, size_t copied, const void *more, size_t read, unsigned threads);

struct action moving_action(struct moving *moving);

#endif
