/* SPDX-License-Identifier: Apache-2.0 */
/* A slice's buffers, its transfers, and the steps of its match. Steps that are always the same are recorded once. */
#include "gpu/match/device_slice.h"

#include "base/sizes.h"
#include "base/slice.h"
#include "gpu/device/transfer.h"

enum {
    GUESS_MIN = 4096, /* entries of a stack */
    CHUNK_MIN = 4096  /* bytes */
};

/* ---- Buffers ---- */

/* For a random sequence at least eight standard deviations of what later slices need. Half of it is not faster. */
static uint32_t stack_guess(uint32_t n) {
    uint64_t guess = GUESS_MIN;
    while (guess * guess / 64 < n)
        guess *= 2;
    return pmi_min32(guess, n);
}

static pm_status match_reserve(pmi_device_slice *slice) {
    const pmi_device *const device = &slice->executor->device;
    const uint64_t range = slice->executor->range_elements;
    pm_status status = slice->n > range * PM_SLICE_RANGES ? PM_OUT_OF_MEMORY : PM_OK;
    for (uint64_t k = 0; k * range < slice->n && status == PM_OK; k++) {
        const uint64_t bytes = pmi_min(range, slice->n - k * range) * sizeof(uint32_t);
        status = pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_DOWNLOAD, bytes, &slice->match[k]);
    }
    return status;
}

/* A whole sequence for which another pipeline than `levels` is the fastest needs no stages apart. */
static pm_status whole_choose(pmi_device_slice *slice, uint64_t all) {
    pmi_executor *const executor = slice->executor;
    if (!executor->pipeline_by_n || slice->n != all || slice->n > executor->range_elements ||
        pmi_pipeline_fastest(executor->device.can.type, slice->n) == PM_PIPELINE_LEVELS)
        return PM_OK;
    const pm_status status = pmi_executor_pipeline(executor, slice->n, &slice->whole);
    if (slice->whole == &executor->pipelines[PM_PIPELINE_LEVELS])
        slice->whole = NULL;
    return status;
}

static pm_status kernels_and_scratch_reserve(pmi_device_slice *slice) {
    pmi_executor *const executor = slice->executor;
    const uint32_t n = slice->n;
    uint64_t bytes = pmi_levels_scratch_bytes(slice->origin + n) + pmi_levels_array_bytes(n); /* its own levels */
    pm_status status = PM_OK;
    if (slice->whole)
        bytes = pmi_pipeline_scratch_bytes(slice->whole, n);
    else if (!executor->slices.reduce.pipeline)
        status = pmi_levels_create_sliced(&executor->device, &executor->slices);
    if (status == PM_OK && bytes > 0)
        status = pmi_buffer_create(&executor->device, PM_MEMORY_DEVICE, bytes, &slice->scratch);
    return status;
}

static pm_status buffers_reserve(pmi_device_slice *slice) {
    const pmi_device *const device = &slice->executor->device;
    pm_status status = kernels_and_scratch_reserve(slice);
    if (status == PM_OK)
        status = pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD,
                                             pmi_parens_bytes(slice->origin + slice->n), &slice->parens);
    if (status == PM_OK)
        status = pmi_buffer_create(device, PM_MEMORY_DOWNLOAD, 4 * sizeof(uint32_t), &slice->summary);
    if (status == PM_OK && slice->stack_count > 0)
        status = pmi_buffer_create(device, PM_MEMORY_DOWNLOAD, slice->stack_count * sizeof(uint32_t), &slice->stack);
    return status == PM_OK ? match_reserve(slice) : status;
}

pm_status pmi_device_slice_open(pmi_executor *executor, uint32_t origin, uint32_t n, uint64_t all, uint32_t ahead,
                                pmi_device_slice *slice) {
    *slice =
        (pmi_device_slice){.executor = executor,
                           .origin = origin,
                           .n = n,
                           .ahead = origin == 0 ? n : pmi_min32(ahead, n), /* the first slice has no incoming stack */
                           .stack_count = origin + n < all ? stack_guess(n) : 0};
    if (n == 0)
        return PM_OK;
    const pm_status status = whole_choose(slice, all);
    return status == PM_OK ? buffers_reserve(slice) : status;
}

static uint64_t offsets_bytes(uint32_t count) {
    return ((uint64_t)count + 1) * sizeof(uint64_t);
}

