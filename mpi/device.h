/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A rank's slice on the GPUs of its context. They match it as if there were nothing before it, with indices of 32 bits;
 * on their way to 64 the host puts in what comes from other ranks.
 */
#ifndef PM_MPI_DEVICE_H
#define PM_MPI_DEVICE_H

#include "mpi/exchange.h"

/* Slices of so many elements go to devices that the context names. */
bool pmi_mpi_device_takes(const pm_context *context, size_t n);

/* Matches the slice of an exchange that has been run, which is used up by that: it may only be freed. As
 * pm_match_gpu(). */
pm_status pmi_mpi_device_match(pmi_mpi_exchange *exchange, uint64_t *match);

#endif
