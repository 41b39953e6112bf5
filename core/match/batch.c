/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions that match many sequences in one call, and interleaved ones that keys distinguish. */
#include <string.h>

#include "base/memory.h"
#include "core/match/match.h"
#include "gpu/gpu.h"

/* Checks offsets, and that the arrays are there which elements need. *elements is the sum of all lengths. */
static pm_status check_batch(const pmi_batch *batch, bool arrays_present, uint64_t *elements) {
    *elements = 0;
    if (batch->count == 0)
        return PM_OK;
    if (!batch->offsets)
        return PM_INVALID_ARGUMENT;
    bool descends = false, too_long = false;
    for (size_t s = 0; s < batch->count; s++) {
        descends |= batch->offsets[s + 1] < batch->offsets[s];
        too_long |= pmi_batch_length(batch, s) > PM_N_MAX;
    }
    *elements = batch->offsets[batch->count] - batch->offsets[0];
    if (descends || (*elements > 0 && !arrays_present))
        return PM_INVALID_ARGUMENT;
    return too_long ? PM_TOO_LARGE : PM_OK;
}

/* Who matches the batch: the plain stack, or an engine on as many threads as the number of elements pays for. */
#define PLAIN_STACK (~0u)

typedef unsigned threads_choice(const pm_context *context, uint64_t elements);

static unsigned plain_stack(const pm_context *context, uint64_t elements) {
    (void)context;
    (void)elements;
    return PLAIN_STACK;
}

static unsigned one_thread(const pm_context *context, uint64_t elements) {
    return elements < pmi_simd_of(context)->engine->worthwhile_range ? PLAIN_STACK : 1;
}

static unsigned all_threads(const pm_context *context, uint64_t elements) {
    const unsigned one = one_thread(context, elements);
    return one == 1 && context ? context->threads : one == 1 ? 0 : one;
}

static unsigned best_threads(const pm_context *context, uint64_t elements) {
    const unsigned one = one_thread(context, elements);
    return one == 1 ? pmi_auto_threads(context, elements) : one;
}

/* Checks a batch, and does all of it that has no elements: none are left then. */
static pm_status begin_batch(const pmi_batch *batch, uint64_t *elements) {
    const pm_status status = check_batch(batch, batch->parens && batch->match, elements);
    if (status == PM_OK && batch->count > 0 && *elements == 0 && batch->totals)
        memset(batch->totals, 0, batch->count * sizeof *batch->totals);
    return status;
}

static pm_status match_batch(const pm_context *context, threads_choice *choose, const pmi_batch *batch) {
    uint64_t elements;
    const pm_status status = begin_batch(batch, &elements);
    if (status != PM_OK || elements == 0)
        return status;
    const unsigned threads = choose(context, elements);
    if (threads == PLAIN_STACK) {
        pmi_seq_match_batch(batch);
        return PM_OK;
    }
    const pm_allocator allocator = pm_context_allocator(context);
    return pmi_omp_match_batch(pmi_simd_of(context)->engine, &allocator, threads, batch);
}

pm_status pm_match_batch_seq(pm_context *context, const uint64_t *parens, const uint64_t *offsets, size_t count,
                             uint32_t *match, pm_bic *totals) {
    return match_batch(context, plain_stack, &(pmi_batch){parens, offsets, count, match, totals});
}

pm_status pm_match_batch_broadword(pm_context *context, const uint64_t *parens, const uint64_t *offsets, size_t count,
                                   uint32_t *match, pm_bic *totals) {
    return match_batch(context, one_thread, &(pmi_batch){parens, offsets, count, match, totals});
}

pm_status pm_match_batch_omp(pm_context *context, const uint64_t *parens, const uint64_t *offsets, size_t count,
                             uint32_t *match, pm_bic *totals) {
    return match_batch(context, all_threads, &(pmi_batch){parens, offsets, count, match, totals});
}

