/* SPDX-License-Identifier: Apache-2.0 */
/* An open device: the library's own, with the one queue on it that is used, or a caller's. */
#ifndef PM_GPU_DEVICE_H
#define PM_GPU_DEVICE_H

#include "gpu/instance.h"
#include "gpu/physical.h"

#define PM_DEVICE_KEY_CHARACTERS (2 * VK_UUID_SIZE + 1 + 8)

typedef struct pm_device {
    pm_instance instance; /* of a caller's device the functions alone */
    const pm_vk *vk;      /* the instance's, filled up with the device's functions */
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
    pm_capabilities can;
    char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
    char key[PM_DEVICE_KEY_CHARACTERS + 1]; /* UUID and driver version, in hexadecimal */
} pm_device;

#define PM_PUSH_BYTES 128u /* what every device has */

/* Opens the device that the settings ask for. *device stays where it is until it is closed; on failure
 * it needs no closing. PM_NO_DEVICE; PM_OUT_OF_MEMORY. */
pm_status pm_device_open(const pm_gpu_settings *settings, pm_device *device);

/* Describes the device that pm_device_open() would open if it were asked for this index; struct_size is left alone.
 * PM_NO_DEVICE past the last; PM_OUT_OF_MEMORY. */
pm_status pm_device_describe(const pm_gpu_settings *settings, size_t index, pm_device_info *info);

/*
 * Takes a caller's device, which stays the caller's. vk holds the functions of its instance; callbacks are copied, NULL
 * for none; of the settings those count that say how to use it. *device stays where it is until it is closed; on
 * failure it needs no closing.
 */
pm_status pm_device_adopt(const pm_vk *vk, const pm_physical *physical, VkDevice handle,
                          const pm_gpu_settings *settings, const VkAllocationCallbacks *callbacks,
                          VkPipelineCache cache, pm_device *device);

/* All work must have ended. Closing what is not open is fine. */
void pm_device_close(pm_device *device);

/* Records a memory barrier. */
void pm_device_barrier(const pm_device *device, VkCommandBuffer commands, VkPipelineStageFlags after,
                       VkAccessFlags written, VkPipelineStageFlags before, VkAccessFlags used);

#endif
