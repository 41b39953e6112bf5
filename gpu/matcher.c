/* SPDX-License-Identifier: Apache-2.0 */
/* The pipeline `wide` on a device that is a caller's. */
#include "gpu/matcher.h"

#include "gpu/loader.h"
#include "gpu/matcher_parts.h"

_Static_assert(PM_VK_RANGE_UNIT == PM_TILE, "ranges are tiles");
_Static_assert(PM_MATCHER_BOXES_MAX == PM_BOXES_N_MAX, "one limit");

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

static void close_on_device(pm_vk_matcher *matcher) {
    pm_nodes_destroy(&matcher->device, &matcher->nodes);
    pm_boxes_destroy(&matcher->device, &matcher->boxes);
    pm_wide_destroy(&matcher->device, &matcher->slices);
    pm_planned_destroy(&matcher->device, &matcher->planned);
    pm_wide_destroy(&matcher->device, &matcher->wide);
    pm_device_close(&matcher->device);
}

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
    const pm_gpu_settings settings = {.team_kind = subgroups ? PM_TEAM_SUBGROUP : PM_TEAM_WORKGROUP,
                                      .graphics_queue = info->flags & PM_VK_GRAPHICS_QUEUE};
    status = pm_device_adopt(&vk, &physical, info->device, &settings, info->callbacks, info->pipeline_cache,
                             &matcher->device);
    if (status != PM_OK)
        return status;
    status = pm_wide_create(&matcher->device, &matcher->wide);
    matcher->counts = info->flags & PM_VK_COUNT_ON_DEVICE;
    if (status == PM_OK && matcher->counts)
        status = pm_planned_create(&matcher->device, &matcher->planned);
    matcher->takes_slices = info->flags & PM_VK_SLICES;
    if (status == PM_OK && matcher->takes_slices)
        status = pm_wide_create_sliced(&matcher->device, &matcher->slices);
    matcher->finds_boxes = info->flags & PM_VK_BOXES;
    if (status == PM_OK && matcher->finds_boxes)
        status = pm_boxes_create(&matcher->device, &matcher->boxes);
    matcher->scans_trees = info->flags & PM_VK_TREES;
    if (status == PM_OK && matcher->scans_trees)
        status = pm_nodes_create(&matcher->device, &matcher->nodes);
    if (status != PM_OK)
        close_on_device(matcher);
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
    return status == PM_NO_DEVICE ? PM_UNSUPPORTED : status; /* there is a device, but it will not do */
}

void pm_matcher_destroy(pm_vk_matcher *matcher) {
    close_on_device(matcher);
    const pm_allocator allocator = matcher->allocator; /* outlives the block it frees */
    allocator.free(matcher, allocator.user);
}

const pm_allocator *pm_matcher_allocator(const pm_vk_matcher *matcher) {
    return &matcher->allocator;
}

/* ---- Ranges of the match ---- */

typedef struct match_range {
    uint64_t index;
    uint32_t first_tile, tiles;
} match_range;

/* The range after those before it; false where there is none. */
static bool range_next(uint64_t n, uint64_t range_elements, match_range *r) {
    const uint64_t tiles = pm_wide_tiles((uint32_t)n), range_tiles = range_elements ? range_elements / PM_TILE : tiles;
    const uint64_t first = (uint64_t)r->first_tile + r->tiles, left = tiles - first;
    *r = (match_range){.index = first > 0 ? r->index + 1 : 0,
                       .first_tile = (uint32_t)first,
                       .tiles = (uint32_t)(left < range_tiles ? left : range_tiles)};
    return left > 0;
}

/* ---- Sizes ---- */

bool pm_matcher_counts(const pm_vk_matcher *matcher) {
    return matcher->counts;
}

static pm_plan_task reduce_task(const pm_vk_matcher *matcher, uint32_t n) {
    return pm_wide_reduce_task(&matcher->device, n, 0, pm_wide_superblocks(n));
}

static pm_plan_task match_task(const pm_vk_matcher *matcher, uint32_t n, const match_range *r) {
    return pm_wide_match_task(&matcher->device, n, r->first_tile, r->tiles);
}

