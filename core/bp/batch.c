/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index of many sequences. It is that of their concatenation, and the partner of an element in its sequence is its
 * partner in the concatenation if that lies in the sequence; otherwise it has none. For the partner is the nearest
 * element with a certain excess, and what is between the two does not depend on what lies outside. So a query is
 * answered by the whole, and an answer outside the bounds of the element's sequence is dropped.
 *
 * The bounds are found by a binary search among the offsets of a stretch of elements. Stretches are as long as 8
 * sequences on average, so that the table of their first offsets takes a byte a sequence.
 */
#include "core/bp/bp.h"

#include <string.h>

#include "base/memory.h"

#define SEQUENCES_PER_STRETCH 8u

/* The first offset behind element i, i < n: the end of its sequence. */
static size_t offset_behind(const pmi_bp_batch *batch, uint64_t i) {
    const uint64_t *const stretch = batch->behind + (i >> batch->shift);
    uint64_t first = stretch[0], left = stretch[1] - first;
    while (left > 0) {
        const uint64_t half = left / 2;
        const bool before = batch->offsets[first + half] <= i;
        first = before ? first + half + 1 : first;
        left = before ? left - half - 1 : half;
    }
    return first;
}

uint64_t pmi_bp_sequence_begin(const pmi_bp_batch *batch, uint64_t i) {
    const size_t behind = offset_behind(batch, i);
    return behind > 0 ? batch->offsets[behind - 1] : 0;
}

uint64_t pmi_bp_sequence_end(const pmi_bp_batch *batch, uint64_t i) {
    return batch->offsets[offset_behind(batch, i)];
}

/* ---- Queries ---- */

static uint64_t keep_before_end(const struct pm_bp *bp, uint64_t i, uint64_t answer) {
    return answer == PM_BP_NONE || answer < pmi_bp_sequence_end(bp->batch, i) ? answer : PM_BP_NONE;
}

static uint64_t keep_from_begin(const struct pm_bp *bp, uint64_t i, uint64_t answer) {
    return answer == PM_BP_NONE || answer >= pmi_bp_sequence_begin(bp->batch, i) ? answer : PM_BP_NONE;
}

static uint64_t find_close_inside(const struct pm_bp *bp, uint64_t i) {
    return keep_before_end(bp, i, bp->batch->whole.find_close(bp, i));
}

static uint64_t find_open_inside(const struct pm_bp *bp, uint64_t i) {
    return keep_from_begin(bp, i, bp->batch->whole.find_open(bp, i));
}

static uint64_t enclose_inside(const struct pm_bp *bp, uint64_t i) {
    return keep_from_begin(bp, i, bp->batch->whole.enclose(bp, i));
}

/* Elements whose answers the whole gives together; a copy of them, because the answers may replace the elements. */
#define TOGETHER ((size_t)256)

static inline void answer_many(const struct pm_bp *bp, pmi_bp_query_many *whole,
                               uint64_t (*keep)(const struct pm_bp *bp, uint64_t i, uint64_t answer), const uint64_t *i,
                               size_t count, uint64_t *answers) {
    for (size_t first = 0; first < count; first += TOGETHER) {
        const size_t some = count - first < TOGETHER ? count - first : TOGETHER;
        uint64_t elements[TOGETHER];
        memcpy(elements, i + first, some * sizeof *elements);
        whole(bp, elements, some, answers + first);
        for (size_t q = 0; q < some; q++)
            answers[first + q] = keep(bp, elements[q], answers[first + q]);
    }
}

static void find_close_many_inside(const struct pm_bp *bp, const uint64_t *i, size_t count, uint64_t *close) {
    answer_many(bp, bp->batch->whole.find_close_many, keep_before_end, i, count, close);
}

static void find_open_many_inside(const struct pm_bp *bp, const uint64_t *i, size_t count, uint64_t *open) {
    answer_many(bp, bp->batch->whole.find_open_many, keep_from_begin, i, count, open);
}

static void enclose_many_inside(const struct pm_bp *bp, const uint64_t *i, size_t count, uint64_t *open) {
    answer_many(bp, bp->batch->whole.enclose_many, keep_from_begin, i, count, open);
}

