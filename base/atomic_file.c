/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* fdopen, O_CLOEXEC */
#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

FILE *pmi_atomic_file_open(const char *path) {
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe's writer is not waited for */
    if (descriptor < 0)
        return NULL;
    struct stat status;
    FILE *const file = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) ? fdopen(descriptor, "rb") : NULL;
    if (!file)
        close(descriptor);
    return file;
}

bool pmi_atomic_file_is_private(FILE *file) {
    struct stat status;
    return fstat(fileno(file), &status) == 0 && (status.st_uid == geteuid() || status.st_uid == 0) &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static bool begins_with(const char *path, const char *magic) {
    FILE *const file = pmi_atomic_file_open(path);
    if (!file)
        return false;
    size_t same = 0;
    while (magic[same] != '\0' && getc(file) == (unsigned char)magic[same])
        same++;
    fclose(file);
    return magic[same] == '\0';
}

static bool is_replaceable(const char *path, const char *magic) {
    struct stat status;
    if (lstat(path, &status) != 0)
        return errno == ENOENT;
    return S_ISREG(status.st_mode) && (!magic || status.st_size == 0 || begins_with(path, magic));
}

/* ---- Under another name first ---- */

/* PATH.PROCESS.NUMBER: of this call alone, unless a process of the same number left one behind. */
#define NAME_MORE 40u /* of what follows PATH, with its end */
#define NAME_TRIES 100u

/* A new file, whose name is put into `name`; below 0: none. */
static int create_temporary(const char *path, char *name, size_t room) {
    static atomic_uint number;
    int descriptor = -1;
    for (unsigned tries = 0; tries < NAME_TRIES && descriptor < 0; tries++) {
        snprintf(name, room, "%s.%ld.%u", path, (long)getpid(), atomic_fetch_add(&number, 1));
        descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    return descriptor;
}

static bool write_pieces(int descriptor, const pmi_kept_piece *pieces, size_t count) {
    FILE *const file = fdopen(descriptor, "wb");
    if (!file) {
        close(descriptor);
        return false;
    }
    bool written = true;
    for (size_t k = 0; k < count && written; k++)
        written = fwrite(pieces[k].data, pieces[k].bytes, 1, file) == 1;
    return fclose(file) == 0 && written;
}

pm_status pmi_atomic_file_replace(const pm_allocator *allocator, const char *path, const char *magic,
                                  const pmi_kept_piece *pieces, size_t count) {
    if (!is_replaceable(path, magic))
        return PM_IO;
    const size_t room = strlen(path) + NAME_MORE;
    char *const temporary = pmi_memory_allocate(allocator, room, 1);
    if (!temporary)
        return PM_OUT_OF_MEMORY;
    const int descriptor = create_temporary(path, temporary, room);
    const bool replaced = descriptor >= 0 && write_pieces(descriptor, pieces, count) && rename(temporary, path) == 0;
    if (descriptor >= 0 && !replaced)
        unlink(temporary);
    pmi_memory_free(allocator, temporary);
    return replaced ? PM_OK : PM_IO;
}
