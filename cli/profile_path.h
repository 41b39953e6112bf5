/* SPDX-License-Identifier: Apache-2.0 */
/* The path of this machine's profile, in the user's cache directory. */
#ifndef PM_CLI_PROFILE_PATH_H
#define PM_CLI_PROFILE_PATH_H

#include <stdbool.h>

/* Returns $XDG_CACHE_HOME/parenmatch/profile or $HOME/.cache/parenmatch/profile, to be freed. NULL if neither variable
 * is an absolute path, or there is no memory. */
char *profile_path(void);

/* Makes the missing directories of a path; on failure returns false and sets errno. */
bool profile_path_make(const char *path);

#endif
