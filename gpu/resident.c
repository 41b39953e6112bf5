/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way of a match over several devices: every device reduces its slice, and matches it at once as if there were
 * nothing before it. Meanwhile the host, which gets the slices' bicyclic elements and the tops of the stacks that they
 * leave, puts together what each slice needs of the stack before it; with that the devices match again the few tiles
 * that look further back than their slice begins.
 */
#include "gpu/resident.h"

#include "core/slice_layers.h"
#include "gpu/devices.h"
#include "gpu/share.h"

struct pm_resident {
    pm_gpu *gpu;
    uint64_t n;
    bool loaded, matched;
    unsigned count; /* of shares: the devices */
    pm_share shares[];
};

/* ---- Which opens go where ---- */

/* What a share needs of the stack before it, top first. */
typedef struct need {
    pm_slice_layer pieces[PM_DEVICES_MOST];
    unsigned count;
} need;

static uint64_t least_of(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static void need_find(const pm_slice_layer *layers, int used, pm_bic before, pm_bic slice, need *found) {
    uint64_t wanted = pm_slice_wanted(before, slice);
    while (wanted > 0)
        found->pieces[found->count++] = pm_slice_layers_next(layers, &used, &wanted);
}

/* What all shares need; the product of all slices. */
static pm_bic needs_find(const pm_resident *resident, const pm_bic *slices, need *needs) {
    pm_slice_layer layers[PM_DEVICES_MOST];
    int used = 0;
    pm_bic before = {0, 0};
    for (unsigned k = 0; k < resident->count; k++) {
        needs[k].count = 0;
        if (resident->shares[k].n == 0)
            continue;
        need_find(layers, used, before, slices[k], &needs[k]);
        used = pm_slice_layers_close(layers, used, slices[k].close);
        if (slices[k].open > 0)
            layers[used++] = (pm_slice_layer){(int)k, 0, slices[k].open};
        before = pm_bic_multiply(before, slices[k]);
    }
    return before;
}

/* ---- Carrying them there ---- */

/* Has shares tell as much of their stacks as others need. */
static pm_status stacks_tell(pm_resident *resident, const need *needs) {
    uint32_t asked[PM_DEVICES_MOST] = {0};
    for (unsigned k = 0; k < resident->count; k++)
        for (unsigned p = 0; p < needs[k].count; p++) {
            const pm_slice_layer *const piece = &needs[k].pieces[p];
            const uint32_t end = (uint32_t)(piece->skip + piece->opens);
            asked[piece->slice] = asked[piece->slice] < end ? end : asked[piece->slice];
        }
    pm_status status = PM_OK;
    for (unsigned k = 0; k < resident->count && status == PM_OK; k++)
        status = pm_share_tell(&resident->shares[k], asked[k]);
    for (unsigned k = 0; k < resident->count && status == PM_OK; k++)
        status = pm_share_tell_masks(&resident->shares[k]);
    for (unsigned k = 0; k < resident->count && status == PM_OK; k++)
        status = pm_share_told(&resident->shares[k]);
    return status;
}

/* Has a share match again what needs the stack before it, with that. */
static pm_status need_serve(pm_resident *resident, unsigned k, const need *n) {
    pm_share_piece pieces[PM_DEVICES_MOST];
    uint32_t count = 0;
    for (unsigned p = 0; p < n->count; p++) {
        const pm_slice_layer *const piece = &n->pieces[p];
        pieces[p] = (pm_share_piece){
            .from = &resident->shares[piece->slice], .skip = (uint32_t)piece->skip, .count = (uint32_t)piece->opens};
        count += pieces[p].count;
    }
    return count > 0 ? pm_share_complete(&resident->shares[k], pieces, n->count, count) : PM_OK;
}

/* ---- Steps ---- */

static pm_status devices_match(pm_resident *resident, pm_bic *total) {
    pm_bic slices[PM_DEVICES_MOST];
    need needs[PM_DEVICES_MOST];
    pm_status status = PM_OK;
    for (unsigned k = 0; k < resident->count && status == PM_OK; k++)
        status = pm_share_reduce(&resident->shares[k]);
    for (unsigned k = 0; k < resident->count && status == PM_OK; k++)
        status = pm_share_match(&resident->shares[k]);
    for (unsigned k = 0; k < resident->count && status == PM_OK; k++)
        status = pm_share_reduced(&resident->shares[k], &slices[k]);
    if (status != PM_OK)
        return status;
    *total = needs_find(resident, slices, needs);
    status = stacks_tell(resident, needs);
    for (unsigned k = 0; k < resident->count && status == PM_OK; k++)
        status = need_serve(resident, k, &needs[k]);
    return status;
}

/* Waits for all that is on its way. `deliver` as for pm_slots_land(). */
static pm_status land(pm_resident *resident, bool deliver) {
    pm_status status = PM_OK;
    for (unsigned k = 0; k < resident->count; k++) {
        const pm_status landed = pm_share_land(&resident->shares[k]);
        status = status == PM_OK ? landed : status;
    }
    const pm_status landed = pm_gpu_land(resident->gpu, deliver && status == PM_OK);
    return status == PM_OK ? landed : status;
}

/* Before a call: nothing of one that failed is on its way, and what this one needs is there. */
static pm_status begin(pm_resident *resident, bool ready) {
    const pm_status status = resident->gpu->lost ? PM_DEVICE_LOST : land(resident, false);
    return status == PM_OK && !ready ? PM_INVALID_ARGUMENT : status;
}

/* Waits for what a call has begun. */
static pm_status end(pm_resident *resident, pm_status status) {
    const pm_status landed = land(resident, status == PM_OK);
    resident->gpu->lost = status == PM_DEVICE_LOST || landed == PM_DEVICE_LOST;
    return status == PM_OK ? landed : status;
}

pm_status pm_gpu_resident_load(pm_resident *resident, const uint64_t *parens) {
    pm_status status = begin(resident, true);
    if (status != PM_OK)
        return status;
    resident->matched = false;
    for (unsigned k = 0; k < resident->count && status == PM_OK; k++)
        status = pm_share_load(&resident->shares[k], parens);
    status = end(resident, status);
    resident->loaded = status == PM_OK;
    return status;
}

pm_status pm_gpu_resident_match(pm_resident *resident, pm_bic *total) {
    pm_status status = begin(resident, resident->loaded);
    if (status != PM_OK)
        return status;
    status = end(resident, devices_match(resident, total));
    resident->matched = status == PM_OK;
    return status;
}

pm_status pm_gpu_resident_read(pm_resident *resident, uint64_t first, uint64_t count, uint32_t *match) {
    pm_status status = begin(resident, resident->matched);
    if (status != PM_OK)
        return status;
    for (unsigned k = 0; k < resident->count && status == PM_OK; k++) {
        pm_share *const share = &resident->shares[k];
        const uint64_t from = first > share->origin ? first : share->origin;
        const uint64_t to = least_of(first + count, (uint64_t)share->origin + share->n);
        if (from < to)
            status =
                pm_share_read(share, (uint32_t)(from - share->origin), (uint32_t)(to - from), match + (from - first));
    }
    return end(resident, status);
}

/* ---- Opening and closing ---- */

uint64_t pm_gpu_resident_n(const pm_resident *resident) {
    return resident->n;
}

static pm_status shares_open(pm_resident *resident, const uint32_t *lengths) {
    const uint64_t round = (uint64_t)resident->gpu->count * PM_TILE; /* a tile for each */
    const uint64_t equal = (resident->n + round - 1) / round * PM_TILE;
    uint64_t origin = 0;
    pm_status status = begin(resident, true);
    for (unsigned k = 0; k < resident->gpu->count && status == PM_OK; k++) {
        const uint32_t n = lengths ? lengths[k] : (uint32_t)least_of(equal, resident->n - origin);
        status = pm_share_open(&resident->gpu->stations[k], (uint32_t)origin, n, resident->n, &resident->shares[k]);
        resident->count++;
        origin += n;
    }
    return status;
}

pm_status pm_gpu_resident_create(pm_gpu *gpu, uint64_t n, const uint32_t *lengths, pm_resident **resident) {
    const size_t bytes = sizeof **resident + gpu->count * sizeof *(*resident)->shares;
    pm_resident *const created = gpu->allocator.alloc(bytes, gpu->allocator.user);
    if (!created)
        return PM_OUT_OF_MEMORY;
    *created = (pm_resident){.gpu = gpu, .n = n, .loaded = n == 0};
    const pm_status status = shares_open(created, lengths);
    if (status != PM_OK) {
        pm_gpu_resident_destroy(created);
        return status;
    }
    *resident = created;
    return PM_OK;
}

void pm_gpu_resident_destroy(pm_resident *resident) {
    pm_gpu *const gpu = resident->gpu;
    for (unsigned k = 0; k < gpu->count; k++) /* there is work only after a failure, whose status has been given */
        gpu->stations[k].device.vk->DeviceWaitIdle(gpu->stations[k].device.handle);
    for (unsigned k = 0; k < resident->count; k++)
        pm_share_close(&resident->shares[k]);
    gpu->allocator.free(resident, gpu->allocator.user);
}
