/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the Vulkan loader and looks its functions up. */
#ifndef PM_GPU_DEVICE_LOADER_H
#define PM_GPU_DEVICE_LOADER_H

#include "gpu/device/vulkan.h"

#define PM_VK_LOADER "libvulkan.so.1"

/* Opens the loader and fills in the global functions; *library is to be given to pmi_loader_close(), and is NULL on
 * failure: PM_NO_DEVICE. */
pm_status pmi_loader_open(const char *name, pmi_vk *vk, void **library);

/* Looks up the functions of an instance, and of a device. PM_NO_DEVICE if one is missing. */
pm_status pmi_loader_instance(pmi_vk *vk, VkInstance instance);
pm_status pmi_loader_device(pmi_vk *vk, VkDevice device);

/* NULL is fine. */
void pmi_loader_close(void *library);

#endif
