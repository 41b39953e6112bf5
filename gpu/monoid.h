/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A monoid's kernels on a device, and what they do with nodes whose parents and ends are there. Sizes and recording
 * only.
 */
#ifndef PM_GPU_MONOID_H
#define PM_GPU_MONOID_H

#include "gpu/kernel.h"
#include "shaders/parameters.h"

typedef struct pm_monoid_kernels {
    pm_kernel stages[PM_MONOID_STAGES];
    uint32_t value_size;
    uint32_t tile; /* nodes, as many as invocations of a workgroup */
} pm_monoid_kernels;

/* PM_INVALID_ARGUMENT for what cannot be a monoid's code: see pm_gpu_monoid. On failure it needs no destroying. */
pm_status pm_monoid_kernels_create(const pm_device *device, const pm_gpu_monoid *monoid, pm_monoid_kernels *kernels);

/* One that is all zeros is fine. */
void pm_monoid_kernels_destroy(const pm_device *device, pm_monoid_kernels *kernels);

/* Bytes of scratch, for either way. */
uint64_t pm_monoid_scratch_bytes(const pm_monoid_kernels *kernels, uint32_t nodes);

/* Nodes on a device, by addresses, all but count's aligned to 16 bytes. */
typedef struct pm_monoid_task {
    uint32_t nodes; /* > 0, at most so many */
    bool up, exclusive;
    uint64_t values, results; /* of each node; they do not overlap */
    uint64_t count;           /* of 4 bytes: how many nodes there are */
    uint64_t parents, ends;   /* of each node, as shaders/nodes_layout.h has them; going up without parents */
    uint64_t scratch;         /* pm_monoid_scratch_bytes(); whatever they hold */
} pm_monoid_task;

/* How many steps there are, and one of them: dispatches without barriers between them. Before each of them there must
 * be pm_wide_record_barrier(). */
uint32_t pm_monoid_steps(const pm_monoid_kernels *kernels, const pm_monoid_task *task);
void pm_monoid_record_step(const pm_device *device, VkCommandBuffer commands, const pm_monoid_kernels *kernels,
                           const pm_monoid_task *task, uint32_t step);

#endif
