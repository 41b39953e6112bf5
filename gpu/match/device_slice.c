/* SPDX-License-Identifier: Apache-2.0 */
/* Room for a share; the way there and back, by the executor's slots. How it is matched is in
 * gpu/match/device_slice_match.c. */
#include "gpu/match/device_slice.h"

#include "base/sizes.h"
#include "base/slice.h"
#include "gpu/device/transfer.h"

enum {
    GUESS_LEAST = 4096, /* entries of a stack */
    CHUNK_LEAST = 4096  /* bytes */
};

static uint64_t parens_bytes(uint32_t n) {
    return ((uint64_t)n + 31) / 32 * 4;
}

/* ---- Room ---- */

/* Of a random sequence at least eight standard deviations of what later slices ask for. Half as many took as long. */
static uint32_t stack_guess(uint32_t n) {
    uint64_t guess = GUESS_LEAST;
    while (guess * guess / 64 < n)
        guess *= 2;
    return pmi_min32(guess, n);
}

static pm_status match_reserve(pmi_device_slice *share) {
    const pmi_device *const device = &share->executor->device;
    const uint64_t range = share->executor->range_elements;
    pm_status status = share->n > range * PM_SHARE_RANGES ? PM_OUT_OF_MEMORY : PM_OK;
    for (uint64_t k = 0; k * range < share->n && status == PM_OK; k++) {
        const uint64_t bytes = pmi_min(range, share->n - k * range) * sizeof(uint32_t);
        status = pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_DOWNLOAD, bytes, &share->match[k]);
    }
    return status;
}

pm_status pmi_device_slice_open(pmi_executor *executor, uint32_t origin, uint32_t n, uint64_t all, uint32_t ahead,
                                pmi_device_slice *share) {
    const pmi_device *const device = &executor->device;
    const uint32_t end = origin + n;
    *share = (pmi_device_slice){.executor = executor,
                                .origin = origin,
                                .n = n,
                                .ahead = origin == 0 ? n : pmi_min32(ahead, n), /* nothing comes in at the beginning */
                                .told = end < all ? stack_guess(n) : 0};
    if (n == 0)
        return PM_OK;
    pm_status status = executor->slices.reduce.pipeline ? PM_OK : pmi_levels_create_sliced(device, &executor->slices);
    if (status == PM_OK)
        status = pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, parens_bytes(end), &share->parens);
    if (status == PM_OK) /* there are levels of the slice alone, too */
        status = pmi_buffer_create(device, PM_MEMORY_DEVICE, pmi_levels_scratch_bytes(end) + pmi_levels_array_bytes(n),
                                   &share->scratch);
    if (status == PM_OK)
        status = pmi_buffer_create(device, PM_MEMORY_DOWNLOAD, 4 * sizeof(uint32_t), &share->summary);
    if (status == PM_OK && share->told > 0)
        status = pmi_buffer_create(device, PM_MEMORY_DOWNLOAD, share->told * sizeof(uint32_t), &share->stack);
    return status == PM_OK ? match_reserve(share) : status;
}

void pmi_device_slice_close(pmi_device_slice *share) {
    if (share->n == 0)
        return;
    const pmi_device *const device = &share->executor->device;
    pmi_reusable_commands_destroy(device, &share->reducing);
    pmi_reusable_commands_destroy(device, &share->matching);
    pmi_reusable_commands_destroy(device, &share->completing);
    pmi_buffer *const buffers[] = {&share->parens, &share->scratch, &share->summary, &share->stack, &share->incoming};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pmi_buffer_destroy(device, buffers[b]);
    for (unsigned k = 0; k < PM_SHARE_RANGES; k++)
        pmi_buffer_destroy(device, &share->match[k]);
}

/* ---- There and back ---- */

/* Bytes that go through a slot at a time. */
static uint64_t chunk_bytes(const pmi_device_slice *share) {
    const size_t slot = share->executor->slot_bytes;
    return slot < CHUNK_LEAST ? CHUNK_LEAST : slot - slot % CHUNK_LEAST;
}

uint64_t pmi_device_slice_load_unit(const pmi_device_slice *share) {
    return share->parens.mapped ? pmi_device_slice_load_bytes(share) : chunk_bytes(share);
}

uint64_t pmi_device_slice_load_bytes(const pmi_device_slice *share) {
    return share->n > 0 ? parens_bytes(share->origin + share->n) : 0;
}

pm_status pmi_device_slice_load(pmi_device_slice *share, const uint64_t *parens, uint64_t begin, uint64_t bytes) {
    return pmi_transfer_upload(&share->executor->device, &share->executor->slots, (const unsigned char *)parens + begin,
                               (pmi_buffer_range){&share->parens, begin, bytes}, bytes);
}

/* Elements that lie in one range of the match, which is complete. */
static pm_status range_read(const pmi_device_slice *share, uint32_t begin, uint32_t count, uint32_t *match) {
    pmi_executor *const executor = share->executor;
    const uint64_t first = begin % executor->range_elements, bytes = (uint64_t)count * sizeof *match;
    const pmi_buffer_range from = {&share->match[begin / executor->range_elements], first * sizeof *match, bytes};
    if (!from.buffer->mapped)
        return pmi_transfer_download(&executor->device, &executor->slots, from, match,
                                     pmi_min(chunk_bytes(share), bytes));
    pmi_staging_ring_copy(&executor->slots, match, (const unsigned char *)from.buffer->mapped + from.begin, bytes);
    return PM_OK;
}

pm_status pmi_device_slice_read(pmi_device_slice *share, uint32_t begin, uint32_t count, uint32_t *match) {
    const uint32_t range = share->executor->range_elements;
    pm_status status = PM_OK;
    for (uint32_t done = 0; done < count && status == PM_OK;) {
        const uint32_t now = pmi_min32(count - done, range - (begin + done) % range);
        status = range_read(share, begin + done, now, match + done);
        done += now;
    }
    return status;
}
