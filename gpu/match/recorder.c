/* SPDX-License-Identifier: Apache-2.0 */
/* The pipelines `direct` and `levels`, batches, slices and boxes on a caller's device. */
#include "gpu/match/recorder.h"

#include "base/memory.h"
#include "gpu/device/vulkan.h"

_Static_assert(PM_VK_RANGE_UNIT == PM_TILE, "ranges are tiles");
_Static_assert(PM_RECORDER_BOXES_MAX == PM_BOXES_N_MAX, "one limit");
_Static_assert(PM_BOXES_NO_CLIPS == (int)PM_VK_NO_CLIPS && PM_BOXES_NO_BLENDS == (int)PM_VK_NO_BLENDS, "the same bits");

/* ---- Requirements ---- */

/* Looks up the functions of the caller's instance, and reads the physical device's properties. */
static pm_status physical_read(VkInstance instance, VkPhysicalDevice handle,
                               PFN_vkGetInstanceProcAddr get_instance_proc_addr, pmi_vk *vk, pmi_physical *physical) {
    *vk = (pmi_vk){.GetInstanceProcAddr = get_instance_proc_addr};
    const bool fine = pmi_loader_instance(vk, instance) == PM_OK && pmi_physical_read(vk, handle, physical);
    return fine ? PM_OK : PM_UNSUPPORTED;
}

pm_status pmi_recorder_requirements(VkInstance instance, VkPhysicalDevice physical_device,
                                    PFN_vkGetInstanceProcAddr get_instance_proc_addr,
                                    pm_vk_requirements *requirements) {
    pmi_vk vk;
    pmi_physical physical;
    const pm_status status = physical_read(instance, physical_device, get_instance_proc_addr, &vk, &physical);
    if (status != PM_OK)
        return status;
    const bool subgroups = pmi_physical_subgroup_is_team(&physical);
    *requirements = (pm_vk_requirements){.api_version = VK_API_VERSION_1_2,
                                         .buffer_device_address = VK_TRUE,
                                         .subgroup_size_control = subgroups,
                                         .compute_full_subgroups = subgroups};
    if (subgroups && physical.size_control_by_extension)
        requirements->extensions[requirements->extension_count++] = VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME;
    return PM_OK;
}

/* ---- Creating ---- */

static void close_on_device(pm_vk_context *recorder) {
    pmi_nodes_destroy(&recorder->device, &recorder->nodes);
    pmi_boxes_destroy(&recorder->device, &recorder->boxes);
    pmi_levels_destroy(&recorder->device, &recorder->slices);
    pmi_batch_kernels_destroy(&recorder->device, &recorder->batch);
    pmi_index_destroy(&recorder->device, &recorder->index);
    pmi_indirect_destroy(&recorder->device, &recorder->indirect);
    pmi_partitions_destroy(&recorder->device, &recorder->direct);
    pmi_levels_destroy(&recorder->device, &recorder->levels);
    pmi_device_close(&recorder->device);
}

static pm_status direct_create(pm_vk_context *recorder) {
    const pm_status status = pmi_partitions_create(&recorder->device, &pmi_direct_plan, &recorder->direct);
    return status == PM_UNSUPPORTED ? PM_OK : status;
}

static pm_status create_on_device(const pm_vk_context_info *info, pm_vk_context *recorder) {
    pmi_vk vk;
    pmi_physical physical;
    pm_status status =
        physical_read(info->instance, info->physical_device, info->get_instance_proc_addr, &vk, &physical);
    if (status != PM_OK)
        return status;
    const bool subgroups = info->flags & PM_VK_SUBGROUPS;
    if (subgroups && !pmi_physical_subgroup_is_team(&physical))
        return PM_UNSUPPORTED;
    const pmi_gpu_settings settings = {.team_kind = subgroups ? PM_TEAM_SUBGROUP : PM_TEAM_WORKGROUP,
                                       .graphics_queue = info->flags & PM_VK_GRAPHICS_QUEUE};
    status = pmi_device_adopt(&vk, &physical, info->device, &settings, info->callbacks, info->pipeline_cache,
                              &recorder->device);
    if (status != PM_OK)
        return status;
    status = pmi_levels_create(&recorder->device, &recorder->levels);
    if (status == PM_OK)
        status = direct_create(recorder);
    recorder->counts = info->flags & PM_VK_COUNT_ON_DEVICE;
    recorder->reads_json = info->flags & PM_VK_JSON;
    if (status == PM_OK && (recorder->counts || recorder->reads_json))
        status = pmi_indirect_create(&recorder->device, &recorder->indirect);
    if (status == PM_OK && recorder->reads_json)
        status = pmi_index_create(&recorder->device, &recorder->index);
    recorder->takes_slices = info->flags & PM_VK_SLICES;
    if (status == PM_OK && recorder->takes_slices)
        status = pmi_levels_create_sliced(&recorder->device, &recorder->slices);
    recorder->takes_batches = info->flags & PM_VK_BATCHES;
    if (status == PM_OK && recorder->takes_batches)
        status = pmi_batch_kernels_create(&recorder->device, &recorder->batch);
    recorder->finds_boxes = info->flags & PM_VK_BOXES;
    if (status == PM_OK && recorder->finds_boxes)
        status = pmi_boxes_create(&recorder->device, &recorder->boxes);
    recorder->scans_trees = info->flags & PM_VK_TREES;
    if (status == PM_OK && recorder->scans_trees)
        status = pmi_nodes_create(&recorder->device, &recorder->nodes);
    if (status != PM_OK)
        close_on_device(recorder);
    recorder->device.cache = VK_NULL_HANDLE; /* the caller may destroy it */
    return status;
}

