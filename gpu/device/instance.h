/* SPDX-License-Identifier: Apache-2.0 */
/* The Vulkan instance, with the validation layer where it is asked for and installed. */
#ifndef PM_GPU_DEVICE_INSTANCE_H
#define PM_GPU_DEVICE_INSTANCE_H

#include "gpu/device/settings.h"
#include "gpu/device/vulkan.h"

typedef struct pmi_instance {
    void *library;
    pmi_vk vk;
    VkInstance handle;
    VkDebugUtilsMessengerEXT messenger; /* null: no validation */
    pmi_gpu_message *message;
    void *message_user;
    bool keepable; /* of the loader that everybody uses */
} pmi_instance;

/* Opens the loader and creates an instance of Vulkan 1.2 or later. *instance stays where it is until it is closed;
 * on failure it needs no closing. */
pm_status pmi_instance_open(const pmi_gpu_settings *settings, pmi_instance *instance);

/* The second of a process stays open (instance.c tells why), and with it the loader and the driver. */
void pmi_instance_close(pmi_instance *instance);

#endif
