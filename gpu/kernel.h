/* SPDX-License-Identifier: Apache-2.0 */
/* A shader made ready for a device. */
#ifndef PM_GPU_KERNEL_H
#define PM_GPU_KERNEL_H

#include "gpu/device.h"

/* SPIR-V. */
typedef struct pm_shader {
    const uint32_t *words;
    size_t bytes;
} pm_shader;

typedef struct pm_kernel {
    VkPipeline pipeline;
} pm_kernel;

/* A specialization constant, PM_CONSTANT_... of shaders/layout.h. */
typedef struct pm_constant {
    uint32_t id, value;
} pm_constant;

enum {
    PM_CONSTANTS_MAX = 4 /* of a kernel */
};

/*
 * Makes a kernel whose entry point is main and whose parameters are push constants.
 * teams  0: a workgroup is as the shader, or the constant PM_CONSTANT_WORKGROUP, has it; else a workgroup of that many
 *        teams, which are subgroups.
 * On failure it needs no destroying.
 */
pm_status pm_kernel_create(const pm_device *device, pm_shader shader, uint32_t teams, pm_kernel *kernel);

/* The same with constants, at most PM_CONSTANTS_MAX; PM_CONSTANT_WORKGROUP is one of them only if teams is 0. */
pm_status pm_kernel_create_with(const pm_device *device, pm_shader shader, uint32_t teams, const pm_constant *constants,
                                uint32_t count, pm_kernel *kernel);

/* A kernel that is all zeros is fine. */
void pm_kernel_destroy(const pm_device *device, pm_kernel *kernel);

/* Records a dispatch with these parameters, of `bytes` (a multiple of 4, at most PM_PUSH_BYTES). */
void pm_kernel_dispatch(const pm_device *device, VkCommandBuffer commands, const pm_kernel *kernel,
                        const void *parameters, uint32_t bytes, uint32_t workgroups);

/* The same with the numbers of workgroups at an offset, a multiple of 4, in a buffer. */
void pm_kernel_dispatch_indirect(const pm_device *device, VkCommandBuffer commands, const pm_kernel *kernel,
                                 const void *parameters, uint32_t bytes, VkBuffer buffer, VkDeviceSize offset);

#endif
