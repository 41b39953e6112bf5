/* SPDX-License-Identifier: Apache-2.0 */
/* What a device must have: Vulkan 1.2, buffer device addresses, a queue that computes. What it may have: subgroups. */
#include "gpu/device.h"

#include <string.h>

#include "gpu/loader.h"
#include "shaders/layout.h"

/* Kinds of devices, and how much work a dispatch may be: by the slowest of the kind, a tenth of a second or so. */
static const struct {
    VkPhysicalDeviceType type;
    int rank; /* greater is better */
    uint32_t dispatch_tiles;
} kinds[] = {
    {VK_PHYSICAL_DEVICE_TYPE_CPU, 1, 1u << 13},          {VK_PHYSICAL_DEVICE_TYPE_OTHER, 2, 1u << 13},
    {VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU, 3, 1u << 17},  {VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, 4, 1u << 17},
    {VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, 5, 1u << 20},
};

static size_t kind_of(VkPhysicalDeviceType type) {
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (kinds[k].type == type)
            return k;
    return 1; /* a type of later versions: OTHER */
}

/* ---- Properties and features of a physical device ---- */

typedef struct candidate {
    VkPhysicalDevice physical;
    size_t kind;
    uint32_t queue_family;
    uint32_t timestamp_bits;
    bool size_control_by_extension; /* else of version 1.3 */
    VkPhysicalDeviceProperties2 properties;
    VkPhysicalDeviceIDProperties id;
    VkPhysicalDeviceSubgroupProperties subgroup;
    VkPhysicalDeviceMaintenance3Properties allocation;
    VkPhysicalDeviceSubgroupSizeControlProperties size_control;
    VkPhysicalDeviceSubgroupSizeControlFeatures size_control_features;
} candidate;

static bool has_extension(const pm_vk *vk, VkPhysicalDevice physical, const char *name) {
    VkExtensionProperties extensions[512];
    uint32_t count = sizeof extensions / sizeof *extensions;
    if (vk->EnumerateDeviceExtensionProperties(physical, NULL, &count, extensions) < 0)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(extensions[i].extensionName, name) == 0)
            return true;
    return false;
}

/* A family that computes: one that does not draw is preferred, because drivers give it more of the workgroups' memory,
 * or one that does, if that is asked for. False if there is none. */
static bool queue_family_choose(const pm_vk *vk, bool draw, candidate *c) {
    VkQueueFamilyProperties families[32];
    uint32_t count = sizeof families / sizeof *families;
    vk->GetPhysicalDeviceQueueFamilyProperties(c->physical, &count, families);
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

/* Reads what the device is and has; false if it lacks what is needed. */
static bool candidate_read(const pm_vk *vk, VkPhysicalDevice physical, const pm_gpu_settings *settings, candidate *c) {
    VkPhysicalDeviceProperties basic;
    vk->GetPhysicalDeviceProperties(physical, &basic);
    *c = (candidate){.physical = physical, .kind = kind_of(basic.deviceType)};
    if (basic.apiVersion < VK_API_VERSION_1_2 || !queue_family_choose(vk, settings->graphics_queue, c))
        return false;
    c->size_control_by_extension = basic.apiVersion < VK_API_VERSION_1_3;
    const bool size_control =
        !c->size_control_by_extension || has_extension(vk, physical, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);

    c->size_control.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES;
    c->allocation =
        (VkPhysicalDeviceMaintenance3Properties){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES,
                                                 .pNext = size_control ? &c->size_control : NULL};
    c->subgroup = (VkPhysicalDeviceSubgroupProperties){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
                                                       .pNext = &c->allocation};
    c->id =
        (VkPhysicalDeviceIDProperties){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES, .pNext = &c->subgroup};
    c->properties =
        (VkPhysicalDeviceProperties2){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &c->id};
    vk->GetPhysicalDeviceProperties2(physical, &c->properties);

    c->size_control_features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES;
    VkPhysicalDeviceBufferDeviceAddressFeatures address = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
        .pNext = size_control ? &c->size_control_features : NULL};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &address};
    vk->GetPhysicalDeviceFeatures2(physical, &features);
    return address.bufferDeviceAddress;
}

/* A subgroup can be a team: it has 32 invocations, all of them always, and all operations of shaders/lanes.glsl. */
static bool subgroup_is_team(const candidate *c) {
    const VkSubgroupFeatureFlags operations =
        VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT |
        VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT;
    return c->size_control_features.subgroupSizeControl && c->size_control_features.computeFullSubgroups &&
           c->size_control.minSubgroupSize <= PM_LANES && c->size_control.maxSubgroupSize >= PM_LANES &&
           (c->size_control.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) &&
           (c->subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) &&
           (c->subgroup.supportedOperations & operations) == operations;
}

