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

/* The most workgroups of a dispatch, of which a device does by_time in the time that a dispatch may take
 * (pm_device.can.dispatch_tiles): one at least, and no more than Vulkan allows. */
uint32_t pm_kernel_workgroups_most(const pm_device *device, uint64_t by_time);

/* Records as many dispatches as `count` workgroups take, none of more than pm_kernel_workgroups_most(). Before each,
 * the number of its first workgroup, counted from `begin` on, is stored in *first, which is a part of the parameters;
 * NULL: they need not know. */
void pm_kernel_dispatch_parts(const pm_device *device, VkCommandBuffer commands, const pm_kernel *kernel,
                              const void *parameters, uint32_t bytes, uint32_t *first, uint32_t begin, uint32_t count,
                              uint64_t by_time);

/* As pm_kernel_dispatch() with the numbers of workgroups at an offset, a multiple of 4, in a buffer. */
void pm_kernel_dispatch_indirect(const pm_device *device, VkCommandBuffer commands, const pm_kernel *kernel,
                                 const void *parameters, uint32_t bytes, VkBuffer buffer, VkDeviceSize offset);

#endif
