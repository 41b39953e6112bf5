/* SPDX-License-Identifier: Apache-2.0 */
/* From Vulkan's results to the library's statuses. */
#include "gpu/device/vulkan.h"

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
