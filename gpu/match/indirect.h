/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pipeline `levels` for a sequence whose length is on the device. What the host plans for a length that it knows
 * (shaders/match/plan.h), the device then plans: the dispatches, how many workgroups each has, and what they work on.
 * First all tasks are planned, then the stages go by the plans.
 */
#ifndef PM_GPU_MATCH_INDIRECT_H
#define PM_GPU_MATCH_INDIRECT_H

#include "gpu/match/levels.h"

typedef struct pmi_indirect {
    pmi_kernel plan;
    pmi_levels levels; /* its stages' kernels, of the kind that goes by plans */
} pmi_indirect;

/* On failure it needs no destroying. */
pm_status pmi_indirect_create(const pmi_device *device, pmi_indirect *planned);

/* One that is all zeros is fine. */
void pmi_indirect_destroy(const pmi_device *device, pmi_indirect *planned);

/* Plans in a buffer, aligned to 4 bytes: those of one task after those of another. */
typedef struct pmi_plans {
    VkBuffer buffer; /* also for indirect dispatches */
    VkDeviceSize offset;
    uint64_t address; /* of the offset */
} pmi_plans;

pmi_plans pmi_plans_at(const pmi_device *device, VkBuffer buffer, VkDeviceSize offset);

static inline pmi_plans pmi_plans_after(pmi_plans plans, uint64_t bytes) {
    plans.offset += bytes;
    plans.address += bytes;
    return plans;
}

/* Bytes of a task's plans. */
static inline uint64_t pmi_indirect_bytes(pmi_plan_task task) {
    return (uint64_t)(task.dispatches + task.dispatches_last) * sizeof(pmi_plan);
}

/* Records the planning of a task that has been made for n elements; length is the address of their real number, of
 * which n count at most. Returns where the next task's plans begin. Needs pmi_indirect_record_barrier() afterwards. */
pmi_plans pmi_indirect_record_plan(const pmi_device *device, VkCommandBuffer commands, const pmi_indirect *planned,
                                   uint64_t length, uint32_t n, pmi_plan_task task, pmi_plans plans);
void pmi_indirect_record_barrier(const pmi_device *device, VkCommandBuffer commands);

/* Records the dispatches of a kernel by a task's plans. The address of each plan is stored in *plan, which is a part of
 * the parameters, as pmi_kernel_dispatch() has them. Returns where the next task's plans begin. */
pmi_plans pmi_indirect_dispatch(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                                const void *parameters, uint32_t bytes, uint64_t *plan, pmi_plan_task task,
                                pmi_plans plans);

/* The same for a kernel of which one workgroup does all that the plans tell of: it is given the first one. Records
 * nothing for a task without plans. */
void pmi_indirect_dispatch_once(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                                const void *parameters, uint32_t bytes, uint64_t *plan, pmi_plan_task task,
                                pmi_plans plans);

/* Each as its namesake in gpu/match/levels.h, but by plans; of the parameters those count that do not depend on the
 * length. */
pmi_plans pmi_indirect_record_reduce(const pmi_device *device, VkCommandBuffer commands, const pmi_indirect *planned,
                                     pmi_levels_parameters parameters, pmi_plan_task task, pmi_plans plans);
/* plans: any task's. */
void pmi_indirect_record_scan(const pmi_device *device, VkCommandBuffer commands, const pmi_indirect *planned,
                              pmi_levels_parameters parameters, pmi_plans plans);
pmi_plans pmi_indirect_record_match(const pmi_device *device, VkCommandBuffer commands, const pmi_indirect *planned,
                                    pmi_levels_parameters parameters, pmi_plan_task task, uint64_t match,
                                    pmi_plans plans);

#endif
