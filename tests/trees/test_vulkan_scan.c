/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scans of trees recorded through parenmatch_vulkan.h: right, in no more memory than was asked for, and what is
 * refused. Skipped (77) where there is no device; arguments as vulkan_tests_main() has them.
 */
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "tests/support/unit.h"
#include "tests/support/vulkan_fixture.h"

enum {
    SCANS = 40 /* recorded together */
};

static pm_vk_context *of_trees;
static pm_vk_monoid *sums, *transforms;

/* The buffers of a scan, by their index. */
enum {
    PARENS,
    VALUES,
    RESULTS,
    SCRATCH,
    BUFFERS
};

/* A scan that has been recorded. */
typedef struct recorded {
    const char *family;
    uint32_t n, opens, nodes; /* opens there are, and those that were told */
    pm_vk_tree_way way;
    const pm_vk_monoid *monoid;
    size_t at; /* the index of its first buffer */
} recorded;

static struct {
    block block;
    recorded scans[SCANS];
    size_t count;
} bench;

static uint32_t *words_of(const recorded *r, size_t buffer) {
    return block_words(&bench.block, r->at + buffer);
}

static size_t length_of(const recorded *r, size_t buffer) {
    return bench.block.buffers[r->at + buffer].words;
}

static VkDeviceAddress address_of(const recorded *r, size_t buffer) {
    return block_address(&bench.block, BLOCK_DEVICE, r->at + buffer);
}

static const pm_monoid *like_of(const recorded *r) {
    return r->monoid == sums ? pm_monoid_sum_u64() : pm_monoid_affine();
}

static void begin(size_t words) {
    block_open(&bench.block, &host.device, words);
    gpu_commands_begin(&host);
    bench.count = 0;
}

/* Values that numbers, and quarter turns, can be. */
static void fill_values(const recorded *r, void *values) {
    uint64_t seed = r->n;
    for (uint32_t k = 0; k < r->nodes; k++) {
        const uint64_t drawn = random_next(&seed);
        const pm_affine turns[] = {{{{0, -1, 0, (float)(drawn % 5)}, {1, 0, 0, 0}, {0, 0, 1, 2}}},
                                   {{{1, 0, 0, 0}, {0, 0, -1, (float)(drawn % 3)}, {0, 1, 0, 1}}}};
        if (r->monoid == sums)
            ((uint64_t *)values)[k] = drawn;
        else
            ((pm_affine *)values)[k] = turns[drawn % 2];
    }
}

/* more: nodes that are told beyond those that there are. `scratch_of`: a scan recorded before whose scratch is used
 * again, after a barrier; NULL: its own. */
static void add(const char *family, uint32_t n, int64_t more, pm_vk_tree_way way, const pm_vk_monoid *monoid,
                const recorded *scratch_of) {
    recorded *const r = &bench.scans[bench.count++];
    uint64_t *const parens = family_make(family, n, n);
    const uint32_t opens = (uint32_t)pm_forest_count(parens, n);
    *r = (recorded){.family = family,
                    .n = n,
                    .opens = opens,
                    .nodes = (uint32_t)(opens + more > n ? n : opens + more),
                    .way = way,
                    .monoid = monoid};
    pm_vk_tree_sizes sizes;
    assert_ok(pm_vk_monoid_sizes(monoid, n, r->nodes, &sizes));
    const pm_vk_buffer buffers[BUFFERS] = {sizes.parens, sizes.values, sizes.results, sizes.scratch};
    r->at = block_add(&bench.block, buffers, BUFFERS, family, n);
    memcpy(words_of(r, PARENS), parens, 4 * length_of(r, PARENS));
    fill_values(r, words_of(r, VALUES));
    free(parens);
    if (scratch_of)
        gpu_commands_barrier(&host);
    const pm_vk_tree_info info = {.struct_size = sizeof info,
                                  .n = n,
                                  .nodes = r->nodes,
                                  .way = way,
                                  .parens = address_of(r, PARENS),
                                  .values = address_of(r, VALUES),
                                  .results = address_of(r, RESULTS),
                                  .scratch = address_of(scratch_of ? scratch_of : r, SCRATCH)};
    assert_ok(pm_vk_cmd_tree_scan(host.commands, monoid, &info));
}

/* The elements before the first open too many. */
static size_t elements_of(const recorded *r, const uint64_t *parens) {
    size_t n = r->n;
    for (uint32_t opens = r->opens; opens > r->nodes; n--)
        opens -= (uint32_t)(parens[(n - 1) / 64] >> (n - 1) % 64 & 1);
    return n;
}

