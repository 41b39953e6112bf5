/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way of a match over several devices: every device reduces its slice, and begins to match it as if there were
 * nothing before it. Meanwhile the host, which gets the slices' bicyclic elements and the tops of the stacks that they
 * leave, puts together what each slice needs of the stack before it. Where that is little the device is given it,
 * matches the rest with it, and again the few tiles so far that look further back than their slice begins. Where it is
 * much the device is told only from where on it must reduce the sequence to know it, and matches its slice then.
 */
#include "gpu/match/resident.h"

#include "base/memory.h"
#include "base/sizes.h"
#include "base/slice_layers.h"
#include "gpu/device/devices.h"
#include "gpu/match/device_slice.h"

/*
 * Elements of a slice that are matched before it is known what comes in: as many as keep a fast device busy until then,
 * some 20 microseconds and half of that for each device, for the host calls one after the other. More of them would be
 * matched in vain where much comes in.
 */
enum {
    AHEAD_LEAST = 1 << 24,
    AHEAD_FOR_EACH = 1 << 23
};

struct pm_resident {
    pmi_gpu *gpu;
    uint64_t n;
    bool loaded, matched;
    unsigned count; /* of shares: the devices */
    pmi_device_slice shares[];
};

/* A call's arguments, of which each function has some. */
typedef struct call {
    pm_resident *resident;
    const uint32_t *lengths;
    const uint64_t *parens;
    uint64_t first, elements;
    uint32_t *match;
    pm_bic *total;
} call;

/* ---- Which opens go where ---- */

/* What a share needs of the stack before it, top first. */
typedef struct need {
    pmi_slice_layer pieces[PM_DEVICES_MOST];
    unsigned count;
} need;

static void need_find(const pmi_slice_layer *layers, int used, pm_bic before, pm_bic slice, need *found) {
    uint64_t wanted = pmi_slice_wanted(before, slice);
    while (wanted > 0)
        found->pieces[found->count++] = pmi_slice_layers_next(layers, &used, &wanted);
}

/* What all shares need; the product of all slices. */
static pm_bic needs_find(const pm_resident *resident, const pm_bic *slices, need *needs) {
    pmi_slice_layer layers[PM_DEVICES_MOST];
    int used = 0;
    pm_bic before = {0, 0};
    for (unsigned k = 0; k < resident->count; k++) {
        needs[k].count = 0;
        if (resident->shares[k].n == 0)
            continue;
        need_find(layers, used, before, slices[k], &needs[k]);
        used = pmi_slice_layers_close(layers, used, slices[k].close);
        if (slices[k].open > 0)
            layers[used++] = (pmi_slice_layer){(int)k, 0, slices[k].open};
        before = pmi_bic_multiply(before, slices[k]);
    }
    return before;
}

/* Whether all that is needed has been told. */
static bool need_is_told(const pm_resident *resident, const need *n) {
    for (unsigned p = 0; p < n->count; p++)
        if (n->pieces[p].skip + n->pieces[p].opens > resident->shares[n->pieces[p].slice].told)
            return false;
    return true;
}

/* Has a share go on with that. */
static pm_status need_serve(pm_resident *resident, unsigned k, const need *n) {
    if (!need_is_told(resident, n)) /* the last piece is the lowest, and so of the first slice */
        return pmi_device_slice_complete_from(&resident->shares[k],
                                              resident->shares[n->pieces[n->count - 1].slice].origin);
    pmi_device_slice_piece pieces[PM_DEVICES_MOST];
    uint32_t count = 0;
    for (unsigned p = 0; p < n->count; p++) {
        const pmi_slice_layer *const piece = &n->pieces[p];
        pieces[p] = (pmi_device_slice_piece){
            .from = &resident->shares[piece->slice], .skip = (uint32_t)piece->skip, .count = (uint32_t)piece->opens};
        count += pieces[p].count;
    }
    return pmi_device_slice_complete(&resident->shares[k], pieces, n->count, count);
}

/* ---- Steps ---- */

static pm_status devices_match(pm_resident *resident, pm_bic *total) {
    pm_bic slices[PM_DEVICES_MOST];
    need needs[PM_DEVICES_MOST];
    pm_status status = PM_OK;
    for (unsigned k = 0; k < resident->count && status == PM_OK; k++)
        status = pmi_device_slice_reduce(&resident->shares[k]);
    for (unsigned k = 0; k < resident->count && status == PM_OK; k++)
        status = pmi_device_slice_match(&resident->shares[k]);
    for (unsigned k = 0; k < resident->count && status == PM_OK; k++)
        status = pmi_device_slice_reduced(&resident->shares[k], &slices[k]);
    if (status != PM_OK)
        return status;
    *total = needs_find(resident, slices, needs);
    for (unsigned k = 0; k < resident->count && status == PM_OK; k++)
        status = need_serve(resident, k, &needs[k]);
    return status;
}

/* Waits for all slices. */
static pm_status slices_finish(void *arguments) {
    const call *const of = arguments;
    pm_status status = PM_OK;
    for (unsigned k = 0; k < of->resident->count; k++) {
        const pm_status finished = pmi_device_slice_finish(&of->resident->shares[k]);
        status = status == PM_OK ? finished : status;
    }
    return status;
}

static pm_status call_run(pm_status (*run)(pmi_gpu *gpu, void *arguments), call of) {
    return pmi_gpu_run(of.resident->gpu, &(pmi_gpu_call){.run = run, .finish = slices_finish, .arguments = &of});
}

