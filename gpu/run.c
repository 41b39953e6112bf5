/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One device or several, and the way of a sequence through them: chunks of the input go up, each reduced as it comes;
 * one scan; chunks of the match come down. Chunks go through slots by turns, so that the host copies one while a device
 * works on another.
 *
 * Of several devices each gets the whole sequence, a 32nd of its match, and scans all of it; chunks of the match are
 * dealt to them by turns. So nothing is stitched, and no device needs another's memory.
 */
#include "gpu/run.h"

#include "gpu/devices.h"
#include "gpu/passage.h"

/* ---- The way of a sequence ---- */

static pm_status reduce(const pm_passage *passages, unsigned count, size_t n) {
    pm_status status = PM_OK;
    for (size_t begin = 0; begin < n && status == PM_OK; begin += passages[0].chunk * 8)
        for (unsigned p = 0; p < count && status == PM_OK; p++)
            status = pm_passage_reduce(&passages[p], begin);
    return status;
}

static pm_status scan(const pm_passage *passages, unsigned count) {
    pm_status status = PM_OK;
    for (unsigned p = 0; p < count && status == PM_OK; p++)
        status = pm_passage_scan(&passages[p]);
    return status;
}

static pm_status match_chunks(const pm_passage *passages, unsigned count, size_t n) {
    pm_status status = PM_OK;
    unsigned turn = 0;
    for (size_t begin = 0; begin < n && status == PM_OK; begin += passages[0].chunk / sizeof(uint32_t))
        status = pm_passage_match(&passages[turn++ % count], begin);
    return status;
}

/* All steps. A sequence that is one chunk goes through them at one go, for submissions and waits are what takes long
 * there. */
static pm_status go(pm_passage *passages, unsigned count, size_t n) {
    pm_station *const first = passages[0].station;
    const bool whole = n * sizeof(uint32_t) <= passages[0].chunk;
    pm_status status = whole ? pm_slot_begin(&first->device, &first->slots, &passages[0].whole) : PM_OK;
    if (status == PM_OK)
        status = reduce(passages, count, n);
    if (status == PM_OK)
        status = scan(passages, count);
    if (status == PM_OK)
        status = match_chunks(passages, count, n);
    return status == PM_OK && whole ? pm_slot_submit(&first->device, passages[0].whole) : status;
}

static pm_status passage_prepare(pm_station *station, size_t n, size_t chunk, pm_passage *passage) {
    pm_status status = pm_station_pipeline(station, n, &passage->pipeline);
    if (status != PM_OK)
        return status;
    passage->station = station;
    passage->chunk = chunk ? chunk : pm_station_chunk_bytes(station, passage->pipeline, n);
    status = pm_station_reserve(station, passage->pipeline, (uint32_t)n, passage->chunk);
    passage->sequence = (pm_sequence){.n = (uint32_t)n,
                                      .parens = station->parens.address,
                                      .scratch = station->scratch.address,
                                      .summary = station->summary.address};
    return status;
}

/* Prepares as many passages as pay: one for a sequence that is one chunk, and where the pipeline is one whose stages
 * cannot be shared. Their chunks are the first one's. */
static pm_status passages_prepare(pm_gpu *gpu, size_t n, pm_passage *passages, unsigned *count) {
    pm_status status = passage_prepare(&gpu->stations[0], n, 0, &passages[0]);
    const bool shared = status == PM_OK && n * sizeof(uint32_t) > passages[0].chunk &&
                        passages[0].pipeline == &gpu->stations[0].pipelines[PM_PIPELINE_WIDE];
    *count = shared ? gpu->count : 1;
    for (unsigned k = 1; k < *count && status == PM_OK; k++)
        status = passage_prepare(&gpu->stations[k], n, passages[0].chunk, &passages[k]);
    return status;
}