static VkDeviceSize dispatches_bytes(const pm_vk_matcher *matcher, uint32_t n, uint64_t range_elements) {
    VkDeviceSize bytes = pm_planned_bytes(reduce_task(matcher, n));
    for (match_range r = {0}; range_next(n, range_elements, &r);)
        bytes += pm_planned_bytes(match_task(matcher, n, &r));
    return bytes;
}

pm_vk_sizes pm_matcher_sizes(const pm_vk_matcher *matcher, uint64_t n, uint64_t range_elements) {
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    const uint64_t range = range_elements && range_elements < n ? range_elements : n;
    pm_vk_sizes sizes = {.parens = {(n + 31) / 32 * 4, PM_MATCHER_ALIGNMENT, usage},
                         .match = {range * sizeof(uint32_t), PM_MATCHER_ALIGNMENT, usage},
                         .scratch = {pm_wide_scratch_bytes((uint32_t)n), PM_MATCHER_ALIGNMENT, usage},
                         .summary = {sizeof(pm_vk_summary), PM_MATCHER_ALIGNMENT_OF_WORDS, usage},
                         .count = {0, PM_MATCHER_ALIGNMENT_OF_WORDS, usage},
                         .dispatches = {0, PM_MATCHER_ALIGNMENT_OF_WORDS, usage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT}};
    if (matcher->counts) {
        sizes.count.size = sizeof(uint32_t);
        sizes.dispatches.size = dispatches_bytes(matcher, (uint32_t)n, range_elements);
    }
    return sizes;
}

/* ---- Recording ---- */

static VkDeviceAddress range_address(VkDeviceAddress match, const VkDeviceAddress *match_ranges,
                                     uint64_t range_elements, const match_range *r) {
    return range_elements ? match_ranges[r->index] : match;
}

/* By the length that the host knows. */
static void record_direct(const pm_vk_matcher *matcher, VkCommandBuffer commands, const pm_wide_parameters *parameters,
                          const pm_vk_match_info *info) {
    const pm_device *const device = &matcher->device;
    const pm_wide *const wide = &matcher->wide;
    if (info->n > 0) {
        pm_wide_record_reduce(device, commands, wide, *parameters, 0, parameters->superblocks);
        pm_wide_record_barrier(device, commands);
    }
    pm_wide_record_scan(device, commands, wide, *parameters);
    if (info->n > 0 && !pm_wide_is_short(device, wide, parameters->n))
        pm_wide_record_barrier(device, commands);
    for (match_range r = {0}; range_next(info->n, info->range_elements, &r);)
        pm_wide_record_match(device, commands, wide, *parameters, r.first_tile, r.tiles,
                             range_address(info->match, info->match_ranges, info->range_elements, &r));
}

/* By the length that the device will know. */
static void record_planned(const pm_vk_matcher *matcher, VkCommandBuffer commands, const pm_wide_parameters *parameters,
                           const pm_vk_match_info *info) {
    const pm_device *const device = &matcher->device;
    const pm_planned *const planned = &matcher->planned;
    const uint32_t n = parameters->n;
    const pm_plan_task reduce = reduce_task(matcher, n);
    const pm_plans begin = pm_plans_at(device, info->dispatches, info->dispatches_offset);

    pm_plans plans = pm_planned_record_plan(device, commands, planned, info->count, n, reduce, begin);
    for (match_range r = {0}; range_next(n, info->range_elements, &r);)
        plans = pm_planned_record_plan(device, commands, planned, info->count, n, match_task(matcher, n, &r), plans);
    pm_planned_record_barrier(device, commands);

    plans = pm_planned_record_reduce(device, commands, planned, *parameters, reduce, begin);
    pm_wide_record_barrier(device, commands);
    pm_planned_record_scan(device, commands, planned, *parameters, begin);
    pm_wide_record_barrier(device, commands);
    for (match_range r = {0}; range_next(n, info->range_elements, &r);)
        plans =
            pm_planned_record_match(device, commands, planned, *parameters, match_task(matcher, n, &r),
                                    range_address(info->match, info->match_ranges, info->range_elements, &r), plans);
}

void pm_matcher_record(const pm_vk_matcher *matcher, VkCommandBuffer commands, const pm_vk_match_info *info) {
    const pm_wide_parameters parameters =
        pm_wide_parameters_make((uint32_t)info->n, info->parens, info->scratch, info->summary);
    if (info->count && info->n > 0)
        record_planned(matcher, commands, &parameters, info);
    else
        record_direct(matcher, commands, &parameters, info);
}

