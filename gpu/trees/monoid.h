/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A monoid's kernels on a device, and what they do with nodes whose parents and ends are there. Sizes and recording
 * only.
 */
#ifndef PM_GPU_TREES_MONOID_H
#define PM_GPU_TREES_MONOID_H

#include "gpu/device/kernel.h"
#include "shaders/shared/parameters.h"

typedef struct pmi_monoid_kernels {
    pmi_kernel stages[PM_MONOID_STAGES];
    uint32_t value_size;
    uint32_t tile; /* nodes, as many as invocations of a workgroup */
} pmi_monoid_kernels;

/* PM_INVALID_ARGUMENT for what cannot be a monoid's code: see pm_gpu_monoid. On failure it needs no destroying. */
pm_status pmi_monoid_kernels_create(const pmi_device *device, const pm_gpu_monoid *monoid, pmi_monoid_kernels *kernels);

/* One that is all zeros is fine. */
void pmi_monoid_kernels_destroy(const pmi_device *device, pmi_monoid_kernels *kernels);

/* Bytes of scratch, for either way. */
uint64_t pmi_monoid_scratch_bytes(const pmi_monoid_kernels *kernels, uint32_t nodes);

/* Nodes on a device, by addresses, all but count's aligned to 16 bytes. */
typedef struct pmi_monoid_task {
    uint32_t nodes; /* > 0, at most so many */
    bool up, exclusive;
    uint64_t values, results; /* of each node; they do not overlap */
    uint64_t count;           /* of 4 bytes: how many nodes there are */
    uint64_t parents, ends;   /* of each node, as shaders/trees/nodes_layout.h has them; going up without parents */
    uint64_t scratch;         /* pmi_monoid_scratch_bytes(); whatever they hold */
} pmi_monoid_task;

/* How many steps there are, and one of them: dispatches without barriers between them. Before each of them there must
 * be pmi_shader_barrier(). */
uint32_t pmi_monoid_steps(const pmi_monoid_kernels *kernels, const pmi_monoid_task *task);
void pmi_monoid_record_step(const pmi_device *device, VkCommandBuffer commands, const pmi_monoid_kernels *kernels,
                            const pmi_monoid_task *task, uint32_t step);

#endif