pm_status pm_gpu_match(pm_gpu *gpu, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    if (gpu->lost)
        return PM_DEVICE_LOST;
    pm_passage passages[PM_DEVICES_MOST] = {{0}};
    unsigned count;
    pm_status status = pm_gpu_land(gpu, false); /* of a call that failed */
    if (status == PM_OK)
        status = passages_prepare(gpu, n, passages, &count);
    if (status != PM_OK)
        return status;
    for (unsigned p = 0; p < count; p++) {
        passages[p].parens = parens;
        passages[p].match = match;
    }
    status = go(passages, count, n);
    const pm_status landed = pm_gpu_land(gpu, status == PM_OK);
    status = status == PM_OK ? landed : status;
    gpu->lost = status == PM_DEVICE_LOST || landed == PM_DEVICE_LOST;
    const uint32_t *const summary = gpu->stations[0].summary.mapped;
    *total = (pm_bic){.close = summary[0], .open = summary[1]};
    return status;
}

/* ---- Searches ---- */

pm_status pm_gpu_find(pm_gpu *gpu, const struct pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                      size_t capacity, uint64_t *found) {
    pm_station *const station = &gpu->stations[0];
    if (gpu->lost)
        return PM_DEVICE_LOST;
    const pm_pfac_request request = {.dict = dict,
                                     .text = (const unsigned char *)text,
                                     .n = n,
                                     .hits = hits,
                                     .capacity = capacity,
                                     .slot_bytes = station->slot_bytes};
    pm_status status = pm_gpu_land(gpu, false); /* of a call that failed */
    if (status == PM_OK)
        status = pm_pfac_run(&station->device, &station->slots, &station->pfac, &request, found);
    gpu->lost = status == PM_DEVICE_LOST;
    return status;
}

/* ---- Structure ---- */

pm_status pm_gpu_structure(pm_gpu *gpu, const struct pm_machine *machine, const char *text, uint32_t n,
                           const pm_structure_arrays *arrays, pm_structure_summary *summary) {
    pm_station *const station = &gpu->stations[0];
    if (gpu->lost)
        return PM_DEVICE_LOST;
    const pm_structure_request request = {.machine = machine,
                                          .text = (const unsigned char *)text,
                                          .n = n,
                                          .arrays = *arrays,
                                          .slot_bytes = station->slot_bytes};
    pm_status status = pm_gpu_land(gpu, false); /* of a call that failed */
    if (status == PM_OK)
        status = pm_structure_run_there(&station->device, &station->slots, &station->structure, &request, summary);
    gpu->lost = status == PM_DEVICE_LOST;
    return status;
}

/* ---- Boxes ---- */

/* On the first device: an end may change what stands far before it, so pieces are not by themselves. */
pm_status pm_gpu_boxes(pm_gpu *gpu, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out) {
    if (gpu->lost)
        return PM_DEVICE_LOST;
    if (n > PM_BOXES_N_MAX)
        return PM_TOO_LARGE;
    pm_status status = pm_gpu_land(gpu, false); /* of a call that failed */
    if (status != PM_OK)
        return status;
    status = pm_station_boxes(&gpu->stations[0], kinds, boxes, n, out);
    const pm_status landed = pm_gpu_land(gpu, status == PM_OK);
    status = status == PM_OK ? landed : status;
    gpu->lost = status == PM_DEVICE_LOST || landed == PM_DEVICE_LOST;
    return status;
}

bool pm_gpu_has_boxes(const pm_gpu *gpu) {
    return pm_station_has_boxes(&gpu->stations[0]);
}

/* ---- Trees ---- */

pm_status pm_gpu_tree_scan(pm_gpu *gpu, const pm_gpu_tree *tree) {
    if (gpu->lost)
        return PM_DEVICE_LOST;
    if (tree->n > PM_TREE_SCAN_N_MAX)
        return PM_TOO_LARGE;
    pm_status status = pm_gpu_land(gpu, false); /* of a call that failed */
    if (status != PM_OK)
        return status;
    status = pm_station_tree_scan(&gpu->stations[0], tree, &gpu->allocator);
    const pm_status landed = pm_gpu_land(gpu, status == PM_OK);
    status = status == PM_OK ? landed : status;
    gpu->lost = status == PM_DEVICE_LOST || landed == PM_DEVICE_LOST;
    return status;
}
