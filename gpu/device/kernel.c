/* SPDX-License-Identifier: Apache-2.0 */
/* Creates compute pipelines, and records their dispatches. */
#include "gpu/device/kernel.h"

#include "shaders/shared/layout.h"

/* Teams and constants as Vulkan wants them. */
typedef struct specialization {
    VkSpecializationMapEntry entries[1 + PM_CONSTANTS_MAX];
    uint32_t values[1 + PM_CONSTANTS_MAX];
    VkSpecializationInfo info;
} specialization;

static void constant_add(specialization *s, pmi_constant constant) {
    const uint32_t k = s->info.mapEntryCount++;
    s->values[k] = constant.value;
    s->entries[k] = (VkSpecializationMapEntry){
        .constantID = constant.id, .offset = k * (uint32_t)sizeof *s->values, .size = sizeof *s->values};
    s->info.dataSize += sizeof *s->values;
}

static VkResult pipeline_create(const pmi_device *device, VkShaderModule module, uint32_t teams,
                                const pmi_constant *constants, uint32_t count, pmi_kernel *kernel) {
    specialization s = {.info = {.pMapEntries = s.entries, .pData = s.values}};
    if (teams)
        constant_add(&s, (pmi_constant){PM_CONSTANT_WORKGROUP, PM_LANES * teams});
    for (uint32_t k = 0; k < count; k++)
        constant_add(&s, constants[k]);
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = PM_LANES};
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .layout = device->layout,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = teams ? &size : NULL,
                  .flags = teams ? VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT : 0,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &s.info}};
    return device->vk->CreateComputePipelines(device->handle, device->cache, 1, &info, device->callbacks,
                                              &kernel->pipeline);
}

pm_status pmi_kernel_create(const pmi_device *device, pmi_shader shader, uint32_t teams, pmi_kernel *kernel) {
    return pmi_kernel_create_with(device, shader, teams, NULL, 0, kernel);
}

pm_status pmi_kernel_create_with(const pmi_device *device, pmi_shader shader, uint32_t teams,
                                 const pmi_constant *constants, uint32_t count, pmi_kernel *kernel) {
    *kernel = (pmi_kernel){VK_NULL_HANDLE};
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = shader.bytes, .pCode = shader.words};
    VkShaderModule module;
    VkResult result = device->vk->CreateShaderModule(device->handle, &info, device->callbacks, &module);
    if (result != VK_SUCCESS)
        return pmi_vk_status(result);
    result = pipeline_create(device, module, teams, constants, count, kernel);
    device->vk->DestroyShaderModule(device->handle, module, device->callbacks);
    return pmi_vk_status(result);
}

void pmi_kernel_destroy(const pmi_device *device, pmi_kernel *kernel) {
    device->vk->DestroyPipeline(device->handle, kernel->pipeline, device->callbacks);
    *kernel = (pmi_kernel){VK_NULL_HANDLE};
}

static void kernel_bind(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                        const void *parameters, uint32_t bytes) {
    device->vk->CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline);
    device->vk->CmdPushConstants(commands, device->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, bytes, parameters);
}

void pmi_kernel_dispatch(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                         const void *parameters, uint32_t bytes, uint32_t workgroups) {
    kernel_bind(device, commands, kernel, parameters, bytes);
    device->vk->CmdDispatch(commands, workgroups, 1, 1);
}

uint32_t pmi_kernel_workgroups_max(const pmi_device *device, uint64_t by_time) {
    const uint32_t limit = device->can.dispatch_workgroups;
    return by_time == 0 ? 1 : by_time < limit ? (uint32_t)by_time : limit;
}

void pmi_kernel_dispatch_parts(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                               const void *parameters, uint32_t bytes, uint32_t *first, uint32_t begin, uint32_t count,
                               uint64_t by_time) {
    const uint32_t most = pmi_kernel_workgroups_max(device, by_time);
    for (uint32_t done = 0, some; done < count; done += some) {
        some = count - done < most ? count - done : most;
        if (first)
            *first = begin + done;
        pmi_kernel_dispatch(device, commands, kernel, parameters, bytes, some);
    }
}

void pmi_kernel_dispatch_indirect(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                                  const void *parameters, uint32_t bytes, VkBuffer buffer, VkDeviceSize offset) {
    kernel_bind(device, commands, kernel, parameters, bytes);
    device->vk->CmdDispatchIndirect(commands, buffer, offset);
}
