/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses memory types, and allocates. */
#include "gpu/device/memory.h"

enum {
    LOCAL = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
    COHERENT = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
    CACHED = VK_MEMORY_PROPERTY_HOST_CACHED_BIT
};

/* The properties that each kind prefers, and those that it must have. Device memory that the host reads must be cached:
 * otherwise reading takes longer than a copy by the device. */
static const struct {
    VkMemoryPropertyFlags best, least;
} wanted[] = {
    [PM_MEMORY_DEVICE] = {LOCAL, 0},
    [PM_MEMORY_UPLOAD] = {COHERENT, COHERENT},
    [PM_MEMORY_DOWNLOAD] = {COHERENT | CACHED, COHERENT},
    [PM_MEMORY_DEVICE_UPLOAD] = {LOCAL | COHERENT, LOCAL | COHERENT},
    [PM_MEMORY_DEVICE_DOWNLOAD] = {LOCAL | COHERENT | CACHED, LOCAL | COHERENT | CACHED},
};

/* The first memory type among `types` with the properties, or UINT32_MAX. */
static uint32_t type_with(const VkPhysicalDeviceMemoryProperties *memory, uint32_t types, VkMemoryPropertyFlags flags) {
    for (uint32_t t = 0; t < memory->memoryTypeCount; t++)
        if ((types >> t & 1) && (memory->memoryTypes[t].propertyFlags & flags) == flags)
            return t;
    return UINT32_MAX;
}

static VkResult allocate(const pmi_device *device, pmi_memory_kind kind, pmi_buffer *buffer) {
    VkMemoryRequirements requirements;
    device->vk->GetBufferMemoryRequirements(device->handle, buffer->handle, &requirements);
    uint32_t type = type_with(&device->memory, requirements.memoryTypeBits, wanted[kind].best);
    if (type == UINT32_MAX)
        type = type_with(&device->memory, requirements.memoryTypeBits, wanted[kind].least);
    if (type == UINT32_MAX || requirements.size > device->can.allocation_bytes)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .pNext = &flags,
                                       .allocationSize = requirements.size,
                                       .memoryTypeIndex = type};
    return pmi_vk_created(device->vk->AllocateMemory(device->handle, &info, NULL, &buffer->memory), &buffer->memory,
                          sizeof buffer->memory);
}

static VkResult create(const pmi_device *device, pmi_memory_kind kind, pmi_buffer *buffer) {
    const pmi_vk *const vk = device->vk;
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = buffer->size,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                              VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
    VkResult result = pmi_vk_created(vk->CreateBuffer(device->handle, &info, NULL, &buffer->handle), &buffer->handle,
                                     sizeof buffer->handle);
    if (result == VK_SUCCESS)
        result = allocate(device, kind, buffer);
    if (result == VK_SUCCESS)
        result = vk->BindBufferMemory(device->handle, buffer->handle, buffer->memory, 0);
    if (result == VK_SUCCESS && kind != PM_MEMORY_DEVICE)
        result = vk->MapMemory(device->handle, buffer->memory, 0, VK_WHOLE_SIZE, 0, &buffer->mapped);
    if (result == VK_SUCCESS) {
        const VkBufferDeviceAddressInfo address = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                                   .buffer = buffer->handle};
        buffer->address = vk->GetBufferDeviceAddress(device->handle, &address);
    }
    return result;
}

pm_status pmi_buffer_create(const pmi_device *device, pmi_memory_kind kind, uint64_t size, pmi_buffer *buffer) {
    *buffer = (pmi_buffer){.size = size};
    const pm_status status =
        size > device->can.allocation_bytes ? PM_OUT_OF_MEMORY : pmi_vk_status(create(device, kind, buffer));
    if (status != PM_OK)
        pmi_buffer_destroy(device, buffer);
    return status;
}

pm_status pmi_buffer_reserve(const pmi_device *device, pmi_memory_kind kind, uint64_t size, pmi_buffer *buffer) {
    if (buffer->size >= size)
        return PM_OK;
    pmi_buffer_destroy(device, buffer);
    return pmi_buffer_create(device, kind, size, buffer);
}

pm_status pmi_buffer_reserve_for_host(const pmi_device *device, pmi_memory_kind kind, uint64_t size,
                                      pmi_buffer *buffer) {
    if (device->can.transfer == PM_TRANSFER_MAPPED && pmi_buffer_reserve(device, kind, size, buffer) == PM_OK)
        return PM_OK;
    return pmi_buffer_reserve(device, PM_MEMORY_DEVICE, size, buffer);
}

void pmi_buffer_destroy(const pmi_device *device, pmi_buffer *buffer) {
    device->vk->DestroyBuffer(device->handle, buffer->handle, NULL);
    device->vk->FreeMemory(device->handle, buffer->memory, NULL); /* and with it the mapping */
    *buffer = (pmi_buffer){0};
}