/* A chunk for every share by turns, so that what goes to several devices goes there side by side. */
static pm_status chunks_load(pm_resident *resident, const uint64_t *parens) {
    pm_status status = PM_OK;
    bool more = true;
    for (uint64_t turn = 0; more && status == PM_OK; turn++) {
        more = false;
        for (unsigned k = 0; k < resident->count && status == PM_OK; k++) {
            pmi_device_slice *const share = &resident->shares[k];
            const uint64_t unit = pmi_device_slice_load_unit(share), all = pmi_device_slice_load_bytes(share),
                           begin = turn * unit;
            if (begin >= all)
                continue;
            more = true;
            status = pmi_device_slice_load(share, parens, begin, pmi_min(unit, all - begin));
        }
    }
    return status;
}

static pm_status load_run(pmi_gpu *gpu, void *arguments) {
    (void)gpu;
    const call *const of = arguments;
    of->resident->loaded = of->resident->matched = false;
    return chunks_load(of->resident, of->parens);
}

pm_status pmi_gpu_resident_load(pm_resident *resident, const uint64_t *parens) {
    const pm_status status = call_run(load_run, (call){.resident = resident, .parens = parens});
    resident->loaded |= status == PM_OK;
    return status;
}

static pm_status match_run(pmi_gpu *gpu, void *arguments) {
    (void)gpu;
    const call *const of = arguments;
    if (!of->resident->loaded)
        return PM_INVALID_ARGUMENT;
    of->resident->matched = false;
    return devices_match(of->resident, of->total);
}

pm_status pmi_gpu_resident_match(pm_resident *resident, pm_bic *total) {
    const pm_status status = call_run(match_run, (call){.resident = resident, .total = total});
    resident->matched |= status == PM_OK;
    return status;
}

static pm_status read_run(pmi_gpu *gpu, void *arguments) {
    (void)gpu;
    const call *const of = arguments;
    pm_status status = of->resident->matched ? PM_OK : PM_INVALID_ARGUMENT;
    for (unsigned k = 0; k < of->resident->count && status == PM_OK; k++) {
        pmi_device_slice *const share = &of->resident->shares[k];
        const uint64_t from = of->first > share->origin ? of->first : share->origin;
        const uint64_t to = pmi_min(of->first + of->elements, (uint64_t)share->origin + share->n);
        if (from < to)
            status = pmi_device_slice_read(share, (uint32_t)(from - share->origin), (uint32_t)(to - from),
                                           of->match + (from - of->first));
    }
    return status;
}

pm_status pmi_gpu_resident_read(pm_resident *resident, uint64_t first, uint64_t count, uint32_t *match) {
    return call_run(read_run, (call){.resident = resident, .first = first, .elements = count, .match = match});
}

/* ---- Opening and closing ---- */

uint64_t pmi_gpu_resident_n(const pm_resident *resident) {
    return resident->n;
}

/* Elements of all slices but the last, if they are equal: whole superblocks. */
static uint64_t slice_elements(const pm_resident *resident) {
    const uint64_t least = resident->gpu->executors[0].slice_elements;
    const uint64_t most = resident->n / least, count = resident->gpu->count;
    const uint64_t round = (most == 0 ? 1 : pmi_min(most, count)) * PM_SUPERBLOCK; /* a superblock for each */
    return (resident->n + round - 1) / round * PM_SUPERBLOCK;
}

static pm_status open_run(pmi_gpu *gpu, void *arguments) {
    const call *const of = arguments;
    pm_resident *const resident = of->resident;
    const uint64_t equal = slice_elements(resident);
    const uint32_t ahead = AHEAD_LEAST + gpu->count * AHEAD_FOR_EACH;
    uint64_t origin = 0;
    pm_status status = PM_OK;
    for (unsigned k = 0; k < gpu->count && status == PM_OK; k++) {
        const uint32_t n = of->lengths ? of->lengths[k] : pmi_min32(equal, resident->n - origin);
        pmi_executor *const executor = &gpu->executors[k];
        status =
            pmi_device_slice_open(executor, (uint32_t)origin, n, resident->n,
                                  executor->ahead_elements ? executor->ahead_elements : ahead, &resident->shares[k]);
        resident->count++;
        origin += n;
    }
    return status;
}

pm_status pmi_gpu_resident_create(pmi_gpu *gpu, uint64_t n, const uint32_t *lengths, pm_resident **resident) {
    pm_resident *const created =
        pmi_memory_allocate_with(&gpu->allocator, sizeof *created, gpu->count, sizeof *created->shares);
    if (!created)
        return PM_OUT_OF_MEMORY;
    *created = (pm_resident){.gpu = gpu, .n = n, .loaded = n == 0};
    const pm_status status = call_run(open_run, (call){.resident = created, .lengths = lengths});
    if (status != PM_OK) {
        pmi_gpu_resident_destroy(created);
        return status;
    }
    *resident = created;
    return PM_OK;
}

void pmi_gpu_resident_destroy(pm_resident *resident) {
    pmi_gpu *const gpu = resident->gpu;
    for (unsigned k = 0; k < gpu->count; k++) /* there is work only after a failure, whose status has been given */
        gpu->executors[k].device.vk->DeviceWaitIdle(gpu->executors[k].device.handle);
    for (unsigned k = 0; k < resident->count; k++)
        pmi_device_slice_close(&resident->shares[k]);
    pmi_memory_free(&gpu->allocator, resident);
}
