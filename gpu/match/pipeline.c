/* SPDX-License-Identifier: Apache-2.0 */
/* The table of pipelines, and how each says what the table asks. */
#include "gpu/match/pipeline.h"

struct pmi_pipeline_kind {
    pm_status (*create)(const pmi_device *device, pmi_pipeline *pipeline);
    void (*destroy)(const pmi_device *device, pmi_pipeline *pipeline);
    uint64_t (*limit)(const pmi_pipeline *pipeline);
    uint64_t (*scratch_bytes)(const pmi_pipeline *pipeline, uint32_t n);
    uint32_t (*unit)(const pmi_pipeline *pipeline, pm_stage stage);
    bool (*has_stage)(const pmi_device *device, const pmi_pipeline *pipeline, pm_stage stage, uint32_t n);
    void (*record)(const pmi_device *device, VkCommandBuffer commands, const pmi_pipeline *pipeline, pm_stage stage,
                   const pmi_sequence *sequence, uint32_t first, uint32_t count, uint64_t match);
};

/* ---- levels ---- */

static pm_status levels_create(const pmi_device *device, pmi_pipeline *pipeline) {
    return pmi_levels_create(device, &pipeline->levels);
}

static void levels_destroy(const pmi_device *device, pmi_pipeline *pipeline) {
    pmi_levels_destroy(device, &pipeline->levels);
}

static uint64_t levels_limit(const pmi_pipeline *pipeline) {
    (void)pipeline;
    return UINT32_MAX;
}

static uint64_t levels_scratch_bytes(const pmi_pipeline *pipeline, uint32_t n) {
    (void)pipeline;
    return pmi_levels_scratch_bytes(n);
}

static uint32_t levels_unit(const pmi_pipeline *pipeline, pm_stage stage) {
    (void)pipeline;
    return stage == PM_STAGE_REDUCE ? PM_SUPERBLOCK : PM_TILE;
}

static bool levels_has_stage(const pmi_device *device, const pmi_pipeline *pipeline, pm_stage stage, uint32_t n) {
    return stage != PM_STAGE_SCAN || !pmi_levels_is_short(device, &pipeline->levels, n);
}

static void levels_record(const pmi_device *device, VkCommandBuffer commands, const pmi_pipeline *pipeline,
                          pm_stage stage, const pmi_sequence *sequence, uint32_t first, uint32_t count,
                          uint64_t match) {
    const pmi_levels_parameters parameters =
        pmi_levels_parameters_make(sequence->n, sequence->parens, sequence->scratch, sequence->summary);
    if (stage == PM_STAGE_REDUCE)
        pmi_levels_record_reduce(device, commands, &pipeline->levels, parameters, first / PM_SUPERBLOCK,
                                 pmi_levels_superblocks(count));
    else if (stage == PM_STAGE_SCAN)
        pmi_levels_record_scan(device, commands, &pipeline->levels, parameters);
    else
        pmi_levels_record_match(device, commands, &pipeline->levels, parameters, first / PM_TILE,
                                pmi_levels_tiles(count), match);
}

/* ---- simple, work-efficient, direct ---- */

static pm_status simple_create(const pmi_device *device, pmi_pipeline *pipeline) {
    return pmi_partitions_create(device, &pmi_simple_plan, &pipeline->partitions);
}

static pm_status work_efficient_create(const pmi_device *device, pmi_pipeline *pipeline) {
    return pmi_partitions_create(device, &pmi_work_efficient_plan, &pipeline->partitions);
}

static pm_status direct_create(const pmi_device *device, pmi_pipeline *pipeline) {
    return pmi_partitions_create(device, &pmi_direct_plan, &pipeline->partitions);
}

static void partitions_destroy(const pmi_device *device, pmi_pipeline *pipeline) {
    pmi_partitions_destroy(device, &pipeline->partitions);
}

static uint64_t partitions_limit(const pmi_pipeline *pipeline) {
    return pmi_partitions_limit(&pipeline->partitions);
}

static uint64_t partitions_scratch_bytes(const pmi_pipeline *pipeline, uint32_t n) {
    return pmi_partitions_scratch_bytes(&pipeline->partitions, n);
}

static uint32_t partitions_unit(const pmi_pipeline *pipeline, pm_stage stage) {
    (void)stage;
    return pipeline->partitions.elements;
}

static bool partitions_has_stage(const pmi_device *device, const pmi_pipeline *pipeline, pm_stage stage, uint32_t n) {
    (void)device;
    return stage == PM_STAGE_MATCH || (stage == PM_STAGE_REDUCE && n > pipeline->partitions.elements);
}

