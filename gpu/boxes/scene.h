/* SPDX-License-Identifier: Apache-2.0 */
/* A scene that is on a device. */
#ifndef PM_GPU_BOXES_SCENE_H
#define PM_GPU_BOXES_SCENE_H

#include "gpu/match/indirect.h"

/* By addresses, all aligned to 16 bytes. */
typedef struct pmi_boxes_scene {
    uint32_t n;           /* > 0 elements, at most PM_BOXES_N_MAX */
    uint64_t kinds;       /* n bytes; no 32-bit word without one of them is read */
    uint64_t boxes;       /* n boxes */
    uint64_t results;     /* n boxes; overlaps none of the others */
    uint64_t scratch;     /* pmi_boxes_scratch_bytes(); whatever they hold */
    pmi_plans dispatches; /* pmi_boxes_dispatches_bytes(); or without a buffer: match does all tiles alike */
} pmi_boxes_scene;

typedef enum pmi_boxes_stage {
    PM_BOXES_REDUCE,
    PM_BOXES_SCAN,
    PM_BOXES_MATCH,
    PM_BOXES_FIX,
    PM_BOXES_STAGES
} pmi_boxes_stage;

#endif
