/* SPDX-License-Identifier: Apache-2.0 */
/* The dispatches of the stages that number nodes. */
#include "gpu/trees/scan.h"
#include "shaders/spv/trees.h"

_Static_assert(sizeof(pmi_nodes_parameters) <= PM_PUSH_BYTES, "parameters fit");
_Static_assert(PM_NODES_BLOCK == PM_NODES_WORKGROUP * 32, "a word for each invocation");
_Static_assert(PM_NODES_BLOCK % PM_TILE == 0, "blocks are tiles of the match");

pm_status pmi_nodes_create(const pmi_device *device, pmi_nodes *nodes) {
    *nodes = (pmi_nodes){0};
    pm_status status = PM_OK;
#define CREATE(stage)                                                                                                  \
    if (status == PM_OK)                                                                                               \
        status = pmi_kernel_create(device, PM_SHADER(spv_trees_nodes_##stage), 0, &nodes->stage);
    CREATE(count)
    CREATE(scan)
    CREATE(rank)
    CREATE(link)
#undef CREATE
    if (status != PM_OK)
        pmi_nodes_destroy(device, nodes);
    return status;
}

void pmi_nodes_destroy(const pmi_device *device, pmi_nodes *nodes) {
    pmi_kernel_destroy(device, &nodes->count);
    pmi_kernel_destroy(device, &nodes->scan);
    pmi_kernel_destroy(device, &nodes->rank);
    pmi_kernel_destroy(device, &nodes->link);
}

static void record_blocks(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                          pmi_nodes_parameters parameters, uint32_t first, uint32_t count) {
    const uint32_t most = pmi_kernel_workgroups_max(device, device->can.dispatch_tiles / (PM_NODES_BLOCK / PM_TILE));
    while (count > 0) {
        const uint32_t some = count < most ? count : most;
        parameters.first = first;
        pmi_kernel_dispatch(device, commands, kernel, &parameters, sizeof parameters, some);
        parameters.match += (uint64_t)some * PM_NODES_BLOCK * sizeof(uint32_t);
        first += some;
        count -= some;
    }
}

void pmi_nodes_record_count(const pmi_device *device, VkCommandBuffer commands, const pmi_nodes *nodes,
                            pmi_nodes_parameters parameters, uint32_t first, uint32_t count) {
    record_blocks(device, commands, &nodes->count, parameters, first, count);
}

void pmi_nodes_record_scan(const pmi_device *device, VkCommandBuffer commands, const pmi_nodes *nodes,
                           pmi_nodes_parameters parameters) {
    pmi_kernel_dispatch(device, commands, &nodes->scan, &parameters, sizeof parameters, 1);
}

void pmi_nodes_record_rank(const pmi_device *device, VkCommandBuffer commands, const pmi_nodes *nodes,
                           pmi_nodes_parameters parameters, uint32_t first, uint32_t count) {
    record_blocks(device, commands, &nodes->rank, parameters, first, count);
}

void pmi_nodes_record_link(const pmi_device *device, VkCommandBuffer commands, const pmi_nodes *nodes,
                           pmi_nodes_parameters parameters, uint32_t first, uint32_t count, uint64_t match) {
    parameters.match = match;
    record_blocks(device, commands, &nodes->link, parameters, first, count);
}
