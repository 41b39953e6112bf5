/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program with a Vulkan device of its own, which records a match into its own command buffer: upload, match,
 * download. First a short sequence, whose match it prints, then a long one, which it checks; the second time the device
 * alone is told how long they are. Exits with 77 where there is no device.
 */
#include <parenmatch_vulkan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#define TEXT "((()((())(()()))))"
#define LONG 1000000u /* elements of the long sequence, and the most there is room for */

static void must(int fine, const char *what) {
    if (!fine) {
        fprintf(stderr, "failed: %s\n", what);
        exit(1);
    }
}

static void skip(const char *what) {
    fprintf(stderr, "skipped: %s\n", what);
    exit(77);
}

/* ---- The program's device ---- */

static struct renderer {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    uint32_t family;
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer commands;
    pm_vk_requirements requirements;
} r;

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
    must(vkEnumeratePhysicalDevices(r.instance, &count, devices) >= 0, "the list of devices");
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
    must(vkCreateDevice(r.physical, &info, NULL, &r.device) == VK_SUCCESS, "the device");
    vkGetDeviceQueue(r.device, r.family, 0, &r.queue);
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = r.family};
    must(vkCreateCommandPool(r.device, &pool, NULL, &r.pool) == VK_SUCCESS, "a pool for commands");
    const VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                  .commandPool = r.pool,
                                                  .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                  .commandBufferCount = 1};
    must(vkAllocateCommandBuffers(r.device, &commands, &r.commands) == VK_SUCCESS, "a command buffer");
}

static void device_close(void) {
    vkDestroyCommandPool(r.device, r.pool, NULL);
    vkDestroyDevice(r.device, NULL);
    vkDestroyInstance(r.instance, NULL);
}

/* ---- Its buffers ---- */

typedef struct buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    VkDeviceAddress address;
    void *mapped; /* NULL: on the device alone */
} buffer;

static uint32_t memory_type(uint32_t among, VkMemoryPropertyFlags flags) {
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(r.physical, &memory);
    for (uint32_t k = 0; k < memory.memoryTypeCount; k++)
        if ((among >> k & 1) && (memory.memoryTypes[k].propertyFlags & flags) == flags)
            return k;
    must(0, "a type of memory");
    return 0;
}

static buffer buffer_make(VkDeviceSize size, VkBufferUsageFlags usage, VkMemoryPropertyFlags flags) {
    buffer b = {0};
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
    must(vkCreateBuffer(r.device, &info, NULL, &b.handle) == VK_SUCCESS, "a buffer");
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(r.device, b.handle, &needs);
    const VkMemoryAllocateFlagsInfo addressed = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                                 .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const int has_address = (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0;
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .pNext = has_address ? &addressed : NULL,
                                         .allocationSize = needs.size,
                                         .memoryTypeIndex = memory_type(needs.memoryTypeBits, flags)};
    must(vkAllocateMemory(r.device, &memory, NULL, &b.memory) == VK_SUCCESS, "memory");
    must(vkBindBufferMemory(r.device, b.handle, b.memory, 0) == VK_SUCCESS, "memory");
    if (flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)
        must(vkMapMemory(r.device, b.memory, 0, VK_WHOLE_SIZE, 0, &b.mapped) == VK_SUCCESS, "mapping");
    if (has_address) {
        const VkBufferDeviceAddressInfo asked = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                                 .buffer = b.handle};
        b.address = vkGetBufferDeviceAddress(r.device, &asked);
    }
    return b;
}

static void buffer_free(buffer *b) {
    vkDestroyBuffer(r.device, b->handle, NULL);
    vkFreeMemory(r.device, b->memory, NULL);
}

/* ---- A match ---- */

static pm_vk_matcher *matcher;
static struct buffers {
    buffer host; /* the sequence on its way up, then the match on its way down, then the summary */
    buffer parens, match, scratch, summary, count, dispatches;
} b;

