/* SPDX-License-Identifier: Apache-2.0 */
/* A loader without devices. The function that PM_FAILING_LOADER names finds no memory, and leaves its handle
 * undefined; nothing but an instance may be destroyed. */
#include <stdlib.h>
#include <string.h>

#include "gpu/device/vulkan.h"

static VkResult result_of(const char *name) {
    return strcmp(getenv("PM_FAILING_LOADER"), name) == 0 ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *callbacks, VkInstance *instance) {
    (void)info, (void)callbacks;
    memset(instance, 0x5a, sizeof *instance);
    return result_of("vkCreateInstance");
}

static VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance instance, const VkAllocationCallbacks *callbacks) {
    (void)callbacks;
    if (instance && result_of("vkCreateInstance") != VK_SUCCESS)
        abort();
}

static VKAPI_ATTR VkResult VKAPI_CALL enumerate(VkInstance instance, uint32_t *count, VkPhysicalDevice *devices) {
    (void)instance, (void)devices;
    *count = 0;
    return result_of("vkEnumeratePhysicalDevices");
}

static VKAPI_ATTR void VKAPI_CALL not_called(void) {
    abort();
}

__attribute__((visibility("default"))) VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vkGetInstanceProcAddr(VkInstance instance, const char *name);

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance, const char *name) {
    (void)instance;
    return strcmp(name, "vkCreateInstance") == 0             ? (PFN_vkVoidFunction)create_instance
           : strcmp(name, "vkDestroyInstance") == 0          ? (PFN_vkVoidFunction)destroy_instance
           : strcmp(name, "vkEnumeratePhysicalDevices") == 0 ? (PFN_vkVoidFunction)enumerate
                                                             : not_called;
}