pm_status pm_match_batch_auto(pm_context *context, const uint64_t *parens, const uint64_t *offsets, size_t count,
                              uint32_t *match, pm_bic *totals) {
    return match_batch(context, best_threads, &(pmi_batch){parens, offsets, count, match, totals});
}

/* ---- On a device ---- */

enum {
    CHUNK_SEQUENCES = 1 << 26
};

/* Elements of the first word that do not belong to the sequences of a chunk count as a sequence before them. */
static uint64_t chunk_base(const pmi_batch *batch, size_t begin) {
    return batch->offsets[begin] - batch->offsets[begin] % PM_WORD_BITS;
}

/* As many sequences as have at most that many elements together, with these; one may have more. */
static size_t chunk_end(const pmi_batch *batch, size_t begin, uint64_t most) {
    const uint64_t base = chunk_base(batch, begin);
    size_t end = begin + 1;
    while (end < batch->count && end - begin < CHUNK_SEQUENCES && batch->offsets[end + 1] - base <= most)
        end++;
    return end;
}

/* A sequence that begins within a word and is so long that it does not fit with what is before it there. */
static pm_status match_alone(pm_context *context, const pmi_batch *one) {
    const uint64_t first = one->offsets[0], end = one->offsets[1];
    const pm_allocator allocator = pm_context_allocator(context);
    uint64_t *const copy = pmi_memory_allocate(&allocator, pmi_bits_words(end - first), sizeof *copy);
    if (!copy)
        return PM_OUT_OF_MEMORY;
    pm_bic total;
    pmi_bits_align(one->parens, end, first, copy);
    const pm_status status = pmi_gpu_match(context->gpu, copy, end - first, one->match + first, &total);
    pmi_memory_free(&allocator, copy);
    if (status == PM_OK && one->totals)
        *one->totals = total;
    return status;
}

/* The offsets as they count from `base` on: the given ones, or a copy in *moved, to be freed. NULL: no memory. */
static const uint64_t *offsets_from(const pm_allocator *allocator, const pmi_batch *chunk, uint64_t base,
                                    uint64_t **moved) {
    *moved = base > 0 ? pmi_memory_allocate(allocator, chunk->count + 1, sizeof **moved) : NULL;
    if (base == 0)
        return chunk->offsets;
    for (size_t s = 0; *moved && s <= chunk->count; s++)
        (*moved)[s] = chunk->offsets[s] - base;
    return *moved;
}

/* The device is given elements from `base` on, and offsets that count from there. */
static pm_status match_from(pm_context *context, const pmi_batch *chunk, uint64_t base) {
    const pm_allocator allocator = pm_context_allocator(context);
    uint64_t *moved;
    const pmi_gpu_batch batch = {.parens = chunk->parens + base / PM_WORD_BITS,
                                 .offsets = offsets_from(&allocator, chunk, base, &moved),
                                 .count = chunk->count,
                                 .match = chunk->match + base,
                                 .totals = chunk->totals};
    const pm_status status = batch.offsets ? pmi_gpu_match_batch(context->gpu, &batch) : PM_OUT_OF_MEMORY;
    pmi_memory_free(&allocator, moved);
    return status;
}

static pm_status match_chunk(pm_context *context, const pmi_batch *chunk) {
    const uint64_t base = chunk_base(chunk, 0), first = chunk->offsets[0], end = chunk->offsets[chunk->count];
    if (end - base > PM_N_MAX)
        return match_alone(context, chunk);
    if (end > first)
        return match_from(context, chunk, base);
    if (chunk->totals)
        memset(chunk->totals, 0, chunk->count * sizeof *chunk->totals);
    return PM_OK;
}

