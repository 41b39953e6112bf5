/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any pipeline. Sizes and recording only; it allocates, submits and waits for nothing.
 *
 * A new one needs a name in gpu/device/settings.h, a file of its own, and a row of the table in gpu/match/pipeline.c.
 */
#ifndef PM_GPU_MATCH_PIPELINE_H
#define PM_GPU_MATCH_PIPELINE_H

#include "gpu/match/levels.h"
#include "gpu/match/partitions.h"

typedef struct pmi_pipeline {
    const struct pmi_pipeline_kind *kind;
    union {
        pmi_levels levels;
        pmi_partitions partitions;
        pmi_lookback lookback;
    };
} pmi_pipeline;

/* After a failure it needs no destroying. */
pm_status pmi_pipeline_create(const pmi_device *device, pmi_pipeline_id id, pmi_pipeline *pipeline);

/* Zeros are allowed. */
void pmi_pipeline_destroy(const pmi_device *device, pmi_pipeline *pipeline);

/* The maximum number of elements of a sequence. */
uint64_t pmi_pipeline_limit(const pmi_pipeline *pipeline);

/* Bytes of scratch for n > 0 elements within the limit. */
uint64_t pmi_pipeline_scratch_bytes(const pmi_pipeline *pipeline, uint32_t n);

/* Ranges of a stage begin at a multiple of this number of elements, a power of two of at least 64. */
uint32_t pmi_pipeline_unit(const pmi_pipeline *pipeline, pmi_stage stage);

/* Does the stage do anything for n elements? Match always does. */
bool pmi_pipeline_has_stage(const pmi_device *device, const pmi_pipeline *pipeline, pmi_stage stage, uint32_t n);

/*
 * Records a stage for elements first ... first + count - 1; scan is for all. It records dispatches and the barriers
 * between them, which read and write in shaders (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT). A barrier must come between
 * stages, and before the next sequence. `first` is a multiple of the stage's unit, and so is `count` unless the
 * sequence ends there. match: address for the match of element `first`, for the stage match.
 */
void pmi_pipeline_record(const pmi_device *device, VkCommandBuffer commands, const pmi_pipeline *pipeline,
                         pmi_stage stage, const pmi_sequence *sequence, uint32_t first, uint32_t count, uint64_t match);

/* The fastest pipeline for n elements on this kind of device. */
pmi_pipeline_id pmi_pipeline_fastest(VkPhysicalDeviceType type, size_t n);

#endif
