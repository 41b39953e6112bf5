/* SPDX-License-Identifier: Apache-2.0 */
/* Command buffers, and those that are submitted again. */
#include "gpu/device/commands.h"

/* A minute in steps: if the process is stopped, or its machine sleeps, this counts as one step. A device that is a CPU
 * compiles shaders meanwhile, and shares the processors with others: it has ten minutes. */
static const uint64_t step_ns = UINT64_C(100000000);
static const unsigned steps_max = 600, steps_max_cpu = 6000;

VkResult pmi_commands_pool(const pmi_device *device, VkCommandPool *pool) {
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = device->queue_family};
    return pmi_vk_created(device->vk->CreateCommandPool(device->handle, &info, NULL, pool), pool, sizeof *pool);
}

VkResult pmi_commands_create(const pmi_device *device, VkCommandPool pool, VkCommandBuffer *commands, VkFence *fence) {
    const VkCommandBufferAllocateInfo one = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = pool,
                                             .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                             .commandBufferCount = 1};
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    *fence = VK_NULL_HANDLE;
    const VkResult result = device->vk->AllocateCommandBuffers(device->handle, &one, commands);
    return result == VK_SUCCESS
               ? pmi_vk_created(device->vk->CreateFence(device->handle, &info, NULL, fence), fence, sizeof *fence)
               : result;
}

VkResult pmi_commands_submit(const pmi_device *device, VkCommandBuffer commands, VkFence fence) {
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    return device->vk->QueueSubmit(device->queue, 1, &info, fence);
}

VkResult pmi_commands_wait(const pmi_device *device, VkFence fence) {
    const unsigned steps = device->can.type == VK_PHYSICAL_DEVICE_TYPE_CPU ? steps_max_cpu : steps_max;
    VkResult result = VK_TIMEOUT;
    for (unsigned step = 0; step < steps && result == VK_TIMEOUT; step++)
        result = device->vk->WaitForFences(device->handle, 1, &fence, VK_TRUE, step_ns);
    return result;
}

/* ---- Reusable commands ---- */

enum {
    POLLS_MAX = 10000 /* of a fence; one takes some tenths of a microsecond */
};

static VkResult create(const pmi_device *device, pmi_reusable_commands *reusable) {
    const VkResult result = pmi_commands_pool(device, &reusable->pool);
    return result == VK_SUCCESS ? pmi_commands_create(device, reusable->pool, &reusable->commands, &reusable->fence)
                                : result;
}

pm_status pmi_reusable_commands_begin(const pmi_device *device, pmi_reusable_commands *reusable) {
    reusable->complete = false;
    if (!reusable->fence) {
        pmi_reusable_commands_destroy(device, reusable); /* of an attempt that failed */
        const pm_status status = pmi_vk_status(create(device, reusable));
        if (status != PM_OK)
            return status;
    }
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    return pmi_vk_status(device->vk->BeginCommandBuffer(reusable->commands, &info));
}

pm_status pmi_reusable_commands_end(const pmi_device *device, pmi_reusable_commands *reusable) {
    const pm_status status = pmi_vk_status(device->vk->EndCommandBuffer(reusable->commands));
    reusable->complete = status == PM_OK;
    return status;
}

pm_status pmi_reusable_commands_submit(const pmi_device *device, pmi_reusable_commands *reusable) {
    pm_status status =
        reusable->is_signaled ? pmi_vk_status(device->vk->ResetFences(device->handle, 1, &reusable->fence)) : PM_OK;
    reusable->is_signaled = reusable->is_signaled && status != PM_OK;
    if (status == PM_OK)
        status = pmi_vk_status(pmi_commands_submit(device, reusable->commands, reusable->fence));
    reusable->in_flight = status == PM_OK;
    return status;
}

static VkResult poll(const pmi_device *device, VkFence fence) {
    VkResult result = VK_NOT_READY;
    if (device->can.type != VK_PHYSICAL_DEVICE_TYPE_CPU)
        for (unsigned k = 0; k < POLLS_MAX && result == VK_NOT_READY; k++)
            result = device->vk->GetFenceStatus(device->handle, fence);
    return result;
}

pm_status pmi_reusable_commands_finish(const pmi_device *device, pmi_reusable_commands *reusable) {
    if (!reusable->in_flight)
        return PM_OK;
    VkResult result = poll(device, reusable->fence);
    if (result == VK_NOT_READY)
        result = pmi_commands_wait(device, reusable->fence);
    reusable->is_signaled = result == VK_SUCCESS;
    reusable->in_flight = !reusable->is_signaled;
    return pmi_vk_status(result);
}

void pmi_reusable_commands_destroy(const pmi_device *device, pmi_reusable_commands *reusable) {
    device->vk->DestroyFence(device->handle, reusable->fence, NULL);
    device->vk->DestroyCommandPool(device->handle, reusable->pool, NULL);
    *reusable = (pmi_reusable_commands){0};
}
