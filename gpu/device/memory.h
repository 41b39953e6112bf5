/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers, each with an allocation of its own. */
#ifndef PM_GPU_DEVICE_MEMORY_H
#define PM_GPU_DEVICE_MEMORY_H

#include "gpu/device/device.h"

typedef enum pmi_memory_kind {
    PM_MEMORY_DEVICE,          /* near the device */
    PM_MEMORY_UPLOAD,          /* written by the host */
    PM_MEMORY_DOWNLOAD,        /* read by the host */
    PM_MEMORY_DEVICE_UPLOAD,   /* near the device and written by the host; not every device has such memory */
    PM_MEMORY_DEVICE_DOWNLOAD, /* near the device and read by the host, from its cache; likewise */
} pmi_memory_kind;

typedef struct pmi_buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    VkDeviceAddress address;
    uint64_t size;
    void *mapped; /* for the host, coherent; NULL: PM_MEMORY_DEVICE */
} pmi_buffer;

/* A buffer for shaders, copies and dispatches, aligned to 16 bytes at least. On failure (PM_OUT_OF_MEMORY, also for a
 * size past the device's limit, or for a kind that the device lacks) it needs no destroying. */
pm_status pmi_buffer_create(const pmi_device *device, pmi_memory_kind kind, uint64_t size, pmi_buffer *buffer);

/* Makes sure that a buffer, or one that is all zeros, has room; what was in it is lost. */
pm_status pmi_buffer_reserve(const pmi_device *device, pmi_memory_kind kind, uint64_t size, pmi_buffer *buffer);

/* The same near the device: of the kind, mapped for the host, where transfers are to be so and there is such memory
 * left; else PM_MEMORY_DEVICE, which is not. */
pm_status pmi_buffer_reserve_for_host(const pmi_device *device, pmi_memory_kind kind, uint64_t size,
                                      pmi_buffer *buffer);

/* A buffer that is all zeros is fine; afterwards it is. */
void pmi_buffer_destroy(const pmi_device *device, pmi_buffer *buffer);

#endif