pm_status pmi_device_slice_open_batch(pmi_executor *executor, uint32_t n, uint32_t count, pmi_device_slice *slice) {
    *slice = (pmi_device_slice){.executor = executor, .n = n, .ahead = n, .of_batch = true, .count = count};
    pm_status status = pmi_executor_batch(executor, &slice->whole);
    if (status == PM_OK)
        status = pmi_buffer_reserve_for_host(&executor->device, PM_MEMORY_DEVICE_UPLOAD, offsets_bytes(count),
                                             &slice->offsets);
    return status == PM_OK ? buffers_reserve(slice) : status;
}

void pmi_device_slice_close(pmi_device_slice *slice) {
    const pmi_device *const device = &slice->executor->device;
    pmi_reusable_commands_destroy(device, &slice->reducing);
    pmi_reusable_commands_destroy(device, &slice->matching);
    pmi_reusable_commands_destroy(device, &slice->completing);
    pmi_buffer *const buffers[] = {&slice->parens,   &slice->scratch, &slice->summary, &slice->stack,
                                   &slice->incoming, &slice->offsets, &slice->totals};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pmi_buffer_destroy(device, buffers[b]);
    for (unsigned k = 0; k < PM_SLICE_RANGES; k++)
        pmi_buffer_destroy(device, &slice->match[k]);
}

/* ---- Transfers ---- */

static uint64_t chunk_bytes(const pmi_device_slice *slice) {
    const size_t chunk = slice->executor->chunk_bytes;
    return chunk < CHUNK_MIN ? CHUNK_MIN : chunk - chunk % CHUNK_MIN;
}

uint64_t pmi_device_slice_load_unit(const pmi_device_slice *slice) {
    return slice->parens.mapped ? pmi_device_slice_load_bytes(slice) : chunk_bytes(slice);
}

uint64_t pmi_device_slice_load_bytes(const pmi_device_slice *slice) {
    return slice->n > 0 ? pmi_parens_bytes(slice->origin + slice->n) : 0;
}

pm_status pmi_device_slice_load(pmi_device_slice *slice, const uint64_t *parens, uint64_t begin, uint64_t bytes) {
    return pmi_transfer_upload(&slice->executor->device, &slice->executor->ring, (const unsigned char *)parens + begin,
                               (pmi_buffer_range){&slice->parens, begin, bytes}, bytes);
}

pm_status pmi_device_slice_load_offsets(pmi_device_slice *slice, const uint64_t *offsets, uint32_t count) {
    const uint32_t n = offsets ? (uint32_t)offsets[count] : 0;
    slice->reducing.complete &= n == slice->n && count == slice->count; /* what was recorded has both */
    slice->n = slice->ahead = n;
    slice->count = count;
    return offsets
               ? pmi_transfer_upload(&slice->executor->device, &slice->executor->ring, offsets,
                                     (pmi_buffer_range){&slice->offsets, 0, offsets_bytes(count)}, chunk_bytes(slice))
               : PM_OK;
}

/* Downloads elements of one range of the match, which is complete. */
static pm_status range_read(const pmi_device_slice *slice, uint32_t begin, uint32_t count, uint32_t *match) {
    pmi_executor *const executor = slice->executor;
    const uint64_t first = begin % executor->range_elements, bytes = (uint64_t)count * sizeof *match;
    const pmi_buffer_range from = {&slice->match[begin / executor->range_elements], first * sizeof *match, bytes};
    if (!from.buffer->mapped)
        return pmi_transfer_download(&executor->device, &executor->ring, from, match,
                                     pmi_min(chunk_bytes(slice), bytes));
    pmi_staging_ring_copy(&executor->ring, match, (const unsigned char *)from.buffer->mapped + from.begin, bytes);
    return PM_OK;
}

pm_status pmi_device_slice_read(pmi_device_slice *slice, uint32_t begin, uint32_t count, uint32_t *match) {
    const uint32_t range = slice->executor->range_elements;
    pm_status status = PM_OK;
    for (uint32_t done = 0; done < count && status == PM_OK;) {
        const uint32_t now = pmi_min32(count - done, range - (begin + done) % range);
        status = range_read(slice, begin + done, now, match + done);
        done += now;
    }
    return status;
}

/* ---- Parameters ---- */

