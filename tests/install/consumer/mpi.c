/* SPDX-License-Identifier: Apache-2.0 */
/* A program of a stranger for several ranks, run as one; prints the versions of header and library. */
#include <parenmatch_mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    const uint64_t pair = 1;
    uint64_t match[2];
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS || pm_mpi_match(NULL, MPI_COMM_WORLD, &pair, 2, match, NULL) != PM_OK)
        return 1;
    MPI_Finalize();
    return match[0] != PM_BP_NONE || match[1] != 0 || printf("%s %s\n", PM_VERSION_STRING, pm_version_string()) < 0;
}
