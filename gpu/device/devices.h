/* SPDX-License-Identifier: Apache-2.0 */
/* The devices that a list names, each a executor; a list may name one several times, which then is several. */
#ifndef PM_GPU_DEVICE_DEVICES_H
#define PM_GPU_DEVICE_DEVICES_H

#include "gpu/device/executor.h"
#include "gpu/gpu.h"

#define PM_DEVICES_MOST 16

struct pmi_gpu {
    pm_allocator allocator;
    bool lost;
    unsigned count;
    pmi_executor executors[];
};

/* Waits until the executors' chunks have all landed; the first failure counts. `deliver` as for
 * pmi_staging_ring_finish(). */
pm_status pmi_gpu_finish(pmi_gpu *gpu, bool deliver);

#endif
