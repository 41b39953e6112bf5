/* SPDX-License-Identifier: Apache-2.0 */
/* A communicator for each call, and agreement. */
#include "mpi/ranks.h"

#include <limits.h>

/* Is MPI running, and this a communicator of one group? */
static bool usable(MPI_Comm comm) {
    int initialized = 0, finalized = 0, inter = 1;
    if (MPI_Initialized(&initialized) != MPI_SUCCESS || !initialized)
        return false;
    if (MPI_Finalized(&finalized) != MPI_SUCCESS || finalized || comm == MPI_COMM_NULL)
        return false;
    return MPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && !inter;
}

pm_status pmi_mpi_group_open(pmi_mpi_group *group, MPI_Comm comm) {
    if (!usable(comm))
        return PM_INVALID_ARGUMENT;
    if (MPI_Comm_dup(comm, &group->comm) != MPI_SUCCESS)
        return PM_IO;
    if (MPI_Comm_set_errhandler(group->comm, MPI_ERRORS_RETURN) == MPI_SUCCESS &&
        MPI_Comm_rank(group->comm, &group->rank) == MPI_SUCCESS &&
        MPI_Comm_size(group->comm, &group->ranks) == MPI_SUCCESS)
        return PM_OK;
    pmi_mpi_group_close(group);
    return PM_IO;
}

void pmi_mpi_group_close(pmi_mpi_group *group) {
    (void)MPI_Comm_free(&group->comm);
}

pm_status pmi_mpi_agree(const pmi_mpi_group *group, pm_status own) {
    const long long codes = 256; /* more than there are statuses */
    long long first = own == PM_OK ? LLONG_MAX : group->rank * codes + (long long)own;
    if (MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_LONG_LONG, MPI_MIN, group->comm) != MPI_SUCCESS)
        return PM_IO;
    return first == LLONG_MAX ? PM_OK : (pm_status)(first % codes);
}
