/* SPDX-License-Identifier: Apache-2.0 */
/* Compute pipelines, their dispatches, and their cache. */
#ifndef PM_GPU_DEVICE_KERNEL_H
#define PM_GPU_DEVICE_KERNEL_H

#include "gpu/device/device.h"

/* SPIR-V. */
typedef struct pmi_shader {
    const uint32_t *words;
    size_t bytes;
} pmi_shader;

/* The shader of an array of words. */
#define PM_SHADER(words) ((pmi_shader){words, sizeof(words)})

typedef struct pmi_kernel {
    VkPipeline pipeline;
} pmi_kernel;

/* A specialization constant, PM_CONSTANT_... of shaders/shared/layout.h. */
typedef struct pmi_constant {
    uint32_t id, value;
} pmi_constant;

enum {
    PM_CONSTANTS_MAX = 4 /* of a kernel */
};

/*
 * Makes a kernel whose entry point is main and whose parameters are push constants.
 * teams  of a workgroup, which are subgroups; 0: the shader, or the constant PM_CONSTANT_WORKGROUP, has its size.
 * After a failure it needs no destroying.
 */
pm_status pmi_kernel_create(const pmi_device *device, pmi_shader shader, uint32_t teams, pmi_kernel *kernel);

/* The same with constants, at most PM_CONSTANTS_MAX; PM_CONSTANT_WORKGROUP is one of them only if teams is 0. */
pm_status pmi_kernel_create_with(const pmi_device *device, pmi_shader shader, uint32_t teams,
                                 const pmi_constant *constants, uint32_t count, pmi_kernel *kernel);

/* Zeros are allowed. */
void pmi_kernel_destroy(const pmi_device *device, pmi_kernel *kernel);

/* Records a dispatch with these parameters, of `bytes` (a multiple of 4, at most PM_PUSH_BYTES). */
void pmi_kernel_dispatch(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                         const void *parameters, uint32_t bytes, uint32_t workgroups);

/* The maximum number of workgroups of a dispatch: by_time, which take as long as a dispatch may
 * (pmi_device.can.dispatch_tiles), at least one, and no more than Vulkan allows. */
uint32_t pmi_kernel_workgroups_max(const pmi_device *device, uint64_t by_time);

/* Records dispatches for `count` workgroups, each of at most pmi_kernel_workgroups_max(). The number of its first
 * workgroup, counted from `begin`, is stored in *first, which is a part of the parameters; NULL: nowhere. */
void pmi_kernel_dispatch_parts(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                               const void *parameters, uint32_t bytes, uint32_t *first, uint32_t begin, uint32_t count,
                               uint64_t by_time);

/* Records a dispatch; its numbers of workgroups are in the buffer at this offset, a multiple of 4. */
void pmi_kernel_dispatch_indirect(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                                  const void *parameters, uint32_t bytes, VkBuffer buffer, VkDeviceSize offset);

/*
 * ---- The cache: pipelines that a driver has compiled, kept in a file between runs ----
 *
 * A missing, damaged or foreign file is ignored, and so is a failure to write: pipelines are then only created more
 * slowly.
 */
typedef struct pmi_pipeline_cache {
    const char *path;    /* the caller's; NULL: there is no file */
    uint64_t file_bytes; /* that the file held for this device */
    uint64_t file_checksum;
} pmi_pipeline_cache;

/* Gives the library's own device the cache in the file `path`; NULL or "": none. The path must outlive the cache. */
void pmi_pipeline_cache_open(pmi_pipeline_cache *cache, pmi_device *device, const char *path,
                             const pm_allocator *allocator);

/* Destroys the cache; if its contents are not the file's, replaces that atomically first. Zeros are allowed. */
void pmi_pipeline_cache_close(pmi_pipeline_cache *cache, pmi_device *device, const pm_allocator *allocator);

#endif
