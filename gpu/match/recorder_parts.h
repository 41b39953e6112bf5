/* SPDX-License-Identifier: Apache-2.0 */
/* What a recorder is made of, for those who record by it. */
#ifndef PM_GPU_MATCH_RECORDER_PARTS_H
#define PM_GPU_MATCH_RECORDER_PARTS_H

#include "gpu/boxes/boxes.h"
#include "gpu/match/indirect.h"
#include "gpu/match/recorder.h"
#include "gpu/trees/nodes.h"

struct pm_vk_context {
    pm_allocator allocator;
    pmi_device device;
    pmi_levels levels;
    bool counts; /* for counts on the device, with: */
    pmi_indirect planned;
    bool takes_slices; /* with: */
    pmi_levels slices;
    bool finds_boxes; /* with: */
    pmi_boxes boxes;
    bool scans_trees; /* with: */
    pm_nodes nodes;
};

#endif
