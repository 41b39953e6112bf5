/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The nodes of a sequence on a device: each one's parent, and the end of its subtree. Recording only.
 * Four stages, in this order, with pmi_shader_barrier() between them: count, in any blocks; scan; rank, in any blocks;
 * link, in any blocks whose match is complete.
 */
#ifndef PM_GPU_TREES_NODES_H
#define PM_GPU_TREES_NODES_H

#include "gpu/device/kernel.h"
#include "shaders/shared/parameters.h"

typedef struct pmi_nodes {
    pmi_kernel count, scan, rank, link;
} pmi_nodes;

/* After a failure it needs no destroying. */
pm_status pmi_nodes_create(const pmi_device *device, pmi_nodes *nodes);

/* Zeros are allowed. */
void pmi_nodes_destroy(const pmi_device *device, pmi_nodes *nodes);

/* Blocks that n elements touch. */
static inline uint32_t pmi_nodes_blocks(uint32_t n) {
    return n / PM_NODES_BLOCK + (n % PM_NODES_BLOCK != 0);
}

/* Record dispatches for blocks first ... first + count - 1. match: address of the match of the first block's first
 * element. */
void pmi_nodes_record_count(const pmi_device *device, VkCommandBuffer commands, const pmi_nodes *nodes,
                            pmi_nodes_parameters parameters, uint32_t first, uint32_t count);
void pmi_nodes_record_scan(const pmi_device *device, VkCommandBuffer commands, const pmi_nodes *nodes,
                           pmi_nodes_parameters parameters);
void pmi_nodes_record_rank(const pmi_device *device, VkCommandBuffer commands, const pmi_nodes *nodes,
                           pmi_nodes_parameters parameters, uint32_t first, uint32_t count);
void pmi_nodes_record_link(const pmi_device *device, VkCommandBuffer commands, const pmi_nodes *nodes,
                           pmi_nodes_parameters parameters, uint32_t first, uint32_t count, uint64_t match);

#endif
