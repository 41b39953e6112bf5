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

/*
 * Makes a kernel whose entry point is main and whose parameters are push constants.
 * teams  0: a workgroup is as the shader has it; else a workgroup of that many teams, which are subgroups.
 * On failure it needs no destroying.
 */
pm_status pm_kernel_create(const pm_device *device, pm_shader shader, uint32_t teams, pm_kernel *kernel);

/* The same for a shader with specialization constants, constants[k] being number k; its workgroups need no teams. */
pm_status pm_kernel_create_special(const pm_device *device, pm_shader shader, const uint32_t *constants, uint32_t count,
                                   pm_kernel *kernel);

/* A kernel that is all zeros is fine. */
void pm_kernel_destroy(const pm_device *device, pm_kernel *kernel);

/* Records a dispatch with these parameters, of `bytes` (a multiple of 4, at most PM_PUSH_BYTES). */
void pm_kernel_dispatch(const pm_device *device, VkCommandBuffer commands, const pm_kernel *kernel,
                        const void *parameters, uint32_t bytes, uint32_t workgroups);

#endif
