/* SPDX-License-Identifier: Apache-2.0 */
/* A slice's buffers, uploads and downloads. */
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

pm_status pmi_device_slice_open(pmi_executor *executor, uint32_t origin, uint32_t n, uint64_t all, uint32_t ahead,
                                pmi_device_slice *slice) {
    const pmi_device *const device = &executor->device;
    const uint32_t end = origin + n;
    *slice =
        (pmi_device_slice){.executor = executor,
                           .origin = origin,
                           .n = n,
                           .ahead = origin == 0 ? n : pmi_min32(ahead, n), /* the first slice has no incoming stack */
                           .stack_count = end < all ? stack_guess(n) : 0};
    if (n == 0)
        return PM_OK;
    pm_status status = executor->slices.reduce.pipeline ? PM_OK : pmi_levels_create_sliced(device, &executor->slices);
    if (status == PM_OK)
        status = pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, pmi_parens_bytes(end), &slice->parens);
    if (status == PM_OK) /* the slice has levels of its own, too */
        status = pmi_buffer_create(device, PM_MEMORY_DEVICE, pmi_levels_scratch_bytes(end) + pmi_levels_array_bytes(n),
                                   &slice->scratch);
    if (status == PM_OK)
        status = pmi_buffer_create(device, PM_MEMORY_DOWNLOAD, 4 * sizeof(uint32_t), &slice->summary);
    if (status == PM_OK && slice->stack_count > 0)
        status = pmi_buffer_create(device, PM_MEMORY_DOWNLOAD, slice->stack_count * sizeof(uint32_t), &slice->stack);
    return status == PM_OK ? match_reserve(slice) : status;
}

void pmi_device_slice_close(pmi_device_slice *slice) {
    if (slice->n == 0)
        return;
    const pmi_device *const device = &slice->executor->device;
    pmi_reusable_commands_destroy(device, &slice->reducing);
    pmi_reusable_commands_destroy(device, &slice->matching);
    pmi_reusable_commands_destroy(device, &slice->completing);
    pmi_buffer *const buffers[] = {&slice->parens, &slice->scratch, &slice->summary, &slice->stack, &slice->incoming};
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
