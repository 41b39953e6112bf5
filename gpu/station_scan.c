/* SPDX-License-Identifier: Apache-2.0 */
/* The way of a tree and its values through a station: up in chunks, step by step, and down in chunks. The kernels of
 * the monoids used last are kept. */
#include <string.h>

#include "core/sizes.h"
#include "gpu/run.h"
#include "gpu/station.h"

/* Bytes of the 32-bit words that hold n bits. */
static size_t parens_bytes(size_t n) {
    return (n / 32 + (n % 32 != 0)) * 4;
}

/* What goes up or down at a time, in whole words. */
static size_t piece_bytes(const pm_station *station) {
    return station->slot_bytes < 4 ? 4 : station->slot_bytes / 4 * 4;
}

/* ---- Monoids ---- */

static void monoid_forget(const pm_device *device, pm_station_monoid *kept, const pm_allocator *allocator) {
    pm_monoid_kernels_destroy(device, &kept->kernels);
    if (kept->words)
        allocator->free(kept->words, allocator->user);
    *kept = (pm_station_monoid){0};
}

static bool monoid_is(const pm_station_monoid *kept, const pm_gpu_monoid *monoid) {
    return kept->words && monoid->words && kept->word_count == monoid->word_count &&
           kept->kernels.value_size == monoid->size &&
           memcmp(kept->words, monoid->words, monoid->word_count * sizeof *monoid->words) == 0;
}

static pm_status monoid_make(const pm_device *device, const pm_gpu_monoid *monoid, const pm_allocator *allocator,
                             pm_station_monoid *made) {
    pm_status status = pm_monoid_kernels_create(device, monoid, &made->kernels);
    if (status != PM_OK)
        return status;
    const size_t bytes = monoid->word_count * sizeof *monoid->words;
    made->words = allocator->alloc(bytes, allocator->user);
    if (!made->words) {
        monoid_forget(device, made, allocator);
        return PM_OUT_OF_MEMORY;
    }
    memcpy(made->words, monoid->words, bytes);
    made->word_count = monoid->word_count;
    return PM_OK;
}

/* The monoid's kernels, kept or made anew, in place of those that are kept the longest if there are too many. */
static pm_status monoid_take(pm_station *station, const pm_gpu_monoid *monoid, const pm_allocator *allocator,
                             const pm_monoid_kernels **kernels) {
    for (size_t k = 0; k < PM_STATION_MONOIDS; k++)
        if (monoid_is(&station->monoids[k], monoid)) {
            *kernels = &station->monoids[k].kernels;
            return PM_OK;
        }
    pm_station_monoid *const place = &station->monoids[station->monoid_turn];
    monoid_forget(&station->device, place, allocator);
    const pm_status status = monoid_make(&station->device, monoid, allocator, place);
    if (status == PM_OK)
        station->monoid_turn = (station->monoid_turn + 1) % PM_STATION_MONOIDS;
    *kernels = &place->kernels;
    return status;
}

void pm_station_scan_clear(pm_station *station, const pm_allocator *allocator) {
    for (size_t k = 0; k < PM_STATION_MONOIDS; k++)
        monoid_forget(&station->device, &station->monoids[k], allocator);
    pm_nodes_destroy(&station->device, &station->nodes);
}

/* ---- Buffers ---- */

static pm_status buffers_reserve(pm_station *station, const pm_monoid_kernels *kernels, uint32_t n, uint32_t nodes) {
    const pm_device *const device = &station->device;
    const uint64_t bytes = (uint64_t)nodes * kernels->value_size;
    const uint64_t scratch = pm_tree_scan_scratch_bytes(device, kernels, n, nodes);
    pm_status status = pm_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, parens_bytes(n), &station->parens);
    if (status == PM_OK)
        status = pm_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, bytes, &station->given);
    if (status == PM_OK)
        status = pm_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_DOWNLOAD, bytes, &station->results);
    if (status == PM_OK)
        status = pm_buffer_reserve(device, PM_MEMORY_DEVICE, scratch, &station->scratch);
    const size_t most = bytes > parens_bytes(n) ? bytes : parens_bytes(n);
    const bool staged = !station->parens.mapped || !station->given.mapped || !station->results.mapped;
    for (unsigned k = 0; k < PM_SLOTS && staged && status == PM_OK; k++)
        status = pm_buffer_reserve(device, PM_MEMORY_DOWNLOAD, pm_least(piece_bytes(station), most),
                                   &station->slots.slot[k].staging);
    return status;
}

/* ---- The way ---- */