static void partitions_record(const pmi_device *device, VkCommandBuffer commands, const pmi_pipeline *pipeline,
                              pm_stage stage, const pmi_sequence *sequence, uint32_t first, uint32_t count,
                              uint64_t match) {
    if (stage == PM_STAGE_REDUCE)
        pmi_partitions_record_reduce(device, commands, &pipeline->partitions, sequence, first, count);
    else if (stage == PM_STAGE_MATCH)
        pmi_partitions_record_match(device, commands, &pipeline->partitions, sequence, first, count, match);
}

/* ---- lookback ---- */

static pm_status lookback_create(const pmi_device *device, pmi_pipeline *pipeline) {
    return pmi_lookback_create(device, &pipeline->lookback);
}

static void lookback_destroy(const pmi_device *device, pmi_pipeline *pipeline) {
    pmi_lookback_destroy(device, &pipeline->lookback);
}

static uint64_t lookback_limit(const pmi_pipeline *pipeline) {
    return pipeline->lookback.limit;
}

static uint64_t lookback_scratch_bytes(const pmi_pipeline *pipeline, uint32_t n) {
    return pmi_lookback_scratch_bytes(&pipeline->lookback, n);
}

static uint32_t lookback_unit(const pmi_pipeline *pipeline, pm_stage stage) {
    (void)stage;
    return pipeline->lookback.elements;
}

static bool lookback_has_stage(const pmi_device *device, const pmi_pipeline *pipeline, pm_stage stage, uint32_t n) {
    (void)device, (void)pipeline, (void)n;
    return stage != PM_STAGE_REDUCE;
}

static void lookback_record(const pmi_device *device, VkCommandBuffer commands, const pmi_pipeline *pipeline,
                            pm_stage stage, const pmi_sequence *sequence, uint32_t first, uint32_t count,
                            uint64_t match) {
    if (stage == PM_STAGE_SCAN)
        pmi_lookback_record_clear(device, commands, &pipeline->lookback, sequence);
    else if (stage == PM_STAGE_MATCH)
        pmi_lookback_record_match(device, commands, &pipeline->lookback, sequence, first, count, match);
}

/* ---- The table ---- */

#define PARTITIONS(create)                                                                                             \
    {                                                                                                                  \
        create, partitions_destroy, partitions_limit, partitions_scratch_bytes, partitions_unit, partitions_has_stage, \
            partitions_record                                                                                          \
    }

static const struct pmi_pipeline_kind kinds[PM_PIPELINES] = {
    [PM_PIPELINE_LEVELS] = {levels_create, levels_destroy, levels_limit, levels_scratch_bytes, levels_unit,
                            levels_has_stage, levels_record},
    [PM_PIPELINE_DIRECT] = PARTITIONS(direct_create),
    [PM_PIPELINE_SIMPLE] = PARTITIONS(simple_create),
    [PM_PIPELINE_WORK_EFFICIENT] = PARTITIONS(work_efficient_create),
    [PM_PIPELINE_LOOKBACK] = {lookback_create, lookback_destroy, lookback_limit, lookback_scratch_bytes, lookback_unit,
                              lookback_has_stage, lookback_record},
};

pm_status pmi_pipeline_create(const pmi_device *device, pmi_pipeline_id id, pmi_pipeline *pipeline) {
    *pipeline = (pmi_pipeline){.kind = &kinds[id]};
    const pm_status status = pipeline->kind->create(device, pipeline);
    if (status != PM_OK)
        *pipeline = (pmi_pipeline){0};
    return status;
}

void pmi_pipeline_destroy(const pmi_device *device, pmi_pipeline *pipeline) {
    if (pipeline->kind)
        pipeline->kind->destroy(device, pipeline);
    *pipeline = (pmi_pipeline){0};
}

uint64_t pmi_pipeline_limit(const pmi_pipeline *pipeline) {
    return pipeline->kind->limit(pipeline);
}

uint64_t pmi_pipeline_scratch_bytes(const pmi_pipeline *pipeline, uint32_t n) {
    return pipeline->kind->scratch_bytes(pipeline, n);
}

uint32_t pmi_pipeline_unit(const pmi_pipeline *pipeline, pm_stage stage) {
    return pipeline->kind->unit(pipeline, stage);
}

bool pmi_pipeline_has_stage(const pmi_device *device, const pmi_pipeline *pipeline, pm_stage stage, uint32_t n) {
    return pipeline->kind->has_stage(device, pipeline, stage, n);
}

void pmi_pipeline_record(const pmi_device *device, VkCommandBuffer commands, const pmi_pipeline *pipeline,
                         pm_stage stage, const pmi_sequence *sequence, uint32_t first, uint32_t count, uint64_t match) {
    pipeline->kind->record(device, commands, pipeline, stage, sequence, first, count, match);
}
