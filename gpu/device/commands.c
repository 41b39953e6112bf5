/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of Vulkan alone. */
#include "gpu/device/commands.h"

/* A minute in turns: one during which the process was stopped, or its machine asleep, is one turn all the same. */
static const uint64_t turn_ns = UINT64_C(100000000);
static const unsigned turns_most = 600;

VkResult pmi_commands_pool(const pmi_device *device, VkCommandPool *pool) {
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = device->queue_family};
    *pool = VK_NULL_HANDLE;
    return device->vk->CreateCommandPool(device->handle, &info, NULL, pool);
}

VkResult pmi_commands_create(const pmi_device *device, VkCommandPool pool, VkCommandBuffer *commands, VkFence *fence) {
    const VkCommandBufferAllocateInfo one = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = pool,
                                             .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                             .commandBufferCount = 1};
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    *fence = VK_NULL_HANDLE;
    const VkResult result = device->vk->AllocateCommandBuffers(device->handle, &one, commands);
    return result == VK_SUCCESS ? device->vk->CreateFence(device->handle, &info, NULL, fence) : result;
}

VkResult pmi_commands_submit(const pmi_device *device, VkCommandBuffer commands, VkFence fence) {
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    return device->vk->QueueSubmit(device->queue, 1, &info, fence);
}

VkResult pmi_commands_wait(const pmi_device *device, VkFence fence) {
    VkResult result = VK_TIMEOUT;
    for (unsigned turn = 0; turn < turns_most && result == VK_TIMEOUT; turn++)
        result = device->vk->WaitForFences(device->handle, 1, &fence, VK_TRUE, turn_ns);
    return result;
}
