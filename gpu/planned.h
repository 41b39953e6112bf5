/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pipeline `wide` for a sequence whose length is on the device. What the host plans for a length that it knows
 * (shaders/plan.h), the device then plans: the dispatches, how many workgroups each has, and what they work on. First
 * all tasks are planned, then the stages go by the plans.
 */
#ifndef PM_GPU_PLANNED_H
#define PM_GPU_PLANNED_H

#include "gpu/wide.h"

typedef struct pm_planned {
    pm_kernel plan;
    pm_wide wide; /* its stages' kernels, of the kind that goes by plans */
} pm_planned;

/* On failure it needs no destroying. */
pm_status pm_planned_create(const pm_device *device, pm_planned *planned);

/* One that is all zeros is fine. */
void pm_planned_destroy(const pm_device *device, pm_planned *planned);

/* Plans in a buffer, aligned to 4 bytes: those of one task after those of another. */
typedef struct pm_plans {
    VkBuffer buffer; /* also for indirect dispatches */
    VkDeviceSize offset;
    uint64_t address; /* of the offset */
} pm_plans;

pm_plans pm_plans_at(const pm_device *device, VkBuffer buffer, VkDeviceSize offset);

static inline pm_plans pm_plans_after(pm_plans plans, uint64_t bytes) {
    plans.offset += bytes;
    plans.address += bytes;
    return plans;
}

/* Bytes of a task's plans. */
static inline uint64_t pm_planned_bytes(pm_plan_task task) {
    return (uint64_t)(task.dispatches + task.dispatches_last) * sizeof(pm_plan);
}

/* Records the planning of a task that has been made for n elements; length is the address of their real number, of
 * which n count at most. Returns where the next task's plans begin. Needs pm_planned_record_barrier() afterwards. */
pm_plans pm_planned_record_plan(const pm_device *device, VkCommandBuffer commands, const pm_planned *planned,
                                uint64_t length, uint32_t n, pm_plan_task task, pm_plans plans);
void pm_planned_record_barrier(const pm_device *device, VkCommandBuffer commands);

/* Records the dispatches of a kernel by a task's plans. The address of each plan is stored in *plan, which is a part of
 * the parameters, as pm_kernel_dispatch() has them. Returns where the next task's plans begin. */
pm_plans pm_planned_dispatch(const pm_device *device, VkCommandBuffer commands, const pm_kernel *kernel,
                             const void *parameters, uint32_t bytes, uint64_t *plan, pm_plan_task task, pm_plans plans);

/* The same for a kernel of which one workgroup does all that the plans tell of: it is given the first one. Records
 * nothing for a task without plans. */
void pm_planned_dispatch_once(const pm_device *device, VkCommandBuffer commands, const pm_kernel *kernel,
                              const void *parameters, uint32_t bytes, uint64_t *plan, pm_plan_task task,
                              pm_plans plans);

/* Each as its namesake in gpu/wide.h, but by plans; of the parameters those count that do not depend on the length. */
pm_plans pm_planned_record_reduce(const pm_device *device, VkCommandBuffer commands, const pm_planned *planned,
                                  pm_wide_parameters parameters, pm_plan_task task, pm_plans plans);
/* plans: any task's. */
void pm_planned_record_scan(const pm_device *device, VkCommandBuffer commands, const pm_planned *planned,
                            pm_wide_parameters parameters, pm_plans plans);
pm_plans pm_planned_record_match(const pm_device *device, VkCommandBuffer commands, const pm_planned *planned,
                                 pm_wide_parameters parameters, pm_plan_task task, uint64_t match, pm_plans plans);

#endif
