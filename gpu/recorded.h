/* SPDX-License-Identifier: Apache-2.0 */
/* Commands with a fence of their own, which may be submitted again as they are. */
#ifndef PM_GPU_RECORDED_H
#define PM_GPU_RECORDED_H

#include "gpu/device.h"

typedef struct pm_recorded {
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    bool complete; /* may be submitted */
    bool in_flight;
    bool has_landed; /* since it was last submitted: the fence says so */
} pm_recorded;

/* Begins what is not in flight anew, where nothing has been recorded from all zeros. */
pm_status pm_recorded_begin(const pm_device *device, pm_recorded *recorded);
pm_status pm_recorded_end(const pm_device *device, pm_recorded *recorded);

/* What is complete and not in flight. */
pm_status pm_recorded_submit(const pm_device *device, pm_recorded *recorded);

/* Waits for what is in flight, if it is: for some milliseconds, but no longer, by looking whether it is done, for a
 * thread that sleeps meanwhile wakes up late. A device that is a CPU has better things to do with it. */
pm_status pm_recorded_land(const pm_device *device, pm_recorded *recorded);

/* The device must be idle. All zeros are fine. */
void pm_recorded_destroy(const pm_device *device, pm_recorded *recorded);

#endif
