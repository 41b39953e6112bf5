/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a share, each a slot's commands. */
#include "gpu/share.h"

#include "core/slice.h"

enum {
    GUESS_LEAST = 4096, /* entries of a stack */
    CHUNK_LEAST = 4096, /* bytes */
    LOOKS_MOST = 10000  /* at a fence, of which each takes some tenths of a microsecond */
};

static uint32_t least_of(uint64_t a, uint64_t b) {
    return (uint32_t)(a < b ? a : b);
}

static uint64_t parens_bytes(uint32_t n) {
    return ((uint64_t)n + 31) / 32 * 4;
}

/* ---- Room ---- */

/* Of a random sequence some eight times as much as later slices ask for; more is found once it is asked for. */
static uint32_t stack_guess(uint32_t n) {
    uint64_t guess = GUESS_LEAST;
    while (guess * guess / 64 < n)
        guess *= 2;
    return least_of(guess, n);
}

static pm_status match_reserve(pm_share *share) {
    const pm_device *const device = &share->station->device;
    const uint64_t range = share->station->range_elements;
    pm_status status = share->n > range * PM_SHARE_RANGES ? PM_OUT_OF_MEMORY : PM_OK;
    for (uint64_t k = 0; k * range < share->n && status == PM_OK; k++) {
        const uint64_t bytes = (uint64_t)least_of(range, share->n - k * range) * sizeof(uint32_t);
        status = pm_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_DOWNLOAD, bytes, &share->match[k]);
    }
    return status;
}

pm_status pm_share_open(pm_station *station, uint32_t origin, uint32_t n, bool asked, pm_share *share) {
    const pm_device *const device = &station->device;
    *share = (pm_share){.station = station, .origin = origin, .n = n, .guess = asked ? stack_guess(n) : 0};
    if (n == 0)
        return PM_OK;
    pm_status status = station->slices.reduce.pipeline ? PM_OK : pm_wide_create_sliced(device, &station->slices);
    if (status == PM_OK)
        status = pm_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, parens_bytes(n), &share->parens);
    if (status == PM_OK)
        status = pm_buffer_create(device, PM_MEMORY_DEVICE, pm_wide_scratch_bytes(n), &share->scratch);
    if (status == PM_OK)
        status = pm_buffer_create(device, PM_MEMORY_DOWNLOAD, 2 * sizeof(uint32_t), &share->summary);
    if (status == PM_OK && share->guess > 0)
        status = pm_buffer_create(device, PM_MEMORY_DOWNLOAD, share->guess * sizeof(uint32_t), &share->outgoing);
    return status == PM_OK ? match_reserve(share) : status;
}

void pm_share_close(pm_share *share) {
    if (share->n == 0)
        return;
    const pm_device *const device = &share->station->device;
    pm_buffer *const buffers[] = {&share->parens, &share->scratch, &share->summary, &share->outgoing, &share->incoming};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pm_buffer_destroy(device, buffers[b]);
    for (unsigned k = 0; k < PM_SHARE_RANGES; k++)
        pm_buffer_destroy(device, &share->match[k]);
}

/* ---- There and back ---- */

/* Bytes that go through a slot at a time. */
static uint64_t chunk_bytes(const pm_share *share) {
    const size_t slot = share->station->slot_bytes;
    return slot < CHUNK_LEAST ? CHUNK_LEAST : slot - slot % CHUNK_LEAST;
}

/* A device that is a CPU has better things to do with it. */
static void slot_watch(const pm_device *device, const pm_slot *s) {
    if (device->can.type == VK_PHYSICAL_DEVICE_TYPE_CPU || !s->in_flight)
        return;
    for (unsigned k = 0; k < LOOKS_MOST && device->vk->GetFenceStatus(device->handle, s->fence) == VK_NOT_READY;)
        k++;
}

static pm_status slot_begin(const pm_share *share, uint64_t staged, pm_slot **s) {
    pm_station *const station = share->station;
    pm_status status = pm_slot_begin(&station->device, &station->slots, s);
    if (status == PM_OK && staged > 0)
        status = pm_buffer_reserve(&station->device, PM_MEMORY_DOWNLOAD, staged, &(*s)->staging);
    return status;
}

