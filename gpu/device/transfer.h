/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between host memory and a device's buffers: directly if the host sees the buffer, else through the staging
 * buffers of a ring's chunks, with the barriers that shaders and the host need. */
#ifndef PM_GPU_DEVICE_TRANSFER_H
#define PM_GPU_DEVICE_TRANSFER_H

#include "gpu/device/staging_ring.h"

/* Bytes of a buffer. */
typedef struct pmi_buffer_range {
    const pmi_buffer *buffer;
    uint64_t begin, bytes;
} pmi_buffer_range;

/* Records a copy of as many bytes of another buffer, from `begin` on, to a range that shaders then read. */
void pmi_transfer_record_copy(const pmi_device *device, VkCommandBuffer commands, const pmi_buffer *from,
                              uint64_t begin, pmi_buffer_range to);

/* Copies host memory to a range that the chunk's later commands read. If the host does not see the buffer, this goes
 * through the chunk's staging buffer, from `staged` on, and up to the next multiple of 4 bytes. */
void pmi_transfer_record_upload(const pmi_device *device, const pmi_staging_ring *ring, const pmi_staging_chunk *chunk,
                                uint64_t staged, const void *from, pmi_buffer_range to);

/* Records that the chunk brings a range, which shaders have written, to the host. The bytes are at `to` when the chunk
 * has been finished. */
void pmi_transfer_record_download(const pmi_device *device, pmi_staging_chunk *chunk, pmi_buffer_range from, void *to);

/* Copies host memory to a range, or a range that shaders have written to host memory, in chunks of at most `piece`
 * bytes, a multiple of 4. A download is complete when the ring has been finished. */
pm_status pmi_transfer_upload(const pmi_device *device, pmi_staging_ring *ring, const void *from, pmi_buffer_range to,
                              uint64_t piece);
pm_status pmi_transfer_download(const pmi_device *device, pmi_staging_ring *ring, pmi_buffer_range from, void *to,
                                uint64_t piece);

#endif
