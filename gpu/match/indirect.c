/* SPDX-License-Identifier: Apache-2.0 */
/* Records dispatches whose size the device computes. */
#include "gpu/match/levels.h"
#include "shaders/spv/match.h"

_Static_assert(offsetof(pmi_plan, workgroups) == offsetof(VkDispatchIndirectCommand, x) &&
                   offsetof(pmi_plan, workgroups_y) == offsetof(VkDispatchIndirectCommand, y) &&
                   offsetof(pmi_plan, workgroups_z) == offsetof(VkDispatchIndirectCommand, z),
               "a plan is a dispatch");
_Static_assert(sizeof(pmi_planner_parameters) <= PM_PUSH_BYTES, "parameters fit");

pm_status pmi_indirect_create(const pmi_device *device, pmi_indirect *indirect) {
    *indirect = (pmi_indirect){0};
    pm_status status = pmi_kernel_create(device, PM_SHADER(spv_match_plan), 0, &indirect->plan);
    if (status == PM_OK)
        status = pmi_levels_create_indirect(device, &indirect->levels);
    if (status != PM_OK)
        pmi_indirect_destroy(device, indirect);
    return status;
}

void pmi_indirect_destroy(const pmi_device *device, pmi_indirect *indirect) {
    pmi_kernel_destroy(device, &indirect->plan);
    pmi_levels_destroy(device, &indirect->levels);
}

pmi_plans pmi_indirect_record_plan(const pmi_device *device, VkCommandBuffer commands, const pmi_indirect *indirect,
                                   uint64_t length, uint32_t n, pmi_plan_task task, pmi_plans plans) {
    const pmi_planner_parameters parameters = {.length = length, .plans = plans.address, .n = n, .task = task};
    pmi_kernel_dispatch(device, commands, &indirect->plan, &parameters, sizeof parameters, 1);
    return pmi_plans_after(plans, pmi_indirect_bytes(task));
}

pmi_plans pmi_plans_at(const pmi_device *device, VkBuffer buffer, VkDeviceSize offset) {
    const VkBufferDeviceAddressInfo of_buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                                 .buffer = buffer};
    return (pmi_plans){.buffer = buffer,
                       .offset = offset,
                       .address = device->vk->GetBufferDeviceAddress(device->handle, &of_buffer) + offset};
}

void pmi_indirect_record_barrier(const pmi_device *device, VkCommandBuffer commands) {
    pmi_device_barrier(device, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_SHADER_READ_BIT);
}

pmi_plans pmi_indirect_dispatch(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                                const void *parameters, uint32_t bytes, uint64_t *plan, pmi_plan_task task,
                                pmi_plans plans) {
    for (uint32_t k = 0; k < task.dispatches + task.dispatches_last; k++) {
        *plan = plans.address;
        pmi_kernel_dispatch_indirect(device, commands, kernel, parameters, bytes, plans.buffer, plans.offset);
        plans = pmi_plans_after(plans, sizeof(pmi_plan));
    }
    return plans;
}

void pmi_indirect_dispatch_once(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                                const void *parameters, uint32_t bytes, uint64_t *plan, pmi_plan_task task,
                                pmi_plans plans) {
    *plan = plans.address;
    if (pmi_indirect_bytes(task) > 0)
        pmi_kernel_dispatch(device, commands, kernel, parameters, bytes, 1);
}

pmi_plans pmi_indirect_record_reduce(const pmi_device *device, VkCommandBuffer commands, const pmi_indirect *indirect,
                                     pmi_levels_parameters parameters, pmi_plan_task task, pmi_plans plans) {
    return pmi_indirect_dispatch(device, commands, &indirect->levels.reduce, &parameters, sizeof parameters,
                                 &parameters.plan, task, plans);
}

void pmi_indirect_record_scan(const pmi_device *device, VkCommandBuffer commands, const pmi_indirect *indirect,
                              pmi_levels_parameters parameters, pmi_plans plans) {
    parameters.plan = plans.address;
    pmi_levels_record_scan(device, commands, &indirect->levels, parameters);
}

pmi_plans pmi_indirect_record_match(const pmi_device *device, VkCommandBuffer commands, const pmi_indirect *indirect,
                                    pmi_levels_parameters parameters, pmi_plan_task task, uint64_t match,
                                    pmi_plans plans) {
    parameters.match = match;
    parameters.match_tile = task.first;
    return pmi_indirect_dispatch(device, commands, &indirect->levels.match, &parameters, sizeof parameters,
                                 &parameters.plan, task, plans);
}
