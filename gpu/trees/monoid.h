/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A monoid's kernels on a device, for nodes whose parents and ends are there. Sizes and recording only.
 */
#ifndef PM_GPU_TREES_MONOID_H
#define PM_GPU_TREES_MONOID_H

#include "gpu/device/kernel.h"
#include "shaders/shared/parameters.h"

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

#endif
