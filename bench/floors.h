/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Floors: what moving the output alone costs, with nothing computed. A matcher of n elements writes 4n bytes, so the
 * floor beside it is a non-temporal store of 4n bytes by as many threads; the others tell what the memory can do.
 */
#ifndef PM_BENCH_FLOORS_H
#define PM_BENCH_FLOORS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/timing.h"

/* What a floor works on. */
struct floor_block {
    void *to;
    const void *from; /* NULL if the floor only writes */
    size_t size;      /* bytes of each, a multiple of 4 */
    unsigned threads;
    atomic_uint_least32_t seen; /* by the floor that reads: the exclusive or of all values */
};

struct floor {
    const char *name, *description;
    bool vectors; /* does it use the loops of floor_loops.h? */
    void (*slice_run)(struct floor_block *block, size_t begin, size_t size);
    bool (*holds)(const struct floor_block *block); /* was the work done? */
};

/* The floors, by index; NULL past the last. The first is the non-temporal store. */
const struct floor *floor_at(size_t index);

/* The floor of that name; NULL if there is none. */
const struct floor *floor_named(const char *name);

/* The instruction set of a floor, or "none". */
const char *floor_simd(const struct floor *floor);

/* A floor at work on a block. */
struct floor_job {
    const struct floor *floor;
    struct floor_block block;
    bool held; /* whenever it was checked; to begin with true */
};

/* The job as something to time; valid as long as the job is. */
struct action floor_action(struct floor_job *job);

/* Checks, with the action's user, that the last call did its work. */
void floor_check(void *job);

#endif
