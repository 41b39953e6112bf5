/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matches recorded through parenmatch_vulkan.h are right, whoever counts the elements, and touch nothing else. Skipped
 * (77) where there is no device; arguments as vulkan_tests_main() has them.
 */
#include <stdlib.h>

#include "gpu/match/levels.h"
#include "inputs/families.h"
#include "tests/support/unit.h"
#include "tests/support/vulkan_fixture.h"

static void add_family(const char *name, uint64_t seed, uint32_t n, record_how how) {
    uint64_t *const parens = family_make(name, seed, n);
    recorder_add(&matches, name, parens, n, how);
    free(parens);
}

TEST(test_every_string_to_8) {
    for (uint32_t n = 0; n <= 8; n++)
        for (uint64_t bits = 0; bits < UINT64_C(1) << n; bits++) {
            const uint32_t junk = (uint32_t)bits * 0x9e3779b9u;
            recorder_add(&matches, "a short string", &bits, n, (record_how){.junk = junk});
            recorder_add(&matches, "a short string", &bits, 8, (record_how){.junk = junk, .counted = true, .count = n});
        }
    recorder_run(&matches);
}

TEST(test_families_around_blocks) {
    static const uint32_t edges[] = {32, 128, 1024, 32768, 65536};
    for (const char *const *name = family_names; *name; name++)
        for (size_t e = 0; e < COUNT_OF(edges); e++)
            for (uint32_t n = edges[e] - 1; n <= edges[e] + 1; n++)
                add_family(*name, n, n, (record_how){.junk = n % 2 ? UINT32_MAX : n});
    recorder_run(&matches);
}

/* Counts below, at and above the most that the match was recorded for, on both sides of 65536, where another pipeline
 * is recorded; and in ranges, for which `levels` is recorded at any length. */
TEST(test_counts) {
    static const uint32_t most[] = {1, 33, 1024, 1025, 5000, 40000, 65535, 65536, 65537};
    for (const char *const *name = family_names; *name; name++)
        for (size_t k = 0; k < COUNT_OF(most); k++) {
            const uint32_t m = most[k];
            const uint32_t counts[] = {0, 1, m / 33, m / 2, m - m % 1024, m - 1, m, m + 1, UINT32_MAX};
            for (size_t c = 0; c < COUNT_OF(counts); c++)
                add_family(*name, c, m,
                           (record_how){.counted = true,
                                        .count = counts[c],
                                        .junk = UINT32_MAX * (c % 2),
                                        .range_elements = c % 3 == 0 ? 2048 : 0});
        }
    recorder_run(&matches);
}

/* Some thousand counts in sequences that wander, for what none of the sizes above is. */
TEST(test_random_counts) {
    uint64_t seed = 11;
    for (int round = 0; round < 300; round++) {
        const uint32_t n = 1 + (uint32_t)random_below(&seed, UINT64_C(1) << (1 + random_below(&seed, 18)));
        const uint32_t count = (uint32_t)random_below(&seed, n + n / 8 + 2);
        const uint64_t ranges = round % 3 ? 0 : (1 + random_below(&seed, n / 1024 + 1)) * 1024;
        add_family(round % 2 ? "drift" : "bits", seed, n,
                   (record_how){.counted = true,
                                .count = count,
                                .junk = (uint32_t)seed,
                                .range_elements = ranges > n / 64 ? ranges : 0});
    }
    recorder_run(&matches);
}

/* More than 32 superblocks, so that the tree of least levels has a second level; or would have. */
TEST(test_tree) {
    static const char *const names[] = {"bits", "sparse:511"};
    for (size_t k = 0; k < COUNT_OF(names); k++) {
        const uint32_t n = 33 * PM_SUPERBLOCK + 1;
        add_family(names[k], k, n, (record_how){0});
        add_family(names[k], k, n, (record_how){.counted = true, .count = n - 5});
        add_family(names[k], k, n, (record_how){.counted = true, .count = 2 * PM_SUPERBLOCK});
    }
    recorder_run(&matches);
}

