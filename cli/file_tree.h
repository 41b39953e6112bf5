/* SPDX-License-Identifier: Apache-2.0 */
/* The files below a directory. */
#ifndef PM_CLI_FILE_TREE_H
#define PM_CLI_FILE_TREE_H

#include <stdbool.h>

/*
 * Calls visit for a path that is no directory; for a directory, in order of names, for each regular file below it whose
 * name tells its language. Symbolic links met below are not followed. Complains and returns false where a directory
 * cannot be read; what can be is visited all the same.
 */
bool file_tree_visit(const char *path, void (*visit)(const char *path, void *user), void *user);

#endif
