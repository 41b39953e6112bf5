/* SPDX-License-Identifier: Apache-2.0 */
/* Choosing a device and its queue; opening it, or taking one that is open. */
#include "gpu/device/device.h"

#include <stdio.h>
#include <string.h>

#include "gpu/gpu.h"

#include "gpu/device/vulkan.h"

/* ---- Choosing ---- */

enum {
    DEVICES_MAX = 32 /* the others are ignored */
};

/* A device that may be chosen, and its queue. */
typedef struct candidate {
    pmi_physical physical;
    uint32_t queue_family;
    uint32_t timestamp_bits;
} candidate;

/* Chooses a family that computes. It prefers one that does not draw, because drivers give it more shared memory, or one
 * that draws, if that is asked for. */
static bool queue_family_choose(const pmi_vk *vk, bool draw, candidate *c) {
    VkQueueFamilyProperties families[32];
    uint32_t count = sizeof families / sizeof *families;
    vk->GetPhysicalDeviceQueueFamilyProperties(c->physical.handle, &count, families);
    bool found = false;
    for (uint32_t f = 0; f < count; f++) {
        const VkQueueFlags flags = families[f].queueFlags;
        const bool preferred = !(flags & VK_QUEUE_GRAPHICS_BIT) == !draw;
        if (families[f].queueCount == 0 || !(flags & VK_QUEUE_COMPUTE_BIT) || (found && !preferred))
            continue;
        c->queue_family = f;
        c->timestamp_bits = families[f].timestampValidBits;
        found = true;
        if (preferred)
            break;
    }
    return found;
}

/* The number that the text is, or -1. */
static int decimal(const char *text) {
    const size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 3 || text[digits] != '\0')
        return -1;
    int value = 0;
    for (size_t i = 0; i < digits; i++)
        value = 10 * value + (text[i] - '0');
    return value;
}

/* The text is this UUID, in hexadecimal digits, with hyphens anywhere. */
static bool is_uuid(const char *text, const uint8_t uuid[VK_UUID_SIZE]) {
    static const char digits[] = "0123456789abcdef", capitals[] = "0123456789ABCDEF";
    size_t nibble = 0;
    for (; *text; text++) {
        if (*text == '-')
            continue;
        if (nibble == 2 * VK_UUID_SIZE)
            return false;
        const unsigned value = uuid[nibble / 2] >> (nibble % 2 ? 0 : 4) & 15;
        if (*text != digits[value] && *text != capitals[value])
            return false;
        nibble++;
    }
    return nibble == 2 * VK_UUID_SIZE;
}

static bool is_asked_for(const candidate *c, uint32_t index, const char *device) {
    return !device || *device == '\0' || decimal(device) == (int)index || is_uuid(device, c->physical.id.deviceUUID);
}

/* Chooses the best usable device, and the first of several of that kind. */
static pm_status candidate_choose(const pmi_vk *vk, VkInstance instance, const pmi_gpu_settings *settings,
                                  candidate *best) {
    VkPhysicalDevice devices[DEVICES_MAX];
    uint32_t count = DEVICES_MAX;
    const pm_status status = pmi_vk_status(vk->EnumeratePhysicalDevices(instance, &count, devices));
    if (status != PM_OK)
        return status;
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        candidate c;
        if (!pmi_physical_read(vk, devices[i], &c.physical) || !queue_family_choose(vk, settings->graphics_queue, &c) ||
            !is_asked_for(&c, i, settings->device))
            continue;
        if (c.physical.properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU && !settings->allow_cpu_device)
            continue;
        if (settings->team_kind == PM_TEAM_SUBGROUP && !pmi_physical_subgroup_is_team(&c.physical))
            continue;
        if (found && pmi_physical_rank(&c.physical) <= pmi_physical_rank(&best->physical))
            continue;
        *best = c;
        found = true;
    }
    return found ? PM_OK : PM_NO_DEVICE;
}

/* ---- Describing ---- */

static void uuid_write(const pmi_physical *physical, char *text) {
    for (size_t i = 0; i < VK_UUID_SIZE; i++)
        snprintf(text + 2 * i, 3, "%02x", physical->id.deviceUUID[i]);
}

static uint64_t largest_own_heap(const pmi_vk *vk, VkPhysicalDevice device) {
    VkPhysicalDeviceMemoryProperties memory;
    uint64_t largest = 0;
    vk->GetPhysicalDeviceMemoryProperties(device, &memory);
    for (uint32_t h = 0; h < memory.memoryHeapCount; h++)
        if ((memory.memoryHeaps[h].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) && memory.memoryHeaps[h].size > largest)
            largest = memory.memoryHeaps[h].size;
    return largest;
}

static void describe(const pmi_vk *vk, VkPhysicalDevice device, const pmi_gpu_settings *settings,
                     pm_device_info *info) {
    VkPhysicalDeviceProperties basic;
    candidate c;
    vk->GetPhysicalDeviceProperties(device, &basic);
    _Static_assert(sizeof info->name == sizeof basic.deviceName, "a name is copied whole");
    memcpy(info->name, basic.deviceName, sizeof info->name);
    info->kind = pmi_physical_kind(basic.deviceType);
    info->memory = largest_own_heap(vk, device);
    const bool able = pmi_physical_read(vk, device, &c.physical);
    if (basic.apiVersion >= VK_API_VERSION_1_2)
        uuid_write(&c.physical, info->uuid);
    if (!able)
        info->trouble = "it lacks Vulkan 1.2 with buffer device addresses";
    else if (!queue_family_choose(vk, settings->graphics_queue, &c))
        info->trouble = "it has no queue that computes";
    else if (basic.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU && !settings->allow_cpu_device)
        info->trouble = "it is a CPU; PARENMATCH_ALLOW_CPU_DEVICE=1 allows it";
}

