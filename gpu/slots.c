/* SPDX-License-Identifier: Apache-2.0 */
/* Command buffers, fences, and waiting. */
#include "gpu/slots.h"

static const uint64_t patience_ns = UINT64_C(60000000000); /* for a chunk, which takes a second at the very most */

/* Waits for the slot's chunk and copies it to where it goes. */
static pm_status slot_land(const pm_device *device, const pm_slots *slots, pm_slot *s) {
    if (!s->in_flight)
        return PM_OK;
    const pm_vk *const vk = device->vk;
    pm_status status = pm_vk_status(vk->WaitForFences(device->handle, 1, &s->fence, VK_TRUE, patience_ns));
    if (status == PM_OK)
        status = pm_vk_status(vk->ResetFences(device->handle, 1, &s->fence));
    if (status != PM_OK)
        return status;
    s->in_flight = false;
    if (s->to)
        pm_slots_copy(slots, s->to, s->from, s->bytes);
    return PM_OK;
}

pm_status pm_slot_begin(const pm_device *device, pm_slots *slots, pm_slot **begun) {
    pm_slot *const s = &slots->slots[slots->turn++ % PM_SLOTS];
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    *begun = s;
    const pm_status status = slot_land(device, slots, s);
    s->to = NULL; /* of a call that failed before the chunk was on its way */
    return status == PM_OK ? pm_vk_status(device->vk->BeginCommandBuffer(s->commands, &info)) : status;
}

pm_status pm_slot_submit(const pm_device *device, pm_slot *s) {
    const pm_vk *const vk = device->vk;
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &s->commands};
    pm_status status = pm_vk_status(vk->EndCommandBuffer(s->commands));
    if (status == PM_OK)
        status = pm_vk_status(vk->QueueSubmit(device->queue, 1, &info, s->fence));
    s->in_flight = status == PM_OK;
    return status;
}

pm_status pm_slots_land(const pm_device *device, pm_slots *slots, bool deliver) {
    pm_status status = PM_OK;
    for (unsigned k = 0; k < PM_SLOTS; k++) {
        pm_slot *const s = &slots->slots[(slots->turn + k) % PM_SLOTS];
        if (!deliver || status != PM_OK)
            s->to = NULL;
        const pm_status landed = slot_land(device, slots, s);
        status = status == PM_OK ? landed : status;
    }
    return status;
}

static VkResult slot_create(const pm_device *device, VkCommandPool pool, pm_slot *s) {
    const VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                  .commandPool = pool,
                                                  .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                  .commandBufferCount = 1};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkResult result = device->vk->AllocateCommandBuffers(device->handle, &commands, &s->commands);
    return result == VK_SUCCESS ? device->vk->CreateFence(device->handle, &fence, NULL, &s->fence) : result;
}

pm_status pm_slots_create(const pm_device *device, pm_gpu_copy *copy, unsigned copy_threads, pm_slots *slots) {
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = device->queue_family};
    *slots = (pm_slots){.copy = copy, .copy_threads = copy_threads};
    VkResult result = device->vk->CreateCommandPool(device->handle, &pool, NULL, &slots->pool);
    for (unsigned k = 0; k < PM_SLOTS && result == VK_SUCCESS; k++)
        result = slot_create(device, slots->pool, &slots->slots[k]);
    return pm_vk_status(result);
}

void pm_slots_destroy(const pm_device *device, pm_slots *slots) {
    for (unsigned k = 0; k < PM_SLOTS; k++) {
        device->vk->DestroyFence(device->handle, slots->slots[k].fence, NULL);
        pm_buffer_destroy(device, &slots->slots[k].staging);
        pm_buffer_destroy(device, &slots->slots[k].output);
    }
    device->vk->DestroyCommandPool(device->handle, slots->pool, NULL);
    *slots = (pm_slots){0};
}
