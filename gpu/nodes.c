/* SPDX-License-Identifier: Apache-2.0 */
/* The stages that number nodes, cut into dispatches. */
#include "gpu/nodes.h"

static const uint32_t count_words[] = {
#include "shaders/spv/nodes_count.inc"
};
static const uint32_t scan_words[] = {
#include "shaders/spv/nodes_scan.inc"
};
static const uint32_t rank_words[] = {
#include "shaders/spv/nodes_rank.inc"
};
static const uint32_t link_words[] = {
#include "shaders/spv/nodes_link.inc"
};

_Static_assert(sizeof(pm_nodes_parameters) <= PM_PUSH_BYTES, "parameters fit");
_Static_assert(PM_NODES_BLOCK == PM_NODES_WORKGROUP * 32, "a word for each invocation");
_Static_assert(PM_NODES_BLOCK % PM_TILE == 0, "blocks are tiles of the match");

pm_status pm_nodes_create(const pm_device *device, pm_nodes *nodes) {
    *nodes = (pm_nodes){0};
    pm_status status = PM_OK;
#define CREATE(stage)                                                                                                  \
    if (status == PM_OK)                                                                                               \
        status = pm_kernel_create(device, (pm_shader){stage##_words, sizeof stage##_words}, 0, &nodes->stage);
    CREATE(count)
    CREATE(scan)
    CREATE(rank)
    CREATE(link)
#undef CREATE
    if (status != PM_OK)
        pm_nodes_destroy(device, nodes);
    return status;
}

void pm_nodes_destroy(const pm_device *device, pm_nodes *nodes) {
    pm_kernel_destroy(device, &nodes->count);
    pm_kernel_destroy(device, &nodes->scan);
    pm_kernel_destroy(device, &nodes->rank);
    pm_kernel_destroy(device, &nodes->link);
}

static void record_blocks(const pm_device *device, VkCommandBuffer commands, const pm_kernel *kernel,
                          pm_nodes_parameters parameters, uint32_t first, uint32_t count) {
    const uint32_t most = pm_kernel_workgroups_most(device, device->can.dispatch_tiles / (PM_NODES_BLOCK / PM_TILE));
    while (count > 0) {
        const uint32_t some = count < most ? count : most;
        parameters.first = first;
        pm_kernel_dispatch(device, commands, kernel, &parameters, sizeof parameters, some);
        parameters.match += (uint64_t)some * PM_NODES_BLOCK * sizeof(uint32_t);
        first += some;
        count -= some;
    }
}

void pm_nodes_record_count(const pm_device *device, VkCommandBuffer commands, const pm_nodes *nodes,
                           pm_nodes_parameters parameters, uint32_t first, uint32_t count) {
    record_blocks(device, commands, &nodes->count, parameters, first, count);
}

void pm_nodes_record_scan(const pm_device *device, VkCommandBuffer commands, const pm_nodes *nodes,
                          pm_nodes_parameters parameters) {
    pm_kernel_dispatch(device, commands, &nodes->scan, &parameters, sizeof parameters, 1);
}

void pm_nodes_record_rank(const pm_device *device, VkCommandBuffer commands, const pm_nodes *nodes,
                          pm_nodes_parameters parameters, uint32_t first, uint32_t count) {
    record_blocks(device, commands, &nodes->rank, parameters, first, count);
}

void pm_nodes_record_link(const pm_device *device, VkCommandBuffer commands, const pm_nodes *nodes,
                          pm_nodes_parameters parameters, uint32_t first, uint32_t count, uint64_t match) {
    parameters.match = match;
    record_blocks(device, commands, &nodes->link, parameters, first, count);
}
