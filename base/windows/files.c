/* SPDX-License-Identifier: Apache-2.0 */
/* Files by their names in UTF-8. */
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>
#include <windows.h>

#undef open
#undef read
#undef write
#undef fopen
#undef rename
#undef unlink
#undef mkdir
#undef access
#undef _stat64

/* ---- Opening ---- */

static DWORD creation_of(int flags) {
    if (flags & O_CREAT)
        return flags & O_EXCL ? CREATE_NEW : flags & O_TRUNC ? CREATE_ALWAYS : OPEN_ALWAYS;
    return flags & O_TRUNC ? TRUNCATE_EXISTING : OPEN_EXISTING;
}

static bool is_folder(const wchar_t *name) {
    const DWORD attributes = GetFileAttributesW(name);
    return attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_DIRECTORY;
}

static int open_wide(const wchar_t *name, int flags) {
    const int way = flags & (O_RDONLY | O_WRONLY | O_RDWR);
    const DWORD rights = (way != O_WRONLY ? GENERIC_READ : 0) | (way != O_RDONLY ? GENERIC_WRITE : 0);
    const HANDLE handle = CreateFileW(name, rights, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                      creation_of(flags), FILE_ATTRIBUTE_NORMAL, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        pmi_windows_failed();
        if (errno == EACCES && is_folder(name))
            errno = EISDIR;
        return -1;
    }
    const int file = _open_osfhandle((intptr_t)handle, way | (flags & O_APPEND) | O_BINARY | O_NOINHERIT);
    if (file < 0)
        CloseHandle(handle);
    return file;
}

static int open_file(const char *path, int flags) {
    wchar_t *const name = pmi_windows_wide(strcmp(path, "/dev/null") == 0 ? "nul" : path);
    const int file = name ? open_wide(name, flags) : -1;
    free(name);
    return file;
}

int pmi_windows_open(const char *path, int flags, ...) {
    return open_file(path, flags);
}

FILE *pmi_windows_fopen(const char *path, const char *mode) {
    const int way = strchr(mode, '+') ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
    const int more = *mode == 'w' ? O_CREAT | O_TRUNC : *mode == 'a' ? O_CREAT | O_APPEND : 0;
    const int file = open_file(path, way | more);
    char binary[8];
    snprintf(binary, sizeof binary, "%c%sb", *mode, strchr(mode, '+') ? "+" : "");
    FILE *const stream = file >= 0 ? fdopen(file, binary) : NULL;
    if (file >= 0 && !stream)
        close(file);
    return stream;
}

int pmi_windows_mkstemp(char *template_path) {
    static atomic_uint number;
    const size_t length = strlen(template_path);
    for (unsigned tries = 0; tries < 1000; tries++) {
        const unsigned id = (GetCurrentProcessId() * 4099 + atomic_fetch_add(&number, 1)) % 1000000;
        snprintf(template_path + length - 6, 7, "%06u", id);
        const int file = open_file(template_path, O_RDWR | O_CREAT | O_EXCL);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

/* ---- Bytes ---- */

static unsigned at_most_2_gib(size_t size) {
    return size < INT_MAX ? (unsigned)size : INT_MAX;
}

ssize_t pmi_windows_read(int file, void *to, size_t size) {
    return read(file, to, at_most_2_gib(size));
}

ssize_t pmi_windows_write(int file, const void *from, size_t size) {
    return write(file, from, at_most_2_gib(size));
}

void *pmi_windows_memrchr(const void *text, int byte, size_t size) {
    const unsigned char *const bytes = text;
    while (size > 0 && bytes[size - 1] != (unsigned char)byte)
        size--;
    return size > 0 ? (void *)(uintptr_t)&bytes[size - 1] : NULL;
}

/* ---- Names ---- */

/* A folder may be named with slashes at the end, but the C runtime knows no such name. */
static wchar_t *wide_name(const char *path) {
    wchar_t *const name = pmi_windows_wide(path);
    for (size_t length = name ? wcslen(name) : 0; length > 1 && wcschr(L"/\\", name[length - 1]); length--) {
        if (name[length - 2] == L':')
            break; /* a drive's root */
        name[length - 1] = L'\0';
    }
    return name;
}

int pmi_windows_stat(const char *path, struct stat *about) {
    wchar_t *const name = wide_name(path);
    const int result = name ? _wstat64(name, about) : -1;
    free(name);
    return result;
}

int pmi_windows_rename(const char *from, const char *to) {
    wchar_t *const before = pmi_windows_wide(from), *const after = pmi_windows_wide(to);
    int result = -1;
    if (before && after)
        result = MoveFileExW(before, after, MOVEFILE_REPLACE_EXISTING) ? 0 : pmi_windows_failed();
    free(before);
    free(after);
    return result;
}

int pmi_windows_unlink(const char *path) {
    wchar_t *const name = pmi_windows_wide(path);
    const int result = !name ? -1 : DeleteFileW(name) ? 0 : pmi_windows_failed();
    free(name);
    return result;
}

int pmi_windows_mkdir(const char *path, int mode) {
    wchar_t *const name = wide_name(path);
    const int result = name ? _wmkdir(name) : -1;
    (void)mode;
    free(name);
    return result;
}

int pmi_windows_access(const char *path, int mode) {
    wchar_t *const name = wide_name(path);
    const int result = name ? _waccess(name, mode) : -1;
    free(name);
    return result;
}

char *pmi_windows_realpath(const char *path, char *unused) {
    wchar_t *const name = wide_name(path), *const full = name ? _wfullpath(NULL, name, 0) : NULL;
    char *const real = full ? pmi_windows_narrow(full) : NULL;
    (void)unused;
    for (char *at = real; at && *at; at++)
        if (*at == '\\')
            *at = '/';
    free(full);
    free(name);
    return real;
}
