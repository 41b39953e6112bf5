/* SPDX-License-Identifier: Apache-2.0 */
/* Streams into memory. The build includes this file before every C file of the program for Windows. */
#ifndef PM_CLI_WINDOWS_STREAMS_H
#define PM_CLI_WINDOWS_STREAMS_H

#include <stdio.h>

/* Opens a stream; when it is closed, *text is what was written, to be freed, and *size its length. The bytes go to a
 * file that the system keeps in memory if it can. Returns NULL with errno. */
FILE *open_memstream(char **text, size_t *size);

/* Closes any stream. */
int pmi_windows_fclose(FILE *stream);
#define fclose pmi_windows_fclose

#endif
