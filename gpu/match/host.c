/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A match from host to host. Each device gets the whole sequence, which is a 32nd of the match, in chunks. It reduces
 * each chunk when that arrives, and scans once. The devices take turns at the chunks of the match. So nothing
 * has to be joined, and no device needs another's memory. The host copies one chunk while a device works on another.
 * Many sequences go the same way as one, with other kernels for the match.
 */
#include "base/sizes.h"
#include "gpu/device/executor.h"
#include "gpu/device/transfer.h"

/* A match on one device. */
typedef struct match_run {
    pmi_executor *executor;
    const pmi_pipeline *pipeline;
    pmi_sequence sequence;
    size_t chunk;             /* bytes, of the sequence as of its match */
    bool of_batch;            /* many sequences, whose offsets the executor has: */
    uint32_t count;           /* of them */
    bool writes_totals;       /* of them */
    pmi_staging_chunk *whole; /* of a sequence that is one chunk: takes all steps, in one submission; else NULL */
} match_run;

/* A call's arguments, and its runs, one for each device that takes part. */
typedef struct match_call {
    const uint64_t *parens;
    size_t n;
    uint32_t *match;
    size_t skip;                /* first elements whose match is not downloaded, less than 64 */
    const pmi_gpu_batch *batch; /* NULL: one sequence */
    match_run runs[PM_DEVICES_MAX];
    unsigned count;
} match_call;

/* ---- Steps on one device ---- */

static pm_status step_begin(const match_run *r, pmi_staging_chunk **chunk) {
    *chunk = r->whole;
    return r->whole ? PM_OK : pmi_staging_chunk_begin(&r->executor->device, &r->executor->ring, 0, chunk);
}

static pm_status step_submit(const match_run *r, pmi_staging_chunk *chunk) {
    return r->whole ? PM_OK : pmi_staging_chunk_submit(&r->executor->device, chunk);
}

/* Uploads 8 * chunk elements from `begin` on, or fewer at the end, and reduces them. parens NULL: without the upload.
 */
static pm_status chunk_reduce(const match_run *r, const uint64_t *parens, size_t begin) {
    const pmi_device *const device = &r->executor->device;
    const size_t count = pmi_min(r->chunk * 8, r->sequence.n - begin);
    pmi_staging_chunk *chunk;
    const pm_status status = step_begin(r, &chunk);
    if (status != PM_OK)
        return status;
    if (parens)
        pmi_transfer_record_upload(device, &r->executor->ring, chunk, 0, parens + begin / 64,
                                   (pmi_buffer_range){&r->executor->parens, begin / 8, pmi_divide_up(count, 32) * 4});
    pmi_pipeline_record(device, chunk->commands, r->pipeline, PM_STAGE_REDUCE, &r->sequence, (uint32_t)begin,
                        (uint32_t)count, 0);
    return step_submit(r, chunk);
}

static pmi_levels_parameters batch_parameters(const match_run *r) {
    pmi_levels_parameters parameters =
        pmi_levels_parameters_make(r->sequence.n, r->sequence.parens, r->sequence.scratch, r->sequence.summary);
    pmi_batch_parameters_add(&parameters, r->executor->offsets.address, r->count);
    return parameters;
}

static void batch_scan_record(const match_run *r, VkCommandBuffer commands) {
    const pmi_device *const device = &r->executor->device;
    const pmi_levels_parameters parameters = batch_parameters(r);
    pmi_levels_record_scan_of_any(device, commands, &r->pipeline->levels, parameters);
    if (!r->writes_totals)
        return;
    pmi_shader_barrier(device, commands);
    pmi_batch_record_totals(device, commands, &r->executor->batch, parameters, r->executor->totals.address);
}

static pm_status scan(const match_run *r) {
    const pmi_device *const device = &r->executor->device;
    if (!r->of_batch && !pmi_pipeline_has_stage(device, r->pipeline, PM_STAGE_SCAN, r->sequence.n))
        return PM_OK;
    pmi_staging_chunk *chunk;
    const pm_status status = step_begin(r, &chunk);
    if (status != PM_OK)
        return status;
    pmi_shader_barrier(device, chunk->commands);
    if (r->of_batch)
        batch_scan_record(r, chunk->commands);
    else
        pmi_pipeline_record(device, chunk->commands, r->pipeline, PM_STAGE_SCAN, &r->sequence, 0, r->sequence.n, 0);
    return step_submit(r, chunk);
}

static void match_record(const match_run *r, const pmi_staging_chunk *chunk, uint32_t begin, uint32_t count) {
    const pmi_device *const device = &r->executor->device;
    const uint64_t match = chunk->output.address;
    if (r->of_batch)
        pmi_batch_record_match(device, chunk->commands, &r->executor->batch, batch_parameters(r), begin / PM_TILE,
                               pmi_levels_tiles(count), match);
    else
        pmi_pipeline_record(device, chunk->commands, r->pipeline, PM_STAGE_MATCH, &r->sequence, begin, count, match);
}

/* Matches chunk / 4 elements from `begin` on, or fewer at the end. match NULL: without the download; else without that
 * of the first `skip`. */
static pm_status chunk_match(const match_run *r, size_t begin, size_t skip, uint32_t *match) {
    const pmi_device *const device = &r->executor->device;
    const size_t count = pmi_min(r->chunk / sizeof *match, r->sequence.n - begin);
    pmi_staging_chunk *chunk;
    const pm_status status = step_begin(r, &chunk);
    if (status != PM_OK)
        return status;
    pmi_shader_barrier(device, chunk->commands);
    match_record(r, chunk, (uint32_t)begin, (uint32_t)count);
    const pmi_buffer_range wanted = {&chunk->output, skip * sizeof *match, (count - skip) * sizeof *match};
    if (match)
        pmi_transfer_record_download(device, chunk, wanted, match + begin + skip);
    return step_submit(r, chunk);
}

