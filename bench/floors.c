/* SPDX-License-Identifier: Apache-2.0 */
/* The floors, and how threads divide a block. */
#include "bench/floors.h"

#include <string.h>

#include "bench/machine.h"

/* The values stored: neither is a likely match, nor the other. */
#define STORED_PAST_CACHES UINT32_C(0xa5a5a5a5)
#define STORED_BY_MEMSET 0x5a

static void *slice_to(const struct floor_block *block, size_t begin) {
    return (unsigned char *)block->to + begin;
}

static const void *slice_from(const struct floor_block *block, size_t begin) {
    return (const unsigned char *)block->from + begin;
}

static bool block_is_filled(const struct floor_block *block, uint32_t value) {
    const uint32_t *stored = block->to;
    for (size_t i = 0; i < block->size / sizeof value; i++)
        if (stored[i] != value)
            return false;
    return true;
}

static void store_run(struct floor_block *block, size_t begin, size_t size) {
    floor_loops_best()->store(slice_to(block, begin), STORED_PAST_CACHES, size);
}

static bool store_holds(const struct floor_block *block) {
    return block_is_filled(block, STORED_PAST_CACHES);
}

static void memset_run(struct floor_block *block, size_t begin, size_t size) {
    memset(slice_to(block, begin), STORED_BY_MEMSET, size);
}

static bool memset_holds(const struct floor_block *block) {
    return block_is_filled(block, STORED_BY_MEMSET * UINT32_C(0x01010101));
}

static void copy_run(struct floor_block *block, size_t begin, size_t size) {
    memcpy(slice_to(block, begin), slice_from(block, begin), size);
}

static bool copy_holds(const struct floor_block *block) {
    return memcmp(block->to, block->from, block->size) == 0;
}

static void read_run(struct floor_block *block, size_t begin, size_t size) {
    atomic_fetch_xor(&block->seen, floor_loops_best()->read(slice_from(block, begin), size));
}

static bool read_holds(const struct floor_block *block) {
    return atomic_load(&block->seen) == elements_read(block->from, block->size / sizeof(uint32_t));
}

/* For each value a product of its own, in a chain of four: as many instructions as some matchers take, and no memory.
 */
static uint32_t products(size_t begin, size_t end) {
    uint32_t all = 0;
    for (size_t i = begin; i < end; i++) {
        uint32_t product = (uint32_t)i | 1;
        for (int k = 0; k < 4; k++)
            product = (product ^ product >> 15) * UINT32_C(0x9e3779b1);
        all ^= product;
    }
    return all;
}

static void compute_run(struct floor_block *block, size_t begin, size_t size) {
    atomic_fetch_xor(&block->seen, products(begin / sizeof(uint32_t), (begin + size) / sizeof(uint32_t)));
}

static bool compute_holds(const struct floor_block *block) {
    return atomic_load(&block->seen) == products(0, block->size / sizeof(uint32_t));
}

static const struct floor floors[] = {
    {"store", "stores past the caches (non-temporal)", true, store_run, store_holds},
    {"memset", "the C library's memset", false, memset_run, memset_holds},
    {"copy", "the C library's memcpy", false, copy_run, copy_holds},
    {"read", "loads alone", true, read_run, read_holds},
    {"compute", "arithmetic alone, without memory", false, compute_run, compute_holds},
};

const struct floor *floor_at(size_t index) {
    return index < sizeof floors / sizeof *floors ? &floors[index] : NULL;
}

/* The floor of that name. */
static const struct floor *floor_named(const char *name) {
    const struct floor *floor;
    for (size_t f = 0; (floor = floor_at(f)) != NULL; f++)
        if (strcmp(floor->name, name) == 0)
            break;
    return floor;
}

const char *floor_simd(const struct floor *floor) {
    return floor->vectors ? floor_loops_best()->simd : "none";
}

/* Slices begin at pages, so that no two threads share a cache line; the last is longer. */
static void slice_work(unsigned part, unsigned parts, void *user) {
    const size_t page = 4096;
    struct floor_job *job = user;
    const size_t slice = job->block.size / parts / page * page, begin = slice * part;
    const size_t end = part + 1 < parts ? begin + slice : job->block.size;
    job->floor->slice_run(&job->block, begin, end - begin);
}

static void job_run(void *user, size_t calls) {
    struct floor_job *job = user;
    for (size_t c = 0; c < calls; c++) {
        atomic_store(&job->block.seen, 0);
        threads_run(job->block.threads, slice_work, job);
    }
}

struct floor_job floor_job_make(const char *name, void *to, const void *from, size_t size, unsigned threads) {
    return (struct floor_job){.floor = floor_named(name),
                              .block = {.to = to, .from = from, .size = size - size % 4, .threads = threads},
                              .held = true};
}

struct action floor_action(struct floor_job *job) {
    return (struct action){job_run, job};
}

void floor_check(void *job) {
    struct floor_job *checked = job;
    checked->held = checked->held && checked->floor->holds(&checked->block);
}

/* ---- Copying, and reading some more ---- */

static void moving_run(void *user, size_t calls) {
    struct moving *moving = user;
    const struct action copy = floor_action(&moving->copy), read = floor_action(&moving->read);
    for (size_t c = 0; c < calls; c++) {
        copy.run(copy.user, 1);
        read.run(read.user, 1);
    }
}

struct moving moving_make(void *to, const void *from, size_t copied, const void *more, size_t read, unsigned threads) {
    return (struct moving){.copy = floor_job_make("copy", to, from, copied, threads),
                           .read = floor_job_make("read", NULL, more, read, threads)};
}

struct action moving_action(struct moving *moving) {
    return (struct action){moving_run, moving};
}
