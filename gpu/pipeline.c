/* SPDX-License-Identifier: Apache-2.0 */
/* The table of pipelines, and how each says what the table asks. */
#include "gpu/pipeline.h"

struct pm_pipeline_kind {
    pm_status (*create)(const pm_device *device, pm_pipeline *pipeline);
    void (*destroy)(const pm_device *device, pm_pipeline *pipeline);
    uint64_t (*limit)(const pm_pipeline *pipeline);
    uint64_t (*scratch_bytes)(const pm_pipeline *pipeline, uint32_t n);
    uint32_t (*unit)(const pm_pipeline *pipeline, pm_stage stage);
    bool (*has_stage)(const pm_device *device, const pm_pipeline *pipeline, pm_stage stage, uint32_t n);
    void (*record)(const pm_device *device, VkCommandBuffer commands, const pm_pipeline *pipeline, pm_stage stage,
                   const pm_sequence *sequence, uint32_t first, uint32_t count, uint64_t match);
};

/* ---- wide ---- */

static pm_status wide_create(const pm_device *device, pm_pipeline *pipeline) {
    return pm_wide_create(device, &pipeline->wide);
}

static void wide_destroy(const pm_device *device, pm_pipeline *pipeline) {
    pm_wide_destroy(device, &pipeline->wide);
}

static uint64_t wide_limit(const pm_pipeline *pipeline) {
    (void)pipeline;
    return UINT32_MAX;
}

static uint64_t wide_scratch_bytes(const pm_pipeline *pipeline, uint32_t n) {
    (void)pipeline;
    return pm_wide_scratch_bytes(n);
}

static uint32_t wide_unit(const pm_pipeline *pipeline, pm_stage stage) {
    (void)pipeline;
    return stage == PM_STAGE_REDUCE ? PM_SUPERBLOCK : PM_TILE;
}

static bool wide_has_stage(const pm_device *device, const pm_pipeline *pipeline, pm_stage stage, uint32_t n) {
    return stage != PM_STAGE_SCAN || !pm_wide_is_short(device, &pipeline->wide, n);
}

static void wide_record(const pm_device *device, VkCommandBuffer commands, const pm_pipeline *pipeline, pm_stage stage,
                        const pm_sequence *sequence, uint32_t first, uint32_t count, uint64_t match) {
    const pm_wide_parameters parameters =
        pm_wide_parameters_make(sequence->n, sequence->parens, sequence->scratch, sequence->summary);
    if (stage == PM_STAGE_REDUCE)
        pm_wide_record_reduce(device, commands, &pipeline->wide, parameters, first / PM_SUPERBLOCK,
                              pm_wide_superblocks(count));
    else if (stage == PM_STAGE_SCAN)
        pm_wide_record_scan(device, commands, &pipeline->wide, parameters);
    else
        pm_wide_record_match(device, commands, &pipeline->wide, parameters, first / PM_TILE, pm_wide_tiles(count),
                             match);
}

/* ---- simple, work-efficient, direct ---- */

static pm_status simple_create(const pm_device *device, pm_pipeline *pipeline) {
    return pm_partitions_create(device, &pm_simple_plan, &pipeline->partitions);
}

static pm_status work_efficient_create(const pm_device *device, pm_pipeline *pipeline) {
    return pm_partitions_create(device, &pm_work_efficient_plan, &pipeline->partitions);
}

static pm_status direct_create(const pm_device *device, pm_pipeline *pipeline) {
    return pm_partitions_create(device, &pm_direct_plan, &pipeline->partitions);
}

static void partitions_destroy(const pm_device *device, pm_pipeline *pipeline) {
    pm_partitions_destroy(device, &pipeline->partitions);
}

static uint64_t partitions_limit(const pm_pipeline *pipeline) {
    return pm_partitions_limit(&pipeline->partitions);
}

static uint64_t partitions_scratch_bytes(const pm_pipeline *pipeline, uint32_t n) {
    return pm_partitions_scratch_bytes(&pipeline->partitions, n);
}

static uint32_t partitions_unit(const pm_pipeline *pipeline, pm_stage stage) {
    (void)stage;
    return pipeline->partitions.elements;
}

static bool partitions_has_stage(const pm_device *device, const pm_pipeline *pipeline, pm_stage stage, uint32_t n) {
    (void)device;
    return stage == PM_STAGE_MATCH || (stage == PM_STAGE_REDUCE && n > pipeline->partitions.elements);
}

