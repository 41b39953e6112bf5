/* SPDX-License-Identifier: Apache-2.0 */
/* Chunks are begun, submitted and waited for one after the other. */
#include "gpu/device/staging_ring.h"

#include <string.h>

#include "gpu/device/commands.h"

static void copy_alone(void *to, const void *from, size_t bytes, unsigned threads) {
    (void)threads;
    memcpy(to, from, bytes);
}

pm_status pmi_staging_ring_create(const pmi_device *device, const pmi_gpu_settings *settings, pmi_staging_ring *ring) {
    ring->copy = settings->copy ? settings->copy : copy_alone;
    ring->copy_threads = settings->copy_threads;
    VkResult result = pmi_commands_pool(device, &ring->pool);
    for (unsigned k = 0; k < PM_STAGING_CHUNKS && result == VK_SUCCESS; k++)
        result = pmi_commands_create(device, ring->pool, &ring->chunk[k].commands, &ring->chunk[k].fence);
    return pmi_vk_status(result);
}

void pmi_staging_ring_destroy(const pmi_device *device, pmi_staging_ring *ring) {
    const pmi_vk *const vk = device->vk;
    for (unsigned k = 0; k < PM_STAGING_CHUNKS; k++) {
        vk->DestroyFence(device->handle, ring->chunk[k].fence, NULL);
        pmi_buffer_destroy(device, &ring->chunk[k].staging);
        pmi_buffer_destroy(device, &ring->chunk[k].output);
    }
    vk->DestroyCommandPool(device->handle, ring->pool, NULL);
    *ring = (pmi_staging_ring){0};
}

void pmi_staging_ring_copy(const pmi_staging_ring *ring, void *to, const void *from, size_t bytes) {
    ring->copy(to, from, bytes, ring->copy_threads);
}

pm_status pmi_staging_chunk_finish(const pmi_device *device, const pmi_staging_ring *ring, pmi_staging_chunk *chunk) {
    if (!chunk->in_flight)
        return PM_OK;
    pm_status status = pmi_vk_status(pmi_commands_wait(device, chunk->fence));
    if (status == PM_OK)
        status = pmi_vk_status(device->vk->ResetFences(device->handle, 1, &chunk->fence));
    if (status != PM_OK)
        return status;
    chunk->in_flight = false;
    if (chunk->to)
        pmi_staging_ring_copy(ring, chunk->to, chunk->from, chunk->bytes);
    return PM_OK;
}

pm_status pmi_staging_chunk_record(const pmi_device *device, pmi_staging_chunk *chunk) {
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    chunk->to = NULL; /* which a call has set that failed before it submitted the chunk */
    return pmi_vk_status(device->vk->BeginCommandBuffer(chunk->commands, &info));
}

pm_status pmi_staging_chunk_begin(const pmi_device *device, pmi_staging_ring *ring, uint64_t staging,
                                  pmi_staging_chunk **begun) {
    pmi_staging_chunk *const chunk = &ring->chunk[ring->turn++ % PM_STAGING_CHUNKS];
    *begun = chunk;
    pm_status status = pmi_staging_chunk_finish(device, ring, chunk);
    if (status == PM_OK)
        status = pmi_buffer_reserve(device, PM_MEMORY_DOWNLOAD, staging, &chunk->staging);
    return status == PM_OK ? pmi_staging_chunk_record(device, chunk) : status;
}

pm_status pmi_staging_chunk_submit(const pmi_device *device, pmi_staging_chunk *chunk) {
    pm_status status = pmi_vk_status(device->vk->EndCommandBuffer(chunk->commands));
    if (status == PM_OK)
        status = pmi_vk_status(pmi_commands_submit(device, chunk->commands, chunk->fence));
    chunk->in_flight = status == PM_OK;
    return status;
}

pm_status pmi_staging_ring_finish(const pmi_device *device, pmi_staging_ring *ring, bool deliver) {
    pm_status status = PM_OK;
    for (unsigned k = 0; k < PM_STAGING_CHUNKS; k++) {
        pmi_staging_chunk *const chunk = &ring->chunk[(ring->turn + k) % PM_STAGING_CHUNKS];
        if (!deliver || status != PM_OK)
            chunk->to = NULL;
        const pm_status finished = pmi_staging_chunk_finish(device, ring, chunk);
        status = status == PM_OK ? finished : status;
    }
    return status;
}
