/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a share's match. Those that are the same each time are recorded once. */
#include "core/sizes.h"
#include "core/slice.h"
#include "gpu/share.h"

static void barrier_to_host(const pm_device *device, VkCommandBuffer commands) {
    pm_device_barrier(device, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                      VK_ACCESS_HOST_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT);
}

/* ---- What there is on the station ---- */

/* All from the sequence's beginning to the slice's end. What is told of it is not the slice's summary. */
static pm_wide_parameters parameters_of_all(const pm_share *share) {
    return pm_wide_parameters_make(share->origin + share->n, share->parens.address, share->scratch.address,
                                   share->summary.address + 2 * sizeof(uint32_t));
}

static pm_wide_parameters parameters_of_slice(const pm_share *share) {
    const pm_wide_parameters all = parameters_of_all(share);
    const uint64_t levels = share->scratch.address + pm_wide_scratch_bytes(all.n);
    pm_wide_parameters slice = pm_wide_parameters_part(&all, share->origin / PM_SUPERBLOCK, share->n, levels);
    slice.summary = share->summary.address;
    return slice;
}

/* From an element on, the beginning of a slice. */
static pm_wide_parameters parameters_from(const pm_share *share, uint32_t first) {
    const pm_wide_parameters all = parameters_of_all(share);
    return pm_wide_parameters_part(&all, first / PM_SUPERBLOCK, all.n - first, all.superblock_base);
}

/* ---- The match, which lies in ranges ---- */

typedef void record_match(const pm_device *device, VkCommandBuffer commands, const pm_wide *wide,
                          pm_wide_parameters parameters, uint32_t first_tile, uint32_t tiles, uint64_t match);

/* Tiles begin ... end - 1 of the slice, which begins with tile `origin` of what the parameters are of. */
static void tiles_record(const pm_share *share, VkCommandBuffer commands, record_match *record,
                         pm_wide_parameters parameters, uint32_t origin, uint32_t begin, uint32_t end) {
    const uint32_t range = share->station->range_elements / PM_TILE;
    while (begin < end) {
        const uint32_t now = pm_least32(end - begin, range - begin % range);
        record(&share->station->device, commands, &share->station->slices, parameters, origin + begin, now,
               share->match[begin / range].address + (uint64_t)(begin % range) * PM_TILE * sizeof(uint32_t));
        begin += now;
    }
}

/* ---- The same each time ---- */

static void reduce_record(const pm_share *share, VkCommandBuffer commands) {
    const pm_device *const device = &share->station->device;
    const pm_wide *const wide = &share->station->slices;
    const pm_wide_parameters parameters = parameters_of_slice(share);
    pm_wide_record_barrier(device, commands); /* from the match before, which has used the scratch */
    pm_wide_record_reduce(device, commands, wide, parameters, 0, parameters.superblocks);
    pm_wide_record_barrier(device, commands);
    pm_wide_record_scan(device, commands, wide, parameters);
    pm_wide_record_barrier(device, commands); /* for the match, too */
    pm_wide_record_stack(device, commands, wide, parameters, 0, share->told, share->stack.address);
    barrier_to_host(device, commands);
}

static void match_record(const pm_share *share, VkCommandBuffer commands) {
    const pm_wide_parameters parameters = parameters_of_slice(share);
    if (share->origin > 0) /* while the match is made */
        pm_wide_record_far(&share->station->device, commands, &share->station->slices, parameters);
    tiles_record(share, commands, pm_wide_record_match, parameters, 0, 0, pm_wide_tiles(share->ahead));
    barrier_to_host(&share->station->device, commands); /* who sees what is mapped */
}

/* Records it the first time. */
static pm_status recorded_submit(const pm_share *share, pm_recorded *recorded,
                                 void (*record)(const pm_share *share, VkCommandBuffer commands)) {
    const pm_device *const device = &share->station->device;
    pm_status status = PM_OK;
    if (!recorded->complete) {
        status = pm_recorded_begin(device, recorded);
        if (status == PM_OK) {
            record(share, recorded->commands);
            status = pm_recorded_end(device, recorded);
        }
    }
    return status == PM_OK ? pm_recorded_submit(device, recorded) : status;
}

