/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sequence that stays on several devices, a slice on each: the same physical device opened several times, under the
 * validation layer where that is installed. Skipped (77) where there is no device.
 *   test_resident workgroup|subgroup [PATTERN]   PATTERN: of the names of the tests to run
 */
#include <stdlib.h>
#include <string.h>

#include "gpu/device/executor.h"
#include "gpu/gpu.h"
#include "inputs/families.h"
#include "shaders/shared/layout.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/unit.h"

enum {
    DEVICES = 3,
    CANARY = 0x5ca1ab1e,
    RANGE = 69 * PM_TILE /* of a match's buffers */
};

static pmi_gpu *three;
static pmi_gpu_settings settings = {
    .device = "0,0,0", .chunk_bytes = 1, .range_elements = RANGE, .slice_elements = 1, .workgroup_tiles = 3};

/* What is loaded is matched right, and read whole and in parts, between canaries. */
static void check_loaded(pm_resident *resident, const uint64_t *parens, size_t n, const char *what) {
    uint32_t *const expected = allocate(n, sizeof *expected), *const around = allocate(n + 2, sizeof *around);
    pm_bic total, expected_total;
    assert_ok(pm_match_seq(NULL, parens, n, expected, &expected_total));
    for (size_t i = 0; i < n + 2; i++)
        around[i] = CANARY;
    assert_ok(pmi_gpu_resident_match(resident, &total));
    assert_ok(pmi_gpu_resident_read(resident, 0, n, around + 1));
    for (size_t i = 0; i < n; i++)
        if (around[i + 1] != expected[i])
            fail_msg("%s, n = %zu: match[%zu] is %u, not %u", what, n, i, around[i + 1], expected[i]);
    if (total.close != expected_total.close || total.open != expected_total.open)
        fail_msg("%s, n = %zu: wrong total", what, n);
    assert_true(around[0] == CANARY && around[n + 1] == CANARY);

    const size_t first = n / 3, count = n / 2;
    memset(around, 0, (n + 2) * sizeof *around);
    assert_ok(pmi_gpu_resident_read(resident, first, count, around + 1));
    assert_memory_equal(around + 1, expected + first, count * sizeof *around);
    assert_true(around[0] == 0 && around[count + 1] == 0);
    free(expected);
    free(around);
}

/* A family cut into slices of these lengths. */
static void check_cut(const char *family, uint64_t seed, const uint32_t lengths[DEVICES]) {
    const size_t n = (size_t)lengths[0] + lengths[1] + lengths[2];
    uint64_t *const parens = family_make(family, seed, n);
    pm_resident *resident;
    assert_ok(pmi_gpu_resident_create(three, n, lengths, &resident));
    assert_ok(pmi_gpu_resident_load(resident, parens));
    check_loaded(resident, parens, n, family);
    pmi_gpu_resident_destroy(resident);
    free(parens);
}

/* Slices matched wholly ahead, or for the most part once it is known what comes in, in and across a match's buffers. */
static void ahead_choose(size_t choice) {
    static const uint32_t ahead[] = {0, PM_TILE, 40 * PM_TILE, RANGE, RANGE + PM_TILE};
    for (unsigned k = 0; k < DEVICES; k++)
        three->executors[k].ahead_elements = ahead[choice % (COUNT_OF(ahead))];
}

/* The last slice ends around the ends of tiles and superblocks; some are empty. */
TEST(test_families_around_cuts) {
    static const uint32_t cuts[][DEVICES] = {{PM_SUPERBLOCK, PM_SUPERBLOCK, 1},
                                             {PM_SUPERBLOCK, 0, PM_TILE + 63},
                                             {0, PM_SUPERBLOCK, PM_SUPERBLOCK},
                                             {0, 2 * PM_SUPERBLOCK, 77},
                                             {PM_SUPERBLOCK, PM_SUPERBLOCK + 128, 0},
                                             {0, 0, PM_TILE + 1},
                                             {PM_SUPERBLOCK, 2 * PM_SUPERBLOCK, 2 * PM_TILE - 1}};
    for (const char *const *name = family_names; *name; name++)
        for (size_t k = 0; k < COUNT_OF(cuts); k++) {
            ahead_choose(k);
            check_cut(*name, k, cuts[k]);
        }
}

/* A slice needs more of the stack than has been told, of one or two before it. */
TEST(test_deep) {
    static const uint32_t cuts[][DEVICES] = {{PM_SUPERBLOCK, PM_SUPERBLOCK, PM_SUPERBLOCK},
                                             {PM_SUPERBLOCK, 2 * PM_SUPERBLOCK, 5 * PM_SUPERBLOCK + 5},
                                             {3 * PM_SUPERBLOCK, PM_SUPERBLOCK, PM_SUPERBLOCK},
                                             {2 * PM_SUPERBLOCK, 0, 3 * PM_SUPERBLOCK - PM_TILE}};
    static const char *const families[] = {"deep", "opens", "closes", "twist:.25", "drift", "saw:30000", NULL};
    for (const char *const *name = families; *name; name++)
        for (size_t k = 0; k < COUNT_OF(cuts); k++) {
            ahead_choose(k + 1);
            check_cut(*name, k, cuts[k]);
        }
}