static void partitions_record(const pm_device *device, VkCommandBuffer commands, const pm_pipeline *pipeline,
                              pm_stage stage, const pm_sequence *sequence, uint32_t first, uint32_t count,
                              uint64_t match) {
    if (stage == PM_STAGE_REDUCE)
        pm_partitions_record_reduce(device, commands, &pipeline->partitions, sequence, first, count);
    else if (stage == PM_STAGE_MATCH)
        pm_partitions_record_match(device, commands, &pipeline->partitions, sequence, first, count, match);
}

/* ---- lookback ---- */

static pm_status lookback_create(const pm_device *device, pm_pipeline *pipeline) {
    return pm_lookback_create(device, &pipeline->lookback);
}

static void lookback_destroy(const pm_device *device, pm_pipeline *pipeline) {
    pm_lookback_destroy(device, &pipeline->lookback);
}

static uint64_t lookback_limit(const pm_pipeline *pipeline) {
    return pipeline->lookback.limit;
}

static uint64_t lookback_scratch_bytes(const pm_pipeline *pipeline, uint32_t n) {
    return pm_lookback_scratch_bytes(&pipeline->lookback, n);
}

static uint32_t lookback_unit(const pm_pipeline *pipeline, pm_stage stage) {
    (void)stage;
    return pipeline->lookback.elements;
}

static bool lookback_has_stage(const pm_device *device, const pm_pipeline *pipeline, pm_stage stage, uint32_t n) {
    (void)device, (void)pipeline, (void)n;
    return stage != PM_STAGE_REDUCE;
}

static void lookback_record(const pm_device *device, VkCommandBuffer commands, const pm_pipeline *pipeline,
                            pm_stage stage, const pm_sequence *sequence, uint32_t first, uint32_t count,
                            uint64_t match) {
    if (stage == PM_STAGE_SCAN)
        pm_lookback_record_clear(device, commands, &pipeline->lookback, sequence);
    else if (stage == PM_STAGE_MATCH)
        pm_lookback_record_match(device, commands, &pipeline->lookback, sequence, first, count, match);
}

/* ---- The table ---- */

#define PARTITIONS(create)                                                                                             \
    {                                                                                                                  \
        create, partitions_destroy, partitions_limit, partitions_scratch_bytes, partitions_unit, partitions_has_stage, \
            partitions_record                                                                                          \
    }

static const struct pm_pipeline_kind kinds[PM_PIPELINES] = {
    [PM_PIPELINE_WIDE] = {wide_create, wide_destroy, wide_limit, wide_scratch_bytes, wide_unit, wide_has_stage,
                          wide_record},
    [PM_PIPELINE_DIRECT] = PARTITIONS(direct_create),
    [PM_PIPELINE_SIMPLE] = PARTITIONS(simple_create),
    [PM_PIPELINE_WORK_EFFICIENT] = PARTITIONS(work_efficient_create),
    [PM_PIPELINE_LOOKBACK] = {lookback_create, lookback_destroy, lookback_limit, lookback_scratch_bytes, lookback_unit,
                              lookback_has_stage, lookback_record},
};

pm_status pm_pipeline_create(const pm_device *device, pm_pipeline_id id, pm_pipeline *pipeline) {
    *pipeline = (pm_pipeline){.kind = &kinds[id]};
    const pm_status status = pipeline->kind->create(device, pipeline);
    if (status != PM_OK)
        *pipeline = (pm_pipeline){0};
    return status;
}

void pm_pipeline_destroy(const pm_device *device, pm_pipeline *pipeline) {
    if (pipeline->kind)
        pipeline->kind->destroy(device, pipeline);
    *pipeline = (pm_pipeline){0};
}

uint64_t pm_pipeline_limit(const pm_pipeline *pipeline) {
    return pipeline->kind->limit(pipeline);
}

uint64_t pm_pipeline_scratch_bytes(const pm_pipeline *pipeline, uint32_t n) {
    return pipeline->kind->scratch_bytes(pipeline, n);
}

uint32_t pm_pipeline_unit(const pm_pipeline *pipeline, pm_stage stage) {
    return pipeline->kind->unit(pipeline, stage);
}

bool pm_pipeline_has_stage(const pm_device *device, const pm_pipeline *pipeline, pm_stage stage, uint32_t n) {
    return pipeline->kind->has_stage(device, pipeline, stage, n);
}

void pm_pipeline_record(const pm_device *device, VkCommandBuffer commands, const pm_pipeline *pipeline, pm_stage stage,
                        const pm_sequence *sequence, uint32_t first, uint32_t count, uint64_t match) {
    pipeline->kind->record(device, commands, pipeline, stage, sequence, first, count, match);
}
