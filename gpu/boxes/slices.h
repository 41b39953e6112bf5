/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The boxes of a short scene, by slices: an invocation has one element and walks along none, and each of three stages
 * is one dispatch, because it is dispatches and what waits for something else that take time there. The stages of
 * gpu/boxes/boxes.h are these: reduce is done by scan; a scene of one slice has nothing but match.
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

typedef struct pmi_boxes_slices {
    pmi_kernel reduce, match, fix;
    uint32_t slice; /* elements; 0: the device has no room for any */
} pmi_boxes_slices;

/* On failure it needs no destroying. */
pm_status pmi_boxes_slices_create(const pmi_device *device, pmi_boxes_slices *slices);

/* One that is all zeros is fine. */
void pmi_boxes_slices_destroy(const pmi_device *device, pmi_boxes_slices *slices);

/* The longest scene of at most n elements that goes by slices. */
static inline uint32_t pmi_boxes_slices_max(const pmi_boxes_slices *slices, uint32_t n) {
    const uint32_t room = slices->slice * PM_BOXES_SLICES;
    const uint32_t most = room < PM_BOXES_SLICE_N_MAX ? room : PM_BOXES_SLICE_N_MAX;
    return n < most ? n : most;
}

/* A scene of n elements goes by slices. */
static inline bool pmi_boxes_slices_take(const pmi_boxes_slices *slices, uint32_t n) {
    return n == pmi_boxes_slices_max(slices, n);
}

/* Bytes of scratch for n > 0 elements. */
uint64_t pmi_boxes_slices_scratch_bytes(const pmi_boxes_slices *slices, uint32_t n);

/* The parameters of every stage but first. */
pmi_boxes_slices_parameters pmi_boxes_slices_parameters_make(const pmi_boxes_slices *slices,
                                                             const pmi_boxes_scene *scene);

/* As pmi_boxes_record(); of match those slices that begin in these tiles. */
void pmi_boxes_slices_record(const pmi_device *device, VkCommandBuffer commands, const pmi_boxes_slices *slices,
                             const pmi_boxes_scene *scene, pmi_boxes_stage stage, uint32_t first, uint32_t count);

/* A stage does something, so that there must be a barrier before it if it is not the first. */
static inline bool pmi_boxes_slices_has_stage(const pmi_boxes_slices *slices, uint32_t n, pmi_boxes_stage stage) {
    return stage == PM_BOXES_MATCH || (stage != PM_BOXES_REDUCE && n > slices->slice);
}

#endif