static void check_scan(const recorded *r) {
    uint64_t *const parens = family_make(r->family, r->n, r->n);
    const size_t n = elements_of(r, parens), size = like_of(r)->size, nodes = pm_forest_count(parens, n);
    void *const values = allocate(r->nodes, size), *const expected = allocate(r->nodes, size);
    const pm_scan_mode scan = r->way == PM_VK_TREE_DOWN_EXCLUSIVE ? PM_SCAN_EXCLUSIVE : PM_SCAN_INCLUSIVE;
    fill_values(r, values);
    if (r->way == PM_VK_TREE_UP)
        assert_ok(pm_tree_reduce_up_seq(NULL, parens, n, like_of(r), values, expected));
    else
        assert_ok(pm_tree_scan_down_seq(NULL, parens, n, like_of(r), scan, values, expected));
    assert_memory_equal(words_of(r, PARENS), parens, 4 * length_of(r, PARENS)); /* what is given has not been changed */
    assert_memory_equal(words_of(r, VALUES), values, 4 * length_of(r, VALUES));
    const uint32_t *const results = words_of(r, RESULTS);
    for (size_t word = 0; word < length_of(r, RESULTS); word++) {
        float is = 0, should_be = 0;
        memcpy(&is, results + word, sizeof is);
        memcpy(&should_be, (const uint32_t *)expected + word, sizeof should_be);
        const bool exists = word < nodes * size / 4, both = r->monoid == transforms && is == should_be;
        if (exists ? !both && results[word] != ((const uint32_t *)expected)[word] : results[word] != BLOCK_CANARY)
            fail_msg("%s, n = %u, way %d: word %zu is wrong", r->family, r->n, (int)r->way, word);
    }
    free(parens);
    free(values);
    free(expected);
}

static void run_and_check(void) {
    gpu_commands_run(&host);
    for (size_t k = 0; k < bench.count; k++)
        check_scan(&bench.scans[k]);
    block_check(&bench.block);
    block_close(&bench.block);
}

TEST(test_trees) {
    static const uint32_t sizes[] = {1, 5, 255, 2049, 10007};
    static const char *const families[] = {"random", "deep", "flat", "twist:.5"};
    for (size_t f = 0; f < COUNT_OF(families); f++) {
        begin(1 << 21);
        for (size_t s = 0; s < COUNT_OF(sizes); s++)
            for (unsigned way = 0; way < 3; way++)
                add(families[f], sizes[s], 0, (pm_vk_tree_way)way, (s + f) % 2 == 0 ? sums : transforms, NULL);
        run_and_check();
    }
}

/* The number of nodes is not what there is on the device. */
TEST(test_counts) {
    static const int64_t more[] = {1, 700, 5000, -1, -700, -2000};
    begin(1 << 21);
    for (size_t m = 0; m < COUNT_OF(more); m++)
        for (unsigned way = 0; way < 3; way++)
            add(m % 2 == 0 ? "random" : "deep", 5000, more[m], (pm_vk_tree_way)way, sums, NULL);
    run_and_check();
}

TEST(test_one_scratch_for_several) {
    begin(1 << 21);
    add("random", 20000, 0, PM_VK_TREE_UP, transforms, NULL);
    add("deep", 9000, 0, PM_VK_TREE_DOWN_EXCLUSIVE, transforms, &bench.scans[0]);
    add("zigzag", 7000, 0, PM_VK_TREE_DOWN_INCLUSIVE, sums, &bench.scans[0]);
    add("flat", 100, 0, PM_VK_TREE_UP, sums, &bench.scans[0]);
    run_and_check();
}

