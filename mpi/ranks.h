/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of libparenmatch_mpi share. */
#ifndef PM_MPI_RANKS_H
#define PM_MPI_RANKS_H

#include "base/slice_layers.h"
#include "parenmatch_mpi.h"

/* ---- The ranks of one collective call, and how they agree on what it came to ---- */

typedef struct pmi_mpi_group {
    MPI_Comm comm; /* of this call alone; returns errors */
    int rank, ranks;
} pmi_mpi_group;

/* Duplicates a caller's communicator; collective. On failure there is nothing to close. */
pm_status pmi_mpi_group_open(pmi_mpi_group *group, MPI_Comm comm);

void pmi_mpi_group_close(pmi_mpi_group *group);

/* Collective: PM_OK if that is every rank's own status, else the status of the lowest rank that has another. PM_IO
 * where MPI fails. */
pm_status pmi_mpi_agree(const pmi_mpi_group *group, pm_status own);

/* What a call of MPI came to. */
static inline pm_status pmi_mpi_status(int code) {
    return code == MPI_SUCCESS ? PM_OK : PM_IO;
}

/*
 * Which opens go from where to where. Every rank knows what all slices do to a stack, and so knows of the stack before
 * any slice how many opens of each earlier slice are on it: what is needed there, the owners work out for themselves.
 */

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
    pmi_mpi_piece *needs;    /* top first, from one owner to the one below; as much room */
    pmi_slice_layer *layers; /* scratch; as much room */
    int send_count, need_count;
} pmi_mpi_plan;

/* Fills in all but the arrays' addresses. */
void pmi_mpi_plan_make(pmi_mpi_plan *plan, const pmi_mpi_slice *slices, int ranks, int rank);

/*
 * The exchange of opens that a plan asks for. Owners send without being asked, in blocks; so each open is sent to who
 * needs it once, and a rank's memory for it is two blocks on their way out, one coming in, and what it needs itself.
 * Blocks are taken as they come, whoever owns them: who waited for the owners in turn would keep the later ones from
 * going on to their next receivers, and these in turn theirs, until all ranks have waited for all others.
 */

#define PM_MPI_BLOCK_WORDS 4096 /* of opens, in a message at most */

/* Opens received with one message, lowest first. */
typedef struct pmi_mpi_block {
    struct pmi_mpi_block *above;
    size_t count;
    pm_open_word words[];
} pmi_mpi_block;

/* What has come from one owner. */
typedef struct pmi_mpi_incoming {
    uint64_t left; /* opens that are still to come */
    pmi_mpi_block *lowest, *highest;
} pmi_mpi_incoming;

/* Room for blocks on their way. */
typedef struct pmi_mpi_buffers {
    pm_open_word out[2][PM_MPI_BLOCK_WORDS];
    pm_open_word in[PM_MPI_BLOCK_WORDS];
} pmi_mpi_buffers;

typedef struct pmi_mpi_exchange {
    const pmi_mpi_group *group;
    pm_context *context;
    const uint64_t *parens; /* the slice */
    size_t n;
    const pmi_mpi_plan *plan;
    uint64_t origin; /* index of the sequence's first element */
    pmi_mpi_buffers *buffers;
    pmi_mpi_incoming *incoming; /* room for as many as there are ranks */
    pm_mpi_costs *costs;
    pmi_mpi_block *lowest; /* received; NULL to begin with */
} pmi_mpi_exchange;

/*
 * Sends and receives everything. PM_OUT_OF_MEMORY if there is too little for what is received; all that is to be sent
 * has been sent nevertheless, and all that comes has been taken. PM_IO where MPI fails.
 */
pm_status pmi_mpi_exchange_run(pmi_mpi_exchange *exchange);

/* Gives back the lowest block that was received, of at least one. */
void pmi_mpi_exchange_drop(pmi_mpi_exchange *exchange);

/* Gives back what was received. */
void pmi_mpi_exchange_free(pmi_mpi_exchange *exchange);

/*
 * A rank's slice on the GPUs of its context. They match it as if there were nothing before it, with indices of 32 bits;
 * on their way to 64 the host puts in what comes from other ranks.
 */

/* Do slices of n elements go to devices that the context names? */
bool pmi_mpi_device_takes(const pm_context *context, size_t n);

/* Matches the slice of an exchange that has been run, which is used up by that: it may only be freed. As
 * pm_match_gpu(). */
pm_status pmi_mpi_device_match(pmi_mpi_exchange *exchange, uint64_t *match);

/* ---- Matching, for a sequence that is itself part of a longer one ---- */

/* pm_mpi_match_costs(), but that the sequence's first element has index `origin`, the same on all ranks. */
pm_status pmi_mpi_match_at(pm_context *context, MPI_Comm comm, uint64_t origin, const uint64_t *parens, uint64_t n,
                           uint64_t *match, pm_bic *total, pm_mpi_costs *costs);

#endif
