/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many sequences recorded through parenmatch_vulkan.h are matched as pm_match_seq() matches each, and nothing else is
 * touched. Skipped (77) where there is no device; arguments as vulkan_tests_main() has them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "inputs/families.h"
#include "tests/support/lengths.h"
#include "tests/support/unit.h"
#include "tests/support/vulkan_fixture.h"

enum {
    BLOCK_WORDS = 1 << 23,
    RANGES_MAX = 64
};

/* The buffers of a batch, by their index. */
enum {
    PARENS,
    OFFSETS,
    SCRATCH,
    TOTALS,
    MATCH,
    BUFFERS
};

static pm_vk_context *batcher; /* a matcher for batches */
static block batches_block;

/* A batch on the host. `elements` may be more than the last offset. */
typedef struct batch {
    const char *what;
    const uint64_t *parens, *offsets;
    size_t elements, count;
    uint64_t range_elements;
    bool without_totals;
    uint32_t junk; /* what scratch holds before */
    size_t at;     /* the index of its first buffer */
} batch;

static uint32_t *words_of(const batch *b, size_t buffer) {
    return block_words(&batches_block, b->at + buffer);
}

static VkDeviceAddress address_of(const batch *b, size_t buffer) {
    return block_address(&batches_block, BLOCK_DEVICE, b->at + buffer);
}

static void lay_out(batch *b) {
    pm_vk_batch_sizes sizes;
    assert_ok(pm_vk_context_batch_sizes(batcher, b->elements, b->count, b->range_elements, &sizes));
    assert_true(sizes.scratch.size < b->elements / 6 + 8192);
    sizes.match.size = 4 * b->elements; /* the ranges lie together */
    const pm_vk_buffer buffers[BUFFERS] = {sizes.parens, sizes.offsets, sizes.scratch, sizes.totals, sizes.match};
    b->at = block_add(&batches_block, buffers, BUFFERS, b->what, (uint32_t)b->elements);
    memcpy(words_of(b, PARENS), b->parens, (b->elements + 31) / 32 * 4);
    memcpy(words_of(b, OFFSETS), b->offsets, (b->count + 1) * sizeof *b->offsets);
    for (size_t i = 0; i < sizes.scratch.size / 4; i++)
        words_of(b, SCRATCH)[i] = b->junk;
}

static void record(const batch *b) {
    VkDeviceAddress ranges[RANGES_MAX];
    if (b->range_elements > 0)
        for (uint64_t k = 0; k * b->range_elements < b->elements; k++) {
            assert_true(k < RANGES_MAX);
            ranges[k] = address_of(b, MATCH) + 4 * k * b->range_elements;
        }
    const pm_vk_batch_info info = {.struct_size = sizeof info,
                                   .n = b->elements,
                                   .count = b->count,
                                   .parens = address_of(b, PARENS),
                                   .offsets = address_of(b, OFFSETS),
                                   .scratch = address_of(b, SCRATCH),
                                   .totals = b->without_totals ? 0 : address_of(b, TOTALS),
                                   .match = b->range_elements ? 0 : address_of(b, MATCH),
                                   .match_ranges = b->range_elements ? ranges : NULL,
                                   .range_elements = b->range_elements};
    assert_ok(pm_vk_cmd_match_batch(host.commands, batcher, &info));
}

/* Elements begin ... end - 1 as a sequence of their own. total NULL: of no sequence of the batch. */
static void check_sequence(const batch *b, size_t begin, size_t end, const uint32_t *total) {
    uint64_t *const parens = allocate(pmi_bits_words(end - begin) + 1, sizeof *parens);
    uint32_t *const expected = allocate(end - begin + 1, sizeof *expected);
    pm_bic bic;
    if (end > begin)
        pmi_bits_align(b->parens, end, begin, parens);
    assert_ok(pm_match_seq(NULL, parens, end - begin, expected, &bic));
    for (size_t i = begin; i < end; i++)
        if (words_of(b, MATCH)[i] != expected[i - begin])
            fail_msg("%s, n = %zu, elements %zu to %zu: match[%zu] is %u, not %u", b->what, b->elements, begin, end, i,
                     words_of(b, MATCH)[i], expected[i - begin]);
    if (total && !b->without_totals && (total[0] != bic.close || total[1] != bic.open))
        fail_msg("%s, n = %zu, elements %zu to %zu: the total is (%u, %u)", b->what, b->elements, begin, end, total[0],
                 total[1]);
    free(parens);
    free(expected);
}

