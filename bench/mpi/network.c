/* SPDX-License-Identifier: Apache-2.0 */
/* Messages to and fro, and small collective calls. */
#include "bench/mpi/network.h"

#include <stdint.h>
#include <stdlib.h>

#include "bench/mpi/case.h"

#define ROUNDS 200u
#define WORDS_OF_SLICE 3

double mpi_message_seconds(MPI_Comm comm, size_t bytes) {
    double times[ROUNDS] = {0};
    unsigned char *const message = calloc(bytes, 1);
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Barrier(comm);
    for (unsigned r = 0; r < ROUNDS && message && rank < 2; r++) {
        const double begun = MPI_Wtime();
        if (rank == 0)
            MPI_Send(message, (int)bytes, MPI_BYTE, 1, 0, comm);
        MPI_Recv(message, (int)bytes, MPI_BYTE, 1 - rank, 0, comm, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(message, (int)bytes, MPI_BYTE, 0, 0, comm);
        times[r] = (MPI_Wtime() - begun) / 2;
    }
    free(message);
    return distribution_of(times, ROUNDS).median;
}

double mpi_scan_seconds(MPI_Comm comm) {
    double times[ROUNDS] = {0};
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    uint64_t *const all = calloc((size_t)ranks * WORDS_OF_SLICE, sizeof *all);
    if (!mpi_all(comm, all != NULL)) {
        free(all);
        return 0;
    }
    for (unsigned r = 0; r < ROUNDS; r++) {
        long long least = rank;
        MPI_Barrier(comm);
        const double begun = MPI_Wtime();
        MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_LONG_LONG, MPI_MIN, comm);
        MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, WORDS_OF_SLICE, MPI_UINT64_T, comm);
        times[r] = MPI_Wtime() - begun;
    }
    free(all);
    return mpi_greatest(comm, distribution_of(times, ROUNDS).median);
}
