/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which opens go from where to where. Every rank knows what all slices do to a stack, and so knows of the stack before
 * any slice how many opens of each earlier slice are on it: what is needed there, the owners work out for themselves.
 */
#ifndef PM_MPI_PLAN_H
#define PM_MPI_PLAN_H

#include "base/slice_layers.h"

/* What all ranks know of a slice; as it travels. */
typedef struct pmi_mpi_slice {
    uint64_t n;
    pm_bic bic;
} pmi_mpi_slice;

#define PM_MPI_SLICE_WORDS 3
_Static_assert(sizeof(pmi_mpi_slice) == PM_MPI_SLICE_WORDS * sizeof(uint64_t), "sent as words of 64 bits");

/* Opens next to each other on the stack, all of one slice, that another rank's slice needs. */
typedef struct pmi_mpi_piece {
    int rank; /* the other side: who needs them, or who owns them */
    bool kept;
    uint64_t skip;  /* opens of that slice above them, which slices between the two have closed */
    uint64_t opens; /* > 0. The lowest is only looked at if `kept`, and stays on the stack; the others are closed. */
} pmi_mpi_piece;

/* A rank's own part. */
typedef struct pmi_mpi_plan {
    uint64_t first;          /* index of the slice's first element */
    pm_bic total;            /* of all slices */
    pm_bic before;           /* of those before */
    pmi_mpi_piece *sends;    /* top first, from one receiver to the next; room for as many as there are ranks */
    pmi_mpi_piece *needs;    /* top first, from one owner to the one below; likewise */
    pmi_slice_layer *layers; /* scratch; likewise */
    int send_count, need_count;
} pmi_mpi_plan;

/* Fills in all but the arrays' addresses. */
void pmi_mpi_plan_make(pmi_mpi_plan *plan, const pmi_mpi_slice *slices, int ranks, int rank);

#endif