/* From the beginning of the sequence to the end of the slice. The summary is not the slice's. */
static pmi_levels_parameters parameters_of_all(const pmi_device_slice *slice) {
    return pmi_levels_parameters_make(slice->origin + slice->n, slice->parens.address, slice->scratch.address,
                                      slice->summary.address + 2 * sizeof(uint32_t));
}

static pmi_levels_parameters parameters_of_slice(const pmi_device_slice *slice) {
    const pmi_levels_parameters all = parameters_of_all(slice);
    const uint64_t levels = slice->scratch.address + pmi_levels_scratch_bytes(all.n);
    pmi_levels_parameters of_slice = pmi_levels_parameters_part(&all, slice->origin / PM_SUPERBLOCK, slice->n, levels);
    of_slice.summary = slice->summary.address;
    return of_slice;
}

/* From the beginning of an earlier slice to the end of this one. */
static pmi_levels_parameters parameters_from(const pmi_device_slice *slice, uint32_t first) {
    const pmi_levels_parameters all = parameters_of_all(slice);
    return pmi_levels_parameters_part(&all, first / PM_SUPERBLOCK, all.n - first, all.superblock_base);
}

static pmi_levels_parameters parameters_of_batch(const pmi_device_slice *slice) {
    pmi_levels_parameters parameters =
        pmi_levels_parameters_make(slice->n, slice->parens.address, slice->scratch.address, slice->summary.address);
    pmi_batch_parameters_add(&parameters, slice->offsets.address, slice->count);
    return parameters;
}

/* ---- Ranges of the match ---- */

typedef void record_match(const pmi_executor *executor, VkCommandBuffer commands, pmi_levels_parameters parameters,
                          uint32_t first_tile, uint32_t tiles, uint64_t match);

static void record_slice(const pmi_executor *executor, VkCommandBuffer commands, pmi_levels_parameters parameters,
                         uint32_t first_tile, uint32_t tiles, uint64_t match) {
    pmi_levels_record_match(&executor->device, commands, &executor->slices, parameters, first_tile, tiles, match);
}

static void record_far(const pmi_executor *executor, VkCommandBuffer commands, pmi_levels_parameters parameters,
                       uint32_t first_tile, uint32_t tiles, uint64_t match) {
    pmi_levels_record_match_far(&executor->device, commands, &executor->slices, parameters, first_tile, tiles, match);
}

static void record_batch(const pmi_executor *executor, VkCommandBuffer commands, pmi_levels_parameters parameters,
                         uint32_t first_tile, uint32_t tiles, uint64_t match) {
    pmi_batch_record_match(&executor->device, commands, &executor->batch, parameters, first_tile, tiles, match);
}

/* Tiles begin ... end - 1 of the slice, whose first tile is tile `origin` of the parameters. */
static void tiles_record(const pmi_device_slice *slice, VkCommandBuffer commands, record_match *record,
                         pmi_levels_parameters parameters, uint32_t origin, uint32_t begin, uint32_t end) {
    const uint32_t range = slice->executor->range_elements / PM_TILE;
    while (begin < end) {
        const uint32_t now = pmi_min32(end - begin, range - begin % range);
        record(slice->executor, commands, parameters, origin + begin, now,
               slice->match[begin / range].address + (uint64_t)(begin % range) * PM_TILE * sizeof(uint32_t));
        begin += now;
    }
}

/* ---- Before the incoming stack is known ---- */

static void reduce_record(const pmi_device_slice *slice, VkCommandBuffer commands) {
    const pmi_device *const device = &slice->executor->device;
    const pmi_levels *const levels = &slice->executor->slices;
    const pmi_levels_parameters parameters = parameters_of_slice(slice);
    pmi_shader_barrier(device, commands); /* the match before has used the scratch */
    pmi_levels_record_reduce(device, commands, levels, parameters, 0, parameters.superblocks);
    pmi_shader_barrier(device, commands);
    pmi_levels_record_scan(device, commands, levels, parameters);
    pmi_shader_barrier(device, commands); /* also for the match */
    pmi_levels_record_stack(device, commands, levels, parameters, 0, slice->stack_count, slice->stack.address);
    pmi_transfer_record_barrier(device, commands);
}

