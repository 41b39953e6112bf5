/* SPDX-License-Identifier: Apache-2.0 */
/* Slots: commands and a fence each, begun, submitted and waited for by turns. */
#include "gpu/slots.h"

#include <string.h>

#include "gpu/commands.h"

static void copy_alone(void *to, const void *from, size_t bytes, unsigned threads) {
    (void)threads;
    memcpy(to, from, bytes);
}

pm_status pm_slots_create(const pm_device *device, const pm_gpu_settings *settings, pm_slots *slots) {
    slots->copy = settings->copy ? settings->copy : copy_alone;
    slots->copy_threads = settings->copy_threads;
    VkResult result = pm_commands_pool(device, &slots->pool);
    for (unsigned k = 0; k < PM_SLOTS && result == VK_SUCCESS; k++)
        result = pm_commands_create(device, slots->pool, &slots->slot[k].commands, &slots->slot[k].fence);
    return pm_vk_status(result);
}

void pm_slots_destroy(const pm_device *device, pm_slots *slots) {
    const pm_vk *const vk = device->vk;
    for (unsigned k = 0; k < PM_SLOTS; k++) {
        vk->DestroyFence(device->handle, slots->slot[k].fence, NULL);
        pm_buffer_destroy(device, &slots->slot[k].staging);
        pm_buffer_destroy(device, &slots->slot[k].output);
    }
    vk->DestroyCommandPool(device->handle, slots->pool, NULL);
    *slots = (pm_slots){0};
}

void pm_slots_copy(const pm_slots *slots, void *to, const void *from, size_t bytes) {
    slots->copy(to, from, bytes, slots->copy_threads);
}

pm_status pm_slot_land(const pm_device *device, const pm_slots *slots, pm_slot *slot) {
    if (!slot->in_flight)
        return PM_OK;
    pm_status status = pm_vk_status(pm_commands_wait(device, slot->fence));
    if (status == PM_OK)
        status = pm_vk_status(device->vk->ResetFences(device->handle, 1, &slot->fence));
    if (status != PM_OK)
        return status;
    slot->in_flight = false;
    const void *const come_down = slot->output.mapped ? slot->output.mapped : slot->staging.mapped;
    if (slot->to)
        pm_slots_copy(slots, slot->to, slot->from ? slot->from : come_down, slot->bytes);
    return PM_OK;
}

pm_status pm_slot_record(const pm_device *device, pm_slot *slot) {
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    slot->to = NULL; /* of a call that failed before the chunk was on its way */
    slot->from = NULL;
    return pm_vk_status(device->vk->BeginCommandBuffer(slot->commands, &info));
}

pm_status pm_slot_begin(const pm_device *device, pm_slots *slots, pm_slot **begun) {
    pm_slot *const slot = &slots->slot[slots->turn++ % PM_SLOTS];
    *begun = slot;
    const pm_status status = pm_slot_land(device, slots, slot);
    return status == PM_OK ? pm_slot_record(device, slot) : status;
}

pm_status pm_slot_submit(const pm_device *device, pm_slot *slot) {
    pm_status status = pm_vk_status(device->vk->EndCommandBuffer(slot->commands));
    if (status == PM_OK)
        status = pm_vk_status(pm_commands_submit(device, slot->commands, slot->fence));
    slot->in_flight = status == PM_OK;
    return status;
}

pm_status pm_slots_land(const pm_device *device, pm_slots *slots, bool deliver) {
    pm_status status = PM_OK;
    for (unsigned k = 0; k < PM_SLOTS; k++) {
        pm_slot *const slot = &slots->slot[(slots->turn + k) % PM_SLOTS];
        if (!deliver || status != PM_OK)
            slot->to = NULL;
        const pm_status landed = pm_slot_land(device, slots, slot);
        status = status == PM_OK ? landed : status;
    }
    return status;
}
