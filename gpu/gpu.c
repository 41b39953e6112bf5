/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One device or several, and the way of a sequence through them: chunks of the input go up, each reduced as it comes;
 * one scan; chunks of the match come down. Chunks go through slots by turns, so that the host copies one while a device
 * works on another.
 *
 * Of several devices each gets the whole sequence, a 32nd of its match, and scans all of it; chunks of the match are
 * dealt to them by turns. So nothing is stitched, and no device needs another's memory.
 */
#include "gpu/gpu.h"

#include "gpu/device/devices.h"
#include "gpu/match/match_run.h"

/* ---- The way of a sequence ---- */

static pm_status reduce(const pmi_match_run *match_runs, unsigned count, size_t n) {
    pm_status status = PM_OK;
    for (size_t begin = 0; begin < n && status == PM_OK; begin += match_runs[0].chunk * 8)
        for (unsigned p = 0; p < count && status == PM_OK; p++)
            status = pmi_match_run_reduce(&match_runs[p], begin);
    return status;
}

static pm_status scan(const pmi_match_run *match_runs, unsigned count) {
    pm_status status = PM_OK;
    for (unsigned p = 0; p < count && status == PM_OK; p++)
        status = pmi_match_run_scan(&match_runs[p]);
    return status;
}

static pm_status match_chunks(const pmi_match_run *match_runs, unsigned count, size_t n) {
    pm_status status = PM_OK;
    unsigned turn = 0;
    for (size_t begin = 0; begin < n && status == PM_OK; begin += match_runs[0].chunk / sizeof(uint32_t))
        status = pmi_match_run_match(&match_runs[turn++ % count], begin);
    return status;
}

/* All steps. A sequence that is one chunk goes through them at one go, for submissions and waits are what takes long
 * there. */
static pm_status go(pmi_match_run *match_runs, unsigned count, size_t n) {
    pmi_executor *const first = match_runs[0].executor;
    const bool whole = n * sizeof(uint32_t) <= match_runs[0].chunk;
    pm_status status = whole ? pmi_staging_chunk_begin(&first->device, &first->slots, 0, &match_runs[0].whole) : PM_OK;
    if (status == PM_OK)
        status = reduce(match_runs, count, n);
    if (status == PM_OK)
        status = scan(match_runs, count);
    if (status == PM_OK)
        status = match_chunks(match_runs, count, n);
    return status == PM_OK && whole ? pmi_staging_chunk_submit(&first->device, match_runs[0].whole) : status;
}

static pm_status passage_prepare(pmi_executor *executor, size_t n, size_t chunk, pmi_match_run *match_run) {
    pm_status status = pmi_executor_pipeline(executor, n, &match_run->pipeline);
    if (status != PM_OK)
        return status;
    match_run->executor = executor;
    match_run->chunk = chunk ? chunk : pmi_executor_chunk_bytes(executor, match_run->pipeline, n);
    status = pmi_executor_reserve(executor, match_run->pipeline, (uint32_t)n, match_run->chunk);
    match_run->sequence = (pmi_sequence){.n = (uint32_t)n,
                                         .parens = executor->parens.address,
                                         .scratch = executor->scratch.address,
                                         .summary = executor->summary.address};
    return status;
}

/* Prepares as many match_runs as pay: one for a sequence that is one chunk, and where the pipeline is one whose stages
 * cannot be shared. Their chunks are the first one's. */
static pm_status passages_prepare(pmi_gpu *gpu, size_t n, pmi_match_run *match_runs, unsigned *count) {
    pm_status status = passage_prepare(&gpu->executors[0], n, 0, &match_runs[0]);
    const bool shared = status == PM_OK && n * sizeof(uint32_t) > match_runs[0].chunk &&
                        match_runs[0].pipeline == &gpu->executors[0].pipelines[PM_PIPELINE_LEVELS];
    *count = shared ? gpu->count : 1;
    for (unsigned k = 1; k < *count && status == PM_OK; k++)
        status = passage_prepare(&gpu->executors[k], n, match_runs[0].chunk, &match_runs[k]);
    return status;
}

typedef struct match_call {
    const uint64_t *parens;
    size_t n;
    uint32_t *match;
} match_call;