pm_status pmi_recorder_create(const pm_vk_context_info *info, pm_vk_context **recorder) {
    pm_vk_context *const created = pmi_memory_allocate(&info->allocator, 1, sizeof *created);
    if (!created)
        return PM_OUT_OF_MEMORY;
    *created = (pm_vk_context){.allocator = info->allocator};
    const pm_status status = create_on_device(info, created);
    if (status == PM_OK)
        *recorder = created;
    else
        pmi_memory_free(&info->allocator, created);
    return status == PM_NO_DEVICE ? PM_UNSUPPORTED : status; /* there is a device, but it lacks something */
}

void pmi_recorder_destroy(pm_vk_context *recorder) {
    close_on_device(recorder);
    const pm_allocator allocator = recorder->allocator; /* outlives the block it frees */
    pmi_memory_free(&allocator, recorder);
}

/* ---- Ranges of the match ---- */

typedef struct match_range {
    uint64_t index;
    uint32_t first_tile, tiles;
} match_range;

/* The next range. False after the last. */
static bool range_next(uint64_t n, uint64_t range_elements, match_range *r) {
    const uint64_t tiles = pmi_levels_tiles((uint32_t)n),
                   range_tiles = range_elements ? range_elements / PM_TILE : tiles;
    const uint64_t first = (uint64_t)r->first_tile + r->tiles, left = tiles - first;
    *r = (match_range){.index = first > 0 ? r->index + 1 : 0,
                       .first_tile = (uint32_t)first,
                       .tiles = (uint32_t)(left < range_tiles ? left : range_tiles)};
    return left > 0;
}

/* ---- Sizes ---- */

static pmi_plan_task reduce_task(const pm_vk_context *recorder, uint32_t n) {
    return pmi_levels_reduce_task(&recorder->device, n, 0, pmi_levels_superblocks(n));
}

static pmi_plan_task match_task(const pm_vk_context *recorder, uint32_t n, const match_range *r) {
    return pmi_levels_match_task(&recorder->device, n, r->first_tile, r->tiles);
}

static VkDeviceSize dispatches_bytes(const pm_vk_context *recorder, uint32_t n, uint64_t range_elements) {
    VkDeviceSize bytes = pmi_indirect_bytes(reduce_task(recorder, n));
    for (match_range r = {0}; range_next(n, range_elements, &r);)
        bytes += pmi_indirect_bytes(match_task(recorder, n, &r));
    return bytes;
}

pm_vk_sizes pmi_recorder_sizes(const pm_vk_context *recorder, uint64_t n, uint64_t range_elements) {
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    const uint64_t range = range_elements && range_elements < n ? range_elements : n;
    pm_vk_sizes sizes = {
        .parens = {(n + 31) / 32 * 4, PM_RECORDER_ALIGNMENT, usage},
        .match = {range * sizeof(uint32_t), PM_RECORDER_ALIGNMENT, usage},
        .scratch = {pmi_levels_scratch_bytes((uint32_t)n), PM_RECORDER_ALIGNMENT, usage},
        .summary = {sizeof(pm_vk_summary), PM_RECORDER_ALIGNMENT_OF_WORDS, usage},
        .count = {0, PM_RECORDER_ALIGNMENT_OF_WORDS, usage},
        .dispatches = {0, PM_RECORDER_ALIGNMENT_OF_WORDS, usage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT}};
    if (recorder->counts) {
        sizes.count.size = sizeof(uint32_t);
        sizes.dispatches.size = dispatches_bytes(recorder, (uint32_t)n, range_elements);
    }
    return sizes;
}

/* ---- Recording ---- */

static VkDeviceAddress range_address(VkDeviceAddress match, const VkDeviceAddress *match_ranges,
                                     uint64_t range_elements, const match_range *r) {
    return range_elements ? match_ranges[r->index] : match;
}

/* One dispatch, whoever counts the elements, and no scratch. It writes to one address, so matches in several ranges are
 * for `levels`. */
