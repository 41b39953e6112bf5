/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of parenmatch-mpi. */
#ifndef PM_CLI_MPI_COMMANDS_H
#define PM_CLI_MPI_COMMANDS_H

#include <mpi.h>

/* Gets its own name as argv[0], the same arguments on every rank, and returns the same exit code on every rank.
 * Messages are the first rank's: those of others go nowhere. */
int command_mpi_check(MPI_Comm comm, int argc, char **argv);

#endif
