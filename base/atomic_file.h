/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that the library keeps for itself between runs: profiles, and what drivers have compiled. They are read without
 * waiting and replaced at one stroke, so that nobody ever sees half of one. What is there and is no regular file (a
 * pipe, /dev/null) is neither read nor replaced.
 */
#ifndef PM_BASE_ATOMIC_FILE_H
#define PM_BASE_ATOMIC_FILE_H

#include <stdio.h>

#include "parenmatch.h"

/* Opens a file for reading; NULL if it does not exist. The caller closes it. */
FILE *pmi_atomic_file_open(const char *path);

/* A piece of what is to be written. */
typedef struct pmi_kept_piece {
    const void *data;
    size_t bytes; /* not 0 */
} pmi_kept_piece;

/*
 * Writes the pieces, one behind the other, into a new file of the same folder and gives that this name. Its rights are
 * those of any file that the process makes. PM_IO (nothing has changed then), PM_OUT_OF_MEMORY.
 */
pm_status pmi_atomic_file_replace(const pm_allocator *allocator, const char *path, const pmi_kept_piece *pieces,
                                  size_t count);

#endif