pm_status pmi_gpu_describe(const pmi_gpu_settings *settings, size_t index, pm_device_info *info) {
    pmi_instance instance;
    pm_status status = pmi_instance_open(settings, &instance);
    if (status != PM_OK)
        return status;
    VkPhysicalDevice devices[DEVICES_MAX];
    uint32_t count = DEVICES_MAX;
    status = pmi_vk_status(instance.vk.EnumeratePhysicalDevices(instance.handle, &count, devices));
    if (status == PM_OK && index >= count)
        status = PM_NO_DEVICE;
    if (status == PM_OK)
        describe(&instance.vk, devices[index], settings, info);
    pmi_instance_close(&instance);
    return status;
}

/* ---- Opening ---- */

static VkResult device_create(pmi_device *device, const candidate *c) {
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = c->queue_family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    VkPhysicalDeviceSubgroupSizeControlFeatures size_control = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
        .subgroupSizeControl = VK_TRUE,
        .computeFullSubgroups = VK_TRUE};
    const bool subgroups = device->can.team_kind == PM_TEAM_SUBGROUP;
    const VkPhysicalDeviceBufferDeviceAddressFeatures address = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
        .pNext = subgroups ? &size_control : NULL,
        .bufferDeviceAddress = VK_TRUE};
    const char *const extension = VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME;
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &address,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = subgroups && c->physical.size_control_by_extension,
                                     .ppEnabledExtensionNames = &extension};
    return pmi_vk_created(device->vk->CreateDevice(c->physical.handle, &info, NULL, &device->handle), &device->handle,
                          sizeof device->handle);
}

static VkResult layout_create(pmi_device *device) {
    const VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = PM_PUSH_BYTES};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &range};
    return pmi_vk_created(device->vk->CreatePipelineLayout(device->handle, &info, device->callbacks, &device->layout),
                          &device->layout, sizeof device->layout);
}

static void key_write(const pmi_physical *physical, char *key) {
    uuid_write(physical, key);
    snprintf(key + 2 * (size_t)VK_UUID_SIZE, 10, "-%08x", physical->properties.properties.driverVersion);
}

/* The physical device's part, on an instance that is open. */
static pm_status open_on_instance(const pmi_gpu_settings *settings, pmi_device *device) {
    candidate chosen = {0};
    pm_status status = candidate_choose(device->vk, device->instance.handle, settings, &chosen);
    if (status != PM_OK)
        return status;
    const VkPhysicalDeviceProperties *const properties = &chosen.physical.properties.properties;
    device->physical = chosen.physical.handle;
    device->queue_family = chosen.queue_family;
    device->tick_ns = chosen.timestamp_bits > 0 ? (double)properties->limits.timestampPeriod : 0;
    device->can = pmi_physical_capabilities(&chosen.physical, settings);
    memcpy(device->name, properties->deviceName, sizeof device->name);
    key_write(&chosen.physical, device->key);
    device->vk->GetPhysicalDeviceMemoryProperties(device->physical, &device->memory);
    status = pmi_vk_status(device_create(device, &chosen));
    if (status == PM_OK)
        status = pmi_loader_device(&device->instance.vk, device->handle);
    if (status == PM_OK)
        status = pmi_vk_status(layout_create(device));
    if (status == PM_OK)
        device->vk->GetDeviceQueue(device->handle, device->queue_family, 0, &device->queue);
    return status;
}

pm_status pmi_device_open(const pmi_gpu_settings *settings, pmi_device *device) {
    *device = (pmi_device){0};
    pm_status status = pmi_instance_open(settings, &device->instance);
    if (status != PM_OK)
        return status;
    device->vk = &device->instance.vk;
    status = open_on_instance(settings, device);
    if (status != PM_OK)
        pmi_device_close(device);
    return status;
}

pm_status pmi_device_adopt(const pmi_vk *vk, const pmi_physical *physical, VkDevice handle,
                           const pmi_gpu_settings *settings, const VkAllocationCallbacks *callbacks,
                           VkPipelineCache cache, pmi_device *device) {
    *device = (pmi_device){.instance = {.vk = *vk},
                           .physical = physical->handle,
                           .handle = handle,
                           .adopted = true,
                           .cache = cache,
                           .can = pmi_physical_capabilities(physical, settings)};
    device->vk = &device->instance.vk;
    if (callbacks) {
        device->own_callbacks = *callbacks;
        device->callbacks = &device->own_callbacks;
    }
    pm_status status = pmi_loader_device(&device->instance.vk, handle);
    if (status == PM_OK)
        status = pmi_vk_status(layout_create(device));
    if (status != PM_OK)
        pmi_device_close(device);
    return status;
}

void pmi_device_close(pmi_device *device) {
    const pmi_vk *const vk = device->vk;
    if (device->layout)
        vk->DestroyPipelineLayout(device->handle, device->layout, device->callbacks);
    if (device->handle && !device->adopted && vk->DestroyDevice)
        vk->DestroyDevice(device->handle, NULL);
    if (vk && !device->adopted)
        pmi_instance_close(&device->instance);
    *device = (pmi_device){0};
}

void pmi_device_barrier(const pmi_device *device, VkCommandBuffer commands, VkPipelineStageFlags after,
                        VkAccessFlags written, VkPipelineStageFlags before, VkAccessFlags used) {
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = written, .dstAccessMask = used};
    device->vk->CmdPipelineBarrier(commands, after, before, 0, 1, &barrier, 0, NULL, 0, NULL);
}

void pmi_shader_barrier(const pmi_device *device, VkCommandBuffer commands) {
    pmi_device_barrier(device, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}
