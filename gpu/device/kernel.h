/* SPDX-License-Identifier: Apache-2.0 */
/* A shader made ready for a device. */
#ifndef PM_GPU_DEVICE_KERNEL_H
#define PM_GPU_DEVICE_KERNEL_H

#include "gpu/device/device.h"

/* SPIR-V. */
typedef struct pmi_shader {
    const uint32_t *words;
    size_t bytes;
} pmi_shader;

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
 * teams  0: a workgroup is as the shader, or the constant PM_CONSTANT_WORKGROUP, has it; else a workgroup of that many
 *        teams, which are subgroups.
 * On failure it needs no destroying.
 */
pm_status pmi_kernel_create(const pmi_device *device, pmi_shader shader, uint32_t teams, pmi_kernel *kernel);

/* The same with constants, at most PM_CONSTANTS_MAX; PM_CONSTANT_WORKGROUP is one of them only if teams is 0. */
pm_status pmi_kernel_create_with(const pmi_device *device, pmi_shader shader, uint32_t teams,
                                 const pmi_constant *constants, uint32_t count, pmi_kernel *kernel);

/* A kernel that is all zeros is fine. */
void pmi_kernel_destroy(const pmi_device *device, pmi_kernel *kernel);

/* Records a dispatch with these parameters, of `bytes` (a multiple of 4, at most PM_PUSH_BYTES). */
void pmi_kernel_dispatch(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                         const void *parameters, uint32_t bytes, uint32_t workgroups);

/* The most workgroups of a dispatch, of which a device does by_time in the time that a dispatch may take
 * (pmi_device.can.dispatch_tiles): one at least, and no more than Vulkan allows. */
uint32_t pmi_kernel_workgroups_max(const pmi_device *device, uint64_t by_time);

/* Records as many dispatches as `count` workgroups take, none of more than pmi_kernel_workgroups_max(). Before each,
 * the number of its first workgroup, counted from `begin` on, is stored in *first, which is a part of the parameters;
 * NULL: they need not know. */
void pmi_kernel_dispatch_parts(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                               const void *parameters, uint32_t bytes, uint32_t *first, uint32_t begin, uint32_t count,
                               uint64_t by_time);

/* As pmi_kernel_dispatch() with the numbers of workgroups at an offset, a multiple of 4, in a buffer. */
void pmi_kernel_dispatch_indirect(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                                  const void *parameters, uint32_t bytes, VkBuffer buffer, VkDeviceSize offset);

#endif
