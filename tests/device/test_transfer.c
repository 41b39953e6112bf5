/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ways of a sequence to the device and of its match to the host, on whatever Vulkan device there is, under the
 * validation layer where that is installed. Skipped (77) where there is no device.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "gpu/device/device.h"
#include "gpu/gpu.h"
#include "inputs/families.h"
#include "shaders/shared/layout.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/guarded.h"
#include "tests/support/unit.h"

static const pmi_transfer transfers[] = {PM_TRANSFER_STAGED, PM_TRANSFER_MAPPED};

enum {
    TRANSFERS = COUNT_OF(transfers)
};

static pmi_gpu *chunked[TRANSFERS]; /* slots as small as can be: a tile of the match, 4096 bytes */

static pm_status gpu_open(pmi_transfer transfer, size_t chunk_bytes, pmi_gpu **gpu) {
    return gpu_tests_open((pmi_gpu_settings){.chunk_bytes = chunk_bytes, .transfer = transfer}, gpu);
}

/* ---- Right either way ---- */

TEST(test_families_around_chunks) {
    static const size_t edges[] = {64, PM_TILE, 2 * PM_TILE, 3 * PM_TILE, PM_SUPERBLOCK};
    for (size_t t = 0; t < TRANSFERS; t++)
        for (const char *const *name = family_names; *name; name++)
            for (size_t e = 0; e < COUNT_OF(edges); e++)
                for (size_t n = edges[e] - 1; n <= edges[e] + 1; n++)
                    check_family(chunked[t], *name, n, n);
}

/* Both arrays end where nothing may be touched, and so begin at any multiple of their elements' size. */
TEST(test_ends_of_memory) {
    const size_t most = PM_SUPERBLOCK + 3 * PM_TILE;
    guarded_memory input = guarded_allocate(most / 8), output = guarded_allocate((most + 1) * sizeof(uint32_t));
    uint32_t *const expected = allocate(most, sizeof *expected);
    uint64_t seed = 21;
    for (size_t round = 0; round < 40; round++) {
        const size_t n = round < 8 ? PM_SUPERBLOCK + round : 1 + random_below(&seed, most), t = round % TRANSFERS;
        uint64_t *const parens = (uint64_t *)(void *)input.end - pmi_bits_words(n);
        uint32_t *const match = (uint32_t *)(void *)output.end - n;
        for (size_t w = 0; w < pmi_bits_words(n); w++)
            parens[w] = random_next(&seed);
        match[-1] = 77;
        pm_bic total, expected_total;
        assert_ok(pmi_gpu_match(chunked[t], parens, n, match, &total));
        assert_ok(pm_match_seq(NULL, parens, n, expected, &expected_total));
        assert_memory_equal(match, expected, n * sizeof *match);
        assert_int_equal(total.close, expected_total.close);
        assert_int_equal(total.open, expected_total.open);
        assert_int_equal(match[-1], 77);
    }
    free(expected);
    guarded_free(&input);
    guarded_free(&output);
}

/* What measuring uses: the sequence stays, and the match does not come, in one chunk and in many. */
TEST(test_parts) {
    static const size_t sizes[] = {1, 64, 1000, PM_TILE, 5 * PM_TILE + 5};
    for (size_t t = 0; t < TRANSFERS; t++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            const size_t n = sizes[s];
            uint64_t *const parens = family_make("bits", s, n);
            uint32_t *const match = allocate(n, sizeof *match);
            pm_bic total;
            assert_ok(pmi_gpu_match(chunked[t], parens, n, NULL, &total));
            assert_ok(pmi_gpu_match(chunked[t], NULL, n, NULL, &total));
            assert_ok(pmi_gpu_match(chunked[t], NULL, n, match, &total));
            assert_ok(pm_match_verify(NULL, parens, n, match, NULL));
            free(match);
            free(parens);
        }
}

/* ---- Which way it is ---- */

static unsigned copies;
static PFN_vkCmdCopyBuffer copy_soundly;

static VKAPI_ATTR void VKAPI_CALL copy_counted(VkCommandBuffer commands, VkBuffer from, VkBuffer to, uint32_t count,
                                               const VkBufferCopy *regions) {
    copies++;
    copy_soundly(commands, from, to, count, regions);
}

