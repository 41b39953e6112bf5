/* SPDX-License-Identifier: Apache-2.0 */
/* A scan of the tree of a sequence on a device, for any monoid: the match, the nodes' parents and ends, and the
 * monoid's stages. Sizes and recording only; it allocates, submits and waits for nothing. */
#ifndef PM_GPU_TREES_SCAN_H
#define PM_GPU_TREES_SCAN_H

#include "gpu/match/levels.h"
#include "shaders/shared/parameters.h"

/*
 * ---- Nodes: each one's parent, and the end of its subtree ----
 *
 * Four stages, in this order, with pmi_shader_barrier() between them: count, in any blocks; scan; rank, in any blocks;
 * link, in any blocks whose match is complete.
 */

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

/* ---- A monoid's stages, for nodes whose parents and ends are there ---- */

typedef struct pmi_monoid_kernels {
    pmi_kernel stages[PM_MONOID_STAGES];
    uint32_t value_size;
    uint32_t tile; /* nodes, one for each invocation of a workgroup */
} pmi_monoid_kernels;

/* PM_INVALID_ARGUMENT if this cannot be a monoid's code: see pm_gpu_monoid. After a failure it needs no destroying. */
pm_status pmi_monoid_kernels_create(const pmi_device *device, const pm_gpu_monoid *monoid, pmi_monoid_kernels *kernels);

/* Zeros are allowed. */
void pmi_monoid_kernels_destroy(const pmi_device *device, pmi_monoid_kernels *kernels);

/* Bytes of scratch, up or down. */
uint64_t pmi_monoid_scratch_bytes(const pmi_monoid_kernels *kernels, uint32_t nodes);

/* Nodes on a device, by addresses, aligned to 16 bytes except count's. */
typedef struct pmi_monoid_task {
    uint32_t nodes; /* > 0, at most */
    bool up, exclusive;
    uint64_t values, results; /* of each node; they do not overlap */
    uint64_t count;           /* 4 bytes: the number of nodes */
    uint64_t parents, ends;   /* of each node, see shaders/trees/nodes_layout.h; up without parents */
    uint64_t scratch;         /* pmi_monoid_scratch_bytes(); contents undefined before and after */
} pmi_monoid_task;

/* The number of steps, and recording one of them: dispatches without barriers between them. pmi_shader_barrier() must
 * come before each step. */
uint32_t pmi_monoid_steps(const pmi_monoid_kernels *kernels, const pmi_monoid_task *task);
void pmi_monoid_record_step(const pmi_device *device, VkCommandBuffer commands, const pmi_monoid_kernels *kernels,
                            const pmi_monoid_task *task, uint32_t step);

/* ---- All stages ---- */

#define PM_TREE_SCAN_N_MAX 0x7fffffffu

/* The kernels. */
typedef struct pmi_tree_scanner {
    const pmi_levels *levels;
    const pmi_nodes *nodes;
    const pmi_monoid_kernels *monoid;
} pmi_tree_scanner;

/* A tree on a device, by addresses, all aligned to 16 bytes. */
typedef struct pmi_tree_scan {
    uint32_t n;     /* > 0 elements, at most PM_TREE_SCAN_N_MAX */
    uint32_t nodes; /* > 0 opens, of which the first ones are used if there are more */
    bool up, exclusive;
    uint64_t parens;          /* n bits; no 32-bit word without one of them is read */
    uint64_t values, results; /* of each node; they do not overlap */
    uint64_t scratch;         /* pmi_tree_scan_scratch_bytes(); contents undefined before and after */
} pmi_tree_scan;

/* Bytes of scratch, up or down. */
uint64_t pmi_tree_scan_scratch_bytes(const pmi_device *device, const pmi_monoid_kernels *monoid, uint32_t n,
                                     uint32_t nodes);

/* The number of steps, and recording one of them. Steps are in order; each has the barriers before it and inside it, so
 * that it may be a submission of its own. They read and write in shaders (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT). */
uint32_t pmi_tree_scan_steps(const pmi_device *device, const pmi_tree_scanner *scanner, const pmi_tree_scan *scan);
/* The number of first steps that are the same for every monoid. */
uint32_t pmi_tree_scan_link_steps(const pmi_device *device, const pmi_tree_scan *scan);
void pmi_tree_scan_record_step(const pmi_device *device, VkCommandBuffer commands, const pmi_tree_scanner *scanner,
                               const pmi_tree_scan *scan, uint32_t step);

/* Records all steps. */
void pmi_tree_scan_record(const pmi_device *device, VkCommandBuffer commands, const pmi_tree_scanner *scanner,
                          const pmi_tree_scan *scan);

#endif
