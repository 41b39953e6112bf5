/* SPDX-License-Identifier: Apache-2.0 */
/* What is open while a pm_gpu is. */
#ifndef PM_GPU_OPENED_H
#define PM_GPU_OPENED_H

#include "gpu/run.h"
#include "gpu/station.h"

struct pm_gpu {
    pm_allocator allocator;
    bool lost;
    unsigned count; /* of devices; all but long sequences are the first one's work */
    pm_station stations[];
};

#endif
