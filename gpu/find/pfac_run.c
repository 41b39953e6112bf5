/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chunks go through the slots by turns, so that the host copies one while the device searches another. A chunk goes up
 * with as many bytes of the next one as a pattern may reach into. Shaders write the hits to where the host sees them,
 * so that nothing but hits comes down; if there are more of them than there is room for, the rest is written when the
 * first ones have been taken. Chunks are taken in order.
 */
#include "gpu/find/pfac_run.h"

#include <string.h>

#include "base/sizes.h"
#include "gpu/device/transfer.h"

#define CHUNKS_LEAST 8u                        /* that a text is cut into, so that there is something to overlap, */
#define CHUNK_PLACES_LEAST ((uint64_t)1 << 20) /* unless they become too short */
#define HITS_OFFSET 16u

/* A call on its way. */
typedef struct match_run {
    const pmi_device *device;
    pmi_staging_ring *slots;
    pmi_pfac_runner *runner;
    const pmi_pfac_request *request;
    const pmi_pfac_dict *dict;
    uint32_t chunk; /* places */
    uint32_t room;  /* hits */
    uint64_t stored, found;
} match_run;

/* ---- Buffers ---- */

static uint32_t chunk_places(const match_run *p) {
    const uint64_t n = p->request->n, share = n / CHUNKS_LEAST;
    uint64_t places = pmi_min(n, share > CHUNK_PLACES_LEAST ? share : CHUNK_PLACES_LEAST);
    places = pmi_min(places, p->request->slot_bytes);
    places += (PM_PFAC_TILE - places % PM_PFAC_TILE) % PM_PFAC_TILE;
    return pmi_min32(places, pmi_pfac_places_max(p->device, p->dict));
}

static pm_status side_reserve(const match_run *p, unsigned k) {
    const pmi_device *const device = p->device;
    pmi_pfac_side *const side = &p->runner->side[k];
    const uint64_t text = (uint64_t)p->chunk + p->dict->longest + PM_PFAC_TEXT_BEYOND;
    pm_status status = pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, text, &side->text);
    if (status == PM_OK && !side->text.mapped)
        status = pmi_buffer_reserve(device, PM_MEMORY_DOWNLOAD, text, &p->slots->slot[k].staging);
    if (status == PM_OK)
        status =
            pmi_buffer_reserve(device, PM_MEMORY_DEVICE, pmi_pfac_scratch_bytes(p->dict, p->chunk), &side->scratch);
    if (status == PM_OK)
        status = pmi_buffer_reserve(device, PM_MEMORY_DOWNLOAD, HITS_OFFSET + (uint64_t)p->room * sizeof(pm_hit),
                                    &side->hits);
    side->delivered = true;
    return status;
}

/* ---- Down ---- */

