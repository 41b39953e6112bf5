/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One sequence on several devices: the same physical device opened several times, under the validation layer where that
 * is installed. Skipped (77) where there is no device.
 *   test_devices [ANYTHING [PATTERN]]   PATTERN: of the names of the tests to run
 */
#include <stdlib.h>
#include <string.h>

#include "gpu/device/device.h"
#include "gpu/gpu.h"
#include "inputs/families.h"
#include "shaders/shared/layout.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/unit.h"

static pmi_gpu *both; /* slots as small as can be, so that there are many chunks to deal; and a scan of its own */

static pm_status devices_open(const char *names, pmi_gpu **gpu) {
    return gpu_tests_open((pmi_gpu_settings){.device = names, .chunk_bytes = 1, .scan_always = true}, gpu);
}

/* Around one, two and three chunks, and so around whole turns; and far more. */
TEST(test_families_around_turns) {
    for (const char *const *name = family_names; *name; name++) {
        for (size_t chunks = 1; chunks <= 3; chunks++)
            for (size_t n = chunks * PM_TILE - 1; n <= chunks * PM_TILE + 1; n++)
                check_family(both, *name, n, n);
        check_family(both, *name, 1, PM_SUPERBLOCK + 5 * PM_TILE + 5);
    }
}

/* Sizes go up and down, so that buffers grow on some devices only. */
TEST(test_sizes_by_turns) {
    uint64_t seed = 5;
    for (size_t round = 0; round < 30; round++)
        check_family(both, "bits", round, 1 + random_below(&seed, 40 * PM_TILE));
}

TEST(test_lists) {
    static const char *const none[] = {"0,99",
                                       ",0",
                                       "0,",
                                       "0,,0",
                                       "99,0",
                                       "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0",
                                       "0,0000000000000000000000000000000000000000000000000000000000000000000000000"};
    for (size_t k = 0; k < COUNT_OF(none); k++) {
        pmi_gpu *gpu;
        assert_int_equal(devices_open(none[k], &gpu), PM_NO_DEVICE);
        assert_null(gpu);
    }
}

/* What is described can be opened by its index and by its UUID. */
TEST(test_descriptions) {
    struct {
        pm_device_info info;
        char beyond[8];
    } device;
    size_t count = 0;
    const pm_options options = {.allow_cpu_device = true};
    pm_context *context = context_of(&options);
    for (pm_status status;; count++) {
        memset(&device, 0xa5, sizeof device);
        device.info.struct_size = sizeof device;
        status = pm_device_at(context, count, &device.info);
        for (size_t k = 0; k < sizeof device.beyond; k++)
            assert_int_equal((unsigned char)device.beyond[k], 0xa5);
        if (status == PM_NO_DEVICE)
            break;
        assert_ok(status);
        assert_int_equal(device.info.struct_size, sizeof device);
        assert_true(strlen(device.info.name) > 0 && strlen(device.info.kind) > 0 && device.info.memory > 0);
        if (device.info.trouble)
            continue;
        pmi_gpu *gpu;
        assert_ok(devices_open(device.info.uuid, &gpu));
        assert_string_equal(pmi_gpu_device(gpu)->name, device.info.name);
        assert_string_equal(pmi_gpu_kind(gpu), device.info.kind);
        pmi_gpu_close(gpu);
        pm_device_info unaware = {.struct_size = 0};
        assert_ok(pm_device_at(NULL, count, &unaware));
        assert_string_equal(unaware.uuid, device.info.uuid);
        assert_int_equal(unaware.struct_size, 0);
        /* One that is a CPU is used where it is allowed alone. */
        if (!getenv("PARENMATCH_ALLOW_CPU_DEVICE"))
            assert_int_equal(unaware.trouble != NULL, strcmp(unaware.kind, "cpu") == 0);
    }
    assert_true(count > 0);
    device.info.struct_size = offsetof(pm_device_info, trouble);
    assert_invalid(pm_device_at(context, 0, &device.info));
    assert_invalid(pm_device_at(context, count, &device.info)); /* that comes before whether there is such a device */
    assert_invalid(pm_device_at(context, 0, NULL));
    pm_context_destroy(context);
}

TEST(test_public_function) {
    const pm_options options = {.struct_size = sizeof options, .device = "0,0", .allow_cpu_device = true};
    const size_t n = 3 * PM_SUPERBLOCK + 77;
    uint64_t *const parens = family_make("bits", 9, n);
    uint32_t *const match = allocate(n, sizeof *match);
    pm_context *context = context_of(&options);
    assert_ok(pm_match_gpu(context, parens, n, match, NULL));
    assert_ok(pm_match_verify(NULL, parens, n, match, NULL));
    pm_context_destroy(context);
    free(match);
    free(parens);
}

static VKAPI_ATTR VkResult VKAPI_CALL submission_lost(VkQueue queue, uint32_t count, const VkSubmitInfo *infos,
                                                      VkFence fence) {
    (void)queue;
    (void)count;
    (void)infos;
    (void)fence;
    return VK_ERROR_DEVICE_LOST;
}

/* The first device is lost with chunks on their way on the other: no match lands after the call. */
TEST(test_one_is_lost) {
    const size_t n = 20 * PM_TILE;
    uint64_t *const parens = family_make("bits", 1, n);
    uint32_t *const match = allocate(n, sizeof *match);
    pm_bic total;
    pmi_gpu_device(both)->instance.vk.QueueSubmit = submission_lost;
    assert_int_equal(pmi_gpu_match(both, parens, n, match, &total), PM_DEVICE_LOST);
    memset(match, 0x55, n * sizeof *match);
    assert_int_equal(pmi_gpu_match(both, parens, n, match, &total), PM_DEVICE_LOST);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(match[i], 0x55555555);
    free(match);
    free(parens);
}

static pm_status open_all(void) {
    return devices_open("0,0", &both);
}

static void close_all(void) {
    pmi_gpu_close(both);
}

int main(int argc, char **argv) {
    return gpu_tests_main(argc, argv, open_all, close_all);
}
