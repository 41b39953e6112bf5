/* SPDX-License-Identifier: Apache-2.0 */
/* Chunks, which are begun, submitted and waited for one after the other, and every copy between the host and a device.
 */
#include "gpu/device/transfer.h"

#include <string.h>

#include "base/sizes.h"
#include "gpu/device/commands.h"

/* ---- Chunks ---- */

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

/* ---- Copies ---- */

void pmi_transfer_record_copy(const pmi_device *device, VkCommandBuffer commands, const pmi_buffer *from,
                              uint64_t begin, pmi_buffer_range to) {
    const VkBufferCopy copy = {.srcOffset = begin, .dstOffset = to.begin, .size = to.bytes};
    device->vk->CmdCopyBuffer(commands, from->handle, to.buffer->handle, 1, &copy);
    pmi_device_barrier(device, commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
}

void pmi_transfer_record_upload(const pmi_device *device, const pmi_staging_ring *ring, const pmi_staging_chunk *chunk,
                                uint64_t staged, const void *from, pmi_buffer_range to) {
    if (to.buffer->mapped) { /* a submission makes the host's writes visible */
        pmi_staging_ring_copy(ring, (unsigned char *)to.buffer->mapped + to.begin, from, to.bytes);
        return;
    }
    pmi_staging_ring_copy(ring, (unsigned char *)chunk->staging.mapped + staged, from, to.bytes);
    to.bytes = pmi_divide_up(to.bytes, 4) * 4;
    pmi_transfer_record_copy(device, chunk->commands, &chunk->staging, staged, to);
}

void pmi_transfer_record_barrier(const pmi_device *device, VkCommandBuffer commands) {
    pmi_device_barrier(device, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_ACCESS_HOST_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT);
}

void pmi_transfer_record_download(const pmi_device *device, pmi_staging_chunk *chunk, pmi_buffer_range from, void *to) {
    const unsigned char *const mapped = from.buffer->mapped;
    pmi_transfer_record_barrier(device, chunk->commands);
    if (!mapped) {
        const VkBufferCopy copy = {.srcOffset = from.begin, .size = from.bytes};
        device->vk->CmdCopyBuffer(chunk->commands, from.buffer->handle, chunk->staging.handle, 1, &copy);
        pmi_device_barrier(device, chunk->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                           VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    }
    chunk->from = mapped ? mapped + from.begin : chunk->staging.mapped;
    chunk->to = to;
    chunk->bytes = from.bytes;
}

/* The part of a range from `done` on, of at most `piece` bytes. */
static pmi_buffer_range part(pmi_buffer_range range, uint64_t done, uint64_t piece) {
    return (pmi_buffer_range){range.buffer, range.begin + done, pmi_min(piece, range.bytes - done)};
}

pm_status pmi_transfer_upload(const pmi_device *device, pmi_staging_ring *ring, const void *from, pmi_buffer_range to,
                              uint64_t piece) {
    if (to.buffer->mapped) {
        pmi_transfer_record_upload(device, ring, NULL, 0, from, to);
        return PM_OK;
    }
    pm_status status = PM_OK;
    for (uint64_t done = 0; done < to.bytes && status == PM_OK; done += piece) {
        pmi_staging_chunk *chunk;
        status = pmi_staging_chunk_begin(device, ring, piece, &chunk);
        if (status != PM_OK)
            break;
        pmi_transfer_record_upload(device, ring, chunk, 0, (const unsigned char *)from + done, part(to, done, piece));
        status = pmi_staging_chunk_submit(device, chunk);
    }
    return status;
}

pm_status pmi_transfer_download(const pmi_device *device, pmi_staging_ring *ring, pmi_buffer_range from, void *to,
                                uint64_t piece) {
    pm_status status = PM_OK;
    for (uint64_t done = 0; done < from.bytes && status == PM_OK; done += piece) {
        pmi_staging_chunk *chunk;
        status = pmi_staging_chunk_begin(device, ring, from.buffer->mapped ? 0 : piece, &chunk);
        if (status != PM_OK)
            break;
        pmi_transfer_record_download(device, chunk, part(from, done, piece), (unsigned char *)to + done);
        status = pmi_staging_chunk_submit(device, chunk);
    }
    return status;
}