static pm_status match_run(pmi_gpu *gpu, void *arguments) {
    const match_call *const call = arguments;
    pmi_match_run match_runs[PM_DEVICES_MOST] = {{0}};
    unsigned count;
    const pm_status status = passages_prepare(gpu, call->n, match_runs, &count);
    if (status != PM_OK)
        return status;
    for (unsigned p = 0; p < count; p++) {
        match_runs[p].parens = call->parens;
        match_runs[p].match = call->match;
    }
    return go(match_runs, count, call->n);
}

pm_status pmi_gpu_match(pmi_gpu *gpu, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    match_call call = {parens, n, match};
    const pm_status status = pmi_gpu_run(gpu, &(pmi_gpu_call){.run = match_run, .arguments = &call});
    const uint32_t *const summary = gpu->executors[0].summary.mapped;
    if (status == PM_OK)
        *total = (pm_bic){.close = summary[0], .open = summary[1]};
    return status;
}

/* ---- Searches ---- */

typedef struct find_call {
    pmi_pfac_request request;
    uint64_t *found;
} find_call;

static pm_status find_run(pmi_gpu *gpu, void *arguments) {
    const find_call *const call = arguments;
    pmi_executor *const first = &gpu->executors[0];
    return pmi_pfac_run(&first->device, &first->slots, &first->pfac, &call->request, call->found);
}

pm_status pmi_gpu_find(pmi_gpu *gpu, const struct pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                       size_t capacity, uint64_t *found) {
    find_call call = {.request = {.dict = dict,
                                  .text = (const unsigned char *)text,
                                  .n = n,
                                  .hits = hits,
                                  .capacity = capacity,
                                  .slot_bytes = gpu->executors[0].slot_bytes},
                      .found = found};
    return pmi_gpu_run(gpu, &(pmi_gpu_call){.run = find_run, .arguments = &call});
}

/* ---- Delimiters ---- */

typedef struct structure_call {
    pmi_structure_request request;
    pm_delimiters_summary *summary;
} structure_call;

static pm_status structure_run(pmi_gpu *gpu, void *arguments) {
    const structure_call *const call = arguments;
    pmi_executor *const first = &gpu->executors[0];
    return pmi_structure_run_on_device(&first->device, &first->slots, &first->structure, &call->request, call->summary);
}

pm_status pmi_gpu_structure(pmi_gpu *gpu, const struct pmi_dfa *machine, const char *text, uint32_t n,
                            const pm_delimiters_arrays *arrays, pm_delimiters_summary *summary) {
    structure_call call = {.request = {.machine = machine,
                                       .text = (const unsigned char *)text,
                                       .n = n,
                                       .arrays = *arrays,
                                       .slot_bytes = gpu->executors[0].slot_bytes},
                           .summary = summary};
    return pmi_gpu_run(gpu, &(pmi_gpu_call){.run = structure_run, .arguments = &call});
}

/* ---- Boxes ---- */

typedef struct boxes_call {
    const uint8_t *kinds;
    const pm_box *boxes;
    size_t n;
    pm_box *out;
} boxes_call;

/* On the first device: an end may change what stands far before it, so pieces are not by themselves. */
static pm_status boxes_run(pmi_gpu *gpu, void *arguments) {
    const boxes_call *const call = arguments;
    return call->n > PM_BOXES_N_MAX
               ? PM_TOO_LARGE
               : pmi_executor_boxes(&gpu->executors[0], call->kinds, call->boxes, call->n, call->out);
}

pm_status pmi_gpu_boxes(pmi_gpu *gpu, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    boxes_call call = {kinds, boxes, n, out};
    return pmi_gpu_run(gpu, &(pmi_gpu_call){.run = boxes_run, .arguments = &call});
}

bool pmi_gpu_has_boxes(const pmi_gpu *gpu) {
    return pmi_executor_has_boxes(&gpu->executors[0]);
}

/* ---- Trees ---- */

static pm_status scan_run(pmi_gpu *gpu, void *arguments) {
    const pmi_gpu_tree *const tree = arguments;
    return tree->n > PM_TREE_SCAN_N_MAX ? PM_TOO_LARGE
                                        : pmi_executor_tree_scan(&gpu->executors[0], tree, &gpu->allocator);
}

pm_status pmi_gpu_scan(pmi_gpu *gpu, const pmi_gpu_tree *tree) {
    pmi_gpu_tree call = *tree;
    return pmi_gpu_run(gpu, &(pmi_gpu_call){.run = scan_run, .arguments = &call});
}
