/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that host and device both see: buffers one behind the other, with canaries before, between and behind them;
 * and the check of a computation's stages, which run on such buffers.
 */
#ifndef PM_TESTS_SUPPORT_BLOCK_H
#define PM_TESTS_SUPPORT_BLOCK_H

#include "gpu/device/memory.h"
#include "parenmatch_vulkan.h"

#define BLOCK_CANARY 0x5ca1ab1eu

/* All sizes are in 32-bit words. */
typedef struct block_buffer {
    size_t first, words;
    const char *what; /* for messages */
    uint32_t n;
} block_buffer;

typedef struct block {
    const pmi_device *device;
    pmi_buffer memory;
    size_t used, count;
    block_buffer *buffers;
} block;

typedef enum block_side {
    BLOCK_HOST,
    BLOCK_DEVICE
} block_side;

/* Makes a block of `words` canaries. */
void block_open(block *b, const pmi_device *device, size_t words);

/* Makes a block of `count` buffers, at multiples of 64 bytes. */
void block_open_with(block *b, const pmi_device *device, const size_t *words, size_t count);

void block_close(block *b);

/* Removes all buffers; their words are canaries again. */
void block_clear(block *b);

bool block_has_room(const block *b, size_t words, size_t count);

/* Adds buffers that are no better aligned than they ask for; returns the index of the first. */
size_t block_add(block *b, const pm_vk_buffer *buffers, size_t count, const char *what, uint32_t n);

uint32_t *block_words(const block *b, size_t index);
uint64_t block_address(const block *b, block_side side, size_t index);

/* Fails unless a buffer has the words that are expected, and canaries behind them. */
void block_expect(const block *b, size_t index, const void *expected, size_t count);

/* Fails where something has been written outside the buffers. */
void block_check(const block *b);

bool block_same(const block *a, const block *b, size_t index);

/*
 * A computation in stages, each of which the device runs, or a twin in C.
 * make   makes the block of a task and fills in what is given
 * run    runs twins for the stages before `from`, the device for the others
 * check  fails unless the twins' results are those of the reference implementation
 * same   whether a block is as the twins' block
 */
typedef struct staged {
    const char *const *names;
    unsigned count;
    bool as_a_whole; /* the device runs all stages; a single one is looked for only where the results are wrong */
    void (*make)(const void *task, block *b);
    void (*run)(const void *task, const block *b, unsigned from);
    void (*check)(const void *task, const block *twins);
    bool (*same)(const void *task, const block *twins, const block *b);
} staged;

/* Runs twins alone, then the device from each stage on: all blocks are the same. Names the first stage that is wrong.
 */
void staged_check(const staged *s, const void *task, const char *what, uint32_t n);

#endif
