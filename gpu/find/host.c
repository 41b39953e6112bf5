/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A search from host to host. The host copies one chunk of the text while the device searches another. A chunk is
 * uploaded with as many bytes of the next one as a pattern may cover. Shaders write the hits to host memory. If a chunk
 * has more hits than fit there, the rest is written when the host has copied the first ones.
 */
#include <string.h>

#include "base/sizes.h"
#include "gpu/device/executor.h"
#include "gpu/device/transfer.h"

#define CHUNKS_MIN 8u /* whose copies and searches overlap, unless they are shorter than this: */
#define CHUNK_PLACES_MIN ((uint64_t)1 << 20)
#define HITS_OFFSET 16u

/* A call: its arguments, what it uses, and its progress. */
typedef struct search {
    const struct pm_dict *wanted;
    const unsigned char *text;
    uint64_t n;
    pm_hit *hits;
    uint64_t capacity;
    const pmi_device *device;
    pmi_staging_ring *ring;
    pmi_pfac_runner *runner;
    const pmi_pfac_dict *dict;
    uint32_t chunk; /* positions */
    uint32_t room;  /* hits */
    uint64_t stored, found;
} search;

/* ---- Buffers ---- */

static uint32_t chunk_places(const search *p, uint64_t chunk_bytes) {
    const uint64_t n = p->n, part = n / CHUNKS_MIN;
    uint64_t places = pmi_min(n, part > CHUNK_PLACES_MIN ? part : CHUNK_PLACES_MIN);
    places = pmi_min(places, chunk_bytes);
    places += (PM_PFAC_TILE - places % PM_PFAC_TILE) % PM_PFAC_TILE;
    return pmi_min32(places, pmi_pfac_places_max(p->device, p->dict));
}

static pm_status side_reserve(const search *p, unsigned k) {
    const pmi_device *const device = p->device;
    pmi_pfac_side *const side = &p->runner->side[k];
    const uint64_t text = (uint64_t)p->chunk + p->dict->longest + PM_PFAC_TEXT_BEYOND;
    pm_status status = pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, text, &side->text);
    if (status == PM_OK && !side->text.mapped)
        status = pmi_buffer_reserve(device, PM_MEMORY_DOWNLOAD, text, &p->ring->chunk[k].staging);
    if (status == PM_OK)
        status =
            pmi_buffer_reserve(device, PM_MEMORY_DEVICE, pmi_pfac_scratch_bytes(p->dict, p->chunk), &side->scratch);
    if (status == PM_OK)
        status = pmi_buffer_reserve(device, PM_MEMORY_DOWNLOAD, HITS_OFFSET + (uint64_t)p->room * sizeof(pm_hit),
                                    &side->hits);
    side->delivered = true;
    return status;
}

/* ---- Hits ---- */

static void record_hits(const search *p, const pmi_staging_chunk *chunk, const pmi_pfac_side *side, uint32_t first) {
    if (side->room > 0) {
        pmi_shader_barrier(p->device, chunk->commands);
        pmi_pfac_record_write(p->device, chunk->commands, &p->runner->pfac, p->dict, side->parameters, first,
                              side->room);
    }
    pmi_transfer_record_barrier(p->device, chunk->commands);
}

static pm_status next_hits(const search *p, pmi_staging_chunk *chunk, const pmi_pfac_side *side, uint32_t first) {
    pm_status status = pmi_staging_chunk_record(p->device, chunk);
    if (status != PM_OK)
        return status;
    record_hits(p, chunk, side, first);
    status = pmi_staging_chunk_submit(p->device, chunk);
    return status == PM_OK ? pmi_staging_chunk_finish(p->device, p->ring, chunk) : status;
}

/* Waits for a chunk, and copies its hits. */
static pm_status hits_take(search *p, unsigned k) {
    pmi_staging_chunk *const chunk = &p->ring->chunk[k];
    pmi_pfac_side *const side = &p->runner->side[k];
    pm_status status = pmi_staging_chunk_finish(p->device, p->ring, chunk);
    if (status != PM_OK || side->delivered)
        return status;
    const unsigned char *const mapped = side->hits.mapped;
    uint32_t total;
    memcpy(&total, mapped, sizeof total);
    const uint64_t wanted = pmi_min(total, p->capacity - p->stored);
    for (uint64_t done = 0, piece; done < wanted && status == PM_OK; done += piece) {
        piece = pmi_min(side->room, wanted - done);
        if (done > 0)
            status = next_hits(p, chunk, side, (uint32_t)done);
        if (status == PM_OK)
            pmi_staging_ring_copy(p->ring, p->hits + p->stored, mapped + HITS_OFFSET, piece * sizeof(pm_hit));
        p->stored += piece;
    }
    p->found += total;
    side->delivered = true;
    return status;
}

