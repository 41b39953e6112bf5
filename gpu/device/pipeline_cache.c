/* SPDX-License-Identifier: Apache-2.0 */
/* The file: a header that names the device and driver, and then the driver's data. */
#include "gpu/device/kernel.h"

#include <stdio.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/memory.h"

/* Drivers check a cache, too, but some of them trust any data. The sum shows damage; a file that somebody else may have
 * written is not read. */
typedef struct file_header {
    char magic[8];
    uint32_t vendor, device, driver_version, zero;
    uint8_t driver[VK_UUID_SIZE], cache[VK_UUID_SIZE];
    uint64_t bytes;    /* after the header */
    uint64_t checksum; /* of these */
} file_header;
_Static_assert(sizeof(file_header) == 72, "no padding, which would hold anything");

static const char magic[sizeof((file_header *)NULL)->magic] = "pmcache";
static const uint64_t bytes_most = UINT64_C(1) << 28; /* more cannot be a cache of these kernels */

/* FNV-1a. */
static uint64_t checksum(const unsigned char *data, uint64_t bytes) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (uint64_t i = 0; i < bytes; i++)
        sum = (sum ^ data[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static file_header header_of(const pmi_device *device, const unsigned char *data, uint64_t bytes) {
    VkPhysicalDeviceIDProperties id = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &id};
    device->vk->GetPhysicalDeviceProperties2(device->physical, &properties);
    file_header header = {.vendor = properties.properties.vendorID,
                          .device = properties.properties.deviceID,
                          .driver_version = properties.properties.driverVersion,
                          .bytes = bytes,
                          .checksum = checksum(data, bytes)};
    memcpy(header.magic, magic, sizeof magic);
    memcpy(header.driver, id.driverUUID, VK_UUID_SIZE);
    memcpy(header.cache, properties.properties.pipelineCacheUUID, VK_UUID_SIZE);
    return header;
}

/* ---- Reading ---- */

/* Returns the data after the header; NULL if the file is for another device, or damaged. */
static unsigned char *data_read(FILE *file, const pmi_device *device, const pm_allocator *allocator,
                                file_header *header) {
    if (fread(header, sizeof *header, 1, file) != 1 || header->bytes == 0 || header->bytes > bytes_most)
        return NULL;
    unsigned char *const data = pmi_memory_allocate(allocator, (size_t)header->bytes, 1);
    if (!data)
        return NULL;
    if (fread(data, 1, (size_t)header->bytes, file) == header->bytes && fgetc(file) == EOF) {
        const file_header expected = header_of(device, data, header->bytes);
        if (memcmp(header, &expected, sizeof expected) == 0)
            return data;
    }
    pmi_memory_free(allocator, data);
    return NULL;
}

static void cache_create(pmi_device *device, const unsigned char *data, uint64_t bytes) {
    const VkPipelineCacheCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO, .initialDataSize = (size_t)bytes, .pInitialData = data};
    (void)pmi_vk_created(device->vk->CreatePipelineCache(device->handle, &info, device->callbacks, &device->cache),
                         &device->cache, sizeof device->cache);
}

void pmi_pipeline_cache_open(pmi_pipeline_cache *cache, pmi_device *device, const char *path,
                             const pm_allocator *allocator) {
    *cache = (pmi_pipeline_cache){.path = path && *path ? path : NULL};
    if (!cache->path)
        return;
    FILE *const file = pmi_atomic_file_open(path);
    file_header header;
    unsigned char *const data =
        file && pmi_atomic_file_is_private(file) ? data_read(file, device, allocator, &header) : NULL;
    if (file)
        fclose(file);
    if (data) {
        cache_create(device, data, header.bytes);
        pmi_memory_free(allocator, data);
        cache->file_bytes = header.bytes;
        cache->file_checksum = header.checksum;
    }
    if (!device->cache)
        cache_create(device, NULL, 0);
}

/* ---- Writing ---- */

static void cache_save(const pmi_pipeline_cache *cache, const pmi_device *device, const pm_allocator *allocator) {
    const pmi_vk *const vk = device->vk;
    size_t bytes = 0;
    if (vk->GetPipelineCacheData(device->handle, device->cache, &bytes, NULL) != VK_SUCCESS || bytes == 0 ||
        bytes > bytes_most)
        return;
    unsigned char *const data = pmi_memory_allocate(allocator, bytes, 1);
    if (!data)
        return;
    if (vk->GetPipelineCacheData(device->handle, device->cache, &bytes, data) == VK_SUCCESS) {
        const file_header header = header_of(device, data, bytes);
        if (header.bytes != cache->file_bytes || header.checksum != cache->file_checksum)
            pmi_atomic_file_replace(allocator, cache->path, magic,
                                    (pmi_kept_piece[]){{&header, sizeof header}, {data, bytes}}, 2);
    }
    pmi_memory_free(allocator, data);
}

void pmi_pipeline_cache_close(pmi_pipeline_cache *cache, pmi_device *device, const pm_allocator *allocator) {
    if (!cache->path || !device->cache)
        return;
    cache_save(cache, device, allocator);
    device->vk->DestroyPipelineCache(device->handle, device->cache, device->callbacks);
    device->cache = VK_NULL_HANDLE;
    *cache = (pmi_pipeline_cache){0};
}
