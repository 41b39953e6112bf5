/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of memory, mapped files among them, and what the system says about its own. */
#include <errno.h>
#include <sys/mman.h>
#include <windows.h>

static DWORD protection_of(int protection) {
    return protection & PROT_WRITE ? PAGE_READWRITE : protection & PROT_READ ? PAGE_READONLY : PAGE_NOACCESS;
}

static void *map_file(int file, size_t length, int64_t offset) {
    const HANDLE mapping =
        CreateFileMappingW((HANDLE)_get_osfhandle(file), NULL, PAGE_READONLY, 0, 0, NULL); /* of the whole file */
    if (!mapping)
        return NULL;
    const uint64_t begin = (uint64_t)offset;
    void *const view = MapViewOfFile(mapping, FILE_MAP_READ, (DWORD)(begin >> 32), (DWORD)begin, length);
    CloseHandle(mapping); /* the view keeps it */
    return view;
}

void *mmap(void *address, size_t length, int protection, int flags, int file, int64_t offset) {
    void *pages = NULL;
    SetLastError(ERROR_NOT_SUPPORTED);
    if (!address && flags & MAP_ANONYMOUS)
        pages = VirtualAlloc(NULL, length, MEM_RESERVE | MEM_COMMIT, protection_of(protection));
    else if (!address && protection == PROT_READ)
        pages = map_file(file, length, offset);
    if (pages)
        return pages;
    pmi_windows_failed();
    return MAP_FAILED;
}

int munmap(void *address, size_t length) {
    MEMORY_BASIC_INFORMATION about;
    (void)length;
    if (VirtualQuery(address, &about, sizeof about) == 0)
        return pmi_windows_failed();
    const BOOL done = about.Type == MEM_MAPPED ? UnmapViewOfFile(address) : VirtualFree(address, 0, MEM_RELEASE);
    return done ? 0 : pmi_windows_failed();
}

int mprotect(void *address, size_t length, int protection) {
    DWORD before;
    return VirtualProtect(address, length, protection_of(protection), &before) ? 0 : pmi_windows_failed();
}

/* ---- The machine ---- */

static long level2_cache(void) {
    DWORD size = 0;
    GetLogicalProcessorInformation(NULL, &size);
    SYSTEM_LOGICAL_PROCESSOR_INFORMATION *const list = malloc(size);
    long bytes = -1;
    if (list && GetLogicalProcessorInformation(list, &size))
        for (size_t k = 0; k < size / sizeof *list && bytes < 0; k++)
            if (list[k].Relationship == RelationCache && list[k].Cache.Level == 2)
                bytes = (long)list[k].Cache.Size;
    free(list);
    return bytes;
}

long pmi_windows_sysconf(int name) {
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    switch (name) {
    case _SC_PAGESIZE:
        return (long)system.dwPageSize;
    case _SC_NPROCESSORS_ONLN:
        return (long)system.dwNumberOfProcessors;
    default:
        return level2_cache();
    }
}
