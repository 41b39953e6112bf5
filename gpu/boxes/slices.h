/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The boxes of a short scene, in slices. An invocation has one element, and each of three stages is one dispatch,
 * because dispatches and waiting take most of the time. For the stages of gpu/boxes/boxes.h: scan does the work of
 * reduce, and a scene of one slice has only match.
 */
#ifndef PM_GPU_BOXES_SLICES_H
#define PM_GPU_BOXES_SLICES_H

#include "gpu/match/indirect.h"
#include "shaders/shared/parameters.h"

/* A scene that is on a device, by addresses, all aligned to 16 bytes. */
typedef struct pmi_boxes_scene {
    uint32_t n;           /* > 0 elements, at most PM_BOXES_N_MAX */
    uint64_t kinds;       /* n bytes; no 32-bit word without one of them is read */
    uint64_t boxes;       /* n boxes */
    uint64_t results;     /* n boxes, which do not overlap the others */
    uint64_t scratch;     /* pmi_boxes_scratch_bytes(); contents undefined before and after */
    pmi_plans dispatches; /* pmi_boxes_dispatches_bytes(); without a buffer one kernel matches all tiles */
} pmi_boxes_scene;

typedef enum pmi_boxes_stage {
    PM_BOXES_REDUCE,
    PM_BOXES_SCAN,
    PM_BOXES_MATCH,
    PM_BOXES_FIX,
    PM_BOXES_STAGES
} pmi_boxes_stage;

typedef struct pmi_boxes_slices {
    pmi_kernel reduce, match, fix;
    uint32_t slice; /* elements; 0: the device cannot have slices */
} pmi_boxes_slices;

/* After a failure it needs no destroying. */
pm_status pmi_boxes_slices_create(const pmi_device *device, pmi_boxes_slices *slices);

/* Zeros are allowed. */
void pmi_boxes_slices_destroy(const pmi_device *device, pmi_boxes_slices *slices);

/* The length of the longest scene of at most n elements that is divided into slices. */
static inline uint32_t pmi_boxes_slices_max(const pmi_boxes_slices *slices, uint32_t n) {
    const uint32_t room = slices->slice * PM_BOXES_SLICES;
    const uint32_t most = room < PM_BOXES_SLICE_N_MAX ? room : PM_BOXES_SLICE_N_MAX;
    return n < most ? n : most;
}

/* Is a scene of n elements divided into slices? */
static inline bool pmi_boxes_slices_take(const pmi_boxes_slices *slices, uint32_t n) {
    return n == pmi_boxes_slices_max(slices, n);
}

/* Bytes of scratch for n > 0 elements. */
uint64_t pmi_boxes_slices_scratch_bytes(const pmi_boxes_slices *slices, uint32_t n);

/* The parameters of a stage, except first. */
pmi_boxes_slices_parameters pmi_boxes_slices_parameters_make(const pmi_boxes_slices *slices,
                                                             const pmi_boxes_scene *scene);

/* As pmi_boxes_record(). Match is for the slices that begin in these tiles. */
void pmi_boxes_slices_record(const pmi_device *device, VkCommandBuffer commands, const pmi_boxes_slices *slices,
                             const pmi_boxes_scene *scene, pmi_boxes_stage stage, uint32_t first, uint32_t count);

/* Does the stage record anything? */
static inline bool pmi_boxes_slices_has_stage(const pmi_boxes_slices *slices, uint32_t n, pmi_boxes_stage stage) {
    return stage == PM_BOXES_MATCH || (stage != PM_BOXES_REDUCE && n > slices->slice);
}

#endif
