/* SPDX-License-Identifier: Apache-2.0 */
/* Opening the device, and making buffers. */
#include "vulkan_program.h"

#include <stdio.h>
#include <stdlib.h>

void require(int fine, const char *what) {
    if (!fine) {
        fprintf(stderr, "failed: %s\n", what);
        exit(1);
    }
}

static void skip(const char *what) {
    fprintf(stderr, "skipped: %s\n", what);
    exit(77);
}

struct program r;

/* A queue family that computes. */
static int family_find(VkPhysicalDevice physical, uint32_t *family) {
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (*family = 0; *family < count; ++*family)
        if (families[*family].queueFlags & VK_QUEUE_COMPUTE_BIT)
            return 1;
    return 0;
}

static void instance_open(void) {
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    if (vkCreateInstance(&info, NULL, &r.instance) != VK_SUCCESS)
        skip("no Vulkan here");
    VkPhysicalDevice devices[16];
    uint32_t count = 16;
    require(vkEnumeratePhysicalDevices(r.instance, &count, devices) >= 0, "the list of devices");
    for (uint32_t k = 0; k < count; k++)
        if (family_find(devices[k], &r.family) &&
            pm_vk_requirements_get(r.instance, devices[k], vkGetInstanceProcAddr, &r.requirements) == PM_OK) {
            r.physical = devices[k];
            return;
        }
    skip("no device that can");
}

/* With what the matcher requires; a renderer would add what it needs itself. */
static void device_open(void) {
    VkPhysicalDeviceSubgroupSizeControlFeatures subgroups = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
        .subgroupSizeControl = r.requirements.subgroup_size_control,
        .computeFullSubgroups = r.requirements.compute_full_subgroups};
    VkPhysicalDeviceBufferDeviceAddressFeatures address = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
        .pNext = r.requirements.subgroup_size_control ? &subgroups : NULL,
        .bufferDeviceAddress = r.requirements.buffer_device_address};
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = r.family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &address,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = r.requirements.extension_count,
                                     .ppEnabledExtensionNames = r.requirements.extensions};
    require(vkCreateDevice(r.physical, &info, NULL, &r.device) == VK_SUCCESS, "the device");
    vkGetDeviceQueue(r.device, r.family, 0, &r.queue);
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = r.family};
    require(vkCreateCommandPool(r.device, &pool, NULL, &r.pool) == VK_SUCCESS, "a pool for commands");
    const VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                  .commandPool = r.pool,
                                                  .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                  .commandBufferCount = 1};
    require(vkAllocateCommandBuffers(r.device, &commands, &r.commands) == VK_SUCCESS, "a command buffer");
}

void program_open(void) {
    instance_open();
    device_open();
}

void program_close(void) {
    vkDestroyCommandPool(r.device, r.pool, NULL);
    vkDestroyDevice(r.device, NULL);
    vkDestroyInstance(r.instance, NULL);
}

/* ---- Its buffers ---- */

static uint32_t memory_type(uint32_t among, VkMemoryPropertyFlags flags) {
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(r.physical, &memory);
    for (uint32_t k = 0; k < memory.memoryTypeCount; k++)
        if ((among >> k & 1) && (memory.memoryTypes[k].propertyFlags & flags) == flags)
            return k;
    require(0, "a type of memory");
    return 0;
}

buffer buffer_make(VkDeviceSize size, VkBufferUsageFlags usage, VkMemoryPropertyFlags flags) {
    buffer b = {0};
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
    require(vkCreateBuffer(r.device, &info, NULL, &b.handle) == VK_SUCCESS, "a buffer");
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(r.device, b.handle, &needs);
    const VkMemoryAllocateFlagsInfo addressed = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                                 .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const int has_address = (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0;
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .pNext = has_address ? &addressed : NULL,
                                         .allocationSize = needs.size,
                                         .memoryTypeIndex = memory_type(needs.memoryTypeBits, flags)};
    require(vkAllocateMemory(r.device, &memory, NULL, &b.memory) == VK_SUCCESS, "memory");
    require(vkBindBufferMemory(r.device, b.handle, b.memory, 0) == VK_SUCCESS, "memory");
    if (flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)
        require(vkMapMemory(r.device, b.memory, 0, VK_WHOLE_SIZE, 0, &b.mapped) == VK_SUCCESS, "mapping");
    if (has_address) {
        const VkBufferDeviceAddressInfo asked = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                                 .buffer = b.handle};
        b.address = vkGetBufferDeviceAddress(r.device, &asked);
    }
    return b;
}

void buffer_free(buffer *b) {
    vkDestroyBuffer(r.device, b->handle, NULL);
    vkFreeMemory(r.device, b->memory, NULL);
}

buffer buffer_for(const pm_vk_buffer *needed, VkBufferUsageFlags also) {
    return buffer_make(needed->size, needed->usage | also, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
}

/* ---- Its commands ---- */

void commands_begin(void) {
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    require(vkBeginCommandBuffer(r.commands, &begin) == VK_SUCCESS, "recording");
}

void barrier(VkPipelineStageFlags after, VkAccessFlags written, VkPipelineStageFlags before, VkAccessFlags used) {
    const VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = written, .dstAccessMask = used};
    vkCmdPipelineBarrier(r.commands, after, before, 0, 1, &memory, 0, NULL, 0, NULL);
}

void commands_run(void) {
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &r.commands};
    require(vkEndCommandBuffer(r.commands) == VK_SUCCESS, "recording");
    require(vkQueueSubmit(r.queue, 1, &submit, VK_NULL_HANDLE) == VK_SUCCESS, "submitting");
    require(vkQueueWaitIdle(r.queue) == VK_SUCCESS, "waiting");
}
