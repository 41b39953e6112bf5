/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The exchange of opens that a plan asks for. Owners send without being asked, in blocks; so each open is sent to who
 * needs it once, and a rank's memory for it is two blocks on their way out, one coming in, and what it needs itself.
 * Blocks are taken as they come, whoever owns them: who waited for the owners in turn would keep the later ones from
 * going on to their next receivers, and these in turn theirs, until all ranks have waited for all others.
 */
#ifndef PM_MPI_EXCHANGE_H
#define PM_MPI_EXCHANGE_H

#include "mpi/group.h"
#include "mpi/plan.h"

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
 * Sends and receives everything. PM_OUT_OF_MEMORY where there is none for what is received; all that is to be sent has
 * been sent nevertheless, and all that comes has been taken. PM_IO where MPI fails.
 */
pm_status pmi_mpi_exchange_run(pmi_mpi_exchange *exchange);

/* Gives back the lowest block that was received, of at least one. */
void pmi_mpi_exchange_drop(pmi_mpi_exchange *exchange);

/* Gives back what was received. */
void pmi_mpi_exchange_free(pmi_mpi_exchange *exchange);

#endif
