/* SPDX-License-Identifier: Apache-2.0 */
/* Command buffers and their fences: created, submitted and waited for. */
#ifndef PM_GPU_DEVICE_COMMANDS_H
#define PM_GPU_DEVICE_COMMANDS_H

#include "gpu/device/device.h"

/* Creates a pool whose command buffers may be recorded again. *pool is null on failure. */
VkResult pmi_commands_pool(const pmi_device *device, VkCommandPool *pool);

/* Creates a command buffer, which is freed with its pool, and a fence, which is null on failure. */
VkResult pmi_commands_create(const pmi_device *device, VkCommandPool pool, VkCommandBuffer *commands, VkFence *fence);

/* Submits to the device's queue. */
VkResult pmi_commands_submit(const pmi_device *device, VkCommandBuffer commands, VkFence fence);

/* Waits for work that takes a second at most. VK_TIMEOUT after a minute in which the process ran,
 * ten on a device that is a CPU. */
VkResult pmi_commands_wait(const pmi_device *device, VkFence fence);

/* Commands with a pool and a fence of their own, which may be submitted again. */
typedef struct pmi_reusable_commands {
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    bool complete; /* may be submitted */
    bool in_flight;
    bool is_signaled; /* the fence, since the last submission */
} pmi_reusable_commands;

/* Starts and ends recording. The commands are not in flight; zeros are created first. */
pm_status pmi_reusable_commands_begin(const pmi_device *device, pmi_reusable_commands *reusable);
pm_status pmi_reusable_commands_end(const pmi_device *device, pmi_reusable_commands *reusable);

/* Submits commands that are complete and not in flight. */
pm_status pmi_reusable_commands_submit(const pmi_device *device, pmi_reusable_commands *reusable);

/* Waits for commands that are in flight. For some milliseconds it polls the fence, because a thread that sleeps wakes
 * up late; a device that is a CPU needs the processor itself. */
pm_status pmi_reusable_commands_finish(const pmi_device *device, pmi_reusable_commands *reusable);

/* The device must be idle. Zeros are allowed. */
void pmi_reusable_commands_destroy(const pmi_device *device, pmi_reusable_commands *reusable);

#endif
