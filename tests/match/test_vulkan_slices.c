/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slices recorded through parenmatch_vulkan.h, one after the other in one command buffer, the stack that each leaves
 * coming into the next: their matches together are that of the whole. Skipped (77) where there is no device; arguments
 * as host_run() has them.
 */
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "tests/support/unit.h"
#include "tests/support/vulkan_host.h"

enum {
    SLICES_MOST = 8,
    BLOCK_WORDS = 1 << 21,
    CANARY = 0x0ddba11,
    GAP = 16 /* words between buffers */
};

static pm_vk_context *slicer; /* a matcher for slices */
static pmi_buffer block;
static size_t block_used;

typedef struct slice {
    pm_vk_slice_info info;
    size_t parens, scratch, summary, match, stack; /* in words of the block */
} slice;

static uint32_t *words_at(size_t at) {
    return (uint32_t *)block.mapped + at;
}

static VkDeviceAddress address_at(size_t at) {
    return block.address + at * sizeof(uint32_t);
}

/* A place of so many words, aligned as all buffers may be. */
static size_t place(uint64_t words) {
    const size_t at = (block_used + GAP + 3) / 4 * 4;
    block_used = at + words;
    assert_true((block_used + GAP) * 4 <= block.size);
    return at;
}

static void barrier(void) {
    pmi_device_barrier(&host.device, host.commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

/* Lays a slice out, its bits from bit 0 on, and what comes in where the slice before it leaves its stack. */
static void slice_make(slice *s, const slice *last, const uint64_t *parens, size_t begin, size_t n, size_t depth) {
    pm_vk_sizes sizes;
    assert_ok(pm_vk_context_sizes(slicer, n, 0, &sizes));
    s->parens = place(sizes.parens.size / 4);
    s->scratch = place(sizes.scratch.size / 4);
    s->summary = place(2);
    s->match = place(n);
    s->stack = place(depth);
    for (size_t i = 0; i < n; i++) {
        uint32_t *const word = words_at(s->parens) + i / 32;
        const uint32_t bit = parens[(begin + i) / 64] >> (begin + i) % 64 & 1;
        *word = (*word & ~(UINT32_C(1) << i % 32)) | bit << i % 32;
    }
    s->info = (pm_vk_slice_info){.struct_size = sizeof s->info,
                                 .n = n,
                                 .parens = address_at(s->parens),
                                 .scratch = address_at(s->scratch),
                                 .summary = address_at(s->summary),
                                 .origin = begin,
                                 .incoming = last ? address_at(last->stack) : 0,
                                 .incoming_count = last ? depth : 0,
                                 .match = address_at(s->match)};
}

/* Either the match once its stack has come in, or before that, and again afterwards. */
static void slice_record(const slice *s, size_t depth, bool again) {
    pm_vk_slice_info alone = s->info;
    alone.incoming_count = 0;
    assert_ok(pm_vk_cmd_slice_reduce(host.commands, slicer, &s->info));
    barrier();
    if (again)
        assert_ok(pm_vk_cmd_slice_match(host.commands, slicer, &alone));
    assert_ok(pm_vk_cmd_slice_stack(host.commands, slicer, &s->info, address_at(s->stack), depth));
    barrier();
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
            if (words_at(s->match)[i] != expected[s->info.origin + i])
                fail_msg("%s, slice %zu: match[%zu] is %u, not %u", what, k, i, words_at(s->match)[i],
                         expected[s->info.origin + i]);
        stack_find(parens, s->info.origin + s->info.n, depth, stack);
        if (memcmp(words_at(s->stack), stack, depth * sizeof *stack) != 0)
            fail_msg("%s, slice %zu: the stack is wrong", what, k);
        const size_t ends[] = {s->parens + (s->info.n + 31) / 32, s->summary + 2, s->match + s->info.n,
                               s->stack + depth};
        for (size_t e = 0; e < COUNT_OF(ends); e++)
            assert_int_equal(*words_at(ends[e]), CANARY);
        assert_int_equal(*words_at(s->scratch - 1), CANARY);
    }
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
    slice slices[SLICES_MOST];
    const size_t n = sum(lengths, count), depth = n + 3;
    size_t begin = 0;
    for (size_t i = 0; i < BLOCK_WORDS; i++)
        words_at(0)[i] = CANARY;
    block_used = 0;
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
    block_used = 0;
    for (size_t i = 0; i < 1000; i++)
        words_at(0)[i] = CANARY;
    slice_make(&s, NULL, &none, 77, 0, 5);
    gpu_commands_begin(&host);
    slice_record(&s, 5, true);
    gpu_commands_run(&host);
    assert_true(words_at(s.summary)[0] == 0 && words_at(s.summary)[1] == 0);
    assert_int_equal(*words_at(s.stack), CANARY);
}

TEST(test_what_cannot_be) {
    const VkCommandBuffer commands = host.commands;
    const pm_vk_slice_info fine = {.struct_size = sizeof fine,
                                   .n = 100,
                                   .parens = block.address,
                                   .scratch = block.address + 4096,
                                   .summary = block.address + 64,
                                   .match = block.address + 1024};
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
    assert_invalid(pm_vk_cmd_slice_stack(commands, slicer, &bad, block.address, 1));
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
    assert_int_equal(pm_vk_cmd_slice_stack(commands, slicer, &fine, block.address, UINT64_C(1) << 32), PM_TOO_LARGE);
}

static pm_status open_more(void) {
    pm_vk_context_info info = matcher_info();
    info.flags |= PM_VK_SLICES;
    assert_ok(pm_vk_context_create(&info, &slicer));
    assert_ok(pmi_buffer_create(&host.device, PM_MEMORY_DOWNLOAD, BLOCK_WORDS * 4, &block));
    return PM_OK;
}

static void close_more(void) {
    pmi_buffer_destroy(&host.device, &block);
    pm_vk_context_destroy(slicer);
}

int main(int argc, char **argv) {
    return host_run(argc, argv, open_more, close_more);
}
