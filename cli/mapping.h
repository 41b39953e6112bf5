/* SPDX-License-Identifier: Apache-2.0 */
/* Mapped files that another program cuts short: reading what is gone raises a signal. */
#ifndef PM_CLI_MAPPING_H
#define PM_CLI_MAPPING_H

#include <stdbool.h>
#include <stddef.h>

typedef struct guarded_mapping guarded_mapping;

/* Is told of a mapping. If it is to be guarded and is cut short, zeros take the place of what is gone, whichever thread
 * reads them. Without a guard, or with too many of them, the program ends with a message about the file of that name,
 * which stays valid. Returns the guard, or NULL. */
guarded_mapping *mapping_begin(const void *text, size_t length, const char *name, bool guard);

/* Has it been cut short? */
bool mapping_is_cut(const guarded_mapping *mapping);

/* Ends the guard, before the mapping ends. Returns whether it has been cut short. */
bool mapping_end(guarded_mapping *mapping);

#endif
