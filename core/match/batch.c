/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions that match many sequences in one call, and interleaved ones that a key tells apart. */
#include <string.h>

#include "base/memory.h"
#include "core/match/match.h"
#include "gpu/gpu.h"

/* Checks offsets and arrays. *elements is the sum of all lengths. */
static pm_status check_batch(const pmi_batch *batch, uint64_t *elements) {
    if (!batch->offsets)
        return PM_INVALID_ARGUMENT;
    bool descends = false, too_long = false;
    for (size_t s = 0; s < batch->count; s++) {
        descends |= batch->offsets[s + 1] < batch->offsets[s];
        too_long |= pmi_batch_length(batch, s) > PM_N_MAX;
    }
    *elements = batch->offsets[batch->count] - batch->offsets[0];
    if (descends || (*elements > 0 && (!batch->parens || !batch->match)))
        return PM_INVALID_ARGUMENT;
    return too_long ? PM_TOO_LARGE : PM_OK;
}

/* Who matches the batch: the plain stack, or an engine on as many threads as are paid for by so many elements. */
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
    *elements = 0;
    const pm_status status = batch->count > 0 ? check_batch(batch, elements) : PM_OK;
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

/* As many sequences as have at most that many elements together; one may have more. */
static size_t chunk_end(const pmi_batch *batch, size_t begin, uint64_t most) {
    size_t end = begin + 1;
    while (end < batch->count && batch->offsets[end + 1] - batch->offsets[begin] <= most)
        end++;
    return end;
}

/* Matches sequences as if they were one, fewer than 2^32 elements. */
static pm_status match_chunk(pm_context *context, const pmi_batch *chunk) {
    const uint64_t first = chunk->offsets[0], end = chunk->offsets[chunk->count];
    const pm_allocator allocator = pm_context_allocator(context);
    const uint64_t *parens = chunk->parens + first / PM_WORD_BITS;
    uint64_t *copy = NULL;
    pm_status status = PM_OK;
    if (end > first && first % PM_WORD_BITS != 0) {
        parens = copy = pmi_memory_allocate(&allocator, pmi_bits_words(end - first), sizeof *copy);
        if (!copy)
            return PM_OUT_OF_MEMORY;
        pmi_bits_align(chunk->parens, end, first, copy);
    }
    pm_bic total;
    if (end > first)
        status = pmi_gpu_match(context->gpu, parens, end - first, chunk->match + first, &total);
    if (status == PM_OK)
        pmi_omp_settle_batch(pmi_simd_of(context)->engine, context->threads, chunk);
    pmi_memory_free(&allocator, copy);
    return status;
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
