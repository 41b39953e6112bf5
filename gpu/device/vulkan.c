/* SPDX-License-Identifier: Apache-2.0 */
/* The loader by dlopen, its functions by name, and what its results mean. */
#include "gpu/device/vulkan.h"

#include <dlfcn.h>
#include <string.h>

pm_status pmi_loader_open(const char *name, pmi_vk *vk, void **library) {
    *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!*library)
        return PM_NO_DEVICE;
    void *const symbol = dlsym(*library, "vkGetInstanceProcAddr");
    memcpy(&vk->GetInstanceProcAddr, &symbol, sizeof symbol); /* C knows no way from objects to functions; POSIX does */
    bool found = symbol != NULL;
#define LOOK_UP(name)                                                                                                  \
    if (found)                                                                                                         \
        found = (vk->name = (PFN_vk##name)vk->GetInstanceProcAddr(NULL, "vk" #name)) != NULL;
    PM_VK_GLOBAL_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    if (found)
        return PM_OK;
    pmi_loader_close(*library);
    *library = NULL;
    return PM_NO_DEVICE;
}

pm_status pmi_loader_instance(pmi_vk *vk, VkInstance instance) {
    bool found = true;
#define LOOK_UP(name) found &= (vk->name = (PFN_vk##name)vk->GetInstanceProcAddr(instance, "vk" #name)) != NULL;
    PM_VK_INSTANCE_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    return found ? PM_OK : PM_NO_DEVICE;
}

pm_status pmi_loader_device(pmi_vk *vk, VkDevice device) {
    bool found = true;
#define LOOK_UP(name) found &= (vk->name = (PFN_vk##name)vk->GetDeviceProcAddr(device, "vk" #name)) != NULL;
    PM_VK_DEVICE_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    return found ? PM_OK : PM_NO_DEVICE;
}

void pmi_loader_close(void *library) {
    if (library)
        dlclose(library);
}

static const struct {
    VkResult result;
    pm_status status;
} statuses[] = {
    {VK_NOT_READY, PM_DEVICE_LOST},
    {VK_TIMEOUT, PM_DEVICE_LOST},
    {VK_ERROR_OUT_OF_HOST_MEMORY, PM_OUT_OF_MEMORY},
    {VK_ERROR_OUT_OF_DEVICE_MEMORY, PM_OUT_OF_MEMORY},
    {VK_ERROR_TOO_MANY_OBJECTS, PM_OUT_OF_MEMORY},
    {VK_ERROR_FRAGMENTED_POOL, PM_OUT_OF_MEMORY},
    {VK_ERROR_OUT_OF_POOL_MEMORY, PM_OUT_OF_MEMORY},
    {VK_ERROR_FRAGMENTATION, PM_OUT_OF_MEMORY},
    {VK_ERROR_MEMORY_MAP_FAILED, PM_OUT_OF_MEMORY},
    {VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS, PM_OUT_OF_MEMORY},
    {VK_ERROR_DEVICE_LOST, PM_DEVICE_LOST},
    {VK_ERROR_INITIALIZATION_FAILED, PM_NO_DEVICE},
    {VK_ERROR_INCOMPATIBLE_DRIVER, PM_NO_DEVICE},
    {VK_ERROR_LAYER_NOT_PRESENT, PM_NO_DEVICE},
    {VK_ERROR_EXTENSION_NOT_PRESENT, PM_NO_DEVICE},
    {VK_ERROR_FEATURE_NOT_PRESENT, PM_NO_DEVICE},
};

pm_status pmi_vk_status(VkResult result) {
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].result == result)
            return statuses[i].status;
    return result >= 0 ? PM_OK : PM_UNSUPPORTED;
}

VkResult pmi_vk_created(VkResult result, void *handle, size_t size) {
    if (result != VK_SUCCESS)
        memset(handle, 0, size);
    return result;
}
