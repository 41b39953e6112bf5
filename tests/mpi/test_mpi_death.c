/* SPDX-License-Identifier: Apache-2.0 */
/* A rank dies where the others wait for it: to be run by mpi_death.sh, which expects that the launcher ends them. */
#include <unistd.h>

#include "tests/mpi/fixture.h"

int main(int argc, char **argv) {
    const uint64_t pair = 1;
    uint64_t match[2];
    MPI_Init(&argc, &argv);
    if (mpi_rank() == mpi_ranks() - 1)
        _exit(3);
    (void)pm_mpi_match(NULL, MPI_COMM_WORLD, &pair, 2, match, NULL);
    MPI_Finalize();
    return 0;
}
