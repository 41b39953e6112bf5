/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slices of a text put together: which of the brackets that they leave belong to each other, and the faults of the
 * whole, which the first rank gets. It also gets a byte for every bracket left, so its memory is in proportion to
 * these.
 */
#ifndef PM_CLI_MPI_MERGE_H
#define PM_CLI_MPI_MERGE_H

#include "cli/mpi/slice.h"

typedef struct merged_text {
    uint64_t faults; /* all of them; the rest is of the first rank only */
    slice_faults shown;
} merged_text;

/* Collective. Puts at most `most` faults into `shown`, those that a check of the whole would report first and in its
 * order. False where a rank has no memory, or there is too much for MPI's numbers. */
bool merge_slices(const text_slice *slice, MPI_Comm comm, const slice_rule *rule, const pm_alphabet *alphabet,
                  size_t most, merged_text *merged);

void merge_free(merged_text *merged);

#endif
