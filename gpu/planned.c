/* SPDX-License-Identifier: Apache-2.0 */
/* Recording dispatches whose size the device finds. */
#include "gpu/planned.h"

static const uint32_t plan_words[] = {
#include "shaders/spv/plan.inc"
};

_Static_assert(offsetof(pm_plan, workgroups) == offsetof(VkDispatchIndirectCommand, x) &&
                   offsetof(pm_plan, workgroups_y) == offsetof(VkDispatchIndirectCommand, y) &&
                   offsetof(pm_plan, workgroups_z) == offsetof(VkDispatchIndirectCommand, z),
               "a plan is a dispatch");
_Static_assert(sizeof(pm_planner_parameters) <= PM_PUSH_BYTES, "parameters fit");

pm_status pm_planned_create(const pm_device *device, pm_planned *planned) {
    *planned = (pm_planned){0};
    pm_status status = pm_kernel_create(device, (pm_shader){plan_words, sizeof plan_words}, 0, &planned->plan);
    if (status == PM_OK)
        status = pm_wide_create_planned(device, &planned->wide);
    if (status != PM_OK)
        pm_planned_destroy(device, planned);
    return status;
}

void pm_planned_destroy(const pm_device *device, pm_planned *planned) {
    pm_kernel_destroy(device, &planned->plan);
    pm_wide_destroy(device, &planned->wide);
}

pm_plans pm_planned_record_plan(const pm_device *device, VkCommandBuffer commands, const pm_planned *planned,
                                uint64_t length, uint32_t n, pm_plan_task task, pm_plans plans) {
    const pm_planner_parameters parameters = {.length = length, .plans = plans.address, .n = n, .task = task};
    pm_kernel_dispatch(device, commands, &planned->plan, &parameters, sizeof parameters, 1);
    return pm_plans_after(plans, pm_planned_bytes(task));
}

pm_plans pm_plans_at(const pm_device *device, VkBuffer buffer, VkDeviceSize offset) {
    const VkBufferDeviceAddressInfo of_buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                                 .buffer = buffer};
    return (pm_plans){.buffer = buffer,
                      .offset = offset,
                      .address = device->vk->GetBufferDeviceAddress(device->handle, &of_buffer) + offset};
}

void pm_planned_record_barrier(const pm_device *device, VkCommandBuffer commands) {
    pm_device_barrier(device, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                      VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_SHADER_READ_BIT);
}

pm_plans pm_planned_dispatch(const pm_device *device, VkCommandBuffer commands, const pm_kernel *kernel,
                             const void *parameters, uint32_t bytes, uint64_t *plan, pm_plan_task task,
                             pm_plans plans) {
    for (uint32_t k = 0; k < task.dispatches + task.dispatches_last; k++) {
        *plan = plans.address;
        pm_kernel_dispatch_indirect(device, commands, kernel, parameters, bytes, plans.buffer, plans.offset);
        plans = pm_plans_after(plans, sizeof(pm_plan));
    }
    return plans;
}

void pm_planned_dispatch_once(const pm_device *device, VkCommandBuffer commands, const pm_kernel *kernel,
                              const void *parameters, uint32_t bytes, uint64_t *plan, pm_plan_task task,
                              pm_plans plans) {
    *plan = plans.address;
    if (pm_planned_bytes(task) > 0)
        pm_kernel_dispatch(device, commands, kernel, parameters, bytes, 1);
}

pm_plans pm_planned_record_reduce(const pm_device *device, VkCommandBuffer commands, const pm_planned *planned,
                                  pm_wide_parameters parameters, pm_plan_task task, pm_plans plans) {
    return pm_planned_dispatch(device, commands, &planned->wide.reduce, &parameters, sizeof parameters,
                               &parameters.plan, task, plans);
}

void pm_planned_record_scan(const pm_device *device, VkCommandBuffer commands, const pm_planned *planned,
                            pm_wide_parameters parameters, pm_plans plans) {
    parameters.plan = plans.address;
    pm_wide_record_scan(device, commands, &planned->wide, parameters);
}

pm_plans pm_planned_record_match(const pm_device *device, VkCommandBuffer commands, const pm_planned *planned,
                                 pm_wide_parameters parameters, pm_plan_task task, uint64_t match, pm_plans plans) {
    parameters.match = match;
    parameters.match_tile = task.first;
    return pm_planned_dispatch(device, commands, &planned->wide.match, &parameters, sizeof parameters, &parameters.plan,
                               task, plans);
}
