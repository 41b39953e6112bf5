/* SPDX-License-Identifier: Apache-2.0 */
/* Names in UTF-8 and in UTF-16, and Windows' errors as errno. */
#include <errno.h>
#include <windows.h>

wchar_t *pmi_windows_wide(const char *path) {
    const int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    wchar_t *const wide = length > 0 ? malloc((size_t)length * sizeof *wide) : NULL;
    if (wide)
        MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, length);
    else
        errno = length > 0 ? ENOMEM : ENOENT;
    return wide;
}

char *pmi_windows_narrow(const wchar_t *text) {
    const int length = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *const narrow = malloc((size_t)length);
    if (narrow)
        WideCharToMultiByte(CP_UTF8, 0, text, -1, narrow, length, NULL, NULL);
    else
        errno = ENOMEM;
    return narrow;
}

int pmi_windows_failed(void) {
    static const struct {
        DWORD from;
        int to;
    } errors[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},   {ERROR_PATH_NOT_FOUND, ENOENT},    {ERROR_INVALID_NAME, ENOENT},
        {ERROR_BAD_NETPATH, ENOENT},      {ERROR_FILE_EXISTS, EEXIST},       {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_ACCESS_DENIED, EACCES},    {ERROR_SHARING_VIOLATION, EACCES}, {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_DISK_FULL, ENOSPC},        {ERROR_DIRECTORY, ENOTDIR},        {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
        {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
    };
    const DWORD error = GetLastError();
    errno = EIO;
    for (size_t k = 0; k < sizeof errors / sizeof *errors; k++)
        if (errors[k].from == error)
            errno = errors[k].to;
    return -1;
}