static uint32_t least_of(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static pm_capabilities capabilities_of(const candidate *c, const pm_gpu_settings *settings) {
    const VkPhysicalDeviceLimits *const limits = &c->properties.properties.limits;
    const bool subgroups = settings->team_kind != PM_TEAM_WORKGROUP && subgroup_is_team(c);
    const uint32_t invocations = least_of(limits->maxComputeWorkGroupInvocations, limits->maxComputeWorkGroupSize[0]);
    return (pm_capabilities){
        .team_kind = subgroups ? PM_TEAM_SUBGROUP : PM_TEAM_WORKGROUP,
        .workgroup_teams =
            subgroups ? least_of(invocations / PM_LANES, c->size_control.maxComputeWorkgroupSubgroups) : 1,
        .dispatch_workgroups = limits->maxComputeWorkGroupCount[0],
        .dispatch_tiles = settings->dispatch_tiles ? (uint32_t)settings->dispatch_tiles : kinds[c->kind].dispatch_tiles,
        .reduce_superblocks = (uint32_t)settings->workgroup_superblocks,
        .match_tiles = (uint32_t)settings->workgroup_tiles,
        .workgroup_invocations = invocations,
        .workgroup_bytes = limits->maxComputeSharedMemorySize,
        .partition_invocations = (uint32_t)settings->workgroup_invocations,
        .lookback_stall = (uint32_t)settings->lookback_stall,
        .lookback_late = settings->lookback_late,
        .allocation_bytes = c->allocation.maxMemoryAllocationSize,
        .tick_ns = c->timestamp_bits > 0 ? (double)limits->timestampPeriod : 0};
}

/* ---- Choosing ---- */

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
    return !device || *device == '\0' || decimal(device) == (int)index || is_uuid(device, c->id.deviceUUID);
}

/* The best usable device, the first of those of one kind. False if there is none. */
static bool candidate_choose(const pm_vk *vk, VkInstance instance, const pm_gpu_settings *settings, candidate *best) {
    VkPhysicalDevice devices[32];
    uint32_t count = sizeof devices / sizeof *devices;
    if (vk->EnumeratePhysicalDevices(instance, &count, devices) < 0)
        return false;
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        candidate c;
        if (!candidate_read(vk, devices[i], settings, &c) || !is_asked_for(&c, i, settings->device))
            continue;
        if (kinds[c.kind].type == VK_PHYSICAL_DEVICE_TYPE_CPU && !settings->allow_cpu_device)
            continue;
        if (settings->team_kind == PM_TEAM_SUBGROUP && !subgroup_is_team(&c))
            continue;
        if (found && kinds[c.kind].rank <= kinds[best->kind].rank)
            continue;
        *best = c;
        found = true;
    }
    return found;
}

/* ---- Opening ---- */

static VkResult device_create(pm_device *device, const candidate *c) {
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
                                     .enabledExtensionCount = subgroups && c->size_control_by_extension,
                                     .ppEnabledExtensionNames = &extension};
    return device->vk->CreateDevice(c->physical, &info, NULL, &device->handle);
}

static VkResult layout_create(pm_device *device) {
    const VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = PM_PUSH_BYTES};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &range};
    return device->vk->CreatePipelineLayout(device->handle, &info, NULL, &device->layout);
}

/* The physical device's part, on an instance that is open. */
static pm_status open_on_instance(const pm_gpu_settings *settings, pm_device *device) {
    candidate chosen = {0};
    if (!candidate_choose(device->vk, device->instance.handle, settings, &chosen))
        return PM_NO_DEVICE;
    device->physical = chosen.physical;
    device->queue_family = chosen.queue_family;
    device->can = capabilities_of(&chosen, settings);
    memcpy(device->name, chosen.properties.properties.deviceName, sizeof device->name);
    device->vk->GetPhysicalDeviceMemoryProperties(device->physical, &device->memory);
    pm_status status = pm_vk_status(device_create(device, &chosen));
    if (status == PM_OK)
        status = pm_loader_device(&device->instance.vk, device->handle);
    if (status == PM_OK)
        status = pm_vk_status(layout_create(device));
    if (status == PM_OK)
        device->vk->GetDeviceQueue(device->handle, device->queue_family, 0, &device->queue);
    return status;
}

pm_status pm_device_open(const pm_gpu_settings *settings, pm_device *device) {
    *device = (pm_device){0};
    pm_status status = pm_instance_open(settings, &device->instance);
    if (status != PM_OK)
        return status;
    device->vk = &device->instance.vk;
    status = open_on_instance(settings, device);
    if (status != PM_OK)
        pm_device_close(device);
    return status;
}

void pm_device_close(pm_device *device) {
    const pm_vk *const vk = device->vk;
    if (device->layout)
        vk->DestroyPipelineLayout(device->handle, device->layout, NULL);
    if (device->handle && vk->DestroyDevice)
        vk->DestroyDevice(device->handle, NULL);
    if (vk)
        pm_instance_close(&device->instance);
    *device = (pm_device){0};
}

void pm_device_barrier(const pm_device *device, VkCommandBuffer commands, VkPipelineStageFlags after,
                       VkAccessFlags written, VkPipelineStageFlags before, VkAccessFlags used) {
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = written, .dstAccessMask = used};
    device->vk->CmdPipelineBarrier(commands, after, before, 0, 1, &barrier, 0, NULL, 0, NULL);
}
