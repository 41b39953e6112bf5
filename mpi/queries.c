/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Partners and parents of elements of the whole sequence. The rank that has the element answers if it can. If not, it
 * knows from what all slices do to a stack which slice has the answer, and its ordinal among that slice's unmatched
 * elements. Then the rank of that slice answers.
 */
#include <limits.h>

#include "base/memory.h"
#include "mpi/ranks.h"

typedef enum question {
    FIND_CLOSE,
    FIND_OPEN,
    ENCLOSE
} question;

/* What is known of a query when the rank that has the element has been asked; all zeros: there is no answer. It
 * travels, as a sum of what all ranks say, of whom all but one say nothing. */
typedef struct finding {
    uint64_t rank; /* one more than the rank that knows; 0: the answer is there */
    uint64_t what; /* of that rank's unmatched elements, from the side where we come from, this one; or one more than
                      the answer */
} finding;

#define FINDING_WORDS (sizeof(finding) / sizeof(uint64_t))

typedef struct job {
    pmi_mpi_group group;
    pm_context *context;
    const uint64_t *parens;
    uint64_t n, first;     /* of the rank's slice */
    pmi_mpi_slice *slices; /* of all ranks, */
    finding *findings;     /* and one for each query, in the same block of memory */
    pm_bp *bp;
} job;

/* ---- Which slice has the answer ---- */

/* The close of the open that has `above` others above it on the stack after this rank's slice. */
static finding close_after(const job *j, uint64_t above) {
    for (int r = j->group.rank + 1; r < j->group.ranks; r++) {
        const pm_bic bic = j->slices[r].bic;
        if (above < bic.close)
            return (finding){(uint64_t)r + 1, above};
        above += bic.open - bic.close;
    }
    return (finding){0, 0};
}

/* The open so far below the top of the stack before this rank's slice. */
static finding open_before(const job *j, uint64_t below) {
    for (int r = j->group.rank - 1; r >= 0; r--) {
        const pm_bic bic = j->slices[r].bic;
        if (below < bic.open)
            return (finding){(uint64_t)r + 1, below};
        below += bic.close - bic.open;
    }
    return (finding){0, 0};
}

/* Of element i of this rank's slice. What has no partner in the slice has been above, or below, all that follow it, or
 * that come before it; so excesses count these. */
static finding ask_own(const job *j, question asked, uint64_t i) {
    const bool open = pmi_bits_get(j->parens, (size_t)i);
    if (asked != ENCLOSE && open != (asked == FIND_CLOSE))
        return (finding){0, 0};
    const uint64_t found = asked == FIND_CLOSE ? pm_bp_find_close(j->bp, i) : pm_bp_enclose(j->bp, i);
    if (found != PM_BP_NONE)
        return (finding){0, j->first + found + 1};
    const int64_t after = pm_bp_excess(j->bp, i), before = after - (open ? 1 : -1);
    return asked == FIND_CLOSE ? close_after(j, (uint64_t)(pm_bp_excess(j->bp, j->n) - after))
                               : open_before(j, (uint64_t)-before);
}

/* ---- Steps ---- */

static pm_status job_begin(job *j, uint64_t n, size_t count, bool arrays_present) {
    const pm_allocator allocator = pm_context_allocator(j->context);
    const size_t ranks = (size_t)j->group.ranks;
    if (n > SIZE_MAX || count > INT_MAX / FINDING_WORDS)
        return PM_TOO_LARGE;
    if ((n > 0 && !j->parens) || (count > 0 && !arrays_present))
        return PM_INVALID_ARGUMENT;
    j->n = n;
    j->slices = pmi_memory_allocate_with(&allocator, ranks * sizeof *j->slices, count, sizeof *j->findings);
    if (!j->slices)
        return PM_OUT_OF_MEMORY;
    j->findings = (void *)(j->slices + ranks);
    pmi_mpi_slice *const own = &j->slices[j->group.rank];
    own->n = n;
    const pm_status status = pm_slice_reduce(j->context, j->parens, (size_t)n, &own->bic);
    return status == PM_OK ? pm_bp_create(j->context, j->parens, n, &j->bp) : status;
}

static void job_end(job *j) {
    const pm_allocator allocator = pm_context_allocator(j->context);
    pm_bp_destroy(j->bp);
    pmi_memory_free(&allocator, j->slices);
}

static pm_status scan(job *j) {
    const pm_status status = pmi_mpi_status(
        MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, j->slices, PM_MPI_SLICE_WORDS, MPI_UINT64_T, j->group.comm));
    for (int r = 0; r < j->group.rank && status == PM_OK; r++)
        j->first += j->slices[r].n;
    return status;
}

/* Sums up what all ranks say. */
static pm_status sum(const job *j, void *words, size_t count) {
    return pmi_mpi_status(MPI_Allreduce(MPI_IN_PLACE, words, (int)count, MPI_UINT64_T, MPI_SUM, j->group.comm));
}

static pm_status answer_all(job *j, question asked, const uint64_t *i, size_t count, uint64_t *answer) {
    for (size_t k = 0; k < count; k++)
        j->findings[k] =
            i[k] >= j->first && i[k] - j->first < j->n ? ask_own(j, asked, i[k] - j->first) : (finding){0, 0};
    const pm_status status = sum(j, j->findings, count * FINDING_WORDS);
    const uint64_t me = (uint64_t)j->group.rank;
    for (size_t k = 0; k < count && status == PM_OK; k++) {
        const finding f = j->findings[k];
        if (f.rank == 0)
            answer[k] = me == 0 ? f.what : 0;
        else
            answer[k] = f.rank != me + 1 ? 0
                                         : j->first + 1 +
                                               (asked == FIND_CLOSE ? pm_bp_select_unmatched_close(j->bp, f.what)
                                                                    : pm_bp_select_unmatched_open(j->bp, f.what));
    }
    if (status != PM_OK || sum(j, answer, count) != PM_OK)
        return PM_IO;
    for (size_t k = 0; k < count; k++)
        answer[k]--; /* 0 was none, which PM_BP_NONE is now */
    return PM_OK;
}

static pm_status answer_queries(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n, question asked,
                                const uint64_t *i, size_t count, uint64_t *answer) {
    job j = {.context = context, .parens = parens};
    pm_status status = pmi_mpi_group_open(&j.group, comm);
    if (status != PM_OK)
        return status;
    status = pmi_mpi_agree(&j.group, job_begin(&j, n, count, i && answer));
    if (status == PM_OK)
        status = scan(&j);
    if (status == PM_OK)
        status = answer_all(&j, asked, i, count, answer);
    job_end(&j);
    pmi_mpi_group_close(&j.group);
    return status;
}

pm_status pm_mpi_bp_find_close(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n,
                               const uint64_t *i, size_t count, uint64_t *close) {
    return answer_queries(context, comm, parens, n, FIND_CLOSE, i, count, close);
}

pm_status pm_mpi_bp_find_open(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n, const uint64_t *i,
                              size_t count, uint64_t *open) {
    return answer_queries(context, comm, parens, n, FIND_OPEN, i, count, open);
}

pm_status pm_mpi_bp_enclose(pm_context *context, MPI_Comm comm, const uint64_t *parens, uint64_t n, const uint64_t *i,
                            size_t count, uint64_t *open) {
    return answer_queries(context, comm, parens, n, ENCLOSE, i, count, open);
}
