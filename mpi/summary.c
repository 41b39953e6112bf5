/* SPDX-License-Identifier: Apache-2.0 */
/* What a sequence comes to as a whole: every rank sums its slice up, and all ranks put the sums together. */
#include <limits.h>

#include "base/memory.h"
#include "base/slice.h"
#include "mpi/ranks.h"

/* What all ranks know of a slice; as it travels. */
typedef struct slice_sum {
    uint64_t n;
    pm_bic bic;
    uint64_t rise;  /* the highest excess on the way, 0 being that of its beginning */
    uint64_t depth; /* the most opens on the stack, if it begins with an empty one */
} slice_sum;

#define SUM_WORDS (sizeof(slice_sum) / sizeof(uint64_t))

/* ---- A slice */

/* Of each byte, its excess and the highest and lowest excess on the way. */
typedef struct byte_walks {
    signed char excess[256], highest[256], lowest[256];
} byte_walks;

static void byte_walks_make(byte_walks *walks) {
    for (unsigned byte = 0; byte < 256; byte++) {
        int excess = 0, highest = 0, lowest = 0;
        for (unsigned i = 0; i < 8; i++) {
            excess += byte >> i & 1 ? 1 : -1;
            highest = excess > highest ? excess : highest;
            lowest = excess < lowest ? excess : lowest;
        }
        walks->excess[byte] = (signed char)excess;
        walks->highest[byte] = (signed char)highest;
        walks->lowest[byte] = (signed char)lowest;
    }
}

/* Where a walk over a slice is: the excess, and the depth of a stack that was empty at the beginning. */
typedef struct walk {
    int64_t excess, highest, depth, deepest;
} walk;

static void walk_element(walk *at, bool open) {
    at->excess += open ? 1 : -1;
    at->depth += open ? 1 : at->depth > 0 ? -1 : 0;
    at->highest = at->excess > at->highest ? at->excess : at->highest;
    at->deepest = at->depth > at->deepest ? at->depth : at->deepest;
}

/* A byte at once, unless it finds the stack empty. */
static void walk_byte(walk *at, const byte_walks *walks, unsigned byte) {
    if (at->depth + walks->lowest[byte] < 0) {
        for (unsigned i = 0; i < 8; i++)
            walk_element(at, byte >> i & 1);
        return;
    }
    const int64_t highest = at->excess + walks->highest[byte], deepest = at->depth + walks->highest[byte];
    at->highest = highest > at->highest ? highest : at->highest;
    at->deepest = deepest > at->deepest ? deepest : at->deepest;
    at->excess += walks->excess[byte];
    at->depth += walks->excess[byte];
}

/* The highest excess, and the greatest depth. */
static void sum_heights(const uint64_t *parens, size_t n, slice_sum *sum) {
    byte_walks walks;
    byte_walks_make(&walks);
    walk at = {0, 0, 0, 0};
    for (size_t w = 0; w < n / PM_WORD_BITS; w++)
        for (unsigned shift = 0; shift < PM_WORD_BITS; shift += 8)
            walk_byte(&at, &walks, parens[w] >> shift & 255);
    for (size_t i = n - n % PM_WORD_BITS; i < n; i++)
        walk_element(&at, pmi_bits_get(parens, i));
    sum->rise = (uint64_t)at.highest;
    sum->depth = (uint64_t)at.deepest;
}

/* ---- The whole */

static uint64_t opens_of(const slice_sum *sum) {
    return (sum->n + sum->bic.open - sum->bic.close) / 2;
}

/* Puts the slices together. With depth d before it, a slice's depth on the way is d and the excess, or what it would be
 * with an empty stack before it, whichever is more: the stack is not empty, or it has been. */
static void put_together(const slice_sum *sums, int ranks, int rank, pm_mpi_summary *summary) {
    *summary = (pm_mpi_summary){0};
    for (int r = 0; r < ranks; r++) {
        if (r == rank) {
            summary->first = summary->n;
            summary->opens_before = summary->opens;
            summary->before = summary->total;
        }
        const uint64_t above = summary->total.open + sums[r].rise;
        const uint64_t deepest = above > sums[r].depth ? above : sums[r].depth;
        summary->max_depth = deepest > summary->max_depth ? deepest : summary->max_depth;
        summary->n += sums[r].n;
        summary->opens += opens_of(&sums[r]);
        summary->total = pmi_bic_multiply(summary->total, sums[r].bic);
    }
}

