/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a share's match. Those that are the same each time are recorded once. */
#include "base/sizes.h"
#include "base/slice.h"
#include "gpu/match/device_slice.h"

static void barrier_to_host(const pmi_device *device, VkCommandBuffer commands) {
    pmi_device_barrier(device, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_ACCESS_HOST_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT);
}

/* ---- What there is on the executor ---- */

/* All from the sequence's beginning to the slice's end. What is told of it is not the slice's summary. */
static pmi_levels_parameters parameters_of_all(const pmi_device_slice *share) {
    return pmi_levels_parameters_make(share->origin + share->n, share->parens.address, share->scratch.address,
                                      share->summary.address + 2 * sizeof(uint32_t));
}

static pmi_levels_parameters parameters_of_slice(const pmi_device_slice *share) {
    const pmi_levels_parameters all = parameters_of_all(share);
    const uint64_t levels = share->scratch.address + pmi_levels_scratch_bytes(all.n);
    pmi_levels_parameters slice = pmi_levels_parameters_part(&all, share->origin / PM_SUPERBLOCK, share->n, levels);
    slice.summary = share->summary.address;
    return slice;
}

/* From an element on, the beginning of a slice. */
static pmi_levels_parameters parameters_from(const pmi_device_slice *share, uint32_t first) {
    const pmi_levels_parameters all = parameters_of_all(share);
    return pmi_levels_parameters_part(&all, first / PM_SUPERBLOCK, all.n - first, all.superblock_base);
}

/* ---- The match, which lies in ranges ---- */

typedef void record_match(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                          pmi_levels_parameters parameters, uint32_t first_tile, uint32_t tiles, uint64_t match);

/* Tiles begin ... end - 1 of the slice, which begins with tile `origin` of what the parameters are of. */
static void tiles_record(const pmi_device_slice *share, VkCommandBuffer commands, record_match *record,
                         pmi_levels_parameters parameters, uint32_t origin, uint32_t begin, uint32_t end) {
    const uint32_t range = share->executor->range_elements / PM_TILE;
    while (begin < end) {
        const uint32_t now = pmi_min32(end - begin, range - begin % range);
        record(&share->executor->device, commands, &share->executor->slices, parameters, origin + begin, now,
               share->match[begin / range].address + (uint64_t)(begin % range) * PM_TILE * sizeof(uint32_t));
        begin += now;
    }
}

/* ---- The same each time ---- */

static void reduce_record(const pmi_device_slice *share, VkCommandBuffer commands) {
    const pmi_device *const device = &share->executor->device;
    const pmi_levels *const levels = &share->executor->slices;
    const pmi_levels_parameters parameters = parameters_of_slice(share);
    pmi_levels_record_barrier(device, commands); /* from the match before, which has used the scratch */
    pmi_levels_record_reduce(device, commands, levels, parameters, 0, parameters.superblocks);
    pmi_levels_record_barrier(device, commands);
    pmi_levels_record_scan(device, commands, levels, parameters);
    pmi_levels_record_barrier(device, commands); /* for the match, too */
    pmi_levels_record_stack(device, commands, levels, parameters, 0, share->told, share->stack.address);
    barrier_to_host(device, commands);
}

static void match_record(const pmi_device_slice *share, VkCommandBuffer commands) {
    const pmi_levels_parameters parameters = parameters_of_slice(share);
    if (share->origin > 0) /* while the match is made */
        pmi_levels_record_far(&share->executor->device, commands, &share->executor->slices, parameters);
    tiles_record(share, commands, pmi_levels_record_match, parameters, 0, 0, pmi_levels_tiles(share->ahead));
    barrier_to_host(&share->executor->device, commands); /* who sees what is mapped */
}

/* Records it the first time. */
static pm_status recorded_submit(const pmi_device_slice *share, pmi_reusable_commands *recorded,
                                 void (*record)(const pmi_device_slice *share, VkCommandBuffer commands)) {
    const pmi_device *const device = &share->executor->device;
    pm_status status = PM_OK;
    if (!recorded->complete) {
        status = pmi_reusable_commands_begin(device, recorded);
        if (status == PM_OK) {
            record(share, recorded->commands);
            status = pmi_reusable_commands_end(device, recorded);
        }
    }
    return status == PM_OK ? pmi_reusable_commands_submit(device, recorded) : status;
}

pm_status pmi_device_slice_reduce(pmi_device_slice *share) {
    return share->n > 0 ? recorded_submit(share, &share->reducing, reduce_record) : PM_OK;
}

