/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that the library writes: saved indices and dictionaries, profiles, and what drivers have compiled. They are
 * replaced atomically, so that nobody ever sees half of one. A name that a link, a folder, a pipe or a device has is
 * left alone.
 */
#ifndef PM_BASE_ATOMIC_FILE_H
#define PM_BASE_ATOMIC_FILE_H

#include <stdio.h>

#include "parenmatch.h"

/* Opens a regular file for reading without waiting. Returns NULL if it cannot. The caller closes the file. */
FILE *pmi_atomic_file_open(const char *path);

/* Returns whether only this user and root can have written the file. */
bool pmi_atomic_file_is_private(FILE *file);

/* A piece of what is to be written. */
typedef struct pmi_kept_piece {
    const void *data;
    size_t bytes; /* not 0 */
} pmi_kept_piece;

/*
 * Writes the pieces, one behind the other, into a new file of the same folder and renames it to `path`. Others may read
 * it if the process's mask allows that, but never write it. If `path` exists, it must be a regular file; with `magic`
 * one that is empty or begins with these characters. PM_IO (nothing has changed then), PM_OUT_OF_MEMORY.
 */
pm_status pmi_atomic_file_replace(const pm_allocator *allocator, const char *path, const char *magic,
                                  const pmi_kept_piece *pieces, size_t count);

#endif
