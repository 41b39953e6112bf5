/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The POSIX functions that this project calls and MinGW lacks, or has in the system's code page. The build includes
 * this file before every C file for Windows. File names are UTF-8. Files are binary, and may be renamed and removed
 * while they are open. Errors are as POSIX has them: in errno.
 */
#ifndef PM_BASE_WINDOWS_POSIX_H
#define PM_BASE_WINDOWS_POSIX_H

#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* Flags that have no meaning here. */
#define O_CLOEXEC 0
#define O_NOFOLLOW 0
#define O_NONBLOCK 0

/* Windows has lists of access rights instead of users and modes: no file counts as private. */
#ifndef S_IWGRP
#define S_IWGRP 0020
#define S_IWOTH 0002
#endif
static inline int geteuid(void) {
    return 0;
}
static inline int fchmod(int file, int mode) { /* the folder says who may do what with a new file */
    (void)mode;
    return _get_osfhandle(file) == -1 ? -1 : 0;
}

int pmi_windows_open(const char *path, int flags, ...);
FILE *pmi_windows_fopen(const char *path, const char *mode);
int pmi_windows_stat(const char *path, struct stat *about);
int pmi_windows_rename(const char *from, const char *to); /* replaces `to` atomically */
int pmi_windows_unlink(const char *path);
int pmi_windows_mkdir(const char *path, int mode);
int pmi_windows_access(const char *path, int mode);
int pmi_windows_mkstemp(char *template_path);         /* the file is removed at the latest by the caller */
char *pmi_windows_realpath(const char *path, char *); /* with slashes; to be freed; the second argument is NULL */

/* Of at most 2 GiB. */
ssize_t pmi_windows_read(int file, void *to, size_t size);
ssize_t pmi_windows_write(int file, const void *from, size_t size);

/* Knows F_GETFD alone: whether a file is open. */
#define F_GETFD 1
static inline int fcntl(int file, int command) {
    (void)command;
    return _get_osfhandle(file) == -1 ? -1 : 0;
}

void *pmi_windows_memrchr(const void *text, int byte, size_t size);

/* Returns the name in UTF-16, to be freed; NULL with errno if there is no memory or it is not UTF-8. */
wchar_t *pmi_windows_wide(const char *path);

/* Returns the text in UTF-8, to be freed; NULL with errno if there is no memory. */
char *pmi_windows_narrow(const wchar_t *text);

/* Sets errno from GetLastError(). Returns -1. */
int pmi_windows_failed(void);

/* `struct stat` is _stat64 to MinGW where files are long. */
#undef stat
#undef fstat
#define stat _stat64
#define fstat _fstat64
#define _stat64(path, about) pmi_windows_stat(path, about)
#define lstat(path, about) pmi_windows_stat(path, about)
#define open pmi_windows_open
#define read pmi_windows_read
#define write pmi_windows_write
#define memrchr pmi_windows_memrchr
#define fopen pmi_windows_fopen
#define rename pmi_windows_rename
#define unlink pmi_windows_unlink
#define mkdir pmi_windows_mkdir
#define access pmi_windows_access
#define fsync _commit
#define geteuid() 1u /* nobody is root */
#define fchown(file, user, group) ((void)(file), (void)(user), (void)(group), 0)
#define mkstemp pmi_windows_mkstemp
#define realpath pmi_windows_realpath

#define _SC_PAGESIZE 1
#define _SC_NPROCESSORS_ONLN 2
#define _SC_LEVEL2_CACHE_SIZE 3
long pmi_windows_sysconf(int name); /* -1: not known */
#define sysconf pmi_windows_sysconf

#endif