pm_status pmi_device_slice_match(pmi_device_slice *share) {
    return share->n > 0 ? recorded_submit(share, &share->matching, match_record) : PM_OK;
}

pm_status pmi_device_slice_reduced(pmi_device_slice *share, pm_bic *bic) {
    *bic = (pm_bic){0, 0};
    if (share->n == 0)
        return PM_OK;
    const pm_status status = pmi_reusable_commands_finish(&share->executor->device, &share->reducing);
    const uint32_t *const summary = share->summary.mapped;
    *bic = (pm_bic){.close = summary[0], .open = summary[1]};
    return status;
}

pm_status pmi_device_slice_finish(pmi_device_slice *share) {
    pmi_reusable_commands *const recorded[] = {&share->reducing, &share->matching, &share->completing};
    pm_status status = PM_OK;
    for (size_t r = 0; r < sizeof recorded / sizeof *recorded; r++) {
        const pm_status landed = pmi_reusable_commands_finish(&share->executor->device, recorded[r]);
        status = status == PM_OK ? landed : status;
    }
    return status;
}

/* ---- What follows, once it is known what comes in ---- */

/* Begins to record, after what has been matched ahead. */
static pm_status completing_begin(pmi_device_slice *share) {
    const pm_status status = pmi_reusable_commands_begin(&share->executor->device, &share->completing);
    if (status == PM_OK)
        pmi_levels_record_barrier(&share->executor->device, share->completing.commands);
    return status;
}

static pm_status completing_submit(pmi_device_slice *share) {
    const pmi_device *const device = &share->executor->device;
    barrier_to_host(device, share->completing.commands);
    const pm_status status = pmi_reusable_commands_end(device, &share->completing);
    return status == PM_OK ? pmi_reusable_commands_submit(device, &share->completing) : status;
}

static pm_status pieces_give(pmi_device_slice *share, const pmi_device_slice_piece *pieces, unsigned piece_count,
                             uint32_t count) {
    pm_status status = pmi_buffer_reserve(&share->executor->device, PM_MEMORY_UPLOAD,
                                          (uint64_t)count * sizeof(uint32_t), &share->incoming);
    uint32_t *to = share->incoming.mapped;
    for (unsigned k = 0; k < piece_count && status == PM_OK; to += pieces[k++].count)
        pmi_staging_ring_copy(&share->executor->slots, to,
                              (const uint32_t *)pieces[k].from->stack.mapped + pieces[k].skip,
                              pieces[k].count * sizeof *to);
    return status;
}

pm_status pmi_device_slice_complete(pmi_device_slice *share, const pmi_device_slice_piece *pieces, unsigned piece_count,
                                    uint32_t count) {
    const uint32_t ahead = pmi_levels_tiles(share->ahead), tiles = pmi_levels_tiles(share->n);
    if (count == 0 && ahead == tiles)
        return PM_OK;
    pmi_levels_parameters parameters = parameters_of_slice(share);
    pm_status status = count > 0 ? pieces_give(share, pieces, piece_count, count) : PM_OK;
    if (status == PM_OK)
        status = completing_begin(share);
    if (status != PM_OK)
        return status;
    parameters.incoming = share->incoming.address;
    parameters.incoming_count = count;
    if (count > 0) /* beside the rest, for there are few of them, or else it waits for each of their searches */
        tiles_record(share, share->completing.commands, pmi_levels_record_match_far, parameters, 0, 0, ahead);
    tiles_record(share, share->completing.commands, pmi_levels_record_match, parameters, 0, ahead, tiles);
    return completing_submit(share);
}

pm_status pmi_device_slice_complete_from(pmi_device_slice *share, uint32_t first) {
    const pmi_device *const device = &share->executor->device;
    const pmi_levels *const levels = &share->executor->slices;
    const pmi_levels_parameters parameters = parameters_from(share, first);
    const uint32_t before = share->origin - first;
    const pm_status status = completing_begin(share);
    if (status != PM_OK)
        return status;
    const VkCommandBuffer commands = share->completing.commands;
    pmi_levels_record_reduce(device, commands, levels, parameters, 0, before / PM_SUPERBLOCK);
    pmi_levels_record_barrier(device, commands);
    pmi_levels_record_scan(device, commands, levels, parameters);
    pmi_levels_record_barrier(device, commands);
    tiles_record(share, commands, pmi_levels_record_match, parameters, before / PM_TILE, 0, pmi_levels_tiles(share->n));
    return completing_submit(share);
}
