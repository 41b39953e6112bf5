/* SPDX-License-Identifier: Apache-2.0 */
/* A scan of a tree from host to host. The kernels of the monoids that were used last are kept. */
#include <string.h>

#include "base/memory.h"
#include "base/sizes.h"
#include "gpu/device/executor.h"
#include "gpu/device/transfer.h"

/* Bytes of a chunk, a multiple of 4. */
static size_t piece_bytes(const pmi_executor *executor, size_t most) {
    return executor->chunk_bytes < 4 ? 4 : pmi_min(executor->chunk_bytes / 4 * 4, most);
}

/* ---- Monoids ---- */

static void monoid_forget(const pmi_device *device, pmi_executor_monoid *kept, const pm_allocator *allocator) {
    pmi_monoid_kernels_destroy(device, &kept->kernels);
    pmi_memory_free(allocator, kept->words);
    *kept = (pmi_executor_monoid){0};
}

static bool monoid_is(const pmi_executor_monoid *kept, const pm_gpu_monoid *monoid) {
    return kept->words && monoid->words && kept->word_count == monoid->word_count &&
           kept->kernels.value_size == monoid->size &&
           memcmp(kept->words, monoid->words, monoid->word_count * sizeof *monoid->words) == 0;
}

static pm_status monoid_make(const pmi_device *device, const pm_gpu_monoid *monoid, const pm_allocator *allocator,
                             pmi_executor_monoid *made) {
    pm_status status = pmi_monoid_kernels_create(device, monoid, &made->kernels);
    if (status != PM_OK)
        return status;
    made->words = pmi_memory_allocate(allocator, monoid->word_count, sizeof *made->words);
    if (!made->words) {
        monoid_forget(device, made, allocator);
        return PM_OUT_OF_MEMORY;
    }
    memcpy(made->words, monoid->words, monoid->word_count * sizeof *made->words);
    made->word_count = monoid->word_count;
    return PM_OK;
}

/* Gets the monoid's kernels, or creates them in place of the oldest. */
static pm_status monoid_take(pmi_executor *executor, const pm_gpu_monoid *monoid, const pm_allocator *allocator,
                             const pmi_monoid_kernels **kernels) {
    for (size_t k = 0; k < PM_EXECUTOR_MONOIDS; k++)
        if (monoid_is(&executor->monoids[k], monoid)) {
            *kernels = &executor->monoids[k].kernels;
            return PM_OK;
        }
    pmi_executor_monoid *const place = &executor->monoids[executor->monoid_turn];
    monoid_forget(&executor->device, place, allocator);
    const pm_status status = monoid_make(&executor->device, monoid, allocator, place);
    if (status == PM_OK)
        executor->monoid_turn = (executor->monoid_turn + 1) % PM_EXECUTOR_MONOIDS;
    *kernels = &place->kernels;
    return status;
}

void pmi_executor_scan_clear(pmi_executor *executor, const pm_allocator *allocator) {
    for (size_t k = 0; k < PM_EXECUTOR_MONOIDS; k++)
        monoid_forget(&executor->device, &executor->monoids[k], allocator);
    pmi_nodes_destroy(&executor->device, &executor->nodes);
}

/* ---- Buffers ---- */

static pm_status buffers_reserve(pmi_executor *executor, const pmi_monoid_kernels *kernels, uint32_t n,
                                 uint32_t nodes) {
    const pmi_device *const device = &executor->device;
    const uint64_t bytes = (uint64_t)nodes * kernels->value_size;
    const uint64_t scratch = pmi_tree_scan_scratch_bytes(device, kernels, n, nodes);
    pm_status status =
        pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, pmi_parens_bytes(n), &executor->parens);
    if (status == PM_OK)
        status = pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, bytes, &executor->given);
    if (status == PM_OK)
        status = pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_DOWNLOAD, bytes, &executor->results);
    if (status == PM_OK)
        status = pmi_buffer_reserve(device, PM_MEMORY_DEVICE, scratch, &executor->scratch);
    return status;
}

/* ---- Steps ---- */

/* All steps are one submission, or each its own, if a dispatch cannot have all of the work. */
static pm_status steps_run(pmi_executor *executor, const pmi_tree_scanner *scanner, const pmi_tree_scan *scan) {
    const pmi_device *const device = &executor->device;
    const uint32_t steps = pmi_tree_scan_steps(device, scanner, scan);
    const uint32_t together = pmi_levels_tiles(scan->n) > device->can.dispatch_tiles ? 1 : steps;
    pm_status status = PM_OK;
    for (uint32_t begin = 0; begin < steps && status == PM_OK; begin += together) {
        pmi_staging_chunk *chunk;
        status = pmi_staging_chunk_begin(device, &executor->ring, 0, &chunk);
        if (status != PM_OK)
            break;
        for (uint32_t step = begin; step < begin + together; step++)
            pmi_tree_scan_record_step(device, chunk->commands, scanner, scan, step);
        status = pmi_staging_chunk_submit(device, chunk);
    }
    return status;
}

static pm_status tree_scan(pmi_gpu *gpu, void *arguments) {
    const pmi_gpu_tree *const tree = arguments;
    pmi_executor *const executor = &gpu->executors[0];
    if (tree->n > PM_TREE_SCAN_N_MAX)
        return PM_TOO_LARGE;
    const pmi_device *const device = &executor->device;
    pmi_staging_ring *const ring = &executor->ring;
    pmi_tree_scanner scanner = {.nodes = &executor->nodes};
    pm_status status = pmi_executor_levels(executor, &scanner.levels);
    if (status == PM_OK && !executor->nodes.link.pipeline)
        status = pmi_nodes_create(device, &executor->nodes);
    if (status == PM_OK)
        status = monoid_take(executor, tree->monoid, &gpu->allocator, &scanner.monoid);
    if (status == PM_OK && tree->nodes > 0)
        status = buffers_reserve(executor, scanner.monoid, (uint32_t)tree->n, (uint32_t)tree->nodes);
    if (status != PM_OK || tree->nodes == 0)
        return status;
    const size_t bytes = tree->nodes * tree->monoid->size;
    const pmi_buffer_range parens = {&executor->parens, 0, pmi_parens_bytes(tree->n)};
    const pmi_buffer_range values = {&executor->given, 0, bytes}, results = {&executor->results, 0, bytes};
    const size_t piece = piece_bytes(executor, bytes > parens.bytes ? bytes : parens.bytes);
    const pmi_tree_scan scan = {.n = (uint32_t)tree->n,
                                .nodes = (uint32_t)tree->nodes,
                                .up = tree->up,
                                .exclusive = tree->exclusive,
                                .parens = executor->parens.address,
                                .values = executor->given.address,
                                .results = executor->results.address,
                                .scratch = executor->scratch.address};
    status = pmi_transfer_upload(device, ring, tree->parens, parens, piece);
    if (status == PM_OK)
        status = pmi_transfer_upload(device, ring, tree->values, values, piece);
    if (status == PM_OK)
        status = steps_run(executor, &scanner, &scan);
    return status == PM_OK ? pmi_transfer_download(device, ring, results, tree->out, piece) : status;
}

pm_status pmi_gpu_scan(pmi_gpu *gpu, const pmi_gpu_tree *tree) {
    pmi_gpu_tree call = *tree;
    return pmi_gpu_run(gpu, &(pmi_gpu_call){.run = tree_scan, .arguments = &call});
}
