/* SPDX-License-Identifier: Apache-2.0 */
/* The twins of each pipeline, and recording what the test asks for. */
#include "tests/support/match_stages.h"

#include <string.h>

#include "shaders/spv/match.h"
#include "shaders/twins.h"
#include "tests/support/unit.h"

enum {
    VERIFY_CHUNK_SHIFT = 12,
    VERIFY_WORKGROUPS = 64
};

typedef struct match_task {
    const match_stages *stages;
    const uint64_t *parens;
    uint32_t n;
} match_task;

pm_status match_stages_open(pmi_gpu_settings settings, match_stages *stages) {
    *stages = (match_stages){.id = settings.pipeline};
    const pm_status status = gpu_host_open(settings, &stages->host);
    if (status != PM_OK)
        return status;
    const pmi_device *const device = &stages->host.device;
    assert_ok(pmi_pipeline_create(device, stages->id, &stages->pipeline));
    assert_ok(pmi_kernel_create(device, PM_SHADER(spv_match_verify), 0, &stages->verify));
    return PM_OK;
}

void match_stages_close(match_stages *stages) {
    pmi_kernel_destroy(&stages->host.device, &stages->verify);
    pmi_pipeline_destroy(&stages->host.device, &stages->pipeline);
    gpu_host_close(&stages->host);
}

static pmi_sequence sequence_at(const match_task *t, const block *b, block_side side) {
    return (pmi_sequence){.n = t->n,
                          .parens = block_address(b, side, MATCH_PARENS),
                          .scratch = block_address(b, side, MATCH_SCRATCH),
                          .summary = block_address(b, side, MATCH_SUMMARY)};
}

static void make(const void *task, block *b) {
    const match_task *const t = task;
    const size_t words[MATCH_BUFFERS] = {t->n / 32 + (t->n % 32 != 0),
                                         (size_t)pmi_pipeline_scratch_bytes(&t->stages->pipeline, t->n) / 4, 2, t->n};
    block_open_with(b, &t->stages->host.device, words, MATCH_BUFFERS);
    memcpy(block_words(b, MATCH_PARENS), t->parens, words[MATCH_PARENS] * 4);
}

/* ---- Twins ---- */

static void levels_twin(const match_task *t, const block *b, pmi_stage stage) {
    const pmi_sequence s = sequence_at(t, b, BLOCK_HOST);
    pmi_levels_parameters parameters = pmi_levels_parameters_make(t->n, s.parens, s.scratch, s.summary);
    parameters.match = block_address(b, BLOCK_HOST, MATCH_RESULT);
    parameters.count = stage == PM_STAGE_REDUCE ? parameters.superblocks : pmi_levels_tiles(t->n);
    if (stage == PM_STAGE_REDUCE)
        pmi_levels_reduce_twin(&parameters);
    else if (stage == PM_STAGE_SCAN)
        pmi_levels_scan_twin(&parameters);
    else
        pmi_levels_match_twin(&parameters);
}

static void partitions_twin(const match_task *t, const block *b, pmi_stage stage) {
    const pmi_sequence s = sequence_at(t, b, BLOCK_HOST);
    const pmi_partitions *const partitions = &t->stages->pipeline.partitions;
    pmi_partition_parameters parameters = pmi_partitions_parameters_make(partitions, &s);
    parameters.match = block_address(b, BLOCK_HOST, MATCH_RESULT);
    if (stage == PM_STAGE_REDUCE)
        pmi_partition_reduce_twin(&parameters, partitions->elements);
    else if (stage == PM_STAGE_MATCH)
        pmi_partition_match_twin(&parameters, partitions->elements);
}

static void lookback_twin(const match_task *t, const block *b, pmi_stage stage) {
    const pmi_sequence s = sequence_at(t, b, BLOCK_HOST);
    const pmi_lookback *const lookback = &t->stages->pipeline.lookback;
    pmi_lookback_parameters parameters = pmi_lookback_parameters_make(&t->stages->host.device, lookback, &s);
    parameters.match = block_address(b, BLOCK_HOST, MATCH_RESULT);
    if (stage == PM_STAGE_SCAN)
        pmi_lookback_clear_twin(&parameters);
    else if (stage == PM_STAGE_MATCH)
        pmi_lookback_match_twin(&parameters, lookback->elements);
}

static void (*const twins[PM_PIPELINES])(const match_task *, const block *, pmi_stage) = {
    [PM_PIPELINE_LEVELS] = levels_twin,     [PM_PIPELINE_DIRECT] = partitions_twin,
    [PM_PIPELINE_SIMPLE] = partitions_twin, [PM_PIPELINE_WORK_EFFICIENT] = partitions_twin,
    [PM_PIPELINE_LOOKBACK] = lookback_twin,
};

/* ---- Running ---- */