static pm_status summarize(const pmi_mpi_group *group, pm_context *context, const uint64_t *parens, uint64_t n,
                           pm_mpi_summary *summary) {
    const pm_allocator allocator = pm_context_allocator(context);
    slice_sum *sums = NULL;
    pm_status status = n > SIZE_MAX ? PM_TOO_LARGE : !summary || (n > 0 && !parens) ? PM_INVALID_ARGUMENT : PM_OK;
    if (status == PM_OK) {
        sums = pmi_memory_allocate(&allocator, (size_t)group->ranks, sizeof *sums);
        status = sums ? PM_OK : PM_OUT_OF_MEMORY;
    }
    if (status == PM_OK) {
        slice_sum *const own = &sums[group->rank];
        own->n = n;
        sum_heights(parens, (size_t)n, own);
        status = pm_slice_reduce(context, parens, (size_t)n, &own->bic);
    }
    status = pmi_mpi_agree(group, status);
    if (status == PM_OK)
        status = pmi_mpi_status(
            MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, sums, (int)SUM_WORDS, MPI_UINT64_T, group->comm));
    if (status == PM_OK)
        put_together(sums, group->ranks, group->rank, summary);
    pmi_memory_free(&allocator, sums);
    return status;
}

pm_status pm_mpi_bp_summary(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n,
                            pm_mpi_summary *summary) {
    pmi_mpi_group group;
    pm_status status = pmi_mpi_group_open(&group, comm);
    if (status != PM_OK)
        return status;
    status = summarize(&group, context, parens, n, summary);
    pmi_mpi_group_close(&group);
    return status;
}

/* ---- Excess */

/* Of those indices that are the rank's own, and 0 for all others. The last rank's include what is past the end. */
static void own_excess(const pm_bp *bp, const pm_mpi_summary *summary, uint64_t n, bool last, const uint64_t *i,
                       size_t count, int64_t *excess) {
    const uint64_t first = summary->first;
    const int64_t before = (int64_t)(2 * summary->opens_before - first);
    for (size_t k = 0; k < count; k++) {
        const bool own = i[k] >= first && (i[k] - first < n || (last && i[k] >= summary->n));
        excess[k] = !own ? 0 : before + (n > 0 ? pm_bp_excess(bp, i[k] - first) : 0);
    }
}

static pm_status find_excess(const pmi_mpi_group *group, pm_context *context, const uint64_t *parens, uint64_t n,
                             const uint64_t *i, size_t count, int64_t *excess) {
    pm_mpi_summary summary;
    pm_status status = summarize(group, context, parens, n, &summary);
    if (status != PM_OK)
        return status;
    pm_bp *bp = NULL;
    status = count > INT_MAX ? PM_TOO_LARGE : count > 0 && (!i || !excess) ? PM_INVALID_ARGUMENT : PM_OK;
    if (status == PM_OK)
        status = pm_bp_create(context, parens, n, &bp);
    status = pmi_mpi_agree(group, status);
    if (status == PM_OK) {
        own_excess(bp, &summary, n, group->rank == group->ranks - 1, i, count, excess);
        status = pmi_mpi_status(MPI_Allreduce(MPI_IN_PLACE, excess, (int)count, MPI_INT64_T, MPI_SUM, group->comm));
    }
    pm_bp_destroy(bp);
    return status;
}

pm_status pm_mpi_bp_excess(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n, const uint64_t *i,
                           size_t count, int64_t *excess) {
    pmi_mpi_group group;
    pm_status status = pmi_mpi_group_open(&group, comm);
    if (status != PM_OK)
        return status;
    status = find_excess(&group, context, parens, n, i, count, excess);
    pmi_mpi_group_close(&group);
    return status;
}
