/* SPDX-License-Identifier: Apache-2.0 */
/* Slots: commands and a fence each, begun, submitted and waited for by turns. */
#include "gpu/device/staging_ring.h"

#include <string.h>

#include "gpu/device/commands.h"

static void copy_alone(void *to, const void *from, size_t bytes, unsigned threads) {
    (void)threads;
    memcpy(to, from, bytes);
}

pm_status pmi_staging_ring_create(const pmi_device *device, const pmi_gpu_settings *settings, pmi_staging_ring *slots) {
    slots->copy = settings->copy ? settings->copy : copy_alone;
    slots->copy_threads = settings->copy_threads;
    VkResult result = pmi_commands_pool(device, &slots->pool);
    for (unsigned k = 0; k < PM_SLOTS && result == VK_SUCCESS; k++)
        result = pmi_commands_create(device, slots->pool, &slots->slot[k].commands, &slots->slot[k].fence);
    return pmi_vk_status(result);
}

void pmi_staging_ring_destroy(const pmi_device *device, pmi_staging_ring *slots) {
    const pmi_vk *const vk = device->vk;
    for (unsigned k = 0; k < PM_SLOTS; k++) {
        vk->DestroyFence(device->handle, slots->slot[k].fence, NULL);
        pmi_buffer_destroy(device, &slots->slot[k].staging);
        pmi_buffer_destroy(device, &slots->slot[k].output);
    }
    vk->DestroyCommandPool(device->handle, slots->pool, NULL);
    *slots = (pmi_staging_ring){0};
}

void pmi_staging_ring_copy(const pmi_staging_ring *slots, void *to, const void *from, size_t bytes) {
    slots->copy(to, from, bytes, slots->copy_threads);
}

pm_status pmi_staging_chunk_finish(const pmi_device *device, const pmi_staging_ring *slots, pmi_staging_chunk *slot) {
    if (!slot->in_flight)
        return PM_OK;
    pm_status status = pmi_vk_status(pmi_commands_wait(device, slot->fence));
    if (status == PM_OK)
        status = pmi_vk_status(device->vk->ResetFences(device->handle, 1, &slot->fence));
    if (status != PM_OK)
        return status;
    slot->in_flight = false;
    if (slot->to)
        pmi_staging_ring_copy(slots, slot->to, slot->from, slot->bytes);
    return PM_OK;
}

pm_status pmi_staging_chunk_record(const pmi_device *device, pmi_staging_chunk *slot) {
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    slot->to = NULL; /* of a call that failed before the chunk was on its way */
    return pmi_vk_status(device->vk->BeginCommandBuffer(slot->commands, &info));
}

pm_status pmi_staging_chunk_begin(const pmi_device *device, pmi_staging_ring *slots, uint64_t staging,
                                  pmi_staging_chunk **begun) {
    pmi_staging_chunk *const slot = &slots->slot[slots->turn++ % PM_SLOTS];
    *begun = slot;
    pm_status status = pmi_staging_chunk_finish(device, slots, slot);
    if (status == PM_OK)
        status = pmi_buffer_reserve(device, PM_MEMORY_DOWNLOAD, staging, &slot->staging);
    return status == PM_OK ? pmi_staging_chunk_record(device, slot) : status;
}

pm_status pmi_staging_chunk_submit(const pmi_device *device, pmi_staging_chunk *slot) {
    pm_status status = pmi_vk_status(device->vk->EndCommandBuffer(slot->commands));
    if (status == PM_OK)
        status = pmi_vk_status(pmi_commands_submit(device, slot->commands, slot->fence));
    slot->in_flight = status == PM_OK;
    return status;
}

pm_status pmi_staging_ring_finish(const pmi_device *device, pmi_staging_ring *slots, bool deliver) {
    pm_status status = PM_OK;
    for (unsigned k = 0; k < PM_SLOTS; k++) {
        pmi_staging_chunk *const slot = &slots->slot[(slots->turn + k) % PM_SLOTS];
        if (!deliver || status != PM_OK)
            slot->to = NULL;
        const pm_status landed = pmi_staging_chunk_finish(device, slots, slot);
        status = status == PM_OK ? landed : status;
    }
    return status;
}
