/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The choice among pipelines by n, as it is made on each kind of device, on whatever Vulkan device there is. Skipped
 * (77) without a device.
 */
#include <stdio.h>
#include <stdlib.h>

#include "gpu/device/device.h"
#include "gpu/gpu.h"
#include "gpu/match/pipeline.h"
#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/unit.h"

/* The last is of other kinds, which have its bounds. */
static const VkPhysicalDeviceType types[] = {VK_PHYSICAL_DEVICE_TYPE_CPU, VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU};

static pm_status gpu_open(VkPhysicalDeviceType type, pmi_gpu **gpu) {
    const pm_status status = gpu_tests_open((pmi_gpu_settings){.pipeline_by_n = true}, gpu);
    if (status == PM_OK)
        pmi_gpu_device(*gpu)->can.type = type;
    return status;
}

/* The least n > from that another pipeline is chosen for; 0: none. */
static size_t next_bound(VkPhysicalDeviceType type, size_t from) {
    const pmi_pipeline_id id = pmi_pipeline_fastest(type, from);
    size_t low = from, high = UINT32_MAX;
    if (pmi_pipeline_fastest(type, high) == id)
        return 0;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(pmi_pipeline_fastest(type, middle) == id ? &low : &high) = middle;
    }
    return high;
}

/* What is chosen takes n elements wherever its documented limit holds, and the longest always find `levels`. */
TEST(test_within_limits) {
    static const size_t limits[PM_PIPELINES] = {[PM_PIPELINE_LEVELS] = UINT32_MAX,
                                                [PM_PIPELINE_DIRECT] = 1 << 16,
                                                [PM_PIPELINE_SIMPLE] = 1 << 18,
                                                [PM_PIPELINE_WORK_EFFICIENT] = 1 << 24,
                                                [PM_PIPELINE_LOOKBACK] = 1 << 30};
    for (size_t t = 0; t < COUNT_OF(types); t++) {
        for (size_t n = 1; n < UINT32_MAX; n += n / 9 + 1)
            assert_true(n <= limits[pmi_pipeline_fastest(types[t], n)]);
        for (size_t n = 1, bound; (bound = next_bound(types[t], n)) > 0; n = bound)
            assert_true(bound - 1 <= limits[pmi_pipeline_fastest(types[t], bound - 1)]);
        assert_int_equal(pmi_pipeline_fastest(types[t], UINT32_MAX), PM_PIPELINE_LEVELS);
    }
}

/* ---- On the device ---- */

static unsigned kernels_made;
static PFN_vkCreateComputePipelines make_soundly;

static VKAPI_ATTR VkResult VKAPI_CALL make_counted(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                   const VkComputePipelineCreateInfo *infos,
                                                   const VkAllocationCallbacks *callbacks, VkPipeline *pipelines) {
    kernels_made += count;
    return make_soundly(device, cache, count, infos, callbacks, pipelines);
}

/* A sequence that stays on the device. */
static void check_resident(pmi_gpu *gpu, const char *family, size_t n) {
    uint64_t *const parens = family_make(family, n, n);
    uint32_t *const expected = allocate(n, sizeof *expected), *const match = allocate(n, sizeof *match);
    pm_bic total, expected_total;
    pm_resident *resident;
    assert_ok(pm_match_seq(NULL, parens, n, expected, &expected_total));
    assert_ok(pmi_gpu_resident_create(gpu, n, NULL, &resident));
    assert_ok(pmi_gpu_resident_load(resident, parens));
    for (int twice = 0; twice < 2; twice++) {
        assert_ok(pmi_gpu_resident_match(resident, &total));
        assert_ok(pmi_gpu_resident_read(resident, 0, n, match));
        assert_memory_equal(match, expected, n * sizeof *match);
        assert_true(total.close == expected_total.close && total.open == expected_total.open);
    }
    pmi_gpu_resident_destroy(resident);
    free(parens);
    free(expected);
    free(match);
}

TEST(test_resident_around_bounds) {
    for (size_t t = 0; t < COUNT_OF(types); t++) {
        pmi_gpu *gpu;
        assert_ok(gpu_open(types[t], &gpu));
        check_resident(gpu, "bits", 1);
        for (size_t n = 1, bound; (bound = next_bound(types[t], n)) > 0 && bound < 1 << 20; n = bound)
            for (size_t around = bound - 1; around <= bound + 1; around++)
                check_resident(gpu, "drift", around);
        pmi_gpu_close(gpu);
    }
}

/* Each pipeline is made when n first asks for it, and then stays, however they take turns. */
TEST(test_around_bounds) {
    for (size_t t = 0; t < COUNT_OF(types); t++) {
        pmi_gpu *gpu;
        assert_ok(gpu_open(types[t], &gpu));
        pmi_vk *const vk = &pmi_gpu_device(gpu)->instance.vk;
        make_soundly = vk->CreateComputePipelines;
        vk->CreateComputePipelines = make_counted;
        kernels_made = 0;
        check_family(gpu, "bits", 1, 1);
        assert_true(kernels_made > 0);
        for (size_t n = 1, bound; (bound = next_bound(types[t], n)) > 0 && bound < 1 << 20; n = bound) {
            const unsigned before = kernels_made;
            check_family(gpu, "bits", bound, bound - 1);
            assert_int_equal(kernels_made, before);
            check_family(gpu, "bits", bound, bound);
            const unsigned both = kernels_made;
            assert_true(both > before);
            check_family(gpu, "twist:.25", bound, bound - 1);
            check_family(gpu, "deep", bound, bound + 1);
            assert_int_equal(kernels_made, both);
        }
        pmi_gpu_close(gpu);
    }
}

/* Where a pipeline cannot be had, or not for that length, the default steps in. */
TEST(test_small_devices) {
    pmi_gpu *gpu;
    assert_ok(gpu_open(VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, &gpu));
    pmi_device *const device = pmi_gpu_device(gpu);
    const uint32_t invocations = device->can.workgroup_invocations;
    const uint32_t bytes = device->can.workgroup_bytes;
    device->can.workgroup_bytes = 32; /* too few for a partition */
    check_family(gpu, "bits", 1, 100);
    device->can.workgroup_bytes = bytes;
    device->can.workgroup_invocations = 64; /* for partitions, of which `direct` has but one */
    check_family(gpu, "bits", 2, 100);
    check_family(gpu, "bits", 3, 60000);
    device->can.workgroup_invocations = invocations;
    pmi_gpu_close(gpu);
}

/* Memory that is lacking is told, and the next call tries again. */
TEST(test_kernels_that_fail) {
    pmi_gpu *gpu;
    assert_ok(gpu_open(VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, &gpu));
    pmi_device *const device = pmi_gpu_device(gpu);
    const uint64_t bytes = device->can.allocation_bytes;
    const uint64_t parens = 5;
    uint32_t match[3];
    pm_bic total;
    device->can.allocation_bytes = 0;
    assert_int_equal(pmi_gpu_match(gpu, &parens, 3, match, &total), PM_OUT_OF_MEMORY);
    device->can.allocation_bytes = bytes;
    check_family(gpu, "bits", 1, 1000);
    pmi_gpu_close(gpu);
}

int main(int argc, char **argv) {
    static pmi_gpu *unused; /* there is a device */
    const gpu_tests_device devices[] = {{.gpu = &unused}};
    return gpu_tests_with(argc, argv, devices, 1);
}
