/* SPDX-License-Identifier: Apache-2.0 */
/* Commands with a fence of their own, which may be submitted again as they are. */
#ifndef PM_GPU_DEVICE_REUSABLE_COMMANDS_H
#define PM_GPU_DEVICE_REUSABLE_COMMANDS_H

#include "gpu/device/device.h"

typedef struct pmi_reusable_commands {
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    bool complete; /* may be submitted */
    bool in_flight;
    bool has_landed; /* since it was last submitted: the fence says so */
} pmi_reusable_commands;

/* Begins what is not in flight anew, where nothing has been recorded from all zeros. */
pm_status pmi_reusable_commands_begin(const pmi_device *device, pmi_reusable_commands *recorded);
pm_status pmi_reusable_commands_end(const pmi_device *device, pmi_reusable_commands *recorded);

/* What is complete and not in flight. */
pm_status pmi_reusable_commands_submit(const pmi_device *device, pmi_reusable_commands *recorded);

/* Waits for what is in flight, if it is: for some milliseconds, but no longer, by looking whether it is done, for a
 * thread that sleeps meanwhile wakes up late. A device that is a CPU has better things to do with it. */
pm_status pmi_reusable_commands_finish(const pmi_device *device, pmi_reusable_commands *recorded);

/* The device must be idle. All zeros are fine. */
void pmi_reusable_commands_destroy(const pmi_device *device, pmi_reusable_commands *recorded);

#endif
