/* SPDX-License-Identifier: Apache-2.0 */
/* The files below a directory. */
#ifndef PM_CLI_FILE_TREE_H
#define PM_CLI_FILE_TREE_H

#include <stdbool.h>

/*
 * Calls visit for a path that is not a directory; for a directory, in the order of names, for each regular file below
 * it whose name tells its language. Does not follow symbolic links below it. Complains and returns false if a directory
 * cannot be read, and visits the rest.
 */
bool file_tree_visit(const char *path, void (*visit)(const char *path, void *user), void *user);

#endif