static buffer buffer_for(const pm_vk_buffer *needed, VkBufferUsageFlags also) {
    return buffer_make(needed->size, needed->usage | also, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
}

static void matcher_open(void) {
    const pm_vk_matcher_info info = {.struct_size = sizeof info,
                                     .instance = r.instance,
                                     .physical_device = r.physical,
                                     .device = r.device,
                                     .get_instance_proc_addr = vkGetInstanceProcAddr,
                                     .flags = PM_VK_COUNT_ON_DEVICE |
                                              (r.requirements.subgroup_size_control ? PM_VK_SUBGROUPS : 0u)};
    must(pm_vk_matcher_create(&info, &matcher) == PM_OK, "the matcher");
    pm_vk_sizes sizes;
    must(pm_vk_matcher_sizes(matcher, LONG, 0, &sizes) == PM_OK, "the sizes");
    b.parens = buffer_for(&sizes.parens, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    b.match = buffer_for(&sizes.match, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    b.scratch = buffer_for(&sizes.scratch, 0);
    b.summary = buffer_for(&sizes.summary, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    b.count = buffer_for(&sizes.count, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    b.dispatches = buffer_for(&sizes.dispatches, 0);
    b.host = buffer_make(sizes.match.size + sizes.summary.size,
                         VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                         VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
}

static void matcher_close(void) {
    buffer *const all[] = {&b.host, &b.parens, &b.match, &b.scratch, &b.summary, &b.count, &b.dispatches};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        buffer_free(all[k]);
    pm_vk_matcher_destroy(matcher);
}

static void barrier(VkPipelineStageFlags after, VkAccessFlags written, VkPipelineStageFlags before,
                    VkAccessFlags used) {
    const VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = written, .dstAccessMask = used};
    vkCmdPipelineBarrier(r.commands, after, before, 0, 1, &memory, 0, NULL, 0, NULL);
}

/* Upload, match, download: all that this frame does. With `counted` it is the device that says how many there are. */
static void frame_record(uint32_t n, int counted) {
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    must(vkBeginCommandBuffer(r.commands, &begin) == VK_SUCCESS, "recording");
    const VkBufferCopy up = {.size = (n + 31) / 32 * 4};
    vkCmdCopyBuffer(r.commands, b.host.handle, b.parens.handle, 1, &up);
    vkCmdUpdateBuffer(r.commands, b.count.handle, 0, sizeof n, &n); /* in earnest, a shader's result */
    barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
            VK_ACCESS_SHADER_READ_BIT);

    const pm_vk_match_info info = {.struct_size = sizeof info,
                                   .n = counted ? LONG : n,
                                   .parens = b.parens.address,
                                   .scratch = b.scratch.address,
                                   .summary = b.summary.address,
                                   .match = b.match.address,
                                   .count = counted ? b.count.address : 0,
                                   .dispatches = counted ? b.dispatches.handle : VK_NULL_HANDLE};
    must(pm_vk_cmd_match(r.commands, matcher, &info) == PM_OK, "recording the match");

    barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
            VK_ACCESS_TRANSFER_READ_BIT);
    const VkBufferCopy down = {.size = n * sizeof(uint32_t)};
    const VkBufferCopy summary_down = {.dstOffset = down.size, .size = sizeof(pm_vk_summary)};
    vkCmdCopyBuffer(r.commands, b.match.handle, b.host.handle, 1, &down);
    vkCmdCopyBuffer(r.commands, b.summary.handle, b.host.handle, 1, &summary_down);
    barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
            VK_ACCESS_HOST_READ_BIT);
    must(vkEndCommandBuffer(r.commands) == VK_SUCCESS, "recording");
}

/* The match is valid until the next call. */
static const uint32_t *match_run(const uint64_t *parens, uint32_t n, int counted, pm_vk_summary *summary) {
    memcpy(b.host.mapped, parens, (n + 31) / 32 * 4);
    frame_record(n, counted);
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &r.commands};
    must(vkQueueSubmit(r.queue, 1, &submit, VK_NULL_HANDLE) == VK_SUCCESS, "submitting");
    must(vkQueueWaitIdle(r.queue) == VK_SUCCESS, "waiting");
    const uint32_t *const match = b.host.mapped;
    memcpy(summary, match + n, sizeof *summary);
    return match;
}

/* ---- */

static void print_short(int counted) {
    const uint32_t n = sizeof TEXT - 1;
    uint64_t parens = 0;
    for (uint32_t i = 0; i < n; i++)
        parens |= (uint64_t)(TEXT[i] == '(') << i;
    pm_vk_summary summary;
    const uint32_t *const match = match_run(&parens, n, counted, &summary);
    for (uint32_t i = 0; i < n; i++)
        printf("%2u %c %2d\n", i, TEXT[i], (int)match[i]); /* -1: none */
    printf("unmatched: %u closes, %u opens\n", summary.close, summary.open);
}

static void check_long(int counted) {
    uint64_t *const parens = malloc((LONG + 63) / 64 * sizeof *parens), state = 1;
    must(parens != NULL, "memory");
    for (size_t w = 0; w < (LONG + 63) / 64; w++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        parens[w] = state ^ state >> 29;
    }
    pm_vk_summary summary;
    const uint32_t *const match = match_run(parens, LONG, counted, &summary);
    const pm_status status = pm_match_verify(NULL, parens, LONG, match, NULL);
    printf("%u elements more: %s\n", LONG, status == PM_OK ? "right" : "wrong");
    free(parens);
}

int main(void) {
    instance_open();
    device_open();
    matcher_open();
    for (int counted = 0; counted < 2; counted++) {
        printf("the %s counts\n", counted ? "device" : "host");
        print_short(counted);
        check_long(counted);
    }
    matcher_close();
    device_close();
    return 0;
}