/* ---- Searches ---- */

/* Starts a search of the text from `begin` on, in chunk k, whose hits have been taken. */
static pm_status chunk_search(search *p, unsigned k, uint64_t begin) {
    const pmi_device *const device = p->device;
    pmi_staging_chunk *const chunk = &p->ring->chunk[k];
    pmi_pfac_side *const side = &p->runner->side[k];
    const pmi_pfac *const pfac = &p->runner->pfac;
    const uint64_t left = p->n - begin, places = pmi_min(left, p->chunk);
    const pmi_pfac_text text = {.text = side->text.address,
                                .n = pmi_min32(left, places + p->dict->longest - 1),
                                .places = (uint32_t)places,
                                .start = begin,
                                .scratch = side->scratch.address,
                                .total = side->hits.address,
                                .hits = side->hits.address + HITS_OFFSET};
    pm_status status = pmi_staging_chunk_record(device, chunk);
    if (status != PM_OK)
        return status;
    side->parameters = pmi_pfac_parameters_make(p->dict, &text);
    side->room = p->stored < p->capacity ? p->room : 0;
    pmi_transfer_record_upload(device, p->ring, chunk, 0, p->text + begin, (pmi_buffer_range){&side->text, 0, text.n});
    pmi_pfac_record_search(device, chunk->commands, pfac, p->dict, side->parameters);
    pmi_shader_barrier(device, chunk->commands);
    pmi_pfac_record_scan(device, chunk->commands, pfac, side->parameters);
    record_hits(p, chunk, side, 0);
    status = pmi_staging_chunk_submit(device, chunk);
    side->delivered = status != PM_OK;
    return status;
}

/* ---- All of the text ---- */

static pm_status text_search(search *p) {
    pm_status status = PM_OK;
    unsigned turn = 0;
    for (uint64_t begin = 0; begin < p->n && status == PM_OK; begin += p->chunk, turn++) {
        status = hits_take(p, turn % PM_STAGING_CHUNKS);
        if (status == PM_OK)
            status = chunk_search(p, turn % PM_STAGING_CHUNKS, begin);
    }
    for (unsigned k = 0; k < PM_STAGING_CHUNKS && status == PM_OK; k++)
        status = hits_take(p, (turn + k) % PM_STAGING_CHUNKS);
    return status;
}

static pm_status find(pmi_gpu *gpu, void *arguments) {
    search *const p = arguments;
    pmi_executor *const first = &gpu->executors[0];
    const size_t chunk_bytes = first->chunk_bytes;
    pm_status status = PM_OK;
    p->device = &first->device;
    p->ring = &first->ring;
    p->runner = &first->pfac;
    if (p->wanted->longest > pmi_pfac_longest(p->device))
        return PM_TOO_LARGE;
    if (!p->runner->created) {
        status = pmi_pfac_create(p->device, &p->runner->pfac);
        p->runner->created = status == PM_OK;
    }
    if (status == PM_OK)
        status = pmi_pfac_dicts_get(p->device, p->ring, &p->runner->dicts, p->wanted, &p->dict);
    if (status != PM_OK)
        return status;
    p->chunk = chunk_places(p, chunk_bytes);
    p->room = pmi_min32(p->capacity, pmi_divide_up(chunk_bytes, sizeof(pm_hit)));
    for (unsigned k = 0; k < PM_STAGING_CHUNKS && status == PM_OK; k++)
        status = side_reserve(p, k);
    return status == PM_OK ? text_search(p) : status;
}

pm_status pmi_gpu_find(pmi_gpu *gpu, const struct pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                       size_t capacity, uint64_t *found) {
    search call = {.wanted = dict, .text = (const unsigned char *)text, .n = n, .hits = hits, .capacity = capacity};
    const pm_status status = pmi_gpu_run(gpu, &(pmi_gpu_call){.run = find, .arguments = &call});
    *found = call.found;
    return status;
}

void pmi_pfac_runner_clear(const pmi_device *device, pmi_pfac_runner *runner) {
    for (unsigned k = 0; k < PM_STAGING_CHUNKS; k++) {
        pmi_buffer_destroy(device, &runner->side[k].text);
        pmi_buffer_destroy(device, &runner->side[k].scratch);
        pmi_buffer_destroy(device, &runner->side[k].hits);
    }
    pmi_pfac_dicts_clear(device, &runner->dicts);
    pmi_pfac_destroy(device, &runner->pfac);
    *runner = (pmi_pfac_runner){0};
}
