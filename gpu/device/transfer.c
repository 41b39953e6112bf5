/* SPDX-License-Identifier: Apache-2.0 */
/* Every copy between the host and a device. */
#include "gpu/device/transfer.h"

#include "base/sizes.h"

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

void pmi_transfer_record_download(const pmi_device *device, pmi_staging_chunk *chunk, pmi_buffer_range from, void *to) {
    const unsigned char *const mapped = from.buffer->mapped;
    /* The host also reads results that shaders have written to other buffers. */
    pmi_device_barrier(device, chunk->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_HOST_BIT | (mapped ? 0 : VK_PIPELINE_STAGE_TRANSFER_BIT),
                       VK_ACCESS_HOST_READ_BIT | (mapped ? 0 : VK_ACCESS_TRANSFER_READ_BIT));
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
