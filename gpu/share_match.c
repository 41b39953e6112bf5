/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a share's match. Those that are the same each time are recorded once. */
#include <string.h>

#include "core/slice.h"
#include "gpu/share.h"

enum {
    ELEMENTS_PER_ENTRY = 32 /* where a stack of more entries is asked for, it takes fewer bytes to tell all of it */
};

static uint32_t least_of(uint64_t a, uint64_t b) {
    return (uint32_t)(a < b ? a : b);
}

/* ---- Barriers ---- */

static void barrier_to_host(const pm_device *device, VkCommandBuffer commands) {
    pm_device_barrier(device, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                      VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
                      VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                      VK_ACCESS_HOST_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT);
}

static void barrier_to_copy(const pm_device *device, VkCommandBuffer commands) {
    pm_device_barrier(device, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
}

static void barrier_from_copy(const pm_device *device, VkCommandBuffer commands) {
    pm_device_barrier(device, commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
}

/* ---- The same each time ---- */

/* Of a share whose scratch, or a copy of it, is there. */
static pm_wide_parameters parameters_of(const pm_share *share, uint64_t scratch) {
    pm_wide_parameters parameters =
        pm_wide_parameters_make(share->n, share->parens.address, scratch, share->summary.address);
    parameters.origin = share->origin;
    return parameters;
}

/* There are shares before it, or after it. */
static bool has_others(const pm_share *share) {
    return share->origin > 0 || share->guess > 0;
}

static void reduce_record(const pm_share *share, VkCommandBuffer commands) {
    const pm_device *const device = &share->station->device;
    const pm_wide *const wide = &share->station->slices;
    const pm_wide_parameters parameters = parameters_of(share, share->scratch.address);
    pm_wide_record_barrier(device, commands); /* from the match before, which has used the scratch */
    pm_wide_record_reduce(device, commands, wide, parameters, 0, parameters.superblocks);
    pm_wide_record_barrier(device, commands);
    pm_wide_record_scan(device, commands, wide, parameters);
    pm_wide_record_barrier(device, commands); /* for the match, too */
    pm_wide_record_stack(device, commands, wide, parameters, 0, share->guess, share->guessed.address);
    barrier_to_host(device, commands);
}

typedef void record_match(const pm_device *device, VkCommandBuffer commands, const pm_wide *wide,
                          pm_wide_parameters parameters, uint32_t first_tile, uint32_t tiles, uint64_t match);

/* All ranges of the match. The host sees what is mapped of them. */
static void ranges_record(const pm_share *share, VkCommandBuffer commands, record_match *record,
                          pm_wide_parameters parameters) {
    const pm_device *const device = &share->station->device;
    const uint32_t tiles = pm_wide_tiles(share->n), range = share->station->range_elements / PM_TILE;
    for (uint32_t first = 0, k = 0; first < tiles; first += least_of(range, tiles - first), k++)
        record(device, commands, &share->station->slices, parameters, first, least_of(range, tiles - first),
               share->match[k].address);
    barrier_to_host(device, commands);
}

static void match_record(const pm_share *share, VkCommandBuffer commands) {
    const pm_wide_parameters parameters = parameters_of(share, share->scratch.address);
    if (has_others(share)) /* while the match is made */
        pm_wide_record_far(&share->station->device, commands, &share->station->slices, parameters);
    ranges_record(share, commands, pm_wide_record_match, parameters);
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
    pm_recorded *const recorded[] = {&share->reducing, &share->telling, &share->matching, &share->completing};
    pm_status status = PM_OK;
    for (size_t r = 0; r < sizeof recorded / sizeof *recorded; r++) {
        const pm_status landed = pm_recorded_land(&share->station->device, recorded[r]);
        status = status == PM_OK ? landed : status;
    }
    return status;
}

/* ---- What goes out ---- */

static pm_status entries_tell(pm_share *share, uint32_t count) {
    const pm_device *const device = &share->station->device;
    pm_status status =
        pm_buffer_reserve(device, PM_MEMORY_DOWNLOAD, (uint64_t)count * sizeof(uint32_t), &share->entries);
    if (status == PM_OK)
        status = pm_recorded_begin(device, &share->telling);
    if (status != PM_OK)
        return status;
    pm_wide_record_stack(device, share->telling.commands, &share->station->slices,
                         parameters_of(share, share->scratch.address), 0, count, share->entries.address);
    barrier_to_host(device, share->telling.commands);
    status = pm_recorded_end(device, &share->telling);
    return status == PM_OK ? pm_recorded_submit(device, &share->telling) : status;
}

/* Bytes begin ... end - 1 of the scratch. */
static pm_status scratch_tell(pm_share *share, uint64_t begin, uint64_t end) {
    const pm_device *const device = &share->station->device;
    const VkBufferCopy copy = {.srcOffset = begin, .dstOffset = begin, .size = end - begin};
    pm_status status = pm_recorded_begin(device, &share->telling);
    if (status != PM_OK)
        return status;
    barrier_to_copy(device, share->telling.commands);
    device->vk->CmdCopyBuffer(share->telling.commands, share->scratch.handle, share->told.handle, 1, &copy);
    barrier_to_host(device, share->telling.commands);
    status = pm_recorded_end(device, &share->telling);
    return status == PM_OK ? pm_recorded_submit(device, &share->telling) : status;
}

pm_status pm_share_tell(pm_share *share, uint32_t count) {
    share->form = count <= share->guess                             ? PM_SHARE_GUESSED
                  : (uint64_t)count * ELEMENTS_PER_ENTRY < share->n ? PM_SHARE_ENTRIES
                                                                    : PM_SHARE_RECORDS;
    if (share->form == PM_SHARE_GUESSED)
        return PM_OK;
    if (share->form == PM_SHARE_ENTRIES)
        return entries_tell(share, count);
    const pm_wide_told told = pm_wide_told_of(share->n);
    const pm_status status = pm_buffer_reserve(&share->station->device, PM_MEMORY_DOWNLOAD, told.end, &share->told);
    return status == PM_OK ? scratch_tell(share, told.records, told.end) : status;
}

pm_status pm_share_tell_masks(pm_share *share) {
    const pm_status status = pm_recorded_land(&share->station->device, &share->telling);
    if (status != PM_OK || share->form != PM_SHARE_RECORDS)
        return status;
    const pm_wide_told told = pm_wide_told_of(share->n);
    uint32_t needed;
    memcpy(&needed, (const unsigned char *)share->told.mapped + told.masks_needed, sizeof needed);
    if (needed == 0)
        return PM_OK;
    share->form = PM_SHARE_MASKS;
    return scratch_tell(share, told.masks, told.records);
}

pm_status pm_share_told(pm_share *share) {
    return pm_recorded_land(&share->station->device, &share->telling);
}

/* ---- What comes in ---- */

/* Where a piece lies among what is given: of the scratch, from `begin` on, or entries. */
typedef struct place {
    const pm_share_piece *piece;
    bool of_scratch;
    const void *from;
    uint64_t begin, bytes;
    uint64_t at;
} place;

/* The piece's place, after what is given already. */
static place place_of(const pm_share_piece *piece, uint64_t given) {
    const pm_share *const from = piece->from;
    place p = {.piece = piece, .of_scratch = from->form >= PM_SHARE_RECORDS, .at = given};
    if (p.of_scratch) {
        const pm_wide_told told = pm_wide_told_of(from->n);
        p.begin = from->form == PM_SHARE_MASKS ? told.masks : told.records;
        p.bytes = told.end - p.begin;
        p.from = (const unsigned char *)from->told.mapped + p.begin;
        p.at = (given + 15) / 16 * 16;
    } else {
        const pm_buffer *const entries = from->form == PM_SHARE_GUESSED ? &from->guessed : &from->entries;
        p.from = (const uint32_t *)entries->mapped + piece->skip;
        p.bytes = (uint64_t)piece->count * sizeof(uint32_t);
    }
    return p;
}

/* Room for the pieces; where some of them are no entries yet, for all entries, too. */
static pm_status pieces_reserve(pm_share *share, const pm_share_piece *pieces, unsigned piece_count, uint32_t count,
                                bool *of_scratch) {
    const pm_device *const device = &share->station->device;
    uint64_t given = 0;
    *of_scratch = false;
    for (unsigned k = 0; k < piece_count; k++) {
        const place p = place_of(&pieces[k], given);
        given = p.at + p.bytes;
        *of_scratch |= p.of_scratch;
    }
    pm_status status = pm_buffer_reserve(device, PM_MEMORY_UPLOAD, given, &share->given);
    if (status == PM_OK && *of_scratch)
        status = pm_buffer_reserve(device, PM_MEMORY_DEVICE, given, &share->received);
    if (status == PM_OK && *of_scratch)
        status = pm_buffer_reserve(device, PM_MEMORY_DEVICE, (uint64_t)count * sizeof(uint32_t), &share->incoming);
    return status;
}

static void pieces_give(const pm_share *share, const pm_share_piece *pieces, unsigned piece_count) {
    uint64_t given = 0;
    for (unsigned k = 0; k < piece_count; k++) {
        const place p = place_of(&pieces[k], given);
        pm_slots_copy(&share->station->slots, (unsigned char *)share->given.mapped + p.at, p.from, p.bytes);
        given = p.at + p.bytes;
    }
}

/* Makes entries of what is given. */
static void entries_record(const pm_share *share, VkCommandBuffer commands, const pm_share_piece *pieces,
                           unsigned piece_count) {
    const pm_device *const device = &share->station->device;
    uint64_t given = 0, entries = 0;
    for (unsigned k = 0; k < piece_count; k++) {
        const place p = place_of(&pieces[k], given);
        const VkBufferCopy copy = {.srcOffset = p.at, .dstOffset = p.of_scratch ? p.at : entries, .size = p.bytes};
        device->vk->CmdCopyBuffer(commands, share->given.handle,
                                  p.of_scratch ? share->received.handle : share->incoming.handle, 1, &copy);
        given = p.at + p.bytes;
        entries += (uint64_t)p.piece->count * sizeof(uint32_t);
    }
    barrier_from_copy(device, commands);
    given = entries = 0;
    for (unsigned k = 0; k < piece_count; k++) {
        const place p = place_of(&pieces[k], given);
        if (p.of_scratch)
            pm_wide_record_stack(device, commands, &share->station->slices,
                                 parameters_of(p.piece->from, share->received.address + p.at - p.begin), p.piece->skip,
                                 p.piece->count, share->incoming.address + entries);
        given = p.at + p.bytes;
        entries += (uint64_t)p.piece->count * sizeof(uint32_t);
    }
}

pm_status pm_share_complete(pm_share *share, const pm_share_piece *pieces, unsigned piece_count, uint32_t count) {
    const pm_device *const device = &share->station->device;
    bool of_scratch;
    pm_status status = pieces_reserve(share, pieces, piece_count, count, &of_scratch);
    if (status == PM_OK)
        status = pm_recorded_begin(device, &share->completing);
    if (status != PM_OK)
        return status;
    pieces_give(share, pieces, piece_count);
    const VkCommandBuffer commands = share->completing.commands;
    if (of_scratch)
        entries_record(share, commands, pieces, piece_count);
    pm_wide_record_barrier(device, commands);
    pm_wide_parameters parameters = parameters_of(share, share->scratch.address);
    parameters.incoming = of_scratch ? share->incoming.address : share->given.address;
    parameters.incoming_count = count;
    ranges_record(share, commands, pm_wide_record_match_far, parameters);
    status = pm_recorded_end(device, &share->completing);
    return status == PM_OK ? pm_recorded_submit(device, &share->completing) : status;
}
