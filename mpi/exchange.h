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
typedef struct pm_mpi_block {
    struct pm_mpi_block *above;
    size_t count;
    pm_open_word words[];
} pm_mpi_block;

/* What has come from one owner. */
typedef struct pm_mpi_incoming {
    uint64_t left; /* opens that are still to come */
    pm_mpi_block *lowest, *highest;
} pm_mpi_incoming;

/* Room for blocks on their way. */
typedef struct pm_mpi_buffers {
    pm_open_word out[2][PM_MPI_BLOCK_WORDS];
    pm_open_word in[PM_MPI_BLOCK_WORDS];
} pm_mpi_buffers;

typedef struct pm_mpi_exchange {
    const pm_mpi_group *group;
    pm_context *context;
    const uint64_t *parens; /* the slice */
    size_t n;
    const pm_mpi_plan *plan;
    uint64_t origin; /* index of the sequence's first element */
    pm_mpi_buffers *buffers;
    pm_mpi_incoming *incoming; /* room for as many as there are ranks */
    pm_mpi_costs *costs;
    pm_mpi_block *lowest; /* received; NULL to begin with */
} pm_mpi_exchange;

/*
 * Sends and receives everything. PM_OUT_OF_MEMORY where there is none for what is received; all that is to be sent has
 * been sent nevertheless, and all that comes has been taken. PM_IO where MPI fails.
 */
pm_status pm_mpi_exchange_run(pm_mpi_exchange *exchange);

/* Gives back the lowest block that was received, of at least one. */
void pm_mpi_exchange_drop(pm_mpi_exchange *exchange);

/* Gives back what was received. */
void pm_mpi_exchange_free(pm_mpi_exchange *exchange);

#endif
