/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slices recorded through parenmatch_vulkan.h, one after the other in one command buffer, the stack that each leaves
 * coming into the next: their matches together are that of the whole. Skipped (77) where there is no device; arguments
 * as vulkan_tests_main() has them.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu/match/levels.h"
#include "inputs/families.h"
#include "tests/support/unit.h"
#include "tests/support/vulkan_fixture.h"

enum {
    SLICES_MAX = 8,
    BLOCK_WORDS = 1 << 21
};

/* The buffers of a slice, by their index. */
enum {
    PARENS,
    SCRATCH,
    SUMMARY,
    MATCH,
    STACK,
    BUFFERS
};

static pm_vk_context *slicer; /* a matcher for slices */
static block slices_block;

typedef struct slice {
    pm_vk_slice_info info;
    size_t at; /* the index of its first buffer */
} slice;

static uint32_t *words_of(const slice *s, size_t buffer) {
    return block_words(&slices_block, s->at + buffer);
}

static VkDeviceAddress address_of(const slice *s, size_t buffer) {
    return block_address(&slices_block, BLOCK_DEVICE, s->at + buffer);
}

/* Lays a slice out, its bits from bit 0 on, and what comes in where the slice before it leaves its stack. */
static void slice_make(slice *s, const slice *last, const uint64_t *parens, size_t begin, size_t n, size_t depth) {
    pm_vk_sizes sizes;
    assert_ok(pm_vk_context_sizes(slicer, n, 0, &sizes));
    const pm_vk_buffer buffers[BUFFERS] = {[PARENS] = {.size = sizes.parens.size, .alignment = 16},
                                           [SCRATCH] = {.size = sizes.scratch.size, .alignment = 16},
                                           [SUMMARY] = {.size = 8, .alignment = 16},
                                           [MATCH] = {.size = n * 4, .alignment = 16},
                                           [STACK] = {.size = depth * 4, .alignment = 16}};
    s->at = block_add(&slices_block, buffers, BUFFERS, "a slice", (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        uint32_t *const word = words_of(s, PARENS) + i / 32;
        const uint32_t bit = parens[(begin + i) / 64] >> (begin + i) % 64 & 1;
        *word = (*word & ~(UINT32_C(1) << i % 32)) | bit << i % 32;
    }
    s->info = (pm_vk_slice_info){.struct_size = sizeof s->info,
                                 .n = n,
                                 .parens = address_of(s, PARENS),
                                 .scratch = address_of(s, SCRATCH),
                                 .summary = address_of(s, SUMMARY),
                                 .origin = begin,
                                 .incoming = last ? address_of(last, STACK) : 0,
                                 .incoming_count = last ? depth : 0,
                                 .match = address_of(s, MATCH)};
}

/* Either the match once its stack has come in, or before that, and again afterwards. */
static void slice_record(const slice *s, size_t depth, bool again) {
    pm_vk_slice_info alone = s->info;
    alone.incoming_count = 0;
    assert_ok(pm_vk_cmd_slice_reduce(host.commands, slicer, &s->info));
    gpu_commands_barrier(&host);
    if (again)
        assert_ok(pm_vk_cmd_slice_match(host.commands, slicer, &alone));
    assert_ok(pm_vk_cmd_slice_stack(host.commands, slicer, &s->info, address_of(s, STACK), depth));
    gpu_commands_barrier(&host);
    assert_ok((again ? pm_vk_cmd_slice_match_again : pm_vk_cmd_slice_match)(host.commands, slicer, &s->info));
}

/* The stack after the first n elements, top first, then PM_NONE. */
static void stack_find(const uint64_t *parens, size_t n, size_t depth, uint32_t *stack) {
    uint32_t *const all = allocate(n, sizeof *all);
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        if (parens[i / 64] >> i % 64 & 1)
            all[used++] = (uint32_t)i;
        else if (used > 0)
            used--;
    }
    for (size_t k = 0; k < depth; k++)
        stack[k] = k < used ? all[used - 1 - k] : PM_NONE;
    free(all);
}

static void check_slices(const char *what, const slice *slices, size_t count, const uint64_t *parens, size_t n,
                         size_t depth) {
    uint32_t *const expected = allocate(n, sizeof *expected), *const stack = allocate(depth, sizeof *stack);
    assert_ok(pm_match_seq(NULL, parens, n, expected, NULL));
    for (size_t k = 0; k < count; k++) {
        const slice *const s = &slices[k];
        for (size_t i = 0; i < s->info.n; i++)
            if (words_of(s, MATCH)[i] != expected[s->info.origin + i])
                fail_msg("%s, slice %zu: match[%zu] is %u, not %u", what, k, i, words_of(s, MATCH)[i],
                         expected[s->info.origin + i]);
        stack_find(parens, s->info.origin + s->info.n, depth, stack);
        if (memcmp(words_of(s, STACK), stack, depth * sizeof *stack) != 0)
            fail_msg("%s, slice %zu: the stack is wrong", what, k);
    }
    block_check(&slices_block);
    free(expected);
    free(stack);
}

static size_t sum(const size_t *lengths, size_t count) {
    size_t n = 0;
    for (size_t k = 0; k < count; k++)
        n += lengths[k];
    return n;
}

/* All slices in one command buffer; `depth` is as deep as the sequence gets at their ends, and more. */
static void check_chain_of(const char *what, const uint64_t *parens, const size_t *lengths, size_t count, bool again) {
    slice slices[SLICES_MAX];
    const size_t n = sum(lengths, count), depth = n + 3;
    size_t begin = 0;
    block_clear(&slices_block);
    gpu_commands_begin(&host);
    for (size_t k = 0; k < count; k++) {
        slice_make(&slices[k], k > 0 ? &slices[k - 1] : NULL, parens, begin, lengths[k], depth);
        slice_record(&slices[k], depth, again);
        begin += lengths[k];
    }
    gpu_commands_run(&host);
    check_slices(what, slices, count, parens, n, depth);
}

