/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several threads on one rank's slice. They do with parts of it what ranks do with slices: reduce them all, and match
 * each as a stream that begins in the middle, with what parts before it and other ranks leave on the stack. Parts that
 * need nothing of other ranks are matched while that is on its way.
 */
#ifndef PM_MPI_TEAM_H
#define PM_MPI_TEAM_H

#ifdef _OPENMP
#include <omp.h>
#endif

#include "mpi/ranks.h"

/* What a thread works with. */
typedef struct pmi_mpi_worker {
    pm_context *context;
    pmi_mpi_plan plan; /* of the part at hand */
} pmi_mpi_worker;

typedef struct pmi_mpi_team {
    pm_allocator allocator; /* the rank's; threads take turns: */
#ifdef _OPENMP
    omp_lock_t turn;
#endif
    unsigned threads;            /* 0: no team, one thread does it all */
    size_t parts, part_elements; /* a multiple of 64 */
    const uint64_t *parens;
    size_t n;
    void *memory;          /* all that follows: */
    pmi_mpi_slice *slices; /* [0]: what other ranks leave on the stack, as if a slice had; then the parts */
    pmi_mpi_worker *workers;
    size_t *order;        /* in which parts are matched: those first that need nothing of other ranks, */
    size_t alone;         /* how many these are */
    pm_open_word *coming; /* what has come from other ranks, the lowest first */
    size_t coming_count;
} pmi_mpi_team;

/* As many threads as pm_options.threads of the context asks for, if the slice is long enough for two; else there is no
 * team. PM_OUT_OF_MEMORY; it is to be closed then, too. */
pm_status pmi_mpi_team_open(pmi_mpi_team *team, pm_context *context, const uint64_t *parens, size_t n);
void pmi_mpi_team_close(pmi_mpi_team *team);

/* Reduces all parts; *bic is the slice's. */
pm_status pmi_mpi_team_reduce(pmi_mpi_team *team, pm_bic *bic);

/* The context of the calling thread while the team works. */
static inline pm_context *pmi_mpi_team_context(const pmi_mpi_team *team) {
    return team->workers[0].context;
}

/* Runs the exchange, which is of that context, on the calling thread, and matches all parts. */
pm_status pmi_mpi_team_match(pmi_mpi_team *team, pmi_mpi_exchange *exchange, uint64_t *match);

/* ---- For the team itself ---- */

/* The rank's allocator, which is for one thread at a time; `user` is the team. */
void *pmi_mpi_team_allocate(size_t size, void *user);
void pmi_mpi_team_free(void *block, void *user);

/* A part's bits, and how many elements it has. */
static inline const uint64_t *pmi_mpi_team_part(const pmi_mpi_team *team, size_t part) {
    return team->parens + part * (team->part_elements / PM_WORD_BITS);
}

static inline size_t pmi_mpi_team_part_length(const pmi_mpi_team *team, size_t part) {
    const size_t rest = team->n - part * team->part_elements;
    return rest < team->part_elements ? rest : team->part_elements;
}

/* Brings a stream to the beginning of the part that the worker's plan is for, `position`, with the stack of that place.
 * `index` is the slice's first element's. */
pm_status pmi_mpi_team_stack(pmi_mpi_team *team, const pmi_mpi_worker *worker, uint64_t index, uint64_t position,
                             pm_stream *stream);

#endif