/* ---- Slices ---- */

bool pm_matcher_takes_slices(const pm_vk_matcher *matcher) {
    return matcher->takes_slices;
}

static pm_wide_parameters slice_parameters(const pm_vk_slice_info *info) {
    pm_wide_parameters parameters =
        pm_wide_parameters_make((uint32_t)info->n, info->parens, info->scratch, info->summary);
    parameters.origin = (uint32_t)info->origin;
    parameters.incoming = info->incoming;
    parameters.incoming_count = (uint32_t)info->incoming_count;
    return parameters;
}

void pm_matcher_record_slice_reduce(const pm_vk_matcher *matcher, VkCommandBuffer commands,
                                    const pm_vk_slice_info *info) {
    const pm_wide_parameters parameters = slice_parameters(info);
    if (info->n > 0) {
        pm_wide_record_reduce(&matcher->device, commands, &matcher->slices, parameters, 0, parameters.superblocks);
        pm_wide_record_barrier(&matcher->device, commands);
    }
    pm_wide_record_scan(&matcher->device, commands, &matcher->slices, parameters);
    if (info->n > 0) {
        pm_wide_record_barrier(&matcher->device, commands);
        pm_wide_record_far(&matcher->device, commands, &matcher->slices, parameters);
    }
}

void pm_matcher_record_slice_stack(const pm_vk_matcher *matcher, VkCommandBuffer commands, const pm_vk_slice_info *info,
                                   VkDeviceAddress stack, uint32_t count) {
    if (info->n > 0)
        pm_wide_record_stack(&matcher->device, commands, &matcher->slices, slice_parameters(info), 0, count, stack);
}

void pm_matcher_record_slice_match(const pm_vk_matcher *matcher, VkCommandBuffer commands, const pm_vk_slice_info *info,
                                   bool again) {
    const pm_wide_parameters parameters = slice_parameters(info);
    for (match_range r = {0}; range_next(info->n, info->range_elements, &r);)
        (again ? pm_wide_record_match_far
               : pm_wide_record_match)(&matcher->device, commands, &matcher->slices, parameters, r.first_tile, r.tiles,
                                       range_address(info->match, info->match_ranges, info->range_elements, &r));
}

/* ---- Boxes ---- */

bool pm_matcher_finds_boxes(const pm_vk_matcher *matcher) {
    return matcher->finds_boxes;
}

pm_vk_box_sizes pm_matcher_box_sizes(const pm_vk_matcher *matcher, uint64_t n) {
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    const VkDeviceSize scratch = n > 0 ? pm_boxes_scratch_bytes(&matcher->boxes, (uint32_t)n) : 0;
    const VkDeviceSize dispatches = n > 0 ? pm_boxes_dispatches_bytes(&matcher->device, (uint32_t)n) : 0;
    return (pm_vk_box_sizes){
        .kinds = {(n + 3) / 4 * 4, PM_MATCHER_ALIGNMENT, usage},
        .boxes = {n * sizeof(pm_box), PM_MATCHER_ALIGNMENT, usage},
        .results = {n * sizeof(pm_box), PM_MATCHER_ALIGNMENT, usage},
        .scratch = {scratch, PM_MATCHER_ALIGNMENT, usage},
        .dispatches = {dispatches, PM_MATCHER_ALIGNMENT_OF_WORDS, usage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT}};
}

void pm_matcher_record_boxes(const pm_vk_matcher *matcher, VkCommandBuffer commands, const pm_vk_boxes_info *info) {
    pm_boxes_scene scene = {.n = (uint32_t)info->n,
                            .kinds = info->kinds,
                            .boxes = info->boxes,
                            .results = info->results,
                            .scratch = info->scratch};
    if (info->dispatches)
        scene.dispatches = pm_plans_at(&matcher->device, info->dispatches, info->dispatches_offset);
    pm_boxes_record_all(&matcher->device, commands, &matcher->boxes, &scene);
}

/* ---- Trees ---- */

bool pm_matcher_scans_trees(const pm_vk_matcher *matcher) {
    return matcher->scans_trees;
}
