/* SPDX-License-Identifier: Apache-2.0 */
/* Mapped files and pages, by the functions of Windows (base/windows/pages.c). */
#ifndef PM_BASE_WINDOWS_SYS_MMAN_H
#define PM_BASE_WINDOWS_SYS_MMAN_H

#include <stddef.h>
#include <stdint.h>

#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_PRIVATE 1
#define MAP_ANONYMOUS 2
#define MAP_NORESERVE 0
#define MAP_FAILED ((void *)(intptr_t)-1)

#define mmap pmi_windows_mmap
#define munmap pmi_windows_munmap
#define mprotect pmi_windows_mprotect

/* Maps a file for reading, or anonymous pages. Addresses cannot be asked for. */
void *mmap(void *address, size_t length, int protection, int flags, int file, int64_t offset);
int munmap(void *address, size_t length); /* all of a mapping */
int mprotect(void *address, size_t length, int protection);

#define POSIX_MADV_SEQUENTIAL 2
static inline int posix_madvise(void *address, size_t length, int advice) {
    (void)address, (void)length, (void)advice;
    return 0;
}

#endif