/* Copies that the device makes for `n` elements in one chunk. */
static unsigned copies_of(pmi_gpu *gpu, size_t n) {
    pmi_vk *const vk = &pmi_gpu_device(gpu)->instance.vk;
    copy_soundly = vk->CmdCopyBuffer;
    vk->CmdCopyBuffer = copy_counted;
    copies = 0;
    check_family(gpu, "bits", n, n);
    vk->CmdCopyBuffer = copy_soundly;
    return copies;
}

static bool has_memory(const pmi_device *device, VkMemoryPropertyFlags flags) {
    for (uint32_t k = 0; k < device->memory.memoryTypeCount; k++)
        if ((device->memory.memoryTypes[k].propertyFlags & flags) == flags)
            return true;
    return false;
}

static void memory_lacks(pmi_device *device, VkMemoryPropertyFlags flags) {
    for (uint32_t k = 0; k < device->memory.memoryTypeCount; k++)
        device->memory.memoryTypes[k].propertyFlags &= ~flags;
}

enum {
    WRITTEN = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
              VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,       /* by the host, near the device */
    SHARED = WRITTEN | VK_MEMORY_PROPERTY_HOST_CACHED_BIT /* and read */
};

/* The device copies nothing where both ways are mapped, and what it must where a kind of memory is missing. */
TEST(test_copies) {
    pmi_gpu *gpu;
    assert_ok(gpu_open(PM_TRANSFER_STAGED, 0, &gpu));
    assert_int_equal(copies_of(gpu, 1000), 2);
    pmi_gpu_close(gpu);

    assert_ok(gpu_open(PM_TRANSFER_MAPPED, 0, &gpu));
    pmi_device *const device = pmi_gpu_device(gpu);
    if (has_memory(device, SHARED)) { /* each time buffers must grow, and so are made again */
        assert_int_equal(copies_of(gpu, 1000), 0);
        memory_lacks(device, VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
        assert_int_equal(copies_of(gpu, 10000), 1);
        memory_lacks(device, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
        assert_int_equal(copies_of(gpu, 20000), 2);
    }
    pmi_gpu_close(gpu);
}

/* Unasked, the way is mapped on devices whose memory is the host's. */
TEST(test_default) {
    const pmi_gpu_settings settings = {.allow_cpu_device = true};
    pmi_device device;
    assert_ok(pmi_device_open(&settings, &device));
    VkPhysicalDeviceProperties properties;
    device.vk->GetPhysicalDeviceProperties(device.physical, &properties);
    const bool one = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU ||
                     properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
    assert_int_equal(device.can.transfer, one ? PM_TRANSFER_MAPPED : PM_TRANSFER_STAGED);
    pmi_device_close(&device);
}

/* ---- A driver that fails ---- */

static unsigned calls_passed, calls_failing; /* how many are passed on, and how many then fail */
static pmi_vk sound;

static bool call_fails(void) {
    if (calls_passed > 0) {
        calls_passed--;
        return false;
    }
    if (calls_failing == 0)
        return false;
    calls_failing--;
    return true;
}

static VKAPI_ATTR VkResult VKAPI_CALL allocate_memory(VkDevice device, const VkMemoryAllocateInfo *info,
                                                      const VkAllocationCallbacks *callbacks, VkDeviceMemory *memory) {
    return call_fails() ? VK_ERROR_OUT_OF_DEVICE_MEMORY : sound.AllocateMemory(device, info, callbacks, memory);
}

static VKAPI_ATTR VkResult VKAPI_CALL map_memory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
                                                 VkDeviceSize size, VkMemoryMapFlags flags, void **mapped) {
    return call_fails() ? VK_ERROR_MEMORY_MAP_FAILED : sound.MapMemory(device, memory, offset, size, flags, mapped);
}

static VKAPI_ATTR VkResult VKAPI_CALL queue_submit(VkQueue queue, uint32_t count, const VkSubmitInfo *infos,
                                                   VkFence fence) {
    return call_fails() ? VK_ERROR_OUT_OF_HOST_MEMORY : sound.QueueSubmit(queue, count, infos, fence);
}

static VkResult wait_failure;

static VKAPI_ATTR VkResult VKAPI_CALL wait_for_fences(VkDevice device, uint32_t count, const VkFence *fences,
                                                      VkBool32 all, uint64_t timeout) {
    return call_fails() ? wait_failure : sound.WaitForFences(device, count, fences, all, timeout);
}

/* Matches n elements; nothing is written outside, whatever becomes of it. */
static pm_status match_between_canaries(pmi_gpu *gpu, size_t n) {
    uint64_t *const parens = family_make("bits", n, n);
    uint32_t *const around = allocate(n + 2, sizeof *around);
    around[0] = around[n + 1] = 77;
    pm_bic total;
    const pm_status status = pmi_gpu_match(gpu, parens, n, around + 1, &total);
    assert_int_equal(around[0], 77);
    assert_int_equal(around[n + 1], 77);
    if (status == PM_OK)
        assert_ok(pm_match_verify(NULL, parens, n, around + 1, NULL));
    free(around);
    free(parens);
    return status;
}

/* Memory that cannot be had, or not mapped: another way, or a status, and all is well when there is memory again. */
TEST(test_no_memory) {
    for (size_t t = 0; t < TRANSFERS; t++) {
        pmi_gpu *gpu;
        assert_ok(gpu_open(transfers[t], 0, &gpu));
        pmi_vk *const vk = &pmi_gpu_device(gpu)->instance.vk;
        sound = *vk;
        size_t n = 1000;
        vk->AllocateMemory = allocate_memory;
        for (unsigned passed = 0; passed < 3; passed++, n += PM_TILE) { /* of three to six */
            calls_passed = passed, calls_failing = 100;
            assert_int_equal(match_between_canaries(gpu, n), PM_OUT_OF_MEMORY);
            calls_passed = calls_failing = 0;
            assert_ok(match_between_canaries(gpu, n));
        }
        *vk = sound;
        vk->MapMemory = map_memory;
        const pmi_device *const device = pmi_gpu_device(gpu);
        const unsigned other_ways = /* what is mapped before there is need of a buffer of the host's */
            transfers[t] == PM_TRANSFER_MAPPED ? has_memory(device, WRITTEN) + has_memory(device, SHARED) : 0;
        for (unsigned failing = 1; failing < 4; failing++, n += PM_TILE) {
            calls_failing = failing;
            assert_int_equal(match_between_canaries(gpu, n), failing <= other_ways ? PM_OK : PM_OUT_OF_MEMORY);
            calls_failing = 0;
            assert_ok(match_between_canaries(gpu, n));
        }
        *vk = sound;
        pmi_gpu_close(gpu);
    }
}

/* A queue that takes nothing, and waits that end early: a status, then all is well, unless the device is lost. */
TEST(test_queue_that_fails) {
    const size_t n = 5 * PM_TILE + 5;
    for (size_t t = 0; t < TRANSFERS; t++) {
        pmi_gpu *const gpu = chunked[t];
        pmi_vk *const vk = &pmi_gpu_device(gpu)->instance.vk;
        sound = *vk;
        wait_failure = VK_ERROR_OUT_OF_HOST_MEMORY;
        for (unsigned passed = 0; passed < 6; passed++) { /* one is up, the others are down */
            vk->QueueSubmit = queue_submit;
            calls_passed = passed, calls_failing = 1;
            assert_int_equal(match_between_canaries(gpu, n), PM_OUT_OF_MEMORY);
            *vk = sound;
            vk->WaitForFences = wait_for_fences;
            calls_passed = passed, calls_failing = 1;
            assert_int_equal(match_between_canaries(gpu, n), PM_OUT_OF_MEMORY);
            *vk = sound;
            check_family(gpu, "bits", passed, n);
        }
        wait_failure = VK_TIMEOUT;
        vk->WaitForFences = wait_for_fences;
        calls_passed = 3, calls_failing = UINT_MAX; /* however often it is asked again */
        assert_int_equal(match_between_canaries(gpu, n), PM_DEVICE_LOST);
        calls_failing = 0;
        *vk = sound;
        assert_int_equal(match_between_canaries(gpu, n), PM_DEVICE_LOST);
    }
}

static pm_status open_all(void) {
    pm_status status = PM_OK;
    for (size_t t = 0; t < TRANSFERS && status == PM_OK; t++)
        status = gpu_open(transfers[t], 1, &chunked[t]);
    return status;
}

static void close_all(void) {
    for (size_t t = 0; t < TRANSFERS; t++)
        pmi_gpu_close(chunked[t]);
}

int main(int argc, char **argv) {
    return gpu_tests_main(argc, argv, open_all, close_all);
}
