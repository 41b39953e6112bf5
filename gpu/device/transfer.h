/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between host memory and a device's buffers: directly if the host sees the buffer, else through the staging
 * buffers of a ring of chunks. The host copies one chunk while the device works on another. */
#ifndef PM_GPU_DEVICE_TRANSFER_H
#define PM_GPU_DEVICE_TRANSFER_H

#include "gpu/device/memory.h"
#include "gpu/device/settings.h"

/* ---- Chunks ---- */

#define PM_STAGING_CHUNKS 3u /* one that the host copies, one that the device works on, one that waits for either */

/* Commands, their fence, and the memory that data goes through. */
typedef struct pmi_staging_chunk {
    VkCommandBuffer commands;
    VkFence fence;
    pmi_buffer staging; /* in host memory, for buffers that the host does not see */
    pmi_buffer output;  /* in device memory, for a part of a match */
    bool in_flight;
    void *to; /* where pmi_staging_chunk_finish() copies `bytes` from `from`; NULL: nowhere */
    const void *from;
    size_t bytes;
} pmi_staging_chunk;

typedef struct pmi_staging_ring {
    pmi_staging_chunk chunk[PM_STAGING_CHUNKS];
    unsigned turn;
    VkCommandPool pool;
    pmi_gpu_copy *copy; /* between the caller's memory and what the device sees */
    unsigned copy_threads;
} pmi_staging_ring;

/* Creates a ring without buffers. It must be destroyed after a failure, too. */
pm_status pmi_staging_ring_create(const pmi_device *device, const pmi_gpu_settings *settings, pmi_staging_ring *ring);

/* Copies as memcpy() does, by the settings' function. */
void pmi_staging_ring_copy(const pmi_staging_ring *ring, void *to, const void *from, size_t bytes);

/* The device must be idle. A ring of zeros is allowed. */
void pmi_staging_ring_destroy(const pmi_device *device, pmi_staging_ring *ring);

/* Waits for a chunk that is in flight, and copies its bytes to where they go. */
pm_status pmi_staging_chunk_finish(const pmi_device *device, const pmi_staging_ring *ring, pmi_staging_chunk *chunk);

/* Begins the commands of a chunk that is not in flight. */
pm_status pmi_staging_chunk_record(const pmi_device *device, pmi_staging_chunk *chunk);

/* Finishes the next chunk of the ring, gives it `staging` bytes of staging at least, and begins its commands. */
pm_status pmi_staging_chunk_begin(const pmi_device *device, pmi_staging_ring *ring, uint64_t staging,
                                  pmi_staging_chunk **begun);

pm_status pmi_staging_chunk_submit(const pmi_device *device, pmi_staging_chunk *chunk);

/* Finishes all chunks, the oldest first. deliver false: nothing is copied to host memory. Returns the first failure. */
pm_status pmi_staging_ring_finish(const pmi_device *device, pmi_staging_ring *ring, bool deliver);

/* ---- Copies, with the barriers that shaders and the host need ---- */

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

/* Records a memory barrier: the host and copies see what shaders have written. */
void pmi_transfer_record_barrier(const pmi_device *device, VkCommandBuffer commands);

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