/* A slice needs just as many as have been told, or one more: closes and the parent of what follows. */
TEST(test_as_much_as_told) {
    enum {
        N = 3 * PM_SUPERBLOCK
    };
    for (uint32_t closes = 4094; closes <= 4097; closes++) {
        uint64_t *const parens = family_make("flat", 1, N);
        pm_resident *resident;
        ahead_choose(closes);
        memset(parens, 0xff, PM_SUPERBLOCK / 8);
        for (uint32_t i = 2 * PM_SUPERBLOCK; i < 2 * PM_SUPERBLOCK + closes; i++)
            parens[i / 64] &= ~(UINT64_C(1) << i % 64);
        assert_ok(pmi_gpu_resident_create(three, N, NULL, &resident));
        assert_ok(pmi_gpu_resident_load(resident, parens));
        check_loaded(resident, parens, N, "as much as told");
        pmi_gpu_resident_destroy(resident);
        free(parens);
    }
}

/* As many superblocks as the tree's highest level has room for, all before the stack that a slice leaves. */
TEST(test_full_tree) {
    static const uint32_t cut[DEVICES] = {32 * PM_SUPERBLOCK, PM_SUPERBLOCK, 3 * PM_TILE};
    check_cut("bits", 3, cut);
    check_cut("opens", 4, cut);
}

TEST(test_random_cuts) {
    uint64_t seed = 11;
    for (size_t round = 0; round < 40; round++) {
        uint32_t lengths[DEVICES];
        for (size_t k = 0; k < DEVICES; k++)
            lengths[k] = (uint32_t)random_below(&seed, 4) * PM_SUPERBLOCK;
        lengths[DEVICES - 1] += (uint32_t)random_below(&seed, UINT64_C(1) << random_below(&seed, 16));
        const size_t n = (size_t)lengths[0] + lengths[1] + lengths[2];
        if (n == 0)
            continue;
        ahead_choose(round);
        uint64_t *const parens = wandering_make(&seed, n);
        pm_resident *resident;
        assert_ok(pmi_gpu_resident_create(three, n, lengths, &resident));
        assert_ok(pmi_gpu_resident_load(resident, parens));
        check_loaded(resident, parens, n, "wandering");
        pmi_gpu_resident_destroy(resident);
        free(parens);
    }
}

/* One sequence after another in the same place, by equal slices, with more devices than elements, too. */
TEST(test_loading_again) {
    static const size_t sizes[] = {
        1, 65, PM_SUPERBLOCK, PM_SUPERBLOCK + 1, 3 * PM_SUPERBLOCK, 3 * PM_SUPERBLOCK + 1, 200000};
    for (size_t k = 0; k < COUNT_OF(sizes); k++) {
        const size_t n = sizes[k];
        pm_resident *resident;
        assert_ok(pmi_gpu_resident_create(three, n, NULL, &resident));
        static const char *const families[] = {"deep", "bits", "flat", "closes", NULL};
        for (const char *const *name = families; *name; name++) {
            uint64_t *const parens = family_make(*name, n, n);
            assert_ok(pmi_gpu_resident_load(resident, parens));
            check_loaded(resident, parens, n, *name);
            check_loaded(resident, parens, n, *name);
            free(parens);
        }
        pmi_gpu_resident_destroy(resident);
    }
}

/* No device has less of a sequence than pays. */
TEST(test_fewer_devices) {
    enum {
        N = 2 * PM_SUPERBLOCK + 1
    };
    pmi_gpu_settings some = settings;
    some.slice_elements = PM_SUPERBLOCK;
    pmi_gpu *gpu;
    pm_resident *resident;
    assert_ok(gpu_tests_open(some, &gpu));
    uint64_t *const parens = family_make("deep", 1, N);
    for (size_t n = 1; n <= N; n += PM_SUPERBLOCK) {
        assert_ok(pmi_gpu_resident_create(gpu, n, NULL, &resident));
        assert_ok(pmi_gpu_resident_load(resident, parens));
        check_loaded(resident, parens, n, "fewer devices");
        pmi_gpu_resident_destroy(resident);
        for (size_t k = 0; k < DEVICES; k++) /* kernels are made where there is a slice */
            assert_int_equal(gpu->executors[k].slices.sliced, k == 0 || k < n / PM_SUPERBLOCK);
    }
    pmi_gpu_close(gpu);
    free(parens);
}