static void check(const batch *b) {
    const uint64_t n = b->elements;
    check_sequence(b, 0, (size_t)(b->offsets[0] < n ? b->offsets[0] : n), NULL);
    for (size_t s = 0; s < b->count; s++) {
        const uint64_t begin = b->offsets[s], end = b->offsets[s + 1];
        check_sequence(b, (size_t)(begin < n ? begin : n), (size_t)(end < n ? end : n), words_of(b, TOTALS) + 2 * s);
    }
    const uint64_t end = b->offsets[b->count];
    check_sequence(b, (size_t)(end < n ? end : n), (size_t)n, NULL);
    if (b->without_totals)
        for (size_t k = 0; k < 2 * b->count; k++)
            assert_int_equal(words_of(b, TOTALS)[k], BLOCK_CANARY);
    assert_memory_equal(words_of(b, PARENS), b->parens, (n + 31) / 32 * 4);
    assert_memory_equal(words_of(b, OFFSETS), b->offsets, (b->count + 1) * sizeof *b->offsets);
}

static void run_and_check(batch *batches, size_t count) {
    block_clear(&batches_block);
    for (size_t k = 0; k < count; k++)
        lay_out(&batches[k]);
    gpu_commands_begin(&host);
    for (size_t k = 0; k < count; k++)
        record(&batches[k]);
    gpu_commands_run(&host);
    block_check(&batches_block);
    for (size_t k = 0; k < count; k++)
        check(&batches[k]);
}

static void check_batch(batch b) {
    run_and_check(&b, 1);
}

/* ---- Small ones, all of them ---- */

TEST(test_every_cut_string_to_4_alone) {
    enum {
        STRINGS = 16 * 8
    };
    static uint64_t parens[STRINGS], offsets[STRINGS][5];
    static batch batches[STRINGS];
    for (uint32_t n = 0; n <= 4; n++) {
        size_t k = 0;
        for (uint64_t bits = 0; bits < UINT64_C(1) << n; bits++)
            for (uint64_t cuts = 0; cuts < UINT64_C(1) << (n > 0 ? n - 1 : 0); cuts++, k++) {
                parens[k] = bits;
                batches[k] = (batch){.what = "a short string",
                                     .parens = &parens[k],
                                     .offsets = offsets[k],
                                     .elements = n,
                                     .count = offsets_cut(0, n, cuts, offsets[k]),
                                     .junk = (uint32_t)k * 0x9e3779b9u};
            }
        run_and_check(batches, k);
    }
}

/* One after the other: what comes before must not count. */
TEST(test_every_cut_string_to_7_together) {
    cut_strings all = cut_strings_make();
    check_batch((batch){.what = "all short strings",
                        .parens = all.parens,
                        .offsets = all.offsets,
                        .elements = all.elements,
                        .count = all.count});
    cut_strings_free(&all);
}

/* ---- Long ones ---- */

static void check_lengths(const char *family, size_t n, uint64_t first, uint64_t end, lengths l, uint64_t range) {
    size_t count;
    uint64_t *const parens = family_make(family, n, n), *const offsets = offsets_make(first, end, l, &count);
    check_batch((batch){.what = family,
                        .parens = parens,
                        .offsets = offsets,
                        .elements = n,
                        .count = count,
                        .range_elements = range,
                        .without_totals = n % 5 == 0,
                        .junk = (uint32_t)n});
    free(parens);
    free(offsets);
}

