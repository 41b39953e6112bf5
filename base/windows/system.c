/* SPDX-License-Identifier: Apache-2.0 */
/* Loads libraries and keeps them; random bytes. */
#include "base/windows/system.h"

#include <dlfcn.h>
#include <string.h>
#include <windows.h>

#include <ntsecapi.h>

/* A plain name is not looked for in the current folder, where anyone may have put a file. */
void *dlopen(const char *path, int mode) {
    wchar_t *const name = pmi_windows_wide(path);
    const DWORD places = strpbrk(path, "/\\") ? LOAD_WITH_ALTERED_SEARCH_PATH
                                              : LOAD_LIBRARY_SEARCH_APPLICATION_DIR | LOAD_LIBRARY_SEARCH_SYSTEM32;
    void *const library = name ? LoadLibraryExW(name, NULL, places) : NULL;
    (void)mode;
    free(name);
    return library;
}

void *dlsym(void *library, const char *name) {
    const FARPROC function = GetProcAddress(library, name);
    void *symbol;
    memcpy(&symbol, &function, sizeof symbol);
    return symbol;
}

int dlclose(void *library) {
    return FreeLibrary(library) ? 0 : -1;
}

void pmi_windows_stay_loaded(void) {
    static const char here;
    HMODULE module;
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                       (LPCWSTR)(const void *)&here, &module);
}

int pmi_windows_getentropy(void *buffer, size_t size) {
    return RtlGenRandom(buffer, (ULONG)size) ? 0 : -1;
}
