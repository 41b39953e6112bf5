/* SPDX-License-Identifier: Apache-2.0 */
/* The Vulkan instance, with the validation layer where it is asked for and installed. */
#ifndef PM_GPU_INSTANCE_H
#define PM_GPU_INSTANCE_H

#include "gpu/settings.h"
#include "gpu/vulkan.h"

typedef struct pm_instance {
    void *library;
    pm_vk vk;
    VkInstance handle;
    VkDebugUtilsMessengerEXT messenger; /* null: no validation */
    pm_gpu_message *message;
    void *message_user;
    bool keepable; /* of the loader that everybody uses */
} pm_instance;

/* Opens the loader and creates an instance of Vulkan 1.2 or later. *instance stays where it is until it is closed;
 * on failure it needs no closing. */
pm_status pm_instance_open(const pm_gpu_settings *settings, pm_instance *instance);

/* The second of a process stays open (instance.c tells why), and with it the loader and the driver. */
void pm_instance_close(pm_instance *instance);

#endif