/* So long that a software renderer gets more than one dispatch a stage. */
TEST(test_many_dispatches) {
    const uint32_t n = (UINT32_C(1) << 23) + 54321;
    recorder large;
    recorder_open(&large, matcher, 12 << 20);
    uint64_t *const parens = family_make("random", 6, n);
    static const uint32_t counts[] = {100000, (1 << 23) + 1};
    for (size_t k = 0; k < COUNT_OF(counts); k++) {
        recorder_add(&large, "many dispatches", parens, n,
                     (record_how){.junk = 2, .counted = true, .count = counts[k]});
        recorder_run(&large);
    }
    free(parens);
    recorder_close(&large);
}

/* Plans for a length cover its units, each once, and within the device's limits, whatever the greatest length was. */
static void check_plans(const pmi_device *device, uint32_t most, uint32_t n, bool reduce, uint32_t first) {
    const uint32_t unit = reduce ? PM_SUPERBLOCK : PM_TILE, all = n / unit + (n % unit != 0);
    const uint32_t most_units = most / unit + (most % unit != 0) - first;
    const pmi_plan_task task = reduce ? pmi_levels_reduce_task(device, most, first, most_units)
                                      : pmi_levels_match_task(device, most, first, most_units);
    uint32_t at = first;
    for (uint32_t k = 0; k < task.dispatches + task.dispatches_last; k++) {
        const pmi_plan plan = pmi_plan_make(task, n, k);
        assert_int_equal(plan.workgroups == 0, plan.count == 0);
        if (plan.count == 0)
            continue;
        assert_int_equal(plan.first, at);
        assert_true(plan.workgroups <= device->can.dispatch_workgroups);
        assert_true(plan.count <= task.dispatch_units && plan.count <= (uint64_t)plan.workgroups * plan.per_group);
        assert_true((uint64_t)(plan.workgroups - 1) * plan.per_group < plan.count);
        at += plan.count;
    }
    assert_int_equal(at, all > first ? all : first);
}

TEST(test_plans) {
    static pmi_device device; /* nothing but what it can do */
    uint64_t seed = 21;
    for (int round = 0; round < 20000; round++) {
        device.can = (pmi_capabilities){.dispatch_workgroups = random_next(&seed) % 2 ? 1000 : UINT32_MAX,
                                        .dispatch_tiles = UINT32_C(1) << random_below(&seed, 21),
                                        .reduce_superblocks = random_next(&seed) % 3 ? 0 : 2,
                                        .match_tiles = random_next(&seed) % 3 ? 0 : 16};
        const uint32_t most = 1 + (uint32_t)(random_next(&seed) >> (32 + random_below(&seed, 31)));
        const uint32_t n = (uint32_t)random_below(&seed, (uint64_t)most + 1);
        const bool reduce = random_next(&seed) % 2;
        const uint32_t units = most / (reduce ? PM_SUPERBLOCK : PM_TILE);
        if (units / device.can.dispatch_tiles > 1 << 10)
            continue; /* there would be very many */
        const uint32_t first = (uint32_t)random_below(&seed, (uint64_t)units + 1);
        check_plans(&device, most, most, reduce, first);
        check_plans(&device, most, n, reduce, first);
        check_plans(&device, most, n, reduce, 0);
    }
}

TEST(test_ranges) {
    static const struct {
        uint32_t n;
        uint64_t range_elements;
    } some[] = {{1, 1024},       {1024, 1024},   {1025, 1024},           {50000, 1024}, {50000, 3 * 1024},
                {100000, 65536}, {65536, 65536}, {7, UINT64_C(1) << 40}, {0, 1024}};
    for (size_t k = 0; k < COUNT_OF(some); k++) {
        add_family("bits", k, some[k].n, (record_how){.range_elements = some[k].range_elements});
        add_family("deep", k, some[k].n,
                   (record_how){.range_elements = some[k].range_elements, .counted = true, .count = some[k].n / 2});
    }
    recorder_run(&matches);
}

/* A match after a match in the same scratch, with a barrier between them. */
TEST(test_one_scratch_for_two) {
    const uint32_t n[] = {70000, 66000};
    record_how how = {.junk = 5};
    add_family("bits", 1, n[0], how);
    how.scratch_of_last = true;
    add_family("opens", 2, n[1], how);
    how.counted = true;
    how.count = 4000;
    add_family("closes", 3, n[1], how);
    recorder_run(&matches);
}

int main(int argc, char **argv) {
    return vulkan_tests_main(argc, argv, NULL, NULL);
}
