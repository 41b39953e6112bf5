/* SPDX-License-Identifier: Apache-2.0 */
/* An open device: the library's own, with the one queue on it that is used, or a caller's. */
#ifndef PM_GPU_DEVICE_DEVICE_H
#define PM_GPU_DEVICE_DEVICE_H

#include "gpu/device/instance.h"
#include "gpu/device/physical.h"

#define PM_DEVICE_KEY_CHARACTERS (2 * VK_UUID_SIZE + 1 + 8)

typedef struct pmi_device {
    pmi_instance instance; /* of a caller's device the functions alone */
    const pmi_vk *vk;      /* the instance's, filled up with the device's functions */
    VkPhysicalDevice physical;
    VkDevice handle;
    bool adopted; /* a caller's; then there is neither queue, nor memory, nor name */
    uint32_t queue_family;
    VkQueue queue;
    double tick_ns;          /* of a timestamp; 0: the queue has none */
    VkPipelineLayout layout; /* of every pipeline: no descriptors, PM_PUSH_BYTES of push constants */
    VkPhysicalDeviceMemoryProperties memory;
    VkPipelineCache cache;                  /* null: none */
    const VkAllocationCallbacks *callbacks; /* own_callbacks; NULL: none */
    VkAllocationCallbacks own_callbacks;
    pmi_capabilities can;
    char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
    char key[PM_DEVICE_KEY_CHARACTERS + 1]; /* UUID and driver version, in hexadecimal */
} pmi_device;

#define PM_PUSH_BYTES 128u /* what every device has */

/* Opens the device that the settings ask for. *device stays where it is until it is closed; on failure
 * it needs no closing. PM_NO_DEVICE; PM_OUT_OF_MEMORY. */
pm_status pmi_device_open(const pmi_gpu_settings *settings, pmi_device *device);

/* Describes the device that pmi_device_open() would open if it were asked for this index; struct_size is left alone.
 * PM_NO_DEVICE past the last; PM_OUT_OF_MEMORY. */
pm_status pmi_device_describe(const pmi_gpu_settings *settings, size_t index, pm_device_info *info);

/*
 * Takes a caller's device, which stays the caller's. vk holds the functions of its instance; callbacks are copied, NULL
 * for none; of the settings those count that say how to use it. *device stays where it is until it is closed; on
 * failure it needs no closing.
 */
pm_status pmi_device_adopt(const pmi_vk *vk, const pmi_physical *physical, VkDevice handle,
                           const pmi_gpu_settings *settings, const VkAllocationCallbacks *callbacks,
                           VkPipelineCache cache, pmi_device *device);

/* All work must have ended. Closing what is not open is fine. */
void pmi_device_close(pmi_device *device);

/* Records a memory barrier. */
void pmi_device_barrier(const pmi_device *device, VkCommandBuffer commands, VkPipelineStageFlags after,
                        VkAccessFlags written, VkPipelineStageFlags before, VkAccessFlags used);

#endif
