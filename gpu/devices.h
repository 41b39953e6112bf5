/* SPDX-License-Identifier: Apache-2.0 */
/* The devices that a list names, each a station; a list may name one several times, which then is several. */
#ifndef PM_GPU_DEVICES_H
#define PM_GPU_DEVICES_H

#include "gpu/run.h"
#include "gpu/station.h"

#define PM_DEVICES_MOST 16

struct pm_gpu {
    pm_allocator allocator;
    bool lost;
    unsigned count;
    pm_station stations[];
};

/* Waits until the stations' chunks have all landed; the first failure counts. `deliver` as for pm_slots_land(). */
pm_status pm_gpu_land(pm_gpu *gpu, bool deliver);

#endif
