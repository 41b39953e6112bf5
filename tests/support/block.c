/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of buffers, their canaries, and the comparison of stages. */
#include "tests/support/block.h"

#include <string.h>

#include "tests/support/unit.h"

enum {
    GAP = 64,           /* words between buffers, at least */
    ALIGNMENT_MAX = 64, /* words */
    BUFFERS_MAX = 1 << 14
};

static uint32_t *mapped(const block *b) {
    return b->memory.mapped;
}

void block_open(block *b, const pmi_device *device, size_t words) {
    *b = (block){.device = device, .buffers = allocate(BUFFERS_MAX, sizeof *b->buffers)};
    assert_ok(pmi_buffer_create(device, PM_MEMORY_DOWNLOAD, words * 4, &b->memory));
    for (size_t i = 0; i < words; i++)
        mapped(b)[i] = BLOCK_CANARY;
}

void block_open_with(block *b, const pmi_device *device, const size_t *words, size_t count) {
    size_t all = GAP;
    for (size_t k = 0; k < count; k++)
        all += words[k] + GAP + 16;
    block_open(b, device, all);
    for (size_t k = 0; k < count; k++) {
        const size_t first = (b->used + GAP + 15) / 16 * 16;
        b->buffers[b->count++] = (block_buffer){.first = first, .words = words[k], .what = "twins"};
        b->used = first + words[k];
    }
}

void block_close(block *b) {
    pmi_buffer_destroy(b->device, &b->memory);
    free(b->buffers);
}

void block_clear(block *b) {
    for (size_t i = 0; i < b->used; i++)
        mapped(b)[i] = BLOCK_CANARY;
    b->used = b->count = 0;
}

bool block_has_room(const block *b, size_t words, size_t count) {
    return b->count + count <= BUFFERS_MAX &&
           (b->used + words + count * (GAP + 2 * ALIGNMENT_MAX) + GAP) * 4 <= b->memory.size;
}

size_t block_add(block *b, const pm_vk_buffer *buffers, size_t count, const char *what, uint32_t n) {
    assert_true(b->count + count <= BUFFERS_MAX);
    for (size_t k = 0; k < count; k++) {
        const size_t unit = buffers[k].alignment > 0 ? buffers[k].alignment / 4 : 1, words = buffers[k].size / 4;
        assert_true(unit <= ALIGNMENT_MAX);
        size_t first = (b->used + GAP + unit - 1) / unit * unit;
        first += first % (2 * unit) == 0 ? unit : 0;
        b->buffers[b->count++] = (block_buffer){.first = first, .words = words, .what = what, .n = n};
        b->used = first + words;
    }
    assert_true((b->used + GAP) * 4 <= b->memory.size);
    return b->count - count;
}

uint32_t *block_words(const block *b, size_t index) {
    return mapped(b) + b->buffers[index].first;
}

uint64_t block_address(const block *b, block_side side, size_t index) {
    const uint64_t begin = side == BLOCK_HOST ? (uint64_t)(uintptr_t)mapped(b) : b->memory.address;
    return begin + 4 * (uint64_t)b->buffers[index].first;
}

void block_expect(const block *b, size_t index, const void *expected, size_t count) {
    const block_buffer *const buffer = &b->buffers[index];
    const uint32_t *const found = block_words(b, index), *const wanted = expected;
    for (size_t i = 0; i < buffer->words; i++)
        if (found[i] != (i < count ? wanted[i] : BLOCK_CANARY))
            fail_msg("%s, n = %u: buffer %zu of %zu is wrong at %zu", buffer->what, buffer->n, index, b->count, i);
}

static bool all_canaries(const block *b, size_t from, size_t to) {
    while (from < to && mapped(b)[from] == BLOCK_CANARY)
        from++;
    return from >= to;
}

void block_check(const block *b) {
    size_t at = 0;
    for (size_t k = 0; k < b->count; k++) {
        const block_buffer *const buffer = &b->buffers[k];
        if (!all_canaries(b, at, buffer->first))
            fail_msg("%s, n = %u: something wrote before buffer %zu of %zu", buffer->what, buffer->n, k, b->count);
        at = buffer->first + buffer->words;
    }
    if (!all_canaries(b, at, b->memory.size / 4))
        fail_msg("something wrote behind the last buffer");
}

bool block_same(const block *a, const block *b, size_t index) {
    return memcmp(block_words(a, index), block_words(b, index), a->buffers[index].words * 4) == 0;
}

/* ---- Stages ---- */

static bool is_right_from(const staged *s, const void *task, const block *twins, unsigned from) {
    block mixed;
    s->make(task, &mixed);
    s->run(task, &mixed, from);
    const bool right = s->same(task, twins, &mixed);
    for (size_t k = 0; k < mixed.count; k++)
        mixed.buffers[k].what = s->names[from];
    if (right)
        block_check(&mixed);
    block_close(&mixed);
    return right;
}

void staged_check(const staged *s, const void *task, const char *what, uint32_t n) {
    block twins;
    s->make(task, &twins);
    s->run(task, &twins, s->count);
    s->check(task, &twins);
    block_check(&twins);
    if (!s->as_a_whole || !is_right_from(s, task, &twins, 0))
        for (unsigned from = s->count; from-- > 0;) /* so that the first to fail is the stage that is wrong */
            if (!is_right_from(s, task, &twins, from))
                fail_msg("%s, n = %u: %s is wrong", what, n, s->names[from]);
    block_close(&twins);
}
