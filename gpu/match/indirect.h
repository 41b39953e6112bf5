/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pipeline `levels` for a sequence whose length only the device knows. The device computes what the host would for
 * a known length (shaders/match/plan.h): the plan of each dispatch, which is its number of workgroups and their work.
 * First all tasks are planned; then the stages are dispatched by these plans.
 */
#ifndef PM_GPU_MATCH_INDIRECT_H
#define PM_GPU_MATCH_INDIRECT_H

#include "gpu/match/levels.h"

typedef struct pmi_indirect {
    pmi_kernel plan;
    pmi_levels levels; /* kernels that read plans */
} pmi_indirect;

/* After a failure it needs no destroying. */
pm_status pmi_indirect_create(const pmi_device *device, pmi_indirect *indirect);

/* Zeros are allowed. */
void pmi_indirect_destroy(const pmi_device *device, pmi_indirect *indirect);

/* Plans in a buffer, aligned to 4 bytes: the tasks', one after the other. */
typedef struct pmi_plans {
    VkBuffer buffer; /* of indirect dispatches */
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

/* Records the planning of a task for at most n elements. `length` is the address of their number. Returns where the
 * next task's plans begin. pmi_indirect_record_barrier() must follow. */
pmi_plans pmi_indirect_record_plan(const pmi_device *device, VkCommandBuffer commands, const pmi_indirect *indirect,
                                   uint64_t length, uint32_t n, pmi_plan_task task, pmi_plans plans);
void pmi_indirect_record_barrier(const pmi_device *device, VkCommandBuffer commands);

/* Records the dispatches of a kernel by a task's plans. Stores the address of each plan in *plan, which is a part of
 * the parameters. Returns where the next task's plans begin. */
pmi_plans pmi_indirect_dispatch(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                                const void *parameters, uint32_t bytes, uint64_t *plan, pmi_plan_task task,
                                pmi_plans plans);

/* Records one dispatch of one workgroup, which does the work of all plans of a task and gets the first one's address. A
 * task without plans needs no dispatch. */
void pmi_indirect_dispatch_once(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                                const void *parameters, uint32_t bytes, uint64_t *plan, pmi_plan_task task,
                                pmi_plans plans);

/* Record the stages of gpu/match/levels.h by plans, with those parameters that do not depend on the length. */
pmi_plans pmi_indirect_record_reduce(const pmi_device *device, VkCommandBuffer commands, const pmi_indirect *indirect,
                                     pmi_levels_parameters parameters, pmi_plan_task task, pmi_plans plans);
/* plans: any task's. */
void pmi_indirect_record_scan(const pmi_device *device, VkCommandBuffer commands, const pmi_indirect *indirect,
                              pmi_levels_parameters parameters, pmi_plans plans);
pmi_plans pmi_indirect_record_match(const pmi_device *device, VkCommandBuffer commands, const pmi_indirect *indirect,
                                    pmi_levels_parameters parameters, pmi_plan_task task, uint64_t match,
                                    pmi_plans plans);

#endif