pm_status pm_share_load(pm_share *share, const uint64_t *parens) {
    const pm_device *const device = &share->station->device;
    const unsigned char *const from = (const unsigned char *)(parens + share->origin / PM_WORD_BITS);
    const uint64_t bytes = parens_bytes(share->n);
    pm_status status = PM_OK;
    if (share->n > 0 && share->parens.mapped) {
        pm_slots_copy(&share->station->slots, share->parens.mapped, from, bytes);
        return PM_OK;
    }
    for (uint64_t begin = 0; begin < bytes && status == PM_OK; begin += chunk_bytes(share)) {
        const VkBufferCopy copy = {.dstOffset = begin, .size = least_of(chunk_bytes(share), bytes - begin)};
        pm_slot *s;
        status = slot_begin(share, copy.size, &s);
        if (status != PM_OK)
            break;
        pm_slots_copy(&share->station->slots, s->staging.mapped, from + begin, copy.size);
        device->vk->CmdCopyBuffer(s->commands, s->staging.handle, share->parens.handle, 1, &copy);
        pm_device_barrier(device, s->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
        status = pm_slot_submit(device, s);
    }
    return status;
}

/* Elements that lie in one range of the match. */
static pm_status chunk_read(const pm_share *share, uint32_t begin, uint32_t count, uint32_t *match) {
    const pm_device *const device = &share->station->device;
    const pm_buffer *const range = &share->match[begin / share->station->range_elements];
    const VkBufferCopy copy = {.srcOffset = (uint64_t)(begin % share->station->range_elements) * sizeof *match,
                               .size = (uint64_t)count * sizeof *match};
    if (range->mapped) {
        pm_slots_copy(&share->station->slots, match, (unsigned char *)range->mapped + copy.srcOffset, copy.size);
        return PM_OK;
    }
    pm_slot *s;
    const pm_status status = slot_begin(share, copy.size, &s);
    if (status != PM_OK)
        return status;
    s->to = match;
    s->from = s->staging.mapped;
    s->bytes = copy.size;
    device->vk->CmdCopyBuffer(s->commands, range->handle, s->staging.handle, 1, &copy);
    pm_device_barrier(device, s->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                      VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    return pm_slot_submit(device, s);
}

pm_status pm_share_read(pm_share *share, uint32_t begin, uint32_t count, uint32_t *match) {
    const uint32_t range = share->station->range_elements;
    pm_status status = PM_OK;
    for (uint32_t done = 0; done < count && status == PM_OK;) {
        const uint32_t rest = least_of(count - done, range - (begin + done) % range);
        const uint32_t now = least_of(rest, chunk_bytes(share) / sizeof *match);
        status = chunk_read(share, begin + done, now, match + done);
        done += now;
    }
    return status;
}

/* ---- Matching ---- */

static pm_wide_parameters parameters_of(const pm_share *share, uint32_t incoming_count) {
    pm_wide_parameters parameters =
        pm_wide_parameters_make(share->n, share->parens.address, share->scratch.address, share->summary.address);
    parameters.origin = share->origin;
    parameters.incoming = share->incoming.address;
    parameters.incoming_count = incoming_count;
    return parameters;
}

/* What shaders have written, to the host. */
static void barrier_to_host(const pm_device *device, VkCommandBuffer commands) {
    pm_device_barrier(device, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

static void stack_record(const pm_share *share, VkCommandBuffer commands, uint32_t count) {
    const pm_device *const device = &share->station->device;
    pm_wide_record_stack(device, commands, &share->station->slices, parameters_of(share, 0), count,
                         share->outgoing.address);
    barrier_to_host(device, commands);
}

pm_status pm_share_reduce(pm_share *share) {
    const pm_device *const device = &share->station->device;
    const pm_wide *const wide = &share->station->slices;
    if (share->n == 0)
        return PM_OK;
    const pm_wide_parameters parameters = parameters_of(share, 0);
    const pm_status status = slot_begin(share, 0, &share->reducing);
    if (status != PM_OK)
        return status;
    const VkCommandBuffer commands = share->reducing->commands;
    pm_wide_record_barrier(device, commands); /* from the match before, which has used the scratch */
    pm_wide_record_reduce(device, commands, wide, parameters, 0, parameters.superblocks);
    pm_wide_record_barrier(device, commands);
    pm_wide_record_scan(device, commands, wide, parameters);
    pm_wide_record_barrier(device, commands);
    stack_record(share, commands, share->guess);
    return pm_slot_submit(device, share->reducing);
}

typedef void record_match(const pm_device *device, VkCommandBuffer commands, const pm_wide *wide,
                          pm_wide_parameters parameters, uint32_t first_tile, uint32_t tiles, uint64_t match);

/* All ranges of the match. The host sees what is mapped of them. */
static pm_status match_submit(pm_share *share, record_match *record, uint32_t incoming_count, bool again) {
    const pm_device *const device = &share->station->device;
    const uint32_t tiles = pm_wide_tiles(share->n), range = share->station->range_elements / PM_TILE;
    pm_slot *s;
    const pm_status status = slot_begin(share, 0, &s);
    if (status != PM_OK)
        return status;
    share->matching = s;
    if (again)
        pm_wide_record_barrier(device, s->commands);
    for (uint32_t first = 0, k = 0; first < tiles; first += least_of(range, tiles - first), k++)
        record(device, s->commands, &share->station->slices, parameters_of(share, incoming_count), first,
               least_of(range, tiles - first), share->match[k].address);
    pm_device_barrier(device, s->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                      VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_HOST_READ_BIT);
    return pm_slot_submit(device, s);
}

pm_status pm_share_match(pm_share *share) {
    return share->n > 0 ? match_submit(share, pm_wide_record_match, 0, false) : PM_OK;
}

pm_status pm_share_match_far(pm_share *share, uint32_t count) {
    return match_submit(share, pm_wide_record_match_far, count, true);
}

pm_status pm_share_reduced(pm_share *share, pm_bic *bic) {
    *bic = (pm_bic){0, 0};
    if (share->n == 0)
        return PM_OK;
    slot_watch(&share->station->device, share->reducing);
    const pm_status status = pm_slot_land(&share->station->device, &share->station->slots, share->reducing);
    const uint32_t *const summary = share->summary.mapped;
    *bic = (pm_bic){.close = summary[0], .open = summary[1]};
    return status;
}

void pm_share_watch(const pm_share *share) {
    if (share->n > 0)
        slot_watch(&share->station->device, share->matching);
}

/* ---- What goes from slice to slice ---- */

pm_status pm_share_stack(pm_share *share, uint32_t count) {
    const pm_device *const device = &share->station->device;
    if (count <= share->guess)
        return PM_OK;
    pm_status status =
        pm_buffer_reserve(device, PM_MEMORY_DOWNLOAD, (uint64_t)count * sizeof(uint32_t), &share->outgoing);
    pm_slot *s;
    if (status == PM_OK)
        status = slot_begin(share, 0, &s);
    if (status != PM_OK)
        return status;
    stack_record(share, s->commands, count);
    return pm_slot_submit(device, s);
}

pm_status pm_share_incoming_reserve(pm_share *share, uint32_t count) {
    return pm_buffer_reserve(&share->station->device, PM_MEMORY_UPLOAD, (uint64_t)count * sizeof(uint32_t),
                             &share->incoming);
}