/* Bytes to a buffer; a multiple of 4. */
static pm_status upload(pm_station *station, const void *from, size_t bytes, const pm_buffer *to) {
    const pm_device *const device = &station->device;
    if (to->mapped) { /* what the host writes before a submission, the device sees */
        pm_slots_copy(&station->slots, to->mapped, from, bytes);
        return PM_OK;
    }
    const size_t piece = piece_bytes(station);
    pm_status status = PM_OK;
    for (size_t begin = 0; begin < bytes && status == PM_OK; begin += piece) {
        const VkBufferCopy copy = {.dstOffset = begin, .size = pm_least(piece, bytes - begin)};
        pm_slot *s;
        status = pm_slot_begin(device, &station->slots, &s);
        if (status != PM_OK)
            break;
        pm_slots_copy(&station->slots, s->staging.mapped, (const unsigned char *)from + begin, copy.size);
        device->vk->CmdCopyBuffer(s->commands, s->staging.handle, to->handle, 1, &copy);
        pm_device_barrier(device, s->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
        status = pm_slot_submit(device, s);
    }
    return status;
}

static pm_status download(pm_station *station, const pm_buffer *from, void *to, size_t bytes) {
    const pm_device *const device = &station->device;
    const size_t piece = piece_bytes(station);
    pm_status status = PM_OK;
    for (size_t begin = 0; begin < bytes && status == PM_OK; begin += piece) {
        const VkBufferCopy copy = {.srcOffset = begin, .size = pm_least(piece, bytes - begin)};
        pm_slot *s;
        status = pm_slot_begin(device, &station->slots, &s);
        if (status != PM_OK)
            break;
        if (!from->mapped) {
            pm_device_barrier(device, s->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                              VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
            device->vk->CmdCopyBuffer(s->commands, from->handle, s->staging.handle, 1, &copy);
        }
        pm_device_barrier(device, s->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                          VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                          VK_ACCESS_HOST_READ_BIT);
        s->from = from->mapped ? (const unsigned char *)from->mapped + begin : s->staging.mapped;
        s->to = (unsigned char *)to + begin;
        s->bytes = copy.size;
        status = pm_slot_submit(device, s);
    }
    return status;
}

/* All steps in one submission; or each in its own, where a dispatch cannot have all of the work. */
static pm_status steps_run(pm_station *station, const pm_tree_scanner *scanner, const pm_tree_scan *scan) {
    const pm_device *const device = &station->device;
    const uint32_t steps = pm_tree_scan_steps(device, scanner, scan);
    const uint32_t together = pm_wide_tiles(scan->n) > device->can.dispatch_tiles ? 1 : steps;
    pm_status status = PM_OK;
    for (uint32_t begin = 0; begin < steps && status == PM_OK; begin += together) {
        pm_slot *s;
        status = pm_slot_begin(device, &station->slots, &s);
        if (status != PM_OK)
            break;
        for (uint32_t step = begin; step < begin + together; step++)
            pm_tree_scan_record_step(device, s->commands, scanner, scan, step);
        status = pm_slot_submit(device, s);
    }
    return status;
}

pm_status pm_station_tree_scan(pm_station *station, const pm_gpu_tree *tree, const pm_allocator *allocator) {
    pm_tree_scanner scanner = {.nodes = &station->nodes};
    pm_status status = pm_station_wide(station, &scanner.wide);
    if (status == PM_OK && !station->nodes.link.pipeline)
        status = pm_nodes_create(&station->device, &station->nodes);
    if (status == PM_OK)
        status = monoid_take(station, tree->monoid, allocator, &scanner.monoid);
    if (status == PM_OK && tree->nodes > 0)
        status = buffers_reserve(station, scanner.monoid, (uint32_t)tree->n, (uint32_t)tree->nodes);
    if (status != PM_OK || tree->nodes == 0)
        return status;
    const size_t bytes = tree->nodes * tree->monoid->size;
    const pm_tree_scan scan = {.n = (uint32_t)tree->n,
                               .nodes = (uint32_t)tree->nodes,
                               .up = tree->up,
                               .exclusive = tree->exclusive,
                               .parens = station->parens.address,
                               .values = station->given.address,
                               .results = station->results.address,
                               .scratch = station->scratch.address};
    status = upload(station, tree->parens, parens_bytes(tree->n), &station->parens);
    if (status == PM_OK)
        status = upload(station, tree->values, bytes, &station->given);
    if (status == PM_OK)
        status = steps_run(station, &scanner, &scan);
    return status == PM_OK ? download(station, &station->results, tree->out, bytes) : status;
}
