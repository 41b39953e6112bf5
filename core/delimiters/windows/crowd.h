/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of a text in which something begins at most places (core/delimiters/windows/starts.h), of a check. */
#ifndef PM_CORE_DELIMITERS_WINDOWS_CROWD_H
#define PM_CORE_DELIMITERS_WINDOWS_CROWD_H

#include "core/delimiters/token_scan.h"
#include "core/delimiters/windows/starts.h"

/* Reads a crowded window from byte `from` on. */
void pmi_crowd_read(pmi_token_scan *scan, pmi_starts *starts, size_t from);

/* Reads the events of a window, what begins before scan->next excepted (scan.c). */
void pmi_token_scan_read_window(pmi_token_scan *scan, const pmi_starts *starts);

#endif