static void whole_record(const pmi_device_slice *slice, VkCommandBuffer commands) {
    const pmi_device *const device = &slice->executor->device;
    const pmi_sequence sequence = {.n = slice->n,
                                   .parens = slice->parens.address,
                                   .scratch = slice->scratch.address,
                                   .summary = slice->summary.address};
    for (unsigned stage = 0; stage < PM_STAGES; stage++)
        if (pmi_pipeline_has_stage(device, slice->whole, (pmi_stage)stage, slice->n)) {
            pmi_shader_barrier(device, commands);
            pmi_pipeline_record(device, commands, slice->whole, (pmi_stage)stage, &sequence, 0, slice->n,
                                slice->match[0].address);
        }
    pmi_transfer_record_barrier(device, commands);
}

static void batch_record(const pmi_device_slice *slice, VkCommandBuffer commands) {
    const pmi_device *const device = &slice->executor->device;
    const pmi_levels *const levels = &slice->whole->levels;
    const pmi_levels_parameters parameters = parameters_of_batch(slice);
    pmi_shader_barrier(device, commands);
    pmi_levels_record_reduce(device, commands, levels, parameters, 0, parameters.superblocks);
    pmi_shader_barrier(device, commands);
    pmi_levels_record_scan_of_any(device, commands, levels, parameters);
    pmi_shader_barrier(device, commands);
    tiles_record(slice, commands, record_batch, parameters, 0, 0, pmi_levels_tiles(slice->n));
    pmi_transfer_record_barrier(device, commands);
}

static void match_record(const pmi_device_slice *slice, VkCommandBuffer commands) {
    const pmi_levels_parameters parameters = parameters_of_slice(slice);
    if (slice->origin > 0) /* at the same time as the match */
        pmi_levels_record_far(&slice->executor->device, commands, &slice->executor->slices, parameters);
    tiles_record(slice, commands, record_slice, parameters, 0, 0, pmi_levels_tiles(slice->ahead));
    pmi_transfer_record_barrier(&slice->executor->device, commands); /* for mapped buffers */
}

static pm_status reusable_submit(const pmi_device_slice *slice, pmi_reusable_commands *reusable,
                                 void (*record)(const pmi_device_slice *slice, VkCommandBuffer commands)) {
    const pmi_device *const device = &slice->executor->device;
    pm_status status = PM_OK;
    if (!reusable->complete) {
        status = pmi_reusable_commands_begin(device, reusable);
        if (status == PM_OK) {
            record(slice, reusable->commands);
            status = pmi_reusable_commands_end(device, reusable);
        }
    }
    return status == PM_OK ? pmi_reusable_commands_submit(device, reusable) : status;
}

pm_status pmi_device_slice_reduce(pmi_device_slice *slice) {
    slice->has_totals = false;
    return slice->n > 0 ? reusable_submit(slice, &slice->reducing,
                                          slice->of_batch ? batch_record
                                          : slice->whole  ? whole_record
                                                          : reduce_record)
                        : PM_OK;
}

pm_status pmi_device_slice_match(pmi_device_slice *slice) {
    return slice->n > 0 && !slice->whole ? reusable_submit(slice, &slice->matching, match_record) : PM_OK;
}

pm_status pmi_device_slice_reduced(pmi_device_slice *slice, pm_bic *bic) {
    *bic = (pm_bic){0, 0};
    if (slice->n == 0)
        return PM_OK;
    const pm_status status = pmi_reusable_commands_finish(&slice->executor->device, &slice->reducing);
    const uint32_t *const summary = slice->summary.mapped;
    *bic = (pm_bic){.close = summary[0], .open = summary[1]};
    return status;
}

pm_status pmi_device_slice_finish(pmi_device_slice *slice) {
    pmi_reusable_commands *const reusable[] = {&slice->reducing, &slice->matching, &slice->completing};
    pm_status status = PM_OK;
    for (size_t r = 0; r < sizeof reusable / sizeof *reusable; r++) {
        const pm_status finished = pmi_reusable_commands_finish(&slice->executor->device, reusable[r]);
        status = status == PM_OK ? finished : status;
    }
    return status;
}

/* ---- When the incoming stack is known ---- */

static pm_status completing_begin(pmi_device_slice *slice) {
    const pm_status status = pmi_reusable_commands_begin(&slice->executor->device, &slice->completing);
    if (status == PM_OK)
        pmi_shader_barrier(&slice->executor->device, slice->completing.commands);
    return status;
}

static pm_status completing_submit(pmi_device_slice *slice) {
    const pmi_device *const device = &slice->executor->device;
    pmi_transfer_record_barrier(device, slice->completing.commands);
    const pm_status status = pmi_reusable_commands_end(device, &slice->completing);
    return status == PM_OK ? pmi_reusable_commands_submit(device, &slice->completing) : status;
}

