/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries loaded at run time, by the functions of Windows (base/windows/system.c). */
#ifndef PM_BASE_WINDOWS_DLFCN_H
#define PM_BASE_WINDOWS_DLFCN_H

#define RTLD_NOW 0
#define RTLD_LOCAL 0

#define dlopen pmi_windows_dlopen
#define dlsym pmi_windows_dlsym
#define dlclose pmi_windows_dlclose

void *dlopen(const char *path,
             int mode); /* a plain name is looked for next to the program and in the system's folder */
void *dlsym(void *library, const char *name);
int dlclose(void *library);

#endif