uint64_t pm_bp_sequence_of(const pm_bp *bp, uint64_t i) {
    if (i >= bp->view.n)
        return PM_BP_NONE;
    const size_t behind = bp->batch ? offset_behind(bp->batch, i) : 1;
    return behind > 0 ? behind - 1 : PM_BP_NONE;
}

/* Sets the bounds of a sequence. Returns false if there is no such sequence, or if it has at most k elements. */
static bool bounds_of(const pm_bp *bp, uint64_t sequence, uint64_t k, uint64_t *begin, uint64_t *end) {
    if (sequence >= (bp->batch ? bp->batch->count : 1))
        return false;
    *begin = bp->batch ? bp->batch->offsets[sequence] : 0;
    *end = bp->batch ? bp->batch->offsets[sequence + 1] : bp->view.n;
    return k < *end - *begin;
}

uint64_t pm_bp_select_unmatched_close_in(const pm_bp *bp, uint64_t sequence, uint64_t k) {
    uint64_t begin, end;
    if (!bounds_of(bp, sequence, k, &begin, &end))
        return PM_BP_NONE;
    const uint64_t close = bp->queries.search_forwards(bp, begin, k + 1);
    return close < end ? close : PM_BP_NONE;
}

uint64_t pm_bp_select_unmatched_open_in(const pm_bp *bp, uint64_t sequence, uint64_t k) {
    uint64_t begin, end;
    if (!bounds_of(bp, sequence, k, &begin, &end))
        return PM_BP_NONE;
    const uint64_t open = bp->queries.search_backwards(bp, end, k + 1);
    return open >= begin ? open : PM_BP_NONE;
}

/* ---- Creating ---- */

/* Fills the table of stretches; its last entry is `count`. */
static void fill_stretches(const pmi_bp_batch *batch, size_t stretches, uint64_t *behind) {
    uint64_t offset = 0;
    for (size_t stretch = 0; stretch < stretches; stretch++) {
        while (offset < batch->count && batch->offsets[offset] <= (uint64_t)stretch << batch->shift)
            offset++;
        behind[stretch] = offset;
    }
    behind[stretches] = batch->count;
}

bool pmi_bp_cut(struct pm_bp *bp, const uint64_t *offsets, size_t count) {
    const uint64_t n = bp->view.n;
    unsigned shift = 0;
    while (n >> shift > count / SEQUENCES_PER_STRETCH)
        shift++;
    const size_t stretches = (size_t)(n >> shift) + 1;
    pmi_bp_batch *const batch =
        pmi_memory_allocate_with(&bp->allocator, sizeof *batch, stretches + 1, sizeof *batch->behind);
    if (!batch)
        return false;
    uint64_t *const behind = (uint64_t *)(void *)(batch + 1);
    *batch = (pmi_bp_batch){bp->queries, offsets, count, shift, behind};
    fill_stretches(batch, stretches, behind);
    bp->batch = bp->blocks[PM_BP_BLOCKS_MAX - 2] = batch;
    bp->size += (stretches + 1) * sizeof *behind;
    bp->queries.find_close = find_close_inside;
    bp->queries.find_open = find_open_inside;
    bp->queries.enclose = enclose_inside;
    bp->queries.find_close_many = find_close_many_inside;
    bp->queries.find_open_many = find_open_many_inside;
    bp->queries.enclose_many = enclose_many_inside;
    return true;
}

static bool ascends(const uint64_t *offsets, size_t count) {
    bool descends = false;
    for (size_t s = 0; s < count; s++)
        descends |= offsets[s + 1] < offsets[s];
    return !descends;
}

pm_status pm_bp_create_batch(pm_context *context, const pm_bp_options *options, const uint64_t *parens,
                             const uint64_t *offsets, size_t count, pm_bp **bp) {
    if (!bp)
        return PM_INVALID_ARGUMENT;
    *bp = NULL;
    if (count > 0 && (!offsets || !ascends(offsets, count)))
        return PM_INVALID_ARGUMENT;
    pm_status status = pm_bp_create_with(context, options, parens, count > 0 ? offsets[count] : 0, bp);
    if (status == PM_OK && !pmi_bp_cut(*bp, offsets, count)) {
        pm_bp_destroy(*bp);
        *bp = NULL;
        status = PM_OUT_OF_MEMORY;
    }
    return status;
}