pm_status pm_share_reduce(pm_share *share) {
    return share->n > 0 ? recorded_submit(share, &share->reducing, reduce_record) : PM_OK;
}

pm_status pm_share_match(pm_share *share) {
    return share->n > 0 ? recorded_submit(share, &share->matching, match_record) : PM_OK;
}

pm_status pm_share_reduced(pm_share *share, pm_bic *bic) {
    *bic = (pm_bic){0, 0};
    if (share->n == 0)
        return PM_OK;
    const pm_status status = pm_recorded_land(&share->station->device, &share->reducing);
    const uint32_t *const summary = share->summary.mapped;
    *bic = (pm_bic){.close = summary[0], .open = summary[1]};
    return status;
}

pm_status pm_share_land(pm_share *share) {
    pm_recorded *const recorded[] = {&share->reducing, &share->matching, &share->completing};
    pm_status status = PM_OK;
    for (size_t r = 0; r < sizeof recorded / sizeof *recorded; r++) {
        const pm_status landed = pm_recorded_land(&share->station->device, recorded[r]);
        status = status == PM_OK ? landed : status;
    }
    return status;
}

/* ---- What follows, once it is known what comes in ---- */

/* Begins to record, after what has been matched ahead. */
static pm_status completing_begin(pm_share *share) {
    const pm_status status = pm_recorded_begin(&share->station->device, &share->completing);
    if (status == PM_OK)
        pm_wide_record_barrier(&share->station->device, share->completing.commands);
    return status;
}

static pm_status completing_submit(pm_share *share) {
    const pm_device *const device = &share->station->device;
    barrier_to_host(device, share->completing.commands);
    const pm_status status = pm_recorded_end(device, &share->completing);
    return status == PM_OK ? pm_recorded_submit(device, &share->completing) : status;
}

static pm_status pieces_give(pm_share *share, const pm_share_piece *pieces, unsigned piece_count, uint32_t count) {
    pm_status status = pm_buffer_reserve(&share->station->device, PM_MEMORY_UPLOAD, (uint64_t)count * sizeof(uint32_t),
                                         &share->incoming);
    uint32_t *to = share->incoming.mapped;
    for (unsigned k = 0; k < piece_count && status == PM_OK; to += pieces[k++].count)
        pm_slots_copy(&share->station->slots, to, (const uint32_t *)pieces[k].from->stack.mapped + pieces[k].skip,
                      pieces[k].count * sizeof *to);
    return status;
}

pm_status pm_share_complete(pm_share *share, const pm_share_piece *pieces, unsigned piece_count, uint32_t count) {
    const uint32_t ahead = pm_wide_tiles(share->ahead), tiles = pm_wide_tiles(share->n);
    if (count == 0 && ahead == tiles)
        return PM_OK;
    pm_wide_parameters parameters = parameters_of_slice(share);
    pm_status status = count > 0 ? pieces_give(share, pieces, piece_count, count) : PM_OK;
    if (status == PM_OK)
        status = completing_begin(share);
    if (status != PM_OK)
        return status;
    parameters.incoming = share->incoming.address;
    parameters.incoming_count = count;
    if (count > 0) /* beside the rest, for there are few of them, or else it waits for each of their searches */
        tiles_record(share, share->completing.commands, pm_wide_record_match_far, parameters, 0, 0, ahead);
    tiles_record(share, share->completing.commands, pm_wide_record_match, parameters, 0, ahead, tiles);
    return completing_submit(share);
}

pm_status pm_share_complete_from(pm_share *share, uint32_t first) {
    const pm_device *const device = &share->station->device;
    const pm_wide *const wide = &share->station->slices;
    const pm_wide_parameters parameters = parameters_from(share, first);
    const uint32_t before = share->origin - first;
    const pm_status status = completing_begin(share);
    if (status != PM_OK)
        return status;
    const VkCommandBuffer commands = share->completing.commands;
    pm_wide_record_reduce(device, commands, wide, parameters, 0, before / PM_SUPERBLOCK);
    pm_wide_record_barrier(device, commands);
    pm_wide_record_scan(device, commands, wide, parameters);
    pm_wide_record_barrier(device, commands);
    tiles_record(share, commands, pm_wide_record_match, parameters, before / PM_TILE, 0, pm_wide_tiles(share->n));
    return completing_submit(share);
}
