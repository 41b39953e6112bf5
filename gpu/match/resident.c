/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A match on several devices. Every device reduces its slice, and starts to match it as if it were a whole sequence.
 * Meanwhile the host gets the slices' bicyclic elements and the tops of the stacks that they leave, and finds which
 * entries of the stack each slice needs. If they are few, the device gets them. It matches the rest with them, and
 * again the few tiles that look further back than the slice begins. If they are many, the device reduces the sequence
 * itself, from the first slice that is needed, and then matches its slice. Many sequences are one slice.
 */
#include "gpu/gpu.h"

#include <string.h>

#include "base/memory.h"
#include "base/sizes.h"
#include "base/slice_layers.h"
#include "gpu/device/executor.h"
#include "gpu/match/device_slice.h"

/*
 * Elements of a slice that are matched before the incoming stack is known. They keep a fast device busy until then,
 * about 20 microseconds and half of that for each device, because the host calls one after the other. More of them
 * would be matched in vain if the incoming stack is large.
 */
enum {
    AHEAD_MIN = 1 << 24,
    AHEAD_FOR_EACH = 1 << 23
};

struct pm_resident {
    pmi_gpu *gpu;
    pmi_gpu_resident_shape shape;
    uint64_t base; /* the element that the device counts from */
    bool loaded, matched;
    unsigned count; /* of slices that are open */
    pmi_device_slice slices[];
};

/* The arguments of any call. */
typedef struct call {
    pm_resident *resident;
    const uint32_t *lengths;
    const uint64_t *parens, *offsets;
    uint64_t first, elements, sequences;
    uint32_t *match;
    pm_bic *total, *totals;
} call;

/* ---- Which slice needs which entries of the stack ---- */

/* The entries that a slice needs of the stack before it, the top first. */
typedef struct need {
    pmi_slice_layer pieces[PM_DEVICES_MAX];
    unsigned count;
} need;

static void need_find(const pmi_slice_layer *layers, int used, pm_bic before, pm_bic slice, need *found) {
    uint64_t wanted = pmi_slice_wanted(before, slice);
    while (wanted > 0)
        found->pieces[found->count++] = pmi_slice_layers_next(layers, &used, &wanted);
}

/* Finds what all slices need. Returns the product of all slices. */
static pm_bic needs_find(const pm_resident *resident, const pm_bic *reduced, need *needs) {
    pmi_slice_layer layers[PM_DEVICES_MAX];
    int used = 0;
    pm_bic before = {0, 0};
    for (unsigned k = 0; k < resident->count; k++) {
        needs[k].count = 0;
        if (resident->slices[k].n == 0)
            continue;
        need_find(layers, used, before, reduced[k], &needs[k]);
        used = pmi_slice_layers_close(layers, used, reduced[k].close);
        if (reduced[k].open > 0)
            layers[used++] = (pmi_slice_layer){(int)k, 0, reduced[k].open};
        before = pmi_bic_multiply(before, reduced[k]);
    }
    return before;
}

static bool need_is_on_host(const pm_resident *resident, const need *n) {
    for (unsigned p = 0; p < n->count; p++)
        if (n->pieces[p].skip + n->pieces[p].opens > resident->slices[n->pieces[p].slice].stack_count)
            return false;
    return true;
}

static pm_status need_serve(pm_resident *resident, unsigned k, const need *n) {
    if (!need_is_on_host(resident, n)) /* the last piece is the lowest, so its slice is the first */
        return pmi_device_slice_complete_from(&resident->slices[k],
                                              resident->slices[n->pieces[n->count - 1].slice].origin);
    pmi_device_slice_piece pieces[PM_DEVICES_MAX];
    uint32_t count = 0;
    for (unsigned p = 0; p < n->count; p++) {
        const pmi_slice_layer *const piece = &n->pieces[p];
        pieces[p] = (pmi_device_slice_piece){
            .from = &resident->slices[piece->slice], .skip = (uint32_t)piece->skip, .count = (uint32_t)piece->opens};
        count += pieces[p].count;
    }
    return pmi_device_slice_complete(&resident->slices[k], pieces, n->count, count);
}

/* ---- Steps ---- */

