/* SPDX-License-Identifier: Apache-2.0 */
/* How long a device is waited for, and what is done where it fails. The device is made up: it says what the test wants,
 * and time passes as fast. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include <stdlib.h>
#include <string.h>

#include "gpu/device/commands.h"
#include "gpu/device/device.h"
#include "gpu/device/memory.h"
#include "gpu/device/transfer.h"
#include "tests/support/unit.h"

static const uint64_t second_ns = UINT64_C(1000000000);

static unsigned waits, waits_wanted; /* VK_TIMEOUT as often, then: */
static VkResult last;
static uint64_t waited_ns, longest_ns;

static VKAPI_ATTR VkResult VKAPI_CALL wait_for_fences(VkDevice device, uint32_t count, const VkFence *fences,
                                                      VkBool32 all, uint64_t timeout) {
    (void)device;
    (void)fences;
    (void)all;
    assert_int_equal(count, 1);
    waited_ns += timeout;
    if (timeout > longest_ns)
        longest_ns = timeout;
    return waits++ < waits_wanted ? VK_TIMEOUT : last;
}

static VkResult wait_after(unsigned timeouts, VkResult result) {
    static const pmi_vk vk = {.WaitForFences = wait_for_fences};
    const pmi_device device = {.vk = &vk};
    waits = 0;
    waits_wanted = timeouts;
    last = result;
    waited_ns = longest_ns = 0;
    return pmi_commands_wait(&device, VK_NULL_HANDLE);
}

TEST(test_what_is_done_is_not_waited_for) {
    assert_int_equal(wait_after(0, VK_SUCCESS), VK_SUCCESS);
    assert_int_equal(waits, 1);
    assert_int_equal(wait_after(0, VK_ERROR_DEVICE_LOST), VK_ERROR_DEVICE_LOST);
    assert_int_equal(waits, 1);
}

/* Time for which the process was stopped has passed when it goes on, and a device that was at work is done by then:
 * nobody has waited, however late it is. */
TEST(test_a_process_that_was_stopped) {
    for (unsigned stops = 1; stops < 5; stops++) {
        assert_int_equal(wait_after(stops, VK_SUCCESS), VK_SUCCESS);
        assert_int_equal(waits, stops + 1);
        assert_true(longest_ns <= second_ns);
    }
    assert_int_equal(wait_after(3, VK_ERROR_DEVICE_LOST), VK_ERROR_DEVICE_LOST);
}

TEST(test_a_device_that_hangs) {
    assert_int_equal(wait_after(UINT32_MAX, VK_SUCCESS), VK_TIMEOUT);
    assert_true(waited_ns == 60 * second_ns);
    assert_int_equal(pmi_vk_status(VK_TIMEOUT), PM_DEVICE_LOST);
}

/* ---- What is not created: Vulkan leaves its handle undefined, so it must not be destroyed ---- */

#define UNDEFINED(handle) memset((handle), 0x5a, sizeof *(handle))

static bool fails_buffer;  /* else the memory */
static unsigned destroyed; /* handles that are not null */

