/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pipeline, whichever it is. Sizes and recording only; it allocates, submits and waits for nothing.
 *
 * Adding one: a name in gpu/pipeline_list.h, a file of its own, a row of the table in gpu/pipeline.c.
 */
#ifndef PM_GPU_PIPELINE_H
#define PM_GPU_PIPELINE_H

#include "gpu/lookback.h"
#include "gpu/partitions.h"
#include "gpu/stage.h"
#include "gpu/wide.h"

typedef struct pm_pipeline {
    const struct pm_pipeline_kind *kind;
    union {
        pm_wide wide;
        pm_partitions partitions;
        pm_lookback lookback;
    };
} pm_pipeline;

/* On failure it needs no destroying. */
pm_status pm_pipeline_create(const pm_device *device, pm_pipeline_id id, pm_pipeline *pipeline);

/* One that is all zeros is fine. */
void pm_pipeline_destroy(const pm_device *device, pm_pipeline *pipeline);

/* Most elements of a sequence. */
uint64_t pm_pipeline_limit(const pm_pipeline *pipeline);

/* Bytes of scratch for n > 0 elements, n being within the limit. */
uint64_t pm_pipeline_scratch_bytes(const pm_pipeline *pipeline, uint32_t n);

/* Ranges of a stage begin at a multiple of so many elements, a power of two of at least 64. */
uint32_t pm_pipeline_unit(const pm_pipeline *pipeline, pm_stage stage);

/* Does the stage do anything for n elements? Match always does. */
bool pm_pipeline_has_stage(const pm_device *device, const pm_pipeline *pipeline, pm_stage stage, uint32_t n);

/*
 * Records a stage for elements first ... first + count - 1 (for all, if the stage is scan): dispatches, and what
 * barriers there must be between them, which read and write in shaders (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT). Between
 * the stages, and before the next sequence, a barrier is needed. `first` is a multiple of the stage's unit, and so is
 * `count` unless the sequence ends there. match: where the match of element `first` and of those after it goes; of no
 * matter to the stages before.
 */
void pm_pipeline_record(const pm_device *device, VkCommandBuffer commands, const pm_pipeline *pipeline, pm_stage stage,
                        const pm_sequence *sequence, uint32_t first, uint32_t count, uint64_t match);

#endif