/* ---- Steps on all devices ---- */

static pm_status steps_run(const match_call *call) {
    const match_run *const runs = call->runs;
    pm_status status = PM_OK;
    for (size_t begin = 0; begin < call->n && status == PM_OK; begin += runs->chunk * 8)
        for (unsigned k = 0; k < call->count && status == PM_OK; k++)
            status = chunk_reduce(&runs[k], call->parens, begin);
    for (unsigned k = 0; k < call->count && status == PM_OK; k++)
        status = scan(&runs[k]);
    unsigned turn = 0;
    for (size_t begin = 0; begin < call->n && status == PM_OK; begin += runs->chunk / sizeof(uint32_t))
        status = chunk_match(&runs[turn++ % call->count], begin, begin == 0 ? call->skip : 0, call->match);
    return status;
}

/* Gets what many sequences need beyond one, and uploads their offsets. The first device writes the totals. */
static pm_status batch_prepare(pmi_executor *executor, const pmi_gpu_batch *batch, match_run *run) {
    const pmi_device *const device = &executor->device;
    const uint64_t bytes = (batch->count + 1) * sizeof *batch->offsets;
    run->of_batch = true;
    run->count = (uint32_t)batch->count;
    pm_status status = pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, bytes, &executor->offsets);
    if (status == PM_OK && run->writes_totals)
        status = pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_DOWNLOAD, batch->count * 2 * sizeof(uint32_t),
                                             &executor->totals);
    return status == PM_OK
               ? pmi_transfer_upload(device, &executor->ring, batch->offsets,
                                     (pmi_buffer_range){&executor->offsets, 0, bytes}, executor->chunk_bytes)
               : status;
}

static pm_status run_prepare(pmi_executor *executor, const match_call *call, size_t chunk, match_run *run) {
    const size_t n = call->n;
    pm_status status =
        call->batch ? pmi_executor_batch(executor, &run->pipeline) : pmi_executor_pipeline(executor, n, &run->pipeline);
    if (status == PM_OK && call->batch)
        status = batch_prepare(executor, call->batch, run);
    if (status != PM_OK)
        return status;
    run->executor = executor;
    run->chunk = chunk ? chunk : pmi_executor_chunk_bytes(executor, run->pipeline, n);
    status = pmi_executor_reserve(executor, run->pipeline, (uint32_t)n, run->chunk);
    run->sequence = (pmi_sequence){.n = (uint32_t)n,
                                   .parens = executor->parens.address,
                                   .scratch = executor->scratch.address,
                                   .summary = executor->summary.address};
    return status;
}

static bool is_one_chunk(const match_call *call) {
    return call->n * sizeof(uint32_t) <= call->runs->chunk;
}

/* Only the stages of `levels` can be divided among devices, and one chunk cannot. All chunks are as the first
 * device's. */
static pm_status runs_prepare(pmi_gpu *gpu, match_call *call) {
    call->runs->writes_totals = call->batch && call->batch->totals;
    pm_status status = run_prepare(&gpu->executors[0], call, 0, &call->runs[0]);
    const bool divided = status == PM_OK && !is_one_chunk(call) &&
                         call->runs->pipeline == &gpu->executors[0].pipelines[PM_PIPELINE_LEVELS];
    call->count = divided ? gpu->count : 1;
    for (unsigned k = 1; k < call->count && status == PM_OK; k++)
        status = run_prepare(&gpu->executors[k], call, call->runs->chunk, &call->runs[k]);
    return status;
}

static pm_status totals_download(pmi_executor *executor, const pmi_gpu_batch *batch) {
    const pmi_buffer_range all = {&executor->totals, 0, batch->count * sizeof(pm_bic) / 2};
    return pmi_transfer_download(&executor->device, &executor->ring, all,
                                 pmi_batch_totals_halves(batch->totals, batch->count), executor->chunk_bytes);
}

/* One chunk goes through all steps in one submission: submissions and waits take most of its time. */
static pm_status match(pmi_gpu *gpu, void *arguments) {
    match_call *const call = arguments;
    pmi_executor *const first = &gpu->executors[0];
    pm_status status = runs_prepare(gpu, call);
    const bool whole = status == PM_OK && is_one_chunk(call);
    if (whole)
        status = pmi_staging_chunk_begin(&first->device, &first->ring, 0, &call->runs->whole);
    if (status == PM_OK)
        status = steps_run(call);
    if (status == PM_OK && whole)
        status = pmi_staging_chunk_submit(&first->device, call->runs->whole);
    return status == PM_OK && call->runs->writes_totals ? totals_download(first, call->batch) : status;
}

pm_status pmi_gpu_match(pmi_gpu *gpu, const uint64_t *parens, size_t n, uint32_t *out, pm_bic *total) {
    match_call call = {.parens = parens, .n = n, .match = out};
    const pm_status status = pmi_gpu_run(gpu, &(pmi_gpu_call){.run = match, .arguments = &call});
    const uint32_t *const summary = gpu->executors[0].summary.mapped;
    if (status == PM_OK)
        *total = (pm_bic){.close = summary[0], .open = summary[1]};
    return status;
}

pm_status pmi_gpu_match_batch(pmi_gpu *gpu, const pmi_gpu_batch *batch) {
    match_call call = {.parens = batch->parens,
                       .n = batch->offsets[batch->count],
                       .match = batch->match,
                       .skip = batch->offsets[0],
                       .batch = batch};
    const pm_status status = pmi_gpu_run(gpu, &(pmi_gpu_call){.run = match, .arguments = &call});
    if (status == PM_OK && batch->totals)
        pmi_batch_totals_widen(batch->totals, batch->count);
    return status;
}