/* The hits to where the host sees them. */
static void record_hits(const match_run *p, const pmi_staging_chunk *slot, const pmi_pfac_side *side, uint32_t first) {
    if (side->room > 0) {
        pmi_pfac_record_barrier(p->device, slot->commands);
        pmi_pfac_record_write(p->device, slot->commands, &p->runner->pfac, p->dict, side->parameters, first,
                              side->room);
    }
    pmi_device_barrier(p->device, slot->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

static pm_status next_hits(const match_run *p, pmi_staging_chunk *slot, const pmi_pfac_side *side, uint32_t first) {
    pm_status status = pmi_staging_chunk_record(p->device, slot);
    if (status != PM_OK)
        return status;
    record_hits(p, slot, side, first);
    status = pmi_staging_chunk_submit(p->device, slot);
    return status == PM_OK ? pmi_staging_chunk_finish(p->device, p->slots, slot) : status;
}

/* Waits for what is in a slot, and takes its hits. */
static pm_status deliver(match_run *p, unsigned k) {
    pmi_staging_chunk *const slot = &p->slots->slot[k];
    pmi_pfac_side *const side = &p->runner->side[k];
    pm_status status = pmi_staging_chunk_finish(p->device, p->slots, slot);
    if (status != PM_OK || side->delivered)
        return status;
    const unsigned char *const mapped = side->hits.mapped;
    uint32_t total;
    memcpy(&total, mapped, sizeof total);
    const uint64_t wanted = pmi_min(total, p->request->capacity - p->stored);
    for (uint64_t done = 0, piece; done < wanted && status == PM_OK; done += piece) {
        piece = pmi_min(side->room, wanted - done);
        if (done > 0)
            status = next_hits(p, slot, side, (uint32_t)done);
        if (status == PM_OK)
            pmi_staging_ring_copy(p->slots, p->request->hits + p->stored, mapped + HITS_OFFSET, piece * sizeof(pm_hit));
        p->stored += piece;
    }
    p->found += total;
    side->delivered = true;
    return status;
}

/* ---- Up ---- */

/* Searches the chunk that begins there, in a slot whose last chunk has been delivered. */
static pm_status send(match_run *p, unsigned k, uint64_t begin) {
    const pmi_device *const device = p->device;
    pmi_staging_chunk *const slot = &p->slots->slot[k];
    pmi_pfac_side *const side = &p->runner->side[k];
    const pmi_pfac *const pfac = &p->runner->pfac;
    const uint64_t left = p->request->n - begin, places = pmi_min(left, p->chunk);
    const pmi_pfac_text text = {.text = side->text.address,
                                .n = pmi_min32(left, places + p->dict->longest - 1),
                                .places = (uint32_t)places,
                                .start = begin,
                                .scratch = side->scratch.address,
                                .total = side->hits.address,
                                .hits = side->hits.address + HITS_OFFSET};
    pm_status status = pmi_staging_chunk_record(device, slot);
    if (status != PM_OK)
        return status;
    side->parameters = pmi_pfac_parameters_make(p->dict, &text);
    side->room = p->stored < p->request->capacity ? p->room : 0;
    pmi_transfer_record_upload(device, p->slots, slot, 0, p->request->text + begin,
                               (pmi_buffer_range){&side->text, 0, text.n});
    pmi_pfac_record_search(device, slot->commands, pfac, p->dict, side->parameters);
    pmi_pfac_record_barrier(device, slot->commands);
    pmi_pfac_record_scan(device, slot->commands, pfac, side->parameters);
    record_hits(p, slot, side, 0);
    status = pmi_staging_chunk_submit(device, slot);
    side->delivered = status != PM_OK;
    return status;
}

/* ---- The whole way ---- */

static pm_status go(match_run *p) {
    pm_status status = PM_OK;
    unsigned turn = 0;
    for (uint64_t begin = 0; begin < p->request->n && status == PM_OK; begin += p->chunk, turn++) {
        status = deliver(p, turn % PM_SLOTS);
        if (status == PM_OK)
            status = send(p, turn % PM_SLOTS, begin);
    }
    for (unsigned k = 0; k < PM_SLOTS && status == PM_OK; k++)
        status = deliver(p, (turn + k) % PM_SLOTS);
    return status;
}

pm_status pmi_pfac_run(const pmi_device *device, pmi_staging_ring *slots, pmi_pfac_runner *runner,
                       const pmi_pfac_request *request, uint64_t *found) {
    match_run p = {.device = device, .slots = slots, .runner = runner, .request = request};
    pm_status status = PM_OK;
    if (request->dict->longest > pmi_pfac_longest(device))
        return PM_TOO_LARGE;
    if (!runner->created) {
        status = pmi_pfac_create(device, &runner->pfac);
        runner->created = status == PM_OK;
    }
    if (status == PM_OK)
        status = pmi_pfac_dicts_get(device, slots, &runner->dicts, request->dict, &p.dict);
    if (status != PM_OK)
        return status;
    p.chunk = chunk_places(&p);
    p.room = pmi_min32(request->capacity, (request->slot_bytes + sizeof(pm_hit) - 1) / sizeof(pm_hit));
    for (unsigned k = 0; k < PM_SLOTS && status == PM_OK; k++)
        status = side_reserve(&p, k);
    if (status == PM_OK)
        status = go(&p);
    *found = p.found;
    return status;
}

void pmi_pfac_runner_clear(const pmi_device *device, pmi_pfac_runner *runner) {
    for (unsigned k = 0; k < PM_SLOTS; k++) {
        pmi_buffer_destroy(device, &runner->side[k].text);
        pmi_buffer_destroy(device, &runner->side[k].scratch);
        pmi_buffer_destroy(device, &runner->side[k].hits);
    }
    pmi_pfac_dicts_clear(device, &runner->dicts);
    pmi_pfac_destroy(device, &runner->pfac);
    *runner = (pmi_pfac_runner){0};
}