static void check_chain(const char *family, uint64_t seed, const size_t *lengths, size_t count, bool again) {
    uint64_t *const parens = family_make(family, seed, sum(lengths, count));
    check_chain_of(family, parens, lengths, count, again);
    free(parens);
}

TEST(test_chains) {
    static const size_t cuts[][4] = {{1, 1, 1, 1}, {31, 33, 5, 700}, {1023, 1, 1025, 1024}, {5000, 3, 2048, 9000}};
    for (const char *const *name = family_names; *name; name++)
        for (size_t k = 0; k < COUNT_OF(cuts); k++)
            check_chain(*name, k, cuts[k], 4, k % 2);
}

/* What comes into a slice is the parent of elements in all of its tiles, none of which lies below the others. */
TEST(test_one_parent) {
    static const size_t lengths[] = {64, 3 * PM_TILE, PM_SUPERBLOCK + 6 * PM_TILE + 5};
    const size_t n = sum(lengths, 3);
    uint64_t *const parens = family_make("flat", 0, n);
    for (size_t w = 0; w <= n / 64; w++)
        parens[w] = ~parens[w]; /* )()()... */
    parens[0] |= 1;
    check_chain_of("one parent", parens, lengths, 3, true);
    check_chain_of("one parent", parens, lengths, 3, false);
    free(parens);
}

/* Superblocks, whole ones and others. */
TEST(test_long_slices) {
    static const size_t cuts[][2] = {{PM_SUPERBLOCK, PM_SUPERBLOCK + 1}, {4 * PM_SUPERBLOCK, 40000}};
    static const char *const names[] = {"bits", "deep", "opens", "drift", "flat"};
    for (size_t f = 0; f < COUNT_OF(names); f++)
        for (size_t k = 0; k < COUNT_OF(cuts); k++)
            check_chain(names[f], f, cuts[k], 2, k % 2 == 0);
}

TEST(test_an_empty_slice) {
    const uint64_t none = 0;
    slice s;
    block_clear(&slices_block);
    slice_make(&s, NULL, &none, 77, 0, 5);
    gpu_commands_begin(&host);
    slice_record(&s, 5, true);
    gpu_commands_run(&host);
    assert_true(words_of(&s, SUMMARY)[0] == 0 && words_of(&s, SUMMARY)[1] == 0);
    assert_int_equal(*words_of(&s, STACK), BLOCK_CANARY);
    block_check(&slices_block);
}

TEST(test_what_cannot_be) {
    const VkCommandBuffer commands = host.commands;
    const VkDeviceAddress some = slices_block.memory.address;
    const pm_vk_slice_info fine = {.struct_size = sizeof fine,
                                   .n = 100,
                                   .parens = some,
                                   .scratch = some + 4096,
                                   .summary = some + 64,
                                   .match = some + 1024};
    assert_invalid(pm_vk_cmd_slice_reduce(NULL, slicer, &fine));
    assert_invalid(pm_vk_cmd_slice_reduce(commands, NULL, &fine));
    assert_invalid(pm_vk_cmd_slice_reduce(commands, slicer, NULL));
    assert_invalid(pm_vk_cmd_slice_reduce(commands, matcher, &fine)); /* has no such kernels */
    const struct {
        pm_vk_slice_info info;
        uint64_t more; /* that the library does not know */
    } longer = {{.struct_size = sizeof longer, .n = 1}, 1};
    assert_int_equal(pm_vk_cmd_slice_match(commands, slicer, &longer.info), PM_UNSUPPORTED);
    pm_vk_slice_info bad = fine;
    bad.origin = UINT32_MAX - 99;
    assert_int_equal(pm_vk_cmd_slice_match(commands, slicer, &bad), PM_TOO_LARGE);
    bad = fine;
    bad.n = UINT64_C(1) << 32;
    assert_int_equal(pm_vk_cmd_slice_reduce(commands, slicer, &bad), PM_TOO_LARGE);
    bad = fine;
    bad.parens += 4;
    assert_invalid(pm_vk_cmd_slice_reduce(commands, slicer, &bad));
    bad = fine;
    bad.scratch = 0;
    assert_invalid(pm_vk_cmd_slice_stack(commands, slicer, &bad, some, 1));
    bad = fine;
    bad.summary = 0;
    assert_invalid(pm_vk_cmd_slice_reduce(commands, slicer, &bad));
    bad = fine;
    bad.incoming_count = 1;
    assert_invalid(pm_vk_cmd_slice_match(commands, slicer, &bad));
    bad = fine;
    bad.match = 0;
    assert_invalid(pm_vk_cmd_slice_match(commands, slicer, &bad));
    bad.range_elements = 1000;
    bad.match_ranges = &fine.match;
    assert_invalid(pm_vk_cmd_slice_match_again(commands, slicer, &bad));
    assert_invalid(pm_vk_cmd_slice_stack(commands, slicer, &fine, 0, 1));
    assert_int_equal(pm_vk_cmd_slice_stack(commands, slicer, &fine, some, UINT64_C(1) << 32), PM_TOO_LARGE);
}

static void open_more(void) {
    const pm_vk_context_info info = matcher_info(PM_VK_SLICES);
    assert_ok(pm_vk_context_create(&info, &slicer));
    block_open(&slices_block, &host.device, BLOCK_WORDS);
}

static void close_more(void) {
    block_close(&slices_block);
    pm_vk_context_destroy(slicer);
}

int main(int argc, char **argv) {
    return vulkan_tests_main(argc, argv, open_more, close_more);
}