static pm_status devices_match(pm_resident *resident, pm_bic *total) {
    pm_bic reduced[PM_DEVICES_MAX];
    need needs[PM_DEVICES_MAX];
    pm_status status = PM_OK;
    for (unsigned k = 0; k < resident->count && status == PM_OK; k++)
        status = pmi_device_slice_reduce(&resident->slices[k]);
    for (unsigned k = 0; k < resident->count && status == PM_OK; k++)
        status = pmi_device_slice_match(&resident->slices[k]);
    for (unsigned k = 0; k < resident->count && status == PM_OK; k++)
        status = pmi_device_slice_reduced(&resident->slices[k], &reduced[k]);
    if (status != PM_OK)
        return status;
    *total = needs_find(resident, reduced, needs);
    for (unsigned k = 0; k < resident->count && status == PM_OK; k++)
        status = need_serve(resident, k, &needs[k]);
    return status;
}

static pm_status slices_finish(void *arguments) {
    const call *const of = arguments;
    pm_status status = PM_OK;
    for (unsigned k = 0; k < of->resident->count; k++) {
        const pm_status finished = pmi_device_slice_finish(&of->resident->slices[k]);
        status = status == PM_OK ? finished : status;
    }
    return status;
}

static pm_status call_run(pm_status (*run)(pmi_gpu *gpu, void *arguments), call of) {
    return pmi_gpu_run(of.resident->gpu, &(pmi_gpu_call){.run = run, .finish = slices_finish, .arguments = &of});
}

/* The devices get their chunks interleaved, so that uploads overlap. */
static pm_status chunks_load(pm_resident *resident, const uint64_t *parens) {
    pm_status status = PM_OK;
    bool more = true;
    for (uint64_t turn = 0; more && status == PM_OK; turn++) {
        more = false;
        for (unsigned k = 0; k < resident->count && status == PM_OK; k++) {
            pmi_device_slice *const slice = &resident->slices[k];
            const uint64_t unit = pmi_device_slice_load_unit(slice), all = pmi_device_slice_load_bytes(slice),
                           begin = turn * unit;
            if (begin >= all)
                continue;
            more = true;
            status = pmi_device_slice_load(slice, parens, begin, pmi_min(unit, all - begin));
        }
    }
    return status;
}

static pm_status load_run(pmi_gpu *gpu, void *arguments) {
    (void)gpu;
    const call *const of = arguments;
    of->resident->loaded = of->resident->matched = false;
    pm_status status = PM_OK;
    if (of->resident->shape.of_batch)
        status = pmi_device_slice_load_offsets(&of->resident->slices[0], of->offsets, (uint32_t)of->sequences);
    return status == PM_OK ? chunks_load(of->resident, of->parens) : status;
}

pm_status pmi_gpu_resident_load(pm_resident *resident, const uint64_t *parens) {
    const pm_status status = call_run(load_run, (call){.resident = resident, .parens = parens});
    resident->loaded |= status == PM_OK;
    return status;
}

pm_status pmi_gpu_resident_load_batch(pm_resident *resident, const pmi_gpu_batch *batch, uint64_t base) {
    const pm_status status = call_run(
        load_run,
        (call){.resident = resident, .parens = batch->parens, .offsets = batch->offsets, .sequences = batch->count});
    if (status != PM_OK)
        return status;
    const uint64_t skip = batch->offsets ? batch->offsets[0] : 0;
    resident->base = base;
    resident->shape.first = base + skip;
    resident->shape.n = batch->offsets ? batch->offsets[batch->count] - skip : 0;
    resident->shape.count = batch->count;
    resident->loaded = true;
    return PM_OK;
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
        pmi_device_slice *const slice = &of->resident->slices[k];
        const uint64_t from = of->first > slice->origin ? of->first : slice->origin;
        const uint64_t to = pmi_min(of->first + of->elements, (uint64_t)slice->origin + slice->n);
        if (from < to)
            status = pmi_device_slice_read(slice, (uint32_t)(from - slice->origin), (uint32_t)(to - from),
                                           of->match + (from - of->first));
    }
    return status;
}

pm_status pmi_gpu_resident_read(pm_resident *resident, uint64_t first, uint64_t count, uint32_t *match) {
    return call_run(read_run,
                    (call){.resident = resident, .first = first - resident->base, .elements = count, .match = match});
}

static pm_status read_totals_run(pmi_gpu *gpu, void *arguments) {
    (void)gpu;
    const call *const of = arguments;
    pmi_device_slice *const slice = &of->resident->slices[0];
    if (!of->resident->matched)
        return PM_INVALID_ARGUMENT;
    if (of->sequences == 0)
        return PM_OK;
    if (slice->n == 0) { /* nothing was matched */
        memset(of->totals, 0, of->sequences * sizeof *of->totals);
        return PM_OK;
    }
    return pmi_device_slice_read_totals(slice, (uint32_t)of->first, (uint32_t)of->sequences, of->totals);
}

