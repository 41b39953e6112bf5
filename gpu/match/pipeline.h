/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pipeline, whichever it is. Sizes and recording only; it allocates, submits and waits for nothing.
 *
 * Adding one: a name in gpu/match/pipeline_list.h, a file of its own, a row of the table in gpu/match/pipeline.c.
 */
#ifndef PM_GPU_MATCH_PIPELINE_H
#define PM_GPU_MATCH_PIPELINE_H

#include "gpu/match/levels.h"
#include "gpu/match/lookback.h"
#include "gpu/match/partitions.h"
#include "gpu/match/stage.h"

typedef struct pmi_pipeline {
    const struct pmi_pipeline_kind *kind;
    union {
        pmi_levels levels;
        pmi_partitions partitions;
        pmi_lookback lookback;
    };
} pmi_pipeline;

/* On failure it needs no destroying. */
pm_status pmi_pipeline_create(const pmi_device *device, pmi_pipeline_id id, pmi_pipeline *pipeline);

/* One that is all zeros is fine. */
void pmi_pipeline_destroy(const pmi_device *device, pmi_pipeline *pipeline);

/* Most elements of a sequence. */
uint64_t pmi_pipeline_limit(const pmi_pipeline *pipeline);

/* Bytes of scratch for n > 0 elements, n being within the limit. */
uint64_t pmi_pipeline_scratch_bytes(const pmi_pipeline *pipeline, uint32_t n);

/* Ranges of a stage begin at a multiple of so many elements, a power of two of at least 64. */
uint32_t pmi_pipeline_unit(const pmi_pipeline *pipeline, pm_stage stage);

/* Does the stage do anything for n elements? Match always does. */
bool pmi_pipeline_has_stage(const pmi_device *device, const pmi_pipeline *pipeline, pm_stage stage, uint32_t n);

/*
 * Records a stage for elements first ... first + count - 1 (for all, if the stage is scan): dispatches, and what
 * barriers there must be between them, which read and write in shaders (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT). Between
 * the stages, and before the next sequence, a barrier is needed. `first` is a multiple of the stage's unit, and so is
 * `count` unless the sequence ends there. match: where the match of element `first` and of those after it goes; of no
 * matter to the stages before.
 */
void pmi_pipeline_record(const pmi_device *device, VkCommandBuffer commands, const pmi_pipeline *pipeline,
                         pm_stage stage, const pmi_sequence *sequence, uint32_t first, uint32_t count, uint64_t match);

#endif