static VKAPI_ATTR VkResult VKAPI_CALL create_buffer(VkDevice device, const VkBufferCreateInfo *info,
                                                    const VkAllocationCallbacks *callbacks, VkBuffer *buffer) {
    (void)device, (void)info, (void)callbacks;
    UNDEFINED(buffer);
    return fails_buffer ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL allocate_memory(VkDevice device, const VkMemoryAllocateInfo *info,
                                                      const VkAllocationCallbacks *callbacks, VkDeviceMemory *memory) {
    (void)device, (void)info, (void)callbacks;
    UNDEFINED(memory);
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

static VKAPI_ATTR void VKAPI_CALL requirements_of(VkDevice device, VkBuffer buffer,
                                                  VkMemoryRequirements *requirements) {
    (void)device, (void)buffer;
    *requirements = (VkMemoryRequirements){.size = 64, .alignment = 4, .memoryTypeBits = 1};
}

static VKAPI_ATTR void VKAPI_CALL destroy_buffer(VkDevice device, VkBuffer buffer,
                                                 const VkAllocationCallbacks *callbacks) {
    (void)device, (void)callbacks;
    destroyed += buffer != VK_NULL_HANDLE;
}

static VKAPI_ATTR void VKAPI_CALL free_memory(VkDevice device, VkDeviceMemory memory,
                                              const VkAllocationCallbacks *callbacks) {
    (void)device, (void)callbacks;
    destroyed += memory != VK_NULL_HANDLE;
}

TEST(test_buffers_that_fail) {
    static const pmi_vk vk = {.CreateBuffer = create_buffer,
                              .AllocateMemory = allocate_memory,
                              .GetBufferMemoryRequirements = requirements_of,
                              .DestroyBuffer = destroy_buffer,
                              .FreeMemory = free_memory};
    const pmi_device device = {.vk = &vk, .can = {.allocation_bytes = 4096}, .memory = {.memoryTypeCount = 1}};
    for (unsigned created = 0; created < 2; created++) {
        pmi_buffer buffer;
        fails_buffer = created == 0;
        destroyed = 0;
        assert_int_equal(pmi_buffer_create(&device, PM_MEMORY_DEVICE, 64, &buffer), PM_OUT_OF_MEMORY);
        assert_int_equal(destroyed, created);
        assert_true(!buffer.handle && !buffer.memory && buffer.size == 0);
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL create_pool(VkDevice device, const VkCommandPoolCreateInfo *info,
                                                  const VkAllocationCallbacks *callbacks, VkCommandPool *pool) {
    (void)device, (void)info, (void)callbacks;
    UNDEFINED(pool);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

static VKAPI_ATTR VkResult VKAPI_CALL allocate_commands(VkDevice device, const VkCommandBufferAllocateInfo *info,
                                                        VkCommandBuffer *commands) {
    (void)device, (void)info, (void)commands;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_fence(VkDevice device, const VkFenceCreateInfo *info,
                                                   const VkAllocationCallbacks *callbacks, VkFence *fence) {
    (void)device, (void)info, (void)callbacks;
    UNDEFINED(fence);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

TEST(test_commands_that_fail) {
    static const pmi_vk vk = {
        .CreateCommandPool = create_pool, .AllocateCommandBuffers = allocate_commands, .CreateFence = create_fence};
    const pmi_device device = {.vk = &vk};
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    assert_int_equal(pmi_commands_pool(&device, &pool), VK_ERROR_OUT_OF_HOST_MEMORY);
    assert_int_equal(pmi_commands_create(&device, pool, &commands, &fence), VK_ERROR_OUT_OF_HOST_MEMORY);
    assert_true(!pool && !fence);
}

static unsigned begun;

static VKAPI_ATTR VkResult VKAPI_CALL begin_commands(VkCommandBuffer commands, const VkCommandBufferBeginInfo *info) {
    (void)commands, (void)info;
    begun++;
    return VK_SUCCESS;
}

/* Commands that were begun for a chunk without memory could not be begun again. */
TEST(test_chunks_that_fail) {
    static const pmi_vk vk = {.CreateBuffer = create_buffer,
                              .DestroyBuffer = destroy_buffer,
                              .FreeMemory = free_memory,
                              .BeginCommandBuffer = begin_commands};
    const pmi_device device = {.vk = &vk, .can = {.allocation_bytes = 4096}};
    pmi_staging_ring ring = {.turn = 0};
    pmi_staging_chunk *chunk;
    fails_buffer = true;
    assert_int_equal(pmi_staging_chunk_begin(&device, &ring, 64, &chunk), PM_OUT_OF_MEMORY);
    assert_int_equal(begun, 0);
    assert_ok(pmi_staging_chunk_begin(&device, &ring, 0, &chunk));
    assert_int_equal(begun, 1);
}

/* ---- A loader that has no memory for an instance, or for the list of its devices ---- */

TEST(test_loader_without_memory) {
    static const char *const failing[] = {"vkCreateInstance", "vkEnumeratePhysicalDevices"};
    for (size_t f = 0; f < COUNT_OF(failing); f++) {
        pmi_device device;
        assert_int_equal(setenv("PM_FAILING_LOADER", failing[f], 1), 0);
        assert_int_equal(pmi_device_open(&(pmi_gpu_settings){.loader = PM_FAILING_LOADER}, &device), PM_OUT_OF_MEMORY);
    }
}