pm_status pmi_gpu_resident_read_totals(pm_resident *resident, uint64_t first, uint64_t count, pm_bic *totals) {
    const pm_status status =
        call_run(read_totals_run, (call){.resident = resident, .first = first, .sequences = count, .totals = totals});
    if (status == PM_OK && count > 0)
        pmi_batch_totals_widen(totals, count);
    return status;
}

/* ---- Opening and closing ---- */

const pmi_gpu_resident_shape *pmi_gpu_resident_shape_of(const pm_resident *resident) {
    return &resident->shape;
}

/* Elements of all slices except the last, if they are equal: whole superblocks. */
static uint64_t slice_elements(const pm_resident *resident) {
    const uint64_t least = resident->gpu->executors[0].slice_elements;
    const uint64_t n = resident->shape.n, most = n / least, count = resident->gpu->count;
    const uint64_t round = (most == 0 ? 1 : pmi_min(most, count)) * PM_SUPERBLOCK; /* a superblock for each */
    return (n + round - 1) / round * PM_SUPERBLOCK;
}

static pm_status open_run(pmi_gpu *gpu, void *arguments) {
    const call *const of = arguments;
    pm_resident *const resident = of->resident;
    const uint64_t all = resident->shape.n, equal = slice_elements(resident);
    const uint32_t ahead = AHEAD_MIN + gpu->count * AHEAD_FOR_EACH;
    uint64_t origin = 0;
    pm_status status = PM_OK;
    for (unsigned k = 0; k < gpu->count && status == PM_OK; k++) {
        const uint32_t n = of->lengths ? of->lengths[k] : pmi_min32(equal, all - origin);
        pmi_executor *const executor = &gpu->executors[k];
        status =
            pmi_device_slice_open(executor, (uint32_t)origin, n, all,
                                  executor->ahead_elements ? executor->ahead_elements : ahead, &resident->slices[k]);
        resident->count++;
        origin += n;
    }
    return status;
}

static pm_status open_batch_run(pmi_gpu *gpu, void *arguments) {
    const call *const of = arguments;
    pm_resident *const resident = of->resident;
    resident->count = 1;
    return pmi_device_slice_open_batch(&gpu->executors[0], (uint32_t)resident->shape.n_most,
                                       (uint32_t)resident->shape.count_most, &resident->slices[0]);
}

static pm_status create(pmi_gpu *gpu, pmi_gpu_resident_shape shape, const uint32_t *lengths, pm_resident **resident) {
    pm_resident *const created =
        pmi_memory_allocate_with(&gpu->allocator, sizeof *created, gpu->count, sizeof *created->slices);
    if (!created)
        return PM_OUT_OF_MEMORY;
    shape.allocator = &gpu->allocator;
    *created = (pm_resident){.gpu = gpu, .shape = shape, .loaded = shape.n_most == 0};
    const pm_status status =
        call_run(shape.of_batch ? open_batch_run : open_run, (call){.resident = created, .lengths = lengths});
    if (status != PM_OK) {
        pmi_gpu_resident_destroy(created);
        return status;
    }
    *resident = created;
    return PM_OK;
}

pm_status pmi_gpu_resident_create(pmi_gpu *gpu, uint64_t n, const uint32_t *lengths, pm_resident **resident) {
    return create(gpu, (pmi_gpu_resident_shape){.n_most = n, .n = n}, lengths, resident);
}

pm_status pmi_gpu_resident_create_batch(pmi_gpu *gpu, uint64_t n, uint64_t count, pm_resident **resident) {
    return create(gpu, (pmi_gpu_resident_shape){.of_batch = true, .n_most = n, .count_most = count}, NULL, resident);
}

void pmi_gpu_resident_destroy(pm_resident *resident) {
    pmi_gpu *const gpu = resident->gpu;
    for (unsigned k = 0; k < gpu->count; k++) /* work is in flight only after a failure */
        gpu->executors[k].device.vk->DeviceWaitIdle(gpu->executors[k].device.handle);
    for (unsigned k = 0; k < resident->count; k++)
        pmi_device_slice_close(&resident->slices[k]);
    pmi_memory_free(&gpu->allocator, resident);
}