/* The context's other matches go by the same stations. */
TEST(test_between_other_matches) {
    const size_t n = 2 * PM_SUPERBLOCK + 5;
    uint64_t *const parens = family_make("bits", 8, n);
    pm_resident *resident;
    assert_ok(pmi_gpu_resident_create(three, n, NULL, &resident));
    assert_ok(pmi_gpu_resident_load(resident, parens));
    check_family(three, "random", 1, 7 * PM_TILE);
    check_loaded(resident, parens, n, "bits");
    pmi_gpu_resident_destroy(resident);
    free(parens);
}

TEST(test_no_memory) {
    pm_resident *resident = NULL;
    faults.fail_at = faults.calls + 1;
    assert_int_equal(pmi_gpu_resident_create(three, 100, NULL, &resident), PM_OUT_OF_MEMORY);
    faults.fail_at = 0;
    const uint32_t too_long[DEVICES] = {PM_SUPERBLOCK, RANGE * 17, 0};
    assert_int_equal(pmi_gpu_resident_create(three, PM_SUPERBLOCK + RANGE * 17, too_long, &resident), PM_OUT_OF_MEMORY);
    assert_null(resident);
}

TEST(test_public_functions) {
    const pm_options options = {.struct_size = sizeof options, .device = "0,0", .allow_cpu_device = true};
    const size_t n = 3 * PM_SUPERBLOCK + 77;
    uint64_t *const parens = family_make("bits", 9, n);
    uint32_t *const match = allocate(n, sizeof *match);
    pm_context *context;
    pm_resident *resident;
    assert_ok(pm_context_create(&options, &context));
    assert_invalid(pm_resident_create(context, n, NULL));
    assert_invalid(pm_resident_create(NULL, n, &resident));
    assert_null(resident);
    assert_int_equal(pm_resident_create(context, UINT64_C(1) << 32, &resident), PM_TOO_LARGE);
    assert_ok(pm_resident_create(context, n, &resident));
    assert_invalid(pm_resident_match(resident, NULL)); /* nothing is loaded */
    assert_invalid(pm_resident_load(resident, NULL));
    assert_ok(pm_resident_load(resident, parens));
    assert_invalid(pm_resident_read(resident, 0, n, match)); /* nothing is matched */
    assert_ok(pm_resident_match(resident, NULL));
    assert_invalid(pm_resident_read(resident, 1, n, match));
    assert_invalid(pm_resident_read(resident, n + 1, 0, NULL));
    assert_invalid(pm_resident_read(resident, 0, 1, NULL));
    assert_ok(pm_resident_read(resident, n, 0, NULL));
    assert_ok(pm_resident_read(resident, 0, n, match));
    assert_ok(pm_match_verify(NULL, parens, n, match, NULL));
    pm_resident_destroy(resident);
    pm_resident_destroy(NULL);

    pm_bic total = {1, 1};
    assert_ok(pm_resident_create(context, 0, &resident));
    assert_ok(pm_resident_load(resident, NULL));
    assert_ok(pm_resident_match(resident, &total));
    assert_true(total.close == 0 && total.open == 0);
    assert_ok(pm_resident_read(resident, 0, 0, NULL));
    pm_resident_destroy(resident);
    pm_context_destroy(context);
    free(match);
    free(parens);
}

static VKAPI_ATTR VkResult VKAPI_CALL submission_lost(VkQueue queue, uint32_t count, const VkSubmitInfo *infos,
                                                      VkFence fence) {
    (void)queue, (void)count, (void)infos, (void)fence;
    return VK_ERROR_DEVICE_LOST;
}

TEST(test_one_is_lost) {
    const size_t n = 3 * PM_SUPERBLOCK;
    uint64_t *const parens = family_make("bits", 1, n);
    uint32_t match;
    pm_bic total;
    pm_resident *resident;
    assert_ok(pmi_gpu_resident_create(three, n, NULL, &resident));
    assert_ok(pmi_gpu_resident_load(resident, parens));
    pmi_gpu_device(three)->instance.vk.QueueSubmit = submission_lost;
    assert_int_equal(pmi_gpu_resident_match(resident, &total), PM_DEVICE_LOST);
    assert_int_equal(pmi_gpu_resident_match(resident, &total), PM_DEVICE_LOST);
    assert_int_equal(pmi_gpu_resident_read(resident, 0, 1, &match), PM_DEVICE_LOST);
    assert_int_equal(pmi_gpu_resident_load(resident, parens), PM_DEVICE_LOST);
    pmi_gpu_resident_destroy(resident);
    free(parens);
}

static pm_status open_all(void) {
    return gpu_tests_open(settings, &three);
}

static void close_all(void) {
    pmi_gpu_close(three);
}

int main(int argc, char **argv) {
    settings.team_kind = gpu_tests_teams(argc, argv);
    return gpu_tests_main(argc, argv, open_all, close_all);
}
