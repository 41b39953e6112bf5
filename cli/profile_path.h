/* SPDX-License-Identifier: Apache-2.0 */
/* Where the program keeps this machine's profile: with other caches of the user's. */
#ifndef PM_CLI_PROFILE_PATH_H
#define PM_CLI_PROFILE_PATH_H

#include <stdbool.h>

/* $XDG_CACHE_HOME/parenmatch/profile, or the same below $HOME/.cache; to be freed. NULL if the environment has neither,
 * as an absolute path, or without memory. */
char *profile_path(void);

/* Makes the folders that the path goes through, as far as they are missing; false, with errno, where that fails. */
bool profile_path_make(const char *path);

#endif