TEST(test_sizes) {
    VkDeviceSize scratch = 0;
    pm_vk_tree_sizes sizes;
    for (uint64_t n = 0; n <= INT32_MAX; n = n * 3 + 1) {
        assert_ok(pm_vk_monoid_sizes(transforms, n, n / 2, &sizes));
        assert_int_equal(sizes.parens.size, (n + 31) / 32 * 4);
        assert_int_equal(sizes.values.size, n / 2 * sizeof(pm_affine));
        assert_int_equal(sizes.results.size, n / 2 * sizeof(pm_affine));
        const VkDeviceSize of_values = n / 2 * sizeof(pm_affine) / 8, of_n = n / 3 + (1 << 26);
        assert_true(sizes.scratch.size >= scratch &&
                    sizes.scratch.size <= n / 2 * 8 + (of_values > of_n ? of_values : of_n) + 65536);
        scratch = sizes.scratch.size;
    }
    assert_int_equal(pm_vk_monoid_sizes(sums, UINT64_C(1) << 31, 1, &sizes), PM_TOO_LARGE);
    assert_invalid(pm_vk_monoid_sizes(sums, 5, 6, &sizes));
    assert_invalid(pm_vk_monoid_sizes(sums, 1, 1, NULL));
    assert_invalid(pm_vk_monoid_sizes(NULL, 1, 1, &sizes));
}

TEST(test_bad_monoids) {
    pm_vk_monoid *made = sums;
    pm_gpu_monoid bad = *pm_gpu_monoid_sum_u64();
    assert_invalid(pm_vk_monoid_create(NULL, &bad, VK_NULL_HANDLE, &made));
    assert_null(made);
    assert_invalid(pm_vk_monoid_create(of_trees, NULL, VK_NULL_HANDLE, &made));
    assert_invalid(pm_vk_monoid_create(of_trees, &bad, VK_NULL_HANDLE, NULL));
    assert_invalid(pm_vk_monoid_create(matcher, &bad, VK_NULL_HANDLE, &made)); /* not for trees */
    bad.size = 12;
    assert_invalid(pm_vk_monoid_create(of_trees, &bad, VK_NULL_HANDLE, &made));
    bad.size = 8;
    faults.fail_at = faults.calls + 1;
    assert_int_equal(pm_vk_monoid_create(of_trees, &bad, VK_NULL_HANDLE, &made), PM_OUT_OF_MEMORY);
    faults.fail_at = 0;
    assert_null(made);
    pm_vk_monoid_destroy(NULL);
}

/* What comes of the call with one member of a good info changed. */
#define with(change) (bad = good, bad.change, pm_vk_cmd_tree_scan(commands, sums, &bad))

TEST(test_bad_scans) {
    const VkDeviceAddress some = 1 << 16;
    const pm_vk_tree_info good = {.struct_size = sizeof good,
                                  .n = 2000,
                                  .nodes = 1000,
                                  .parens = some,
                                  .values = some,
                                  .results = some,
                                  .scratch = some};
    const VkCommandBuffer commands = host.commands; /* nothing is recorded to it: nothing has been begun */
    pm_vk_tree_info bad = good;
    assert_invalid(pm_vk_cmd_tree_scan(NULL, sums, &good));
    assert_invalid(pm_vk_cmd_tree_scan(commands, NULL, &good));
    assert_invalid(pm_vk_cmd_tree_scan(commands, sums, NULL));
    assert_int_equal(with(n = UINT64_C(1) << 31), PM_TOO_LARGE);
    assert_invalid(with(nodes = 2001));
    assert_invalid(with(way = (pm_vk_tree_way)3));
    assert_invalid(with(struct_size = 8));
    VkDeviceAddress *const addresses[] = {&bad.parens, &bad.values, &bad.results, &bad.scratch};
    for (size_t k = 0; k < COUNT_OF(addresses); k++) {
        bad = good;
        *addresses[k] = 0;
        assert_invalid(pm_vk_cmd_tree_scan(commands, sums, &bad));
        *addresses[k] = some + 8;
        assert_invalid(pm_vk_cmd_tree_scan(commands, sums, &bad));
    }
    const pm_vk_tree_info nothing = {.struct_size = sizeof nothing, .n = 7};
    assert_ok(pm_vk_cmd_tree_scan(commands, sums, &nothing));
}

static void open_more(void) {
    const pm_vk_context_info info = matcher_info(PM_VK_TREES);
    assert_ok(pm_vk_context_create(&info, &of_trees));
    assert_ok(pm_vk_monoid_create(of_trees, pm_gpu_monoid_sum_u64(), VK_NULL_HANDLE, &sums));
    assert_ok(pm_vk_monoid_create(of_trees, pm_gpu_monoid_affine(), VK_NULL_HANDLE, &transforms));
}

static void close_more(void) {
    pm_vk_monoid_destroy(transforms);
    pm_vk_monoid_destroy(sums);
    pm_vk_context_destroy(of_trees);
}

int main(int argc, char **argv) {
    return vulkan_tests_main(argc, argv, open_more, close_more);
}
