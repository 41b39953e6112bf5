/* SPDX-License-Identifier: Apache-2.0 */
/* Room for a share; the way there and back, by the executor's slots. How it is matched is in
 * gpu/match/device_slice_match.c. */
#include "gpu/match/device_slice.h"

#include "base/sizes.h"
#include "base/slice.h"

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

static pm_status slot_begin(const pmi_device_slice *share, uint64_t staged, pmi_staging_chunk **s) {
    pmi_executor *const executor = share->executor;
    pm_status status = pmi_staging_chunk_begin(&executor->device, &executor->slots, s);
    if (status == PM_OK && staged > 0)
        status = pmi_buffer_reserve(&executor->device, PM_MEMORY_DOWNLOAD, staged, &(*s)->staging);
    return status;
}

uint64_t pmi_device_slice_load_unit(const pmi_device_slice *share) {
    return share->parens.mapped ? pmi_device_slice_load_bytes(share) : chunk_bytes(share);
}

uint64_t pmi_device_slice_load_bytes(const pmi_device_slice *share) {
    return share->n > 0 ? parens_bytes(share->origin + share->n) : 0;
}

pm_status pmi_device_slice_load(pmi_device_slice *share, const uint64_t *parens, uint64_t begin, uint64_t bytes) {
    const pmi_device *const device = &share->executor->device;
    const unsigned char *const from = (const unsigned char *)parens + begin;
    if (share->parens.mapped) {
        pmi_staging_ring_copy(&share->executor->slots, (unsigned char *)share->parens.mapped + begin, from, bytes);
        return PM_OK;
    }
    const VkBufferCopy copy = {.dstOffset = begin, .size = bytes};
    pmi_staging_chunk *s;
    const pm_status status = slot_begin(share, bytes, &s);
    if (status != PM_OK)
        return status;
    pmi_staging_ring_copy(&share->executor->slots, s->staging.mapped, from, bytes);
    device->vk->CmdCopyBuffer(s->commands, s->staging.handle, share->parens.handle, 1, &copy);
    pmi_device_barrier(device, s->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
    return pmi_staging_chunk_submit(device, s);
}

/* Elements that lie in one range of the match. */
static pm_status chunk_read(const pmi_device_slice *share, uint32_t begin, uint32_t count, uint32_t *match) {
    const pmi_device *const device = &share->executor->device;
    const pmi_buffer *const range = &share->match[begin / share->executor->range_elements];
    const VkBufferCopy copy = {.srcOffset = (uint64_t)(begin % share->executor->range_elements) * sizeof *match,
                               .size = (uint64_t)count * sizeof *match};
    if (range->mapped) {
        pmi_staging_ring_copy(&share->executor->slots, match, (unsigned char *)range->mapped + copy.srcOffset,
                              copy.size);
        return PM_OK;
    }
    pmi_staging_chunk *s;
    const pm_status status = slot_begin(share, copy.size, &s);
    if (status != PM_OK)
        return status;
    s->to = match;
    s->from = s->staging.mapped;
    s->bytes = copy.size;
    device->vk->CmdCopyBuffer(s->commands, range->handle, s->staging.handle, 1, &copy);
    pmi_device_barrier(device, s->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                       VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    return pmi_staging_chunk_submit(device, s);
}

pm_status pmi_device_slice_read(pmi_device_slice *share, uint32_t begin, uint32_t count, uint32_t *match) {
    const uint32_t range = share->executor->range_elements;
    pm_status status = PM_OK;
    for (uint32_t done = 0; done < count && status == PM_OK;) {
        const uint32_t rest = pmi_min32(count - done, range - (begin + done) % range);
        const uint32_t now = pmi_min32(rest, chunk_bytes(share) / sizeof *match);
        status = chunk_read(share, begin + done, now, match + done);
        done += now;
    }
    return status;
}