/* Ranges of odd lengths, as a caller might choose them. */
static void stage_record(const match_task *t, const block *b, pmi_stage stage) {
    const gpu_host *const host = &t->stages->host;
    const pmi_pipeline *const pipeline = &t->stages->pipeline;
    const pmi_sequence sequence = sequence_at(t, b, BLOCK_DEVICE);
    const uint64_t match = block_address(b, BLOCK_DEVICE, MATCH_RESULT);
    const uint32_t unit = pmi_pipeline_unit(pipeline, stage);
    const uint32_t first = stage == PM_STAGE_SCAN ? 0 : t->n / 3 / unit * unit;
    if (first > 0)
        pmi_pipeline_record(&host->device, host->commands, pipeline, stage, &sequence, 0, first, match);
    pmi_pipeline_record(&host->device, host->commands, pipeline, stage, &sequence, first, t->n - first,
                        match + (uint64_t)first * 4);
    gpu_commands_barrier(host);
}

static void run(const void *task, const block *b, unsigned from) {
    const match_task *const t = task;
    for (unsigned stage = 0; stage < from; stage++)
        twins[t->stages->id](t, b, (pmi_stage)stage);
    if (from == PM_STAGES)
        return;
    gpu_commands_begin(&t->stages->host);
    for (unsigned stage = from; stage < PM_STAGES; stage++)
        if (pmi_pipeline_has_stage(&t->stages->host.device, &t->stages->pipeline, (pmi_stage)stage, t->n))
            stage_record(t, b, (pmi_stage)stage);
    gpu_commands_run(&t->stages->host);
}

/* ---- Checking ---- */

static void check(const void *task, const block *of_twins) {
    const match_task *const t = task;
    assert_ok(pm_match_verify(NULL, t->parens, t->n, block_words(of_twins, MATCH_RESULT), NULL));
}

/* What the scan of levels leaves at the end of its scratch is not there where the match stage scans by itself. */
static size_t compared_bytes(const match_task *t, const block *b) {
    if (t->stages->id != PM_PIPELINE_LEVELS ||
        pmi_pipeline_has_stage(&t->stages->host.device, &t->stages->pipeline, PM_STAGE_SCAN, t->n))
        return b->buffers[MATCH_SCRATCH].words * 4;
    return (size_t)pmi_levels_parameters_make(t->n, 0, 0, 0).superblock_base;
}

static bool same(const void *task, const block *a, const block *b) {
    return memcmp(block_words(a, MATCH_SCRATCH), block_words(b, MATCH_SCRATCH), compared_bytes(task, a)) == 0 &&
           block_same(a, b, MATCH_SUMMARY) && block_same(a, b, MATCH_RESULT);
}

void match_stages_check(const match_stages *stages, const uint64_t *parens, uint32_t n, const char *what) {
    static const char *const names[PM_STAGES] = {"reduce", "scan", "match"};
    static const staged match = {
        .names = names, .count = PM_STAGES, .make = make, .run = run, .check = check, .same = same};
    staged_check(&match, &(match_task){stages, parens, n}, what, n);
}

void match_stages_run(const match_stages *stages, const uint64_t *parens, uint32_t n, block *b) {
    const match_task task = {stages, parens, n};
    make(&task, b);
    run(&task, b, 0);
}

size_t match_stages_verify(const match_stages *stages, const block *b, uint32_t n, uint32_t *first) {
    const gpu_host *const host = &stages->host;
    const uint32_t chunks = n / (1u << VERIFY_CHUNK_SHIFT) + 1;
    pmi_buffer buffer; /* the chunks' addresses, then what is wrong */
    assert_ok(pmi_buffer_create(&host->device, PM_MEMORY_DOWNLOAD, (uint64_t)chunks * 8 + 8, &buffer));
    uint64_t *const addresses = buffer.mapped;
    for (uint32_t k = 0; k < chunks; k++)
        addresses[k] = block_address(b, BLOCK_DEVICE, MATCH_RESULT) + ((uint64_t)k << VERIFY_CHUNK_SHIFT) * 4;
    uint32_t *const wrong = (uint32_t *)(addresses + chunks);
    wrong[0] = 0;
    wrong[1] = UINT32_MAX;
    const pmi_verify_parameters parameters = {.parens = block_address(b, BLOCK_DEVICE, MATCH_PARENS),
                                              .chunks = buffer.address,
                                              .wrong = buffer.address + (uint64_t)chunks * 8,
                                              .n = n,
                                              .chunk_shift = VERIFY_CHUNK_SHIFT,
                                              .count = n};
    gpu_commands_begin(host);
    pmi_kernel_dispatch(&host->device, host->commands, &stages->verify, &parameters, sizeof parameters,
                        VERIFY_WORKGROUPS);
    gpu_commands_run(host);
    *first = wrong[1];
    const size_t found = wrong[0];
    pmi_buffer_destroy(&host->device, &buffer);
    return found;
}