pm_status pmi_match_batch_gpu(pm_context *context, const pmi_batch *batch, uint64_t most) {
    uint64_t elements;
    pm_status status = context ? begin_batch(batch, &elements) : PM_INVALID_ARGUMENT;
    if (status != PM_OK || elements == 0)
        return status;
    status = pmi_context_gpu_open(context);
    for (size_t s = 0, end; s < batch->count && status == PM_OK; s = end) {
        end = chunk_end(batch, s, most);
        pm_bic *const totals = batch->totals ? batch->totals + s : NULL;
        status = match_chunk(context, &(pmi_batch){batch->parens, batch->offsets + s, end - s, batch->match, totals});
    }
    return status;
}

pm_status pm_match_batch_gpu(pm_context *context, const uint64_t *parens, const uint64_t *offsets, size_t count,
                             uint32_t *match, pm_bic *totals) {
    return pmi_match_batch_gpu(context, &(pmi_batch){parens, offsets, count, match, totals}, PM_N_MAX);
}

/* ---- Sequences that stay on a device ---- */

pm_status pm_resident_create_batch(pm_context *context, uint64_t n, uint64_t count, pm_resident **resident) {
    if (!resident)
        return PM_INVALID_ARGUMENT;
    *resident = NULL;
    if (!context)
        return PM_INVALID_ARGUMENT;
    const uint64_t before = PM_WORD_BITS - 1; /* elements of the first word that belong to no sequence, at most */
    if (n > PM_N_MAX - before || count > INT32_MAX)
        return PM_TOO_LARGE;
    const pm_status status = pmi_context_gpu_open(context);
    return status == PM_OK ? pmi_gpu_resident_create_batch(context->gpu, n + before, count, resident) : status;
}

pm_status pm_resident_load_batch(pm_resident *resident, const uint64_t *parens, const uint64_t *offsets, size_t count) {
    const pmi_batch batch = {.parens = parens, .offsets = offsets, .count = count};
    const pmi_gpu_resident_shape *const shape = resident ? pmi_gpu_resident_shape_of(resident) : NULL;
    uint64_t elements;
    const pm_status checked =
        shape && shape->of_batch ? check_batch(&batch, parens != NULL, &elements) : PM_INVALID_ARGUMENT;
    if (checked != PM_OK)
        return checked;
    if (count > shape->count_most || elements > shape->n_most - (PM_WORD_BITS - 1))
        return PM_TOO_LARGE;
    if (elements == 0)
        return pmi_gpu_resident_load_batch(resident, &(pmi_gpu_batch){.count = count}, count > 0 ? offsets[0] : 0);
    const uint64_t base = chunk_base(&batch, 0);
    uint64_t *moved;
    const pmi_gpu_batch from_base = {.parens = parens + base / PM_WORD_BITS,
                                     .offsets = offsets_from(shape->allocator, &batch, base, &moved),
                                     .count = count};
    const pm_status status =
        from_base.offsets ? pmi_gpu_resident_load_batch(resident, &from_base, base) : PM_OUT_OF_MEMORY;
    pmi_memory_free(shape->allocator, moved);
    return status;
}

pm_status pm_resident_read_totals(pm_resident *resident, uint64_t first, uint64_t count, pm_bic *totals) {
    const pmi_gpu_resident_shape *const shape = resident ? pmi_gpu_resident_shape_of(resident) : NULL;
    if (!shape || !shape->of_batch || (count > 0 && !totals) || first > shape->count || count > shape->count - first)
        return PM_INVALID_ARGUMENT;
    return pmi_gpu_resident_read_totals(resident, first, count, totals);
}

/* ---- Keys ---- */

pm_status pm_match_keys(pm_context *context, const uint64_t *parens, const void *keys, size_t width, size_t n,
                        uint32_t *match) {
    const pm_status status = pmi_arguments_check(n, parens && keys && match);
    if (width != 1 && width != 2 && width != 4)
        return PM_INVALID_ARGUMENT;
    if (status != PM_OK || n == 0)
        return status;
    const pm_allocator allocator = pm_context_allocator(context);
    return pmi_omp_match_keys(&allocator, context ? context->threads : 0, parens, keys, width, n, match);
}
