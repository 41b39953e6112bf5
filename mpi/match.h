/* SPDX-License-Identifier: Apache-2.0 */
/* Matching, for a sequence that is itself part of a longer one. */
#ifndef PM_MPI_MATCH_H
#define PM_MPI_MATCH_H

#include "parenmatch_mpi.h"

/* pm_mpi_match_costs(), but that the sequence's first element has index `origin`, the same on all ranks. */
pm_status pmi_mpi_match_at(pm_context *context, MPI_Comm comm, uint64_t origin, const uint64_t *parens, uint64_t n,
                           uint64_t *match, pm_bic *total, pm_mpi_costs *costs);

#endif
