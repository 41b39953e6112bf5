/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the command fix. */
#ifndef PM_CLI_FIX_FIX_H
#define PM_CLI_FIX_FIX_H

#include <stdbool.h>
#include <stddef.h>

#include "parenmatch.h"

/* Prints the difference of two texts as `diff -u` does; the second is the first with these repairs. */
void fix_print_diff(const char *name, const char *text, size_t n, const pm_repair *repairs, size_t count);

/* Replaces a regular file atomically; it keeps its permissions. A link stays, and what it leads to is replaced.
 * Complains and returns false, with nothing changed, if that fails. */
bool fix_write(const char *path, const char *text, size_t n);

#endif