TEST(test_families_around_blocks) {
    static const lengths some[] = {{1, 2, 0}, {1, 70, 1}, {60, 70, 0}, {1000, 1050, 0}, {1, 40000, 2}};
    static const size_t edges[] = {1024, 32768, 65536};
    for (const char *const *name = family_names; *name; name++)
        for (size_t e = 0; e < COUNT_OF(edges); e++)
            for (size_t n = edges[e] - 1; n <= edges[e] + 1; n++)
                check_lengths(*name, n, n % 3, n, some[(n + (size_t)(name - family_names)) % COUNT_OF(some)], 0);
}

/* Sequences that begin and end at and around the edges of words, tiles, what a workgroup takes, and superblocks. */
TEST(test_edges) {
    static const uint64_t edges[] = {32, 1024, 4096, 16384, 32768, 65536};
    const size_t n = 200000;
    uint64_t offsets[3 * COUNT_OF(edges) + 2];
    for (size_t f = 0; family_names[f]; f++) {
        uint64_t *const parens = family_make(family_names[f], f, n);
        const size_t count = offsets_around(edges, COUNT_OF(edges), n, f, offsets);
        check_batch((batch){
            .what = family_names[f], .parens = parens, .offsets = offsets, .elements = n, .count = count, .junk = 7});
        free(parens);
    }
}

/* Long enough for two levels of the tree; sequences of many superblocks. */
TEST(test_a_long_batch) {
    const size_t n = (1 << 21) + 12345;
    check_lengths("bits", n, 100000, n, (lengths){1, 500000, 4}, 0);
    check_lengths("drift", n, 0, n, (lengths){1, 900000, 0}, 0);
    check_lengths("deep", n, 5, n - 77777, (lengths){30000, 200000, 1}, 1 << 20);
}

TEST(test_ranges_and_ends) {
    check_lengths("bits", 50000, 3000, 41000, (lengths){1, 300, 1}, 1024);
    check_lengths("opens", 50001, 1024, 2048, (lengths){1, 300, 0}, 3 * 1024);
    check_lengths("closes", 3001, 2999, 3000, (lengths){1, 2, 16}, 0);
}

/* Any number of empty sequences: before all elements, between two of them, after the last one. */
TEST(test_empty_sequences) {
    const size_t each = 5000, n = 3000;
    uint64_t *const parens = family_make("bits", 1, n), *const offsets = allocate(4 * each + 1, sizeof *offsets);
    for (size_t k = 0; k <= 4 * each; k++)
        offsets[k] = k < each ? 0 : k < 2 * each ? 1023 : k < 3 * each ? 1024 : n;
    check_batch((batch){.what = "empty", .parens = parens, .offsets = offsets, .elements = n, .count = 4 * each});
    for (size_t k = 0; k <= 4 * each; k++)
        offsets[k] = k < 2 * each ? k / 33 : UINT64_C(1) << 32; /* which counts as n */
    check_batch((batch){.what = "33 times", .parens = parens, .offsets = offsets, .elements = n, .count = 4 * each});
    memset(offsets, 0, (4 * each + 1) * sizeof *offsets);
    check_batch((batch){.what = "no elements", .parens = parens, .offsets = offsets, .elements = 0, .count = 4 * each});
    check_batch((batch){.what = "no sequences", .parens = parens, .offsets = offsets, .elements = n, .count = 0});
    free(parens);
    free(offsets);
}

/* Offsets that do not ascend: whatever comes out, it stays in its buffers, and it ends. */
TEST(test_offsets_that_do_not_ascend) {
    const size_t n = 70000, count = 20000;
    uint64_t *const parens = family_make("bits", 2, n), *const offsets = allocate(count + 1, sizeof *offsets), seed = 5;
    for (int way = 0; way < 3; way++) {
        for (size_t k = 0; k <= count; k++)
            offsets[k] = way == 0 ? n - 3 * k : way == 1 ? random_below(&seed, n + 1) : random_next(&seed);
        batch b = {.what = "wild", .parens = parens, .offsets = offsets, .elements = n, .count = count};
        block_clear(&batches_block);
        lay_out(&b);
        gpu_commands_begin(&host);
        record(&b);
        gpu_commands_run(&host);
        block_check(&batches_block);
    }
    free(parens);
    free(offsets);
}

