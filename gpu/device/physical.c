/* SPDX-License-Identifier: Apache-2.0 */
/* A device must have Vulkan 1.2 and buffer device addresses, and may have subgroups of 32. */
#include "gpu/device/device.h"

#include <string.h>

#include "base/sizes.h"
#include "shaders/shared/layout.h"

/* Kinds of devices; the work of a dispatch, about a tenth of a second on the slowest of the kind; and whether they
 * share the host's memory, so that copies are useless. */
static const struct {
    VkPhysicalDeviceType type;
    const char *name;
    int rank;
    uint32_t dispatch_tiles;
    pmi_transfer transfer;
} kinds[] = {
    {VK_PHYSICAL_DEVICE_TYPE_CPU, "cpu", 1, 1u << 13, PM_TRANSFER_MAPPED},
    {VK_PHYSICAL_DEVICE_TYPE_OTHER, "other", 2, 1u << 13, PM_TRANSFER_STAGED},
    {VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU, "virtual", 3, 1u << 17, PM_TRANSFER_STAGED},
    {VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, "integrated", 4, 1u << 17, PM_TRANSFER_MAPPED},
    {VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, "discrete", 5, 1u << 20, PM_TRANSFER_STAGED},
};

static size_t kind_of_type(VkPhysicalDeviceType type) {
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (kinds[k].type == type)
            return k;
    return 1; /* a type of later versions: OTHER */
}

static size_t kind_of(const pmi_physical *physical) {
    return kind_of_type(physical->properties.properties.deviceType);
}

const char *pmi_physical_kind(VkPhysicalDeviceType type) {
    return kinds[kind_of_type(type)].name;
}

int pmi_physical_rank(const pmi_physical *physical) {
    return kinds[kind_of(physical)].rank;
}

static bool has_extension(const pmi_vk *vk, VkPhysicalDevice device, const char *name) {
    VkExtensionProperties extensions[512];
    uint32_t count = sizeof extensions / sizeof *extensions;
    if (vk->EnumerateDeviceExtensionProperties(device, NULL, &count, extensions) < 0)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(extensions[i].extensionName, name) == 0)
            return true;
    return false;
}

bool pmi_physical_read(const pmi_vk *vk, VkPhysicalDevice device, pmi_physical *p) {
    VkPhysicalDeviceProperties basic;
    vk->GetPhysicalDeviceProperties(device, &basic);
    *p = (pmi_physical){.handle = device};
    if (basic.apiVersion < VK_API_VERSION_1_2)
        return false;
    p->size_control_by_extension = has_extension(vk, device, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
    const bool size_control = p->size_control_by_extension || basic.apiVersion >= VK_API_VERSION_1_3;

    p->size_control.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES;
    p->allocation =
        (VkPhysicalDeviceMaintenance3Properties){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES,
                                                 .pNext = size_control ? &p->size_control : NULL};
    p->subgroup = (VkPhysicalDeviceSubgroupProperties){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
                                                       .pNext = &p->allocation};
    p->id =
        (VkPhysicalDeviceIDProperties){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES, .pNext = &p->subgroup};
    p->properties =
        (VkPhysicalDeviceProperties2){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &p->id};
    vk->GetPhysicalDeviceProperties2(device, &p->properties);

    p->size_control_features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES;
    VkPhysicalDeviceBufferDeviceAddressFeatures address = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
        .pNext = size_control ? &p->size_control_features : NULL};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &address};
    vk->GetPhysicalDeviceFeatures2(device, &features);
    return address.bufferDeviceAddress;
}

bool pmi_physical_subgroup_is_team(const pmi_physical *p) {
    const VkSubgroupFeatureFlags operations =
        VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT |
        VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT;
    return p->size_control_features.subgroupSizeControl && p->size_control_features.computeFullSubgroups &&
           p->size_control.minSubgroupSize <= PM_LANES && p->size_control.maxSubgroupSize >= PM_LANES &&
           (p->size_control.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) &&
           (p->subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) &&
           (p->subgroup.supportedOperations & operations) == operations;
}

pmi_capabilities pmi_physical_capabilities(const pmi_physical *p, const pmi_gpu_settings *settings) {
    const VkPhysicalDeviceLimits *const limits = &p->properties.properties.limits;
    const bool subgroups = settings->team_kind != PM_TEAM_WORKGROUP && pmi_physical_subgroup_is_team(p);
    const uint32_t invocations = pmi_min32(limits->maxComputeWorkGroupInvocations, limits->maxComputeWorkGroupSize[0]);
    return (pmi_capabilities){
        .type = p->properties.properties.deviceType,
        .team_kind = subgroups ? PM_TEAM_SUBGROUP : PM_TEAM_WORKGROUP,
        .workgroup_teams =
            subgroups ? pmi_min32(invocations / PM_LANES, p->size_control.maxComputeWorkgroupSubgroups) : 1,
        .dispatch_workgroups = limits->maxComputeWorkGroupCount[0],
        .dispatch_tiles =
            settings->dispatch_tiles ? (uint32_t)settings->dispatch_tiles : kinds[kind_of(p)].dispatch_tiles,
        .reduce_superblocks = (uint32_t)settings->workgroup_superblocks,
        .match_tiles = (uint32_t)settings->workgroup_tiles,
        .short_superblocks = settings->scan_always ? 0 : PM_SHORT_SUPERBLOCKS,
        /* Drivers give a queue that draws less shared memory, so fewer workgroups run at a time. */
        .match_stack = settings->match_stack      ? (uint32_t)settings->match_stack
                       : settings->graphics_queue ? PM_TILE / 2
                                                  : PM_TILE,
        .workgroup_invocations = invocations,
        .workgroup_bytes = limits->maxComputeSharedMemorySize,
        .partition_invocations = (uint32_t)settings->workgroup_invocations,
        .transfer = settings->transfer ? settings->transfer : kinds[kind_of(p)].transfer,
        .lookback_stall = (uint32_t)settings->lookback_stall,
        .lookback_late = settings->lookback_late,
        .block_tiles = (uint32_t)settings->block_tiles,
        .piece_blocks = (uint32_t)settings->piece_blocks,
        .tile_nodes = (uint32_t)settings->tile_nodes,
        .allocation_bytes = p->allocation.maxMemoryAllocationSize};
}
