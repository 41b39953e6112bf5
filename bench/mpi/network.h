/* SPDX-License-Identifier: Apache-2.0 */
/* What MPI itself takes here: the figures that the cost model of docs/results/mpi.md begins with. */
#ifndef PM_BENCH_MPI_NETWORK_H
#define PM_BENCH_MPI_NETWORK_H

#include <mpi.h>
#include <stddef.h>

/* Seconds from one rank to another, the first two of comm, for a message of so many bytes: the median of many. */
double mpi_message_seconds(MPI_Comm comm, size_t bytes);

/* Seconds of the calls by which ranks learn of each other's slices: agreeing, and gathering 24 bytes from each. */
double mpi_scan_seconds(MPI_Comm comm);

#endif
