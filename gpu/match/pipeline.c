/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that all pipelines have, and the choice of the fastest. */
#include "gpu/match/pipeline.h"

typedef enum family {
    LEVELS,
    PARTITIONS,
    LOOKBACK
} family;

struct pmi_pipeline_kind {
    family family;
    const pmi_partitions_plan *plan; /* for PARTITIONS */
};

static const struct pmi_pipeline_kind kinds[PM_PIPELINES] = {
    [PM_PIPELINE_LEVELS] = {LEVELS, NULL},
    [PM_PIPELINE_DIRECT] = {PARTITIONS, &pmi_direct_plan},
    [PM_PIPELINE_SIMPLE] = {PARTITIONS, &pmi_simple_plan},
    [PM_PIPELINE_WORK_EFFICIENT] = {PARTITIONS, &pmi_work_efficient_plan},
    [PM_PIPELINE_LOOKBACK] = {LOOKBACK, NULL},
};

/* ---- Creating ---- */

static pm_status create(const pmi_device *device, pmi_pipeline *pipeline) {
    switch (pipeline->kind->family) {
    case LEVELS:
        return pmi_levels_create(device, &pipeline->levels);
    case PARTITIONS:
        return pmi_partitions_create(device, pipeline->kind->plan, &pipeline->partitions);
    default:
        return pmi_lookback_create(device, &pipeline->lookback);
    }
}

pm_status pmi_pipeline_create(const pmi_device *device, pmi_pipeline_id id, pmi_pipeline *pipeline) {
    *pipeline = (pmi_pipeline){.kind = &kinds[id]};
    const pm_status status = create(device, pipeline);
    if (status != PM_OK)
        *pipeline = (pmi_pipeline){0};
    return status;
}

void pmi_pipeline_destroy(const pmi_device *device, pmi_pipeline *pipeline) {
    if (pipeline->kind && pipeline->kind->family == LEVELS)
        pmi_levels_destroy(device, &pipeline->levels);
    else if (pipeline->kind && pipeline->kind->family == PARTITIONS)
        pmi_partitions_destroy(device, &pipeline->partitions);
    else if (pipeline->kind)
        pmi_lookback_destroy(device, &pipeline->lookback);
    *pipeline = (pmi_pipeline){0};
}

/* ---- Sizes ---- */

uint64_t pmi_pipeline_limit(const pmi_pipeline *pipeline) {
    switch (pipeline->kind->family) {
    case LEVELS:
        return UINT32_MAX;
    case PARTITIONS:
        return pmi_partitions_limit(&pipeline->partitions);
    default:
        return pipeline->lookback.limit;
    }
}

uint64_t pmi_pipeline_scratch_bytes(const pmi_pipeline *pipeline, uint32_t n) {
    switch (pipeline->kind->family) {
    case LEVELS:
        return pmi_levels_scratch_bytes(n);
    case PARTITIONS:
        return pmi_partitions_scratch_bytes(&pipeline->partitions, n);
    default:
        return pmi_lookback_scratch_bytes(&pipeline->lookback, n);
    }
}

uint32_t pmi_pipeline_unit(const pmi_pipeline *pipeline, pmi_stage stage) {
    switch (pipeline->kind->family) {
    case LEVELS:
        return stage == PM_STAGE_REDUCE ? PM_SUPERBLOCK : PM_TILE;
    case PARTITIONS:
        return pipeline->partitions.elements;
    default:
        return pipeline->lookback.elements;
    }
}

/* ---- Recording ---- */

bool pmi_pipeline_has_stage(const pmi_device *device, const pmi_pipeline *pipeline, pmi_stage stage, uint32_t n) {
    switch (pipeline->kind->family) {
    case LEVELS:
        return stage != PM_STAGE_SCAN || !pmi_levels_is_short(device, &pipeline->levels, n);
    case PARTITIONS:
        return stage == PM_STAGE_MATCH || (stage == PM_STAGE_REDUCE && n > pipeline->partitions.elements);
    default:
        return stage != PM_STAGE_REDUCE;
    }
}

static void levels_record(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels, pmi_stage stage,
                          const pmi_sequence *sequence, uint32_t first, uint32_t count, uint64_t match) {
    const pmi_levels_parameters parameters =
        pmi_levels_parameters_make(sequence->n, sequence->parens, sequence->scratch, sequence->summary);
    if (stage == PM_STAGE_REDUCE)
        pmi_levels_record_reduce(device, commands, levels, parameters, first / PM_SUPERBLOCK,
                                 pmi_levels_superblocks(count));
    else if (stage == PM_STAGE_SCAN)
        pmi_levels_record_scan(device, commands, levels, parameters);
    else
        pmi_levels_record_match(device, commands, levels, parameters, first / PM_TILE, pmi_levels_tiles(count), match);
}

void pmi_pipeline_record(const pmi_device *device, VkCommandBuffer commands, const pmi_pipeline *pipeline,
                         pmi_stage stage, const pmi_sequence *sequence, uint32_t first, uint32_t count,
                         uint64_t match) {
    const family of = pipeline->kind->family;
    if (of == LEVELS)
        levels_record(device, commands, &pipeline->levels, stage, sequence, first, count, match);
    else if (of == PARTITIONS && stage == PM_STAGE_REDUCE)
        pmi_partitions_record_reduce(device, commands, &pipeline->partitions, sequence, first, count);
    else if (of == PARTITIONS && stage == PM_STAGE_MATCH)
        pmi_partitions_record_match(device, commands, &pipeline->partitions, sequence, first, count, match);
    else if (of == LOOKBACK && stage == PM_STAGE_SCAN)
        pmi_lookback_record_clear(device, commands, &pipeline->lookback, sequence);
    else if (of == LOOKBACK && stage == PM_STAGE_MATCH)
        pmi_lookback_record_match(device, commands, &pipeline->lookback, sequence, first, count, match);
}

/* ---- The choice by n, as measured: docs/results/choosing.md has the times behind it ---- */

/* The pipeline for at most `most` elements. Past all bounds it is the default. */
typedef struct bound {
    size_t most;
    pmi_pipeline_id pipeline;
} bound;

/* A launch takes some microseconds, and a barrier nearly as long. So one dispatch is the fastest as long as it can do
 * the work, and one workgroup as long as it can hold the elements. */
static const bound of_gpus[] = {{1u << 12, PM_PIPELINE_WORK_EFFICIENT}, {1u << 16, PM_PIPELINE_DIRECT}, {0}};

/* Cores do the work one after the other, so the least work is the fastest: the sequence is read once. The scratch is 4
 * bytes of host memory an element, and is limited to 64 MiB. */
static const bound of_cpus[] = {{1u << 11, PM_PIPELINE_WORK_EFFICIENT}, {1u << 24, PM_PIPELINE_LOOKBACK}, {0}};

static const bound *bounds_of(VkPhysicalDeviceType type) {
    return type == VK_PHYSICAL_DEVICE_TYPE_CPU ? of_cpus : of_gpus;
}

pmi_pipeline_id pmi_pipeline_fastest(VkPhysicalDeviceType type, size_t n) {
    for (const bound *b = bounds_of(type); b->most > 0; b++)
        if (n <= b->most)
            return b->pipeline;
    return PM_PIPELINE_LEVELS;
}