static bool is_for_direct(const pm_vk_context *recorder, const pm_vk_match_info *info) {
    return info->n > 0 && info->n <= pmi_partitions_limit(&recorder->direct) &&
           (info->range_elements == 0 || info->range_elements >= info->n);
}

static void record_direct(const pm_vk_context *recorder, VkCommandBuffer commands, const pm_vk_match_info *info) {
    const pmi_sequence sequence = {
        .n = (uint32_t)info->n, .parens = info->parens, .summary = info->summary, .length = info->count};
    const match_range whole = {0};
    pmi_partitions_record_match(&recorder->device, commands, &recorder->direct, &sequence, 0, sequence.n,
                                range_address(info->match, info->match_ranges, info->range_elements, &whole));
}

static void record_levels(const pm_vk_context *recorder, VkCommandBuffer commands,
                          const pmi_levels_parameters *parameters, const pm_vk_match_info *info) {
    const pmi_device *const device = &recorder->device;
    const pmi_levels *const levels = &recorder->levels;
    if (info->n > 0) {
        pmi_levels_record_reduce(device, commands, levels, *parameters, 0, parameters->superblocks);
        pmi_shader_barrier(device, commands);
    }
    pmi_levels_record_scan(device, commands, levels, *parameters);
    if (info->n > 0 && !pmi_levels_is_short(device, levels, parameters->n))
        pmi_shader_barrier(device, commands);
    for (match_range r = {0}; range_next(info->n, info->range_elements, &r);)
        pmi_levels_record_match(device, commands, levels, *parameters, r.first_tile, r.tiles,
                                range_address(info->match, info->match_ranges, info->range_elements, &r));
}

static void record_indirect(const pm_vk_context *recorder, VkCommandBuffer commands,
                            const pmi_levels_parameters *parameters, const pm_vk_match_info *info) {
    const pmi_device *const device = &recorder->device;
    const pmi_indirect *const indirect = &recorder->indirect;
    const uint32_t n = parameters->n;
    const pmi_plan_task reduce = reduce_task(recorder, n);
    const pmi_plans begin = pmi_plans_at(device, info->dispatches, info->dispatches_offset);

    pmi_plans plans = pmi_indirect_record_plan(device, commands, indirect, info->count, n, reduce, begin);
    for (match_range r = {0}; range_next(n, info->range_elements, &r);)
        plans =
            pmi_indirect_record_plan(device, commands, indirect, info->count, n, match_task(recorder, n, &r), plans);
    pmi_indirect_record_barrier(device, commands);

    plans = pmi_indirect_record_reduce(device, commands, indirect, *parameters, reduce, begin);
    pmi_shader_barrier(device, commands);
    pmi_indirect_record_scan(device, commands, indirect, *parameters, begin);
    pmi_shader_barrier(device, commands);
    for (match_range r = {0}; range_next(n, info->range_elements, &r);)
        plans =
            pmi_indirect_record_match(device, commands, indirect, *parameters, match_task(recorder, n, &r),
                                      range_address(info->match, info->match_ranges, info->range_elements, &r), plans);
}

void pmi_recorder_record_match(const pm_vk_context *recorder, VkCommandBuffer commands, const pm_vk_match_info *info) {
    const pmi_levels_parameters parameters =
        pmi_levels_parameters_make((uint32_t)info->n, info->parens, info->scratch, info->summary);
    if (is_for_direct(recorder, info))
        record_direct(recorder, commands, info);
    else if (info->count && info->n > 0)
        record_indirect(recorder, commands, &parameters, info);
    else
        record_levels(recorder, commands, &parameters, info);
}

/* ---- Batches ---- */

pm_vk_batch_sizes pmi_recorder_batch_sizes(const pm_vk_context *recorder, uint64_t n, uint64_t count,
                                           uint64_t range_elements) {
    const pm_vk_sizes of_one = pmi_recorder_sizes(recorder, n, range_elements);
    pm_vk_batch_sizes sizes = {
        .parens = of_one.parens,
        .offsets = {(count + 1) * sizeof(uint64_t), PM_RECORDER_ALIGNMENT_OF_OFFSETS, of_one.parens.usage},
        .match = of_one.match,
        .totals = {count * sizeof(pm_vk_summary), PM_RECORDER_ALIGNMENT_OF_WORDS, of_one.parens.usage},
        .scratch = of_one.scratch};
    sizes.scratch.size += sizeof(pm_vk_summary);
    return sizes;
}

