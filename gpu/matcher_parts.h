/* SPDX-License-Identifier: Apache-2.0 */
/* What a matcher is made of, for those who record by it. */
#ifndef PM_GPU_MATCHER_PARTS_H
#define PM_GPU_MATCHER_PARTS_H

#include "gpu/boxes.h"
#include "gpu/matcher.h"
#include "gpu/nodes.h"
#include "gpu/planned.h"

struct pm_vk_matcher {
    pm_allocator allocator;
    pm_device device;
    pm_wide wide;
    bool counts; /* for counts on the device, with: */
    pm_planned planned;
    bool takes_slices; /* with: */
    pm_wide slices;
    bool finds_boxes; /* with: */
    pm_boxes boxes;
    bool scans_trees; /* with: */
    pm_nodes nodes;
};

#endif
