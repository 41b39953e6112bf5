/* SPDX-License-Identifier: Apache-2.0 */
/* A command buffer in a pool of its own, so that its memory goes with it. */
#include "gpu/device/reusable_commands.h"

#include "gpu/device/commands.h"

enum {
    LOOKS_MOST = 10000 /* at a fence, of which each takes some tenths of a microsecond */
};

static VkResult create(const pmi_device *device, pmi_reusable_commands *recorded) {
    const VkResult result = pmi_commands_pool(device, &recorded->pool);
    return result == VK_SUCCESS ? pmi_commands_create(device, recorded->pool, &recorded->commands, &recorded->fence)
                                : result;
}

pm_status pmi_reusable_commands_begin(const pmi_device *device, pmi_reusable_commands *recorded) {
    recorded->complete = false;
    if (!recorded->fence) {
        pmi_reusable_commands_destroy(device, recorded); /* of an attempt that failed */
        const pm_status status = pmi_vk_status(create(device, recorded));
        if (status != PM_OK)
            return status;
    }
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    return pmi_vk_status(device->vk->BeginCommandBuffer(recorded->commands, &info));
}

pm_status pmi_reusable_commands_end(const pmi_device *device, pmi_reusable_commands *recorded) {
    const pm_status status = pmi_vk_status(device->vk->EndCommandBuffer(recorded->commands));
    recorded->complete = status == PM_OK;
    return status;
}

pm_status pmi_reusable_commands_submit(const pmi_device *device, pmi_reusable_commands *recorded) {
    pm_status status =
        recorded->has_landed ? pmi_vk_status(device->vk->ResetFences(device->handle, 1, &recorded->fence)) : PM_OK;
    recorded->has_landed = recorded->has_landed && status != PM_OK;
    if (status == PM_OK)
        status = pmi_vk_status(pmi_commands_submit(device, recorded->commands, recorded->fence));
    recorded->in_flight = status == PM_OK;
    return status;
}

/* Looks for some milliseconds whether it is done. */
static VkResult watch(const pmi_device *device, VkFence fence) {
    VkResult result = VK_NOT_READY;
    if (device->can.type != VK_PHYSICAL_DEVICE_TYPE_CPU)
        for (unsigned k = 0; k < LOOKS_MOST && result == VK_NOT_READY; k++)
            result = device->vk->GetFenceStatus(device->handle, fence);
    return result;
}

pm_status pmi_reusable_commands_finish(const pmi_device *device, pmi_reusable_commands *recorded) {
    if (!recorded->in_flight)
        return PM_OK;
    VkResult result = watch(device, recorded->fence);
    if (result == VK_NOT_READY)
        result = pmi_commands_wait(device, recorded->fence);
    recorded->has_landed = result == VK_SUCCESS;
    recorded->in_flight = !recorded->has_landed;
    return pmi_vk_status(result);
}

void pmi_reusable_commands_destroy(const pmi_device *device, pmi_reusable_commands *recorded) {
    device->vk->DestroyFence(device->handle, recorded->fence, NULL);
    device->vk->DestroyCommandPool(device->handle, recorded->pool, NULL);
    *recorded = (pmi_reusable_commands){0};
}
