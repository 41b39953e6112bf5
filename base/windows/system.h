/* SPDX-License-Identifier: Apache-2.0 */
/* What the library asks of Windows in addition to POSIX's functions. */
#ifndef PM_BASE_WINDOWS_SYSTEM_H
#define PM_BASE_WINDOWS_SYSTEM_H

#include <stddef.h>

/* Keeps the DLL or program that this is a part of loaded until the process ends. */
void pmi_windows_stay_loaded(void);

/* Fills the buffer with random bytes. Returns 0, or -1 if the system gives no such bytes. */
int pmi_windows_getentropy(void *buffer, size_t size);
#define getentropy pmi_windows_getentropy

#endif