/* The summary of all as one sequence, which scan writes and nobody needs, goes behind the rest of the scratch. */
void pmi_recorder_record_batch(const pm_vk_context *recorder, VkCommandBuffer commands, const pm_vk_batch_info *info) {
    const pmi_device *const device = &recorder->device;
    const uint32_t n = (uint32_t)info->n;
    pmi_levels_parameters parameters =
        pmi_levels_parameters_make(n, info->parens, info->scratch, info->scratch + pmi_levels_scratch_bytes(n));
    pmi_batch_parameters_add(&parameters, info->offsets, (uint32_t)info->count);
    if (n > 0) {
        pmi_levels_record_reduce(device, commands, &recorder->levels, parameters, 0, parameters.superblocks);
        pmi_shader_barrier(device, commands);
        pmi_levels_record_scan_of_any(device, commands, &recorder->levels, parameters);
        pmi_shader_barrier(device, commands);
    }
    for (match_range r = {0}; range_next(n, info->range_elements, &r);)
        pmi_batch_record_match(device, commands, &recorder->batch, parameters, r.first_tile, r.tiles,
                               range_address(info->match, info->match_ranges, info->range_elements, &r));
    /* Last: a match that runs beside them takes three times as long (H100, 2^28 elements, sequences of 64). */
    if (info->totals)
        pmi_batch_record_totals(device, commands, &recorder->batch, parameters, info->totals);
}

/* ---- Slices ---- */

static pmi_levels_parameters slice_parameters(const pm_vk_slice_info *info) {
    pmi_levels_parameters parameters =
        pmi_levels_parameters_make((uint32_t)info->n, info->parens, info->scratch, info->summary);
    parameters.origin = (uint32_t)info->origin;
    parameters.incoming = info->incoming;
    parameters.incoming_count = (uint32_t)info->incoming_count;
    return parameters;
}

void pmi_recorder_record_slice_reduce(const pm_vk_context *recorder, VkCommandBuffer commands,
                                      const pm_vk_slice_info *info) {
    const pmi_levels_parameters parameters = slice_parameters(info);
    if (info->n > 0) {
        pmi_levels_record_reduce(&recorder->device, commands, &recorder->slices, parameters, 0, parameters.superblocks);
        pmi_shader_barrier(&recorder->device, commands);
    }
    pmi_levels_record_scan(&recorder->device, commands, &recorder->slices, parameters);
    if (info->n > 0) {
        pmi_shader_barrier(&recorder->device, commands);
        pmi_levels_record_far(&recorder->device, commands, &recorder->slices, parameters);
    }
}

void pmi_recorder_record_slice_stack(const pm_vk_context *recorder, VkCommandBuffer commands,
                                     const pm_vk_slice_info *info, VkDeviceAddress stack, uint32_t count) {
    if (info->n > 0)
        pmi_levels_record_stack(&recorder->device, commands, &recorder->slices, slice_parameters(info), 0, count,
                                stack);
}

void pmi_recorder_record_slice_match(const pm_vk_context *recorder, VkCommandBuffer commands,
                                     const pm_vk_slice_info *info, bool again) {
    const pmi_levels_parameters parameters = slice_parameters(info);
    for (match_range r = {0}; range_next(info->n, info->range_elements, &r);)
        (again ? pmi_levels_record_match_far : pmi_levels_record_match)(
            &recorder->device, commands, &recorder->slices, parameters, r.first_tile, r.tiles,
            range_address(info->match, info->match_ranges, info->range_elements, &r));
}

/* ---- Boxes ---- */

pm_vk_box_sizes pmi_recorder_box_sizes(const pm_vk_context *recorder, uint64_t n) {
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    const VkDeviceSize scratch = n > 0 ? pmi_boxes_scratch_bytes(&recorder->boxes, (uint32_t)n) : 0;
    const VkDeviceSize dispatches = n > 0 ? pmi_boxes_dispatches_bytes(&recorder->device, (uint32_t)n) : 0;
    return (pm_vk_box_sizes){
        .kinds = {(n + 3) / 4 * 4, PM_RECORDER_ALIGNMENT, usage},
        .boxes = {n * sizeof(pm_box), PM_RECORDER_ALIGNMENT, usage},
        .results = {n * sizeof(pm_box), PM_RECORDER_ALIGNMENT, usage},
        .scratch = {scratch, PM_RECORDER_ALIGNMENT, usage},
        .dispatches = {dispatches, PM_RECORDER_ALIGNMENT_OF_WORDS, usage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT}};
}

void pmi_recorder_record_boxes(const pm_vk_context *recorder, VkCommandBuffer commands, const pm_vk_boxes_info *info) {
    pmi_boxes_scene scene = {.n = (uint32_t)info->n,
                             .lacks = info->lacks,
                             .kinds = info->kinds,
                             .boxes = info->boxes,
                             .results = info->results,
                             .scratch = info->scratch};
    if (info->dispatches)
        scene.dispatches = pmi_plans_at(&recorder->device, info->dispatches, info->dispatches_offset);
    pmi_boxes_record_all(&recorder->device, commands, &recorder->boxes, &scene);
}
