/* SPDX-License-Identifier: Apache-2.0 */
/* From SPIR-V to a compute pipeline. */
#include "gpu/kernel.h"

#include "shaders/layout.h"

static VkResult pipeline_create(const pm_device *device, VkShaderModule module, uint32_t teams, pm_kernel *kernel) {
    const uint32_t invocations = PM_LANES * teams;
    const VkSpecializationMapEntry entry = {.constantID = PM_CONSTANT_WORKGROUP, .size = sizeof invocations};
    const VkSpecializationInfo specialization = {
        .mapEntryCount = 1, .pMapEntries = &entry, .dataSize = sizeof invocations, .pData = &invocations};
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
                  .pSpecializationInfo = teams ? &specialization : NULL}};
    return device->vk->CreateComputePipelines(device->handle, device->cache, 1, &info, device->callbacks,
                                              &kernel->pipeline);
}

pm_status pm_kernel_create(const pm_device *device, pm_shader shader, uint32_t teams, pm_kernel *kernel) {
    *kernel = (pm_kernel){VK_NULL_HANDLE};
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = shader.bytes, .pCode = shader.words};
    VkShaderModule module;
    VkResult result = device->vk->CreateShaderModule(device->handle, &info, device->callbacks, &module);
    if (result != VK_SUCCESS)
        return pm_vk_status(result);
    result = pipeline_create(device, module, teams, kernel);
    device->vk->DestroyShaderModule(device->handle, module, device->callbacks);
    return pm_vk_status(result);
}

void pm_kernel_destroy(const pm_device *device, pm_kernel *kernel) {
    device->vk->DestroyPipeline(device->handle, kernel->pipeline, device->callbacks);
    *kernel = (pm_kernel){VK_NULL_HANDLE};
}

void pm_kernel_dispatch(const pm_device *device, VkCommandBuffer commands, const pm_kernel *kernel,
                        const void *parameters, uint32_t bytes, uint32_t workgroups) {
    const pm_vk *const vk = device->vk;
    vk->CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline);
    vk->CmdPushConstants(commands, device->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, bytes, parameters);
    vk->CmdDispatch(commands, workgroups, 1, 1);
}
