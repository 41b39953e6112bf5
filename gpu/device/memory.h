/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers, each with an allocation of its own. */
#ifndef PM_GPU_DEVICE_MEMORY_H
#define PM_GPU_DEVICE_MEMORY_H

#include "gpu/device/device.h"

typedef enum pmi_memory_kind {
    PM_MEMORY_DEVICE,          /* the device's; the host does not see it */
    PM_MEMORY_UPLOAD,          /* the host's, which it writes */
    PM_MEMORY_DOWNLOAD,        /* the host's, which it reads */
    PM_MEMORY_DEVICE_UPLOAD,   /* the device's, which the host writes; not every device has such memory */
    PM_MEMORY_DEVICE_DOWNLOAD, /* the device's, which the host reads from its cache; not every device has such memory */
} pmi_memory_kind;

typedef struct pmi_buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    VkDeviceAddress address;
    uint64_t size;
    void *mapped; /* for the host, coherent; NULL: PM_MEMORY_DEVICE */
} pmi_buffer;

/* Creates a buffer for shaders, copies and dispatches, aligned to at least 16 bytes. PM_OUT_OF_MEMORY, also for a size
 * past the device's limit and for a kind that the device lacks; then it needs no destroying. */
pm_status pmi_buffer_create(const pmi_device *device, pmi_memory_kind kind, uint64_t size, pmi_buffer *buffer);

/* Makes a buffer, or zeros, at least this large. If it grows, its contents are lost. */
pm_status pmi_buffer_reserve(const pmi_device *device, pmi_memory_kind kind, uint64_t size, pmi_buffer *buffer);

/* Makes a buffer in device memory at least this large: of the given kind, mapped, if transfers use mapped memory and
 * enough of it is left; else PM_MEMORY_DEVICE. */
pm_status pmi_buffer_reserve_for_host(const pmi_device *device, pmi_memory_kind kind, uint64_t size,
                                      pmi_buffer *buffer);

/* Sets the buffer to zeros, which are allowed. */
void pmi_buffer_destroy(const pmi_device *device, pmi_buffer *buffer);

#endif