/* ---- What cannot be ---- */

TEST(test_what_cannot_be) {
    const VkCommandBuffer commands = host.commands;
    const VkDeviceAddress some = 1 << 16;
    const pm_vk_batch_info fine = {.struct_size = sizeof fine,
                                   .n = 100,
                                   .count = 3,
                                   .parens = some,
                                   .offsets = some,
                                   .scratch = some,
                                   .totals = some,
                                   .match = some};
    assert_invalid(pm_vk_cmd_match_batch(NULL, batcher, &fine));
    assert_invalid(pm_vk_cmd_match_batch(commands, NULL, &fine));
    assert_invalid(pm_vk_cmd_match_batch(commands, batcher, NULL));
    assert_invalid(pm_vk_cmd_match_batch(commands, matcher, &fine)); /* has no such kernels */
    const struct {
        pm_vk_batch_info info;
        uint64_t more; /* that the library does not know */
    } longer = {{.struct_size = sizeof longer, .n = 1}, 1};
    assert_int_equal(pm_vk_cmd_match_batch(commands, batcher, &longer.info), PM_UNSUPPORTED);
    pm_vk_batch_info bad = fine;
    bad.n = UINT64_C(1) << 32;
    assert_int_equal(pm_vk_cmd_match_batch(commands, batcher, &bad), PM_TOO_LARGE);
    bad = fine;
    bad.count = UINT64_C(1) << 31;
    assert_int_equal(pm_vk_cmd_match_batch(commands, batcher, &bad), PM_TOO_LARGE);
    VkDeviceAddress *const addresses[] = {&bad.parens, &bad.offsets, &bad.scratch, &bad.match};
    for (size_t k = 0; k < COUNT_OF(addresses); k++) {
        bad = fine;
        *addresses[k] = 0;
        assert_invalid(pm_vk_cmd_match_batch(commands, batcher, &bad));
        *addresses[k] = some + 4;
        assert_invalid(pm_vk_cmd_match_batch(commands, batcher, &bad));
    }
    bad = fine;
    bad.totals += 2;
    assert_invalid(pm_vk_cmd_match_batch(commands, batcher, &bad));
    bad = fine;
    bad.range_elements = 1024;
    assert_invalid(pm_vk_cmd_match_batch(commands, batcher, &bad));

    pm_vk_batch_sizes sizes;
    assert_invalid(pm_vk_context_batch_sizes(NULL, 1, 1, 0, &sizes));
    assert_invalid(pm_vk_context_batch_sizes(matcher, 1, 1, 0, &sizes));
    assert_invalid(pm_vk_context_batch_sizes(batcher, 1, 1, 0, NULL));
    assert_invalid(pm_vk_context_batch_sizes(batcher, 1, 1, 1000, &sizes));
    assert_int_equal(pm_vk_context_batch_sizes(batcher, UINT64_C(1) << 32, 1, 0, &sizes), PM_TOO_LARGE);
    assert_int_equal(pm_vk_context_batch_sizes(batcher, 1, UINT64_C(1) << 31, 0, &sizes), PM_TOO_LARGE);
}

static void open_more(void) {
    const pm_vk_context_info info = matcher_info(PM_VK_BATCHES);
    assert_ok(pm_vk_context_create(&info, &batcher));
    block_open(&batches_block, &host.device, BLOCK_WORDS);
}

static void close_more(void) {
    block_close(&batches_block);
    pm_vk_context_destroy(batcher);
}

int main(int argc, char **argv) {
    return vulkan_tests_main(argc, argv, open_more, close_more);
}
