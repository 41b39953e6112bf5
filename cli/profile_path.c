/* SPDX-License-Identifier: Apache-2.0 */
/* The profile's path, after the XDG base directory specification; on Windows in the user's local data. */
#include "cli/profile_path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *path_below(const char *folder, const char *rest) {
    const size_t size = strlen(folder) + strlen(rest) + 1;
    char *const path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s", folder, rest);
    return path;
}

#ifdef _WIN32
char *profile_path(void) {
    const wchar_t *const wide = _wgetenv(L"LOCALAPPDATA");
    char *const folder = wide ? pmi_windows_narrow(wide) : NULL;
    char *const path = folder ? path_below(folder, "/parenmatch/profile") : NULL;
    free(folder);
    return path;
}
#else
char *profile_path(void) {
    const char *const cache = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
    if (cache && *cache == '/') /* a relative one is to be ignored */
        return path_below(cache, "/parenmatch/profile");
    return home && *home == '/' ? path_below(home, "/.cache/parenmatch/profile") : NULL;
}
#endif

bool profile_path_make(const char *path) {
    char *const folder = path_below(path, "");
    bool made = folder != NULL;
    for (char *slash = folder; made && (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        made = mkdir(folder, 0700) == 0 || errno == EEXIST;
        *slash = '/';
    }
    free(folder);
    return made;
}
