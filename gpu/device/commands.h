/* SPDX-License-Identifier: Apache-2.0 */
/* Command buffers and their fences: made, submitted, and waited for. */
#ifndef PM_GPU_DEVICE_COMMANDS_H
#define PM_GPU_DEVICE_COMMANDS_H

#include "gpu/device/device.h"

/* A pool whose command buffers may be recorded anew. *pool is null on failure. */
VkResult pmi_commands_pool(const pmi_device *device, VkCommandPool *pool);

/* A command buffer, which goes with its pool, and a fence, which is null on failure. */
VkResult pmi_commands_create(const pmi_device *device, VkCommandPool pool, VkCommandBuffer *commands, VkFence *fence);

/* What has been recorded goes to the device's queue. */
VkResult pmi_commands_submit(const pmi_device *device, VkCommandBuffer commands, VkFence fence);

/* Waits for what takes a second at the very most: VK_TIMEOUT after a minute in which the process ran. */
VkResult pmi_commands_wait(const pmi_device *device, VkFence fence);

#endif
