/* SPDX-License-Identifier: Apache-2.0 */
/* The ranks of one collective call, and how they agree on what it came to. */
#ifndef PM_MPI_GROUP_H
#define PM_MPI_GROUP_H

#include "parenmatch_mpi.h"

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

#endif
