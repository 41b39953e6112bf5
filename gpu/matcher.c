/* SPDX-License-Identifier: Apache-2.0 */
/* The pipeline `wide` on a device that is a caller's. */
#include "gpu/matcher.h"

#include "gpu/loader.h"
#include "gpu/wide.h"

struct pm_vk_matcher {
    pm_allocator allocator;
    pm_device device;
    pm_wide wide;
};

/* ---- Before there is a device ---- */

/* The functions of the caller's instance, and what the physical device is and has. */
static pm_status physical_read(VkInstance instance, VkPhysicalDevice handle,
                               PFN_vkGetInstanceProcAddr get_instance_proc_addr, pm_vk *vk, pm_physical *physical) {
    *vk = (pm_vk){.GetInstanceProcAddr = get_instance_proc_addr};
    const bool fine = pm_loader_instance(vk, instance) == PM_OK && pm_physical_read(vk, handle, physical);
    return fine ? PM_OK : PM_UNSUPPORTED;
}

pm_status pm_matcher_requirements(VkInstance instance, VkPhysicalDevice physical_device,
                                  PFN_vkGetInstanceProcAddr get_instance_proc_addr, pm_vk_requirements *requirements) {
    pm_vk vk;
    pm_physical physical;
    const pm_status status = physical_read(instance, physical_device, get_instance_proc_addr, &vk, &physical);
    if (status != PM_OK)
        return status;
    const bool subgroups = pm_physical_subgroup_is_team(&physical);
    *requirements = (pm_vk_requirements){.api_version = VK_API_VERSION_1_2,
                                         .buffer_device_address = VK_TRUE,
                                         .subgroup_size_control = subgroups,
                                         .compute_full_subgroups = subgroups};
    if (subgroups && physical.size_control_by_extension)
        requirements->extensions[requirements->extension_count++] = VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME;
    return PM_OK;
}

/* ---- Creating ---- */

static pm_status create_on_device(const pm_vk_matcher_info *info, pm_vk_matcher *matcher) {
    pm_vk vk;
    pm_physical physical;
    pm_status status =
        physical_read(info->instance, info->physical_device, info->get_instance_proc_addr, &vk, &physical);
    if (status != PM_OK)
        return status;
    const bool subgroups = info->flags & PM_VK_SUBGROUPS;
    if (subgroups && !pm_physical_subgroup_is_team(&physical))
        return PM_UNSUPPORTED;
    const pm_gpu_settings settings = {.team_kind = subgroups ? PM_TEAM_SUBGROUP : PM_TEAM_WORKGROUP};
    status = pm_device_adopt(&vk, &physical, info->device, &settings, info->callbacks, info->pipeline_cache,
                             &matcher->device);
    if (status != PM_OK)
        return status == PM_NO_DEVICE ? PM_UNSUPPORTED : status;
    status = pm_wide_create(&matcher->device, &matcher->wide);
    if (status != PM_OK)
        pm_device_close(&matcher->device);
    matcher->device.cache = VK_NULL_HANDLE; /* it is the caller's, and may be gone from now on */
    return status;
}

pm_status pm_matcher_create(const pm_vk_matcher_info *info, pm_vk_matcher **matcher) {
    pm_vk_matcher *const created = info->allocator.alloc(sizeof *created, info->allocator.user);
    if (!created)
        return PM_OUT_OF_MEMORY;
    *created = (pm_vk_matcher){.allocator = info->allocator};
    const pm_status status = create_on_device(info, created);
    if (status == PM_OK)
        *matcher = created;
    else
        info->allocator.free(created, info->allocator.user);
    return status;
}

void pm_matcher_destroy(pm_vk_matcher *matcher) {
    pm_wide_destroy(&matcher->device, &matcher->wide);
    pm_device_close(&matcher->device);
    const pm_allocator allocator = matcher->allocator; /* outlives the block it frees */
    allocator.free(matcher, allocator.user);
}

/* ---- Recording ---- */

pm_vk_sizes pm_matcher_sizes(uint64_t n) {
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    return (pm_vk_sizes){.parens = {(n + 31) / 32 * 4, PM_MATCHER_ALIGNMENT, usage},
                         .match = {n * sizeof(uint32_t), PM_MATCHER_ALIGNMENT, usage},
                         .scratch = {pm_wide_scratch_bytes((uint32_t)n), PM_MATCHER_ALIGNMENT, usage},
                         .summary = {sizeof(pm_vk_summary), PM_MATCHER_ALIGNMENT_OF_WORDS, usage}};
}

static void record_match(const pm_vk_matcher *matcher, VkCommandBuffer commands, const pm_wide_parameters *parameters,
                         const pm_vk_match_info *info) {
    const uint32_t tiles = pm_wide_tiles(parameters->n);
    const uint64_t range_tiles = info->range_elements ? info->range_elements / PM_TILE : tiles;
    for (uint64_t first = 0, range = 0; first < tiles; first += range_tiles, range++) {
        const uint64_t left = tiles - first;
        pm_wide_record_match(&matcher->device, commands, &matcher->wide, *parameters, (uint32_t)first,
                             (uint32_t)(left < range_tiles ? left : range_tiles),
                             info->range_elements ? info->match_ranges[range] : info->match);
    }
}

void pm_matcher_record(const pm_vk_matcher *matcher, VkCommandBuffer commands, const pm_vk_match_info *info) {
    const pm_device *const device = &matcher->device;
    const pm_wide_parameters parameters =
        pm_wide_parameters_make((uint32_t)info->n, info->parens, info->scratch, info->summary);
    if (info->n > 0) {
        pm_wide_record_reduce(device, commands, &matcher->wide, parameters, 0, parameters.superblocks);
        pm_wide_record_barrier(device, commands);
    }
    pm_wide_record_scan(device, commands, &matcher->wide, parameters);
    if (info->n > 0) {
        pm_wide_record_barrier(device, commands);
        record_match(matcher, commands, &parameters, info);
    }
}
