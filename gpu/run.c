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

#include <string.h>

#include "gpu/passage.h"

enum {
    DEVICES_MOST = 16,
    NAME_SIZE = 64 /* of a device, with its end */
};

struct pm_gpu {
    pm_allocator allocator;
    bool lost;
    unsigned count;
    pm_station stations[];
};

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

/* The stations' chunks have all landed; the first failure counts. */
static pm_status land(pm_gpu *gpu, bool deliver) {
    pm_status status = PM_OK;
    for (unsigned k = 0; k < gpu->count; k++) {
        const pm_status landed =
            pm_slots_land(&gpu->stations[k].device, &gpu->stations[k].slots, deliver && status == PM_OK);
        status = status == PM_OK ? landed : status;
    }
    return status;
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
    pm_passage passages[DEVICES_MOST] = {{0}};
    unsigned count;
    pm_status status = land(gpu, false); /* of a call that failed */
    if (status == PM_OK)
        status = passages_prepare(gpu, n, passages, &count);
    if (status != PM_OK)
        return status;
    for (unsigned p = 0; p < count; p++) {
        passages[p].parens = parens;
        passages[p].match = match;
    }
    status = go(passages, count, n);
    const pm_status landed = land(gpu, status == PM_OK);
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
    pm_status status = land(gpu, false); /* of a call that failed */
    if (status == PM_OK)
        status = pm_pfac_run(&station->device, &station->slots, &station->pfac, &request, found);
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
    pm_status status = land(gpu, false); /* of a call that failed */
    if (status != PM_OK)
        return status;
    status = pm_station_boxes(&gpu->stations[0], kinds, boxes, n, out);
    const pm_status landed = land(gpu, status == PM_OK);
    status = status == PM_OK ? landed : status;
    gpu->lost = status == PM_DEVICE_LOST || landed == PM_DEVICE_LOST;
    return status;
}

/* ---- Trees ---- */

pm_status pm_gpu_tree_scan(pm_gpu *gpu, const pm_gpu_tree *tree) {
    if (gpu->lost)
        return PM_DEVICE_LOST;
    if (tree->n > PM_TREE_SCAN_N_MAX)
        return PM_TOO_LARGE;
    pm_status status = land(gpu, false); /* of a call that failed */
    if (status != PM_OK)
        return status;
    status = pm_station_tree_scan(&gpu->stations[0], tree, &gpu->allocator);
    const pm_status landed = land(gpu, status == PM_OK);
    status = status == PM_OK ? landed : status;
    gpu->lost = status == PM_DEVICE_LOST || landed == PM_DEVICE_LOST;
    return status;
}

/* ---- Opening and closing ---- */

const char *pm_gpu_key(const pm_gpu *gpu) {
    return gpu->stations[0].device.key;
}

const char *pm_gpu_kind(const pm_gpu *gpu) {
    switch (gpu->stations[0].device.can.type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return "discrete";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return "integrated";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return "virtual";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return "cpu";
    default:
        return "other";
    }
}

pm_device *pm_gpu_device(pm_gpu *gpu) {
    return &gpu->stations[0].device;
}

/* How many names there are in a list, parted by commas; an empty list is one name. */
static size_t names_count(const char *list) {
    size_t count = 1;
    for (; list && *list; list++)
        count += *list == ',';
    return count;
}

/* The list's next name; *list goes past it. False if it is too long. */
static bool name_take(const char **list, char name[NAME_SIZE]) {
    const size_t length = strcspn(*list, ",");
    if (length >= NAME_SIZE)
        return false;
    memcpy(name, *list, length);
    name[length] = '\0';
    *list += length + ((*list)[length] == ',');
    return true;
}

/* Opens the next station, on the device that the list names next. */
static pm_status station_open(pm_gpu *gpu, const pm_gpu_settings *settings, const char **list) {
    char name[NAME_SIZE];
    gpu->stations[gpu->count - 1] = (pm_station){0};
    const bool listed = settings->device && *settings->device != '\0';
    if (!name_take(list, name) || (listed && *name == '\0'))
        return PM_NO_DEVICE;
    pm_gpu_settings own = *settings;
    own.device = name;
    own.pipeline_cache = gpu->count == 1 ? settings->pipeline_cache : NULL; /* a file is for one device */
    return pm_station_open(&own, &gpu->allocator, &gpu->stations[gpu->count - 1]);
}

pm_status pm_gpu_open(const pm_gpu_settings *settings, const pm_allocator *allocator, pm_gpu **gpu) {
    *gpu = NULL;
    const char *list = settings->device ? settings->device : "";
    const size_t devices = names_count(list);
    if (devices > DEVICES_MOST)
        return PM_NO_DEVICE;
    pm_gpu *const opened = allocator->alloc(sizeof *opened + devices * sizeof *opened->stations, allocator->user);
    if (!opened)
        return PM_OUT_OF_MEMORY;
    *opened = (pm_gpu){.allocator = *allocator};
    pm_status status = PM_OK;
    for (size_t k = 0; k < devices && status == PM_OK; k++) {
        opened->count++;
        status = station_open(opened, settings, &list);
    }
    if (status != PM_OK) {
        pm_gpu_close(opened);
        return status;
    }
    *gpu = opened;
    return PM_OK;
}

void pm_gpu_close(pm_gpu *gpu) {
    if (!gpu)
        return;
    for (unsigned k = 0; k < gpu->count; k++)
        pm_station_close(&gpu->stations[k], &gpu->allocator);
    const pm_allocator allocator = gpu->allocator; /* outlives the block it frees */
    allocator.free(gpu, allocator.user);
}
