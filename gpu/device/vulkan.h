/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vulkan's types, and its functions as a table that is filled at run time: the library is not linked with the loader,
 * and works without one.
 */
#ifndef PM_GPU_DEVICE_VULKAN_H
#define PM_GPU_DEVICE_VULKAN_H

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include "parenmatch.h"

/* All functions that are used, as X(NAME). */
#define PM_VK_GLOBAL_FUNCTIONS(X)                                                                                      \
    X(CreateInstance)                                                                                                  \
    X(EnumerateInstanceLayerProperties)
#define PM_VK_INSTANCE_FUNCTIONS(X)                                                                                    \
    X(CreateDevice)                                                                                                    \
    X(DestroyInstance)                                                                                                 \
    X(EnumerateDeviceExtensionProperties)                                                                              \
    X(EnumeratePhysicalDevices)                                                                                        \
    X(GetDeviceProcAddr)                                                                                               \
    X(GetPhysicalDeviceFeatures2)                                                                                      \
    X(GetPhysicalDeviceMemoryProperties)                                                                               \
    X(GetPhysicalDeviceProperties)                                                                                     \
    X(GetPhysicalDeviceProperties2)                                                                                    \
    X(GetPhysicalDeviceQueueFamilyProperties)
#define PM_VK_DEVICE_FUNCTIONS(X)                                                                                      \
    X(AllocateCommandBuffers)                                                                                          \
    X(AllocateMemory)                                                                                                  \
    X(BeginCommandBuffer)                                                                                              \
    X(BindBufferMemory)                                                                                                \
    X(CmdBindPipeline)                                                                                                 \
    X(CmdCopyBuffer)                                                                                                   \
    X(CmdDispatch)                                                                                                     \
    X(CmdDispatchIndirect)                                                                                             \
    X(CmdFillBuffer)                                                                                                   \
    X(CmdPipelineBarrier)                                                                                              \
    X(CmdPushConstants)                                                                                                \
    X(CmdResetQueryPool)                                                                                               \
    X(CmdWriteTimestamp)                                                                                               \
    X(CreateBuffer)                                                                                                    \
    X(CreateCommandPool)                                                                                               \
    X(CreateComputePipelines)                                                                                          \
    X(CreateFence)                                                                                                     \
    X(CreatePipelineCache)                                                                                             \
    X(CreatePipelineLayout)                                                                                            \
    X(CreateQueryPool)                                                                                                 \
    X(CreateShaderModule)                                                                                              \
    X(DestroyBuffer)                                                                                                   \
    X(DestroyCommandPool)                                                                                              \
    X(DestroyDevice)                                                                                                   \
    X(DestroyFence)                                                                                                    \
    X(DestroyPipeline)                                                                                                 \
    X(DestroyPipelineCache)                                                                                            \
    X(DestroyPipelineLayout)                                                                                           \
    X(DestroyQueryPool)                                                                                                \
    X(DestroyShaderModule)                                                                                             \
    X(DeviceWaitIdle)                                                                                                  \
    X(EndCommandBuffer)                                                                                                \
    X(FreeMemory)                                                                                                      \
    X(GetBufferDeviceAddress)                                                                                          \
    X(GetBufferMemoryRequirements)                                                                                     \
    X(GetDeviceQueue)                                                                                                  \
    X(GetFenceStatus)                                                                                                  \
    X(GetPipelineCacheData)                                                                                            \
    X(GetQueryPoolResults)                                                                                             \
    X(MapMemory)                                                                                                       \
    X(QueueSubmit)                                                                                                     \
    X(ResetFences)                                                                                                     \
    X(WaitForFences)

typedef struct pmi_vk {
    PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
#define PM_VK_MEMBER(name) PFN_vk##name name;
    PM_VK_GLOBAL_FUNCTIONS(PM_VK_MEMBER)
    PM_VK_INSTANCE_FUNCTIONS(PM_VK_MEMBER)
    PM_VK_DEVICE_FUNCTIONS(PM_VK_MEMBER)
#undef PM_VK_MEMBER
} pmi_vk;

/* The library's status for a result. VK_TIMEOUT and VK_NOT_READY are PM_DEVICE_LOST; other results >= 0 are PM_OK. */
pm_status pmi_vk_status(VkResult result);

/* Returns the result of a creation, whose handle has `size` bytes. Vulkan leaves the handle undefined after a failure;
 * here it becomes null, which may be destroyed. */
VkResult pmi_vk_created(VkResult result, void *handle, size_t size);

#ifdef _WIN32
#define PM_VK_LOADER "vulkan-1.dll"
#else
#define PM_VK_LOADER "libvulkan.so.1"
#endif

/* Opens the loader and fills in the global functions. *library must be given to pmi_loader_close(). PM_NO_DEVICE, with
 * *library NULL. */
pm_status pmi_loader_open(const char *name, pmi_vk *vk, void **library);

/* Looks up the functions of an instance, and of a device. PM_NO_DEVICE if one is missing. */
pm_status pmi_loader_instance(pmi_vk *vk, VkInstance instance);
pm_status pmi_loader_device(pmi_vk *vk, VkDevice device);

/* NULL is allowed. */
void pmi_loader_close(void *library);

#endif