static pm_status pieces_give(pmi_device_slice *slice, const pmi_device_slice_piece *pieces, unsigned piece_count,
                             uint32_t count) {
    pm_status status = pmi_buffer_reserve(&slice->executor->device, PM_MEMORY_UPLOAD,
                                          (uint64_t)count * sizeof(uint32_t), &slice->incoming);
    uint32_t *to = slice->incoming.mapped;
    for (unsigned k = 0; k < piece_count && status == PM_OK; to += pieces[k++].count)
        pmi_staging_ring_copy(&slice->executor->ring, to,
                              (const uint32_t *)pieces[k].from->stack.mapped + pieces[k].skip,
                              pieces[k].count * sizeof *to);
    return status;
}

pm_status pmi_device_slice_complete(pmi_device_slice *slice, const pmi_device_slice_piece *pieces, unsigned piece_count,
                                    uint32_t count) {
    const uint32_t ahead = pmi_levels_tiles(slice->ahead), tiles = pmi_levels_tiles(slice->n);
    if (count == 0 && ahead == tiles)
        return PM_OK;
    pmi_levels_parameters parameters = parameters_of_slice(slice);
    pm_status status = count > 0 ? pieces_give(slice, pieces, piece_count, count) : PM_OK;
    if (status == PM_OK)
        status = completing_begin(slice);
    if (status != PM_OK)
        return status;
    parameters.incoming = slice->incoming.address;
    parameters.incoming_count = count;
    if (count > 0) /* at the same time as the rest: these tiles are few, and each has long searches */
        tiles_record(slice, slice->completing.commands, record_far, parameters, 0, 0, ahead);
    tiles_record(slice, slice->completing.commands, record_slice, parameters, 0, ahead, tiles);
    return completing_submit(slice);
}

pm_status pmi_device_slice_complete_from(pmi_device_slice *slice, uint32_t first) {
    const pmi_device *const device = &slice->executor->device;
    const pmi_levels *const levels = &slice->executor->slices;
    const pmi_levels_parameters parameters = parameters_from(slice, first);
    const uint32_t before = slice->origin - first;
    const pm_status status = completing_begin(slice);
    if (status != PM_OK)
        return status;
    const VkCommandBuffer commands = slice->completing.commands;
    pmi_levels_record_reduce(device, commands, levels, parameters, 0, before / PM_SUPERBLOCK);
    pmi_shader_barrier(device, commands);
    pmi_levels_record_scan(device, commands, levels, parameters);
    pmi_shader_barrier(device, commands);
    tiles_record(slice, commands, record_slice, parameters, before / PM_TILE, 0, pmi_levels_tiles(slice->n));
    return completing_submit(slice);
}

/* ---- The totals of many sequences ---- */

static uint64_t totals_bytes(uint32_t count) {
    return (uint64_t)count * 2 * sizeof(uint32_t);
}

/* Starts to compute all totals. What reduce and scan left for the match is still there. */
static pm_status totals_compute(pmi_device_slice *slice) {
    pmi_executor *const executor = slice->executor;
    const pmi_device *const device = &executor->device;
    pmi_staging_chunk *chunk;
    pm_status status =
        pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_DOWNLOAD, totals_bytes(slice->count), &slice->totals);
    if (status == PM_OK)
        status = pmi_staging_chunk_begin(device, &executor->ring, 0, &chunk);
    if (status != PM_OK)
        return status;
    pmi_shader_barrier(device, chunk->commands);
    pmi_batch_record_totals(device, chunk->commands, &executor->batch, parameters_of_batch(slice),
                            slice->totals.address);
    status = pmi_staging_chunk_submit(device, chunk);
    slice->has_totals = status == PM_OK;
    return status;
}

pm_status pmi_device_slice_read_totals(pmi_device_slice *slice, uint32_t begin, uint32_t count, pm_bic *totals) {
    const pm_status status = slice->has_totals ? PM_OK : totals_compute(slice);
    return status == PM_OK
               ? pmi_transfer_download(&slice->executor->device, &slice->executor->ring,
                                       (pmi_buffer_range){&slice->totals, totals_bytes(begin), totals_bytes(count)},
                                       pmi_batch_totals_halves(totals, count), chunk_bytes(slice))
               : status;
}
