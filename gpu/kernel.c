/* SPDX-License-Identifier: Apache-2.0 */
/* From SPIR-V to a compute pipeline. */
#include "gpu/kernel.h"

#include "shaders/layout.h"

enum {
    CONSTANTS_MOST = 8
};

/* constants[k] is specialization constant k; teams: workgroups consist of subgroups of PM_LANES. */
static VkResult pipeline_create(const pm_device *device, VkShaderModule module, const uint32_t *constants,
                                uint32_t count, bool teams, pm_kernel *kernel) {
    VkSpecializationMapEntry entries[CONSTANTS_MOST];
    for (uint32_t k = 0; k < count; k++)
        entries[k] = (VkSpecializationMapEntry){k, k * (uint32_t)sizeof *constants, sizeof *constants};
    const VkSpecializationInfo specialization = {
        .mapEntryCount = count, .pMapEntries = entries, .dataSize = count * sizeof *constants, .pData = constants};
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
                  .pSpecializationInfo = &specialization}};
    return device->vk->CreateComputePipelines(device->handle, VK_NULL_HANDLE, 1, &info, NULL, &kernel->pipeline);
}

static pm_status create(const pm_device *device, pm_shader shader, const uint32_t *constants, uint32_t count,
                        bool teams, pm_kernel *kernel) {
    *kernel = (pm_kernel){VK_NULL_HANDLE};
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = shader.bytes, .pCode = shader.words};
    VkShaderModule module;
    VkResult result = device->vk->CreateShaderModule(device->handle, &info, NULL, &module);
    if (result != VK_SUCCESS)
        return pm_vk_status(result);
    result = pipeline_create(device, module, constants, count, teams, kernel);
    device->vk->DestroyShaderModule(device->handle, module, NULL);
    return pm_vk_status(result);
}

pm_status pm_kernel_create(const pm_device *device, pm_shader shader, uint32_t teams, pm_kernel *kernel) {
    const uint32_t invocations = PM_LANES * teams; /* constant PM_CONSTANT_WORKGROUP, which is number 0 */
    return create(device, shader, &invocations, teams > 0, teams > 0, kernel);
}

pm_status pm_kernel_create_special(const pm_device *device, pm_shader shader, const uint32_t *constants, uint32_t count,
                                   pm_kernel *kernel) {
    return create(device, shader, constants, count, false, kernel);
}

void pm_kernel_destroy(const pm_device *device, pm_kernel *kernel) {
    device->vk->DestroyPipeline(device->handle, kernel->pipeline, NULL);
    *kernel = (pm_kernel){VK_NULL_HANDLE};
}

void pm_kernel_dispatch(const pm_device *device, VkCommandBuffer commands, const pm_kernel *kernel,
                        const void *parameters, uint32_t bytes, uint32_t workgroups) {
    const pm_vk *const vk = device->vk;
    vk->CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline);
    vk->CmdPushConstants(commands, device->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, bytes, parameters);
    vk->CmdDispatch(commands, workgroups, 1, 1);
}
