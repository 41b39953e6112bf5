/* SPDX-License-Identifier: Apache-2.0 */
/* Scans of trees on a caller's device. */
#include "base/memory.h"
#include "gpu/match/recorder.h"
#include "gpu/trees/scan.h"

struct pm_vk_monoid {
    const pm_vk_context *of;
    pmi_monoid_kernels kernels;
};

_Static_assert(PM_RECORDER_TREES_MAX == PM_TREE_SCAN_N_MAX, "one limit");

pm_status pmi_recorder_monoid_create(const pm_vk_context *recorder, const pm_gpu_monoid *code, VkPipelineCache cache,
                                     pm_vk_monoid **monoid) {
    const pm_allocator *const allocator = &recorder->allocator;
    pm_vk_monoid *const created = pmi_memory_allocate(allocator, 1, sizeof *created);
    if (!created)
        return PM_OUT_OF_MEMORY;
    created->of = recorder;
    pmi_device device = recorder->device;
    device.cache = cache;
    const pm_status status = pmi_monoid_kernels_create(&device, code, &created->kernels);
    if (status == PM_OK)
        *monoid = created;
    else
        pmi_memory_free(allocator, created);
    return status;
}

void pmi_recorder_monoid_destroy(pm_vk_monoid *monoid) {
    const pm_allocator *const allocator = &monoid->of->allocator;
    pmi_monoid_kernels_destroy(&monoid->of->device, &monoid->kernels);
    pmi_memory_free(allocator, monoid);
}

pm_vk_tree_sizes pmi_recorder_tree_sizes(const pm_vk_monoid *monoid, uint64_t n, uint64_t nodes) {
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    const VkDeviceSize values = nodes * monoid->kernels.value_size;
    const VkDeviceSize scratch =
        nodes > 0 ? pmi_tree_scan_scratch_bytes(&monoid->of->device, &monoid->kernels, (uint32_t)n, (uint32_t)nodes)
                  : 0;
    return (pm_vk_tree_sizes){.parens = {(n + 31) / 32 * 4, PM_RECORDER_ALIGNMENT, usage},
                              .values = {values, PM_RECORDER_ALIGNMENT, usage},
                              .results = {values, PM_RECORDER_ALIGNMENT, usage},
                              .scratch = {scratch, PM_RECORDER_ALIGNMENT, usage}};
}

void pmi_recorder_record_tree_scan(const pm_vk_monoid *monoid, VkCommandBuffer commands, const pm_vk_tree_info *info) {
    const pmi_tree_scanner scanner = {
        .levels = &monoid->of->levels, .nodes = &monoid->of->nodes, .monoid = &monoid->kernels};
    const pmi_tree_scan scan = {.n = (uint32_t)info->n,
                                .nodes = (uint32_t)info->nodes,
                                .up = info->way == PM_VK_TREE_UP,
                                .exclusive = info->way == PM_VK_TREE_DOWN_EXCLUSIVE,
                                .parens = info->parens,
                                .values = info->values,
                                .results = info->results,
                                .scratch = info->scratch};
    pmi_tree_scan_record(&monoid->of->device, commands, &scanner, &scan);
}
