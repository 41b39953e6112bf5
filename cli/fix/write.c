/* SPDX-License-Identifier: Apache-2.0 */
/* Replacing a file: the new text goes into a new file of the same folder, which then takes the name. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/fix/fix.h"

static bool write_all(int descriptor, const char *text, size_t n) {
    while (n > 0) {
        const ssize_t written = write(descriptor, text, n);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text += written;
        n -= (size_t)written;
    }
    return true;
}

/* Root may write the file of another one, which stays theirs. */
static bool keep_owner(int descriptor, const struct stat *about) {
    return geteuid() != 0 || fchown(descriptor, about->st_uid, about->st_gid) == 0;
}

/* Writes the new file and renames it; a file that may not be written is left alone. Returns false with errno set. */
static bool replace(const char *path, char *temporary, const char *text, size_t n) {
    struct stat about;
    if (access(path, W_OK) != 0 || stat(path, &about) != 0)
        return false;
    const int descriptor = mkstemp(temporary);
    if (descriptor < 0)
        return false;
    bool done = write_all(descriptor, text, n) && keep_owner(descriptor, &about) &&
                fchmod(descriptor, about.st_mode & 07777) == 0 && fsync(descriptor) == 0;
    done = close(descriptor) == 0 && done;
    done = done && rename(temporary, path) == 0;
    const int error = errno;
    if (!done)
        (void)unlink(temporary);
    errno = error;
    return done;
}

bool fix_write(const char *path, const char *text, size_t n) {
    static const char ending[] = ".XXXXXX";
    char *const real = realpath(path, NULL);
    const size_t length = real ? strlen(real) : 0;
    char *const temporary = real ? malloc(length + sizeof ending) : NULL;
    bool done = false;
    if (temporary) {
        memcpy(temporary, real, length);
        memcpy(temporary + length, ending, sizeof ending);
        done = replace(real, temporary, text, n);
    }
    if (!done)
        complain("%s: %s", path, strerror(errno));
    free(temporary);
    free(real);
    return done;
}
