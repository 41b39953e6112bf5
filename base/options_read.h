/* SPDX-License-Identifier: Apache-2.0 */
/* Structs that begin with their size: what a caller who was built with another version of the header means by one. */
#ifndef PM_BASE_OPTIONS_READ_H
#define PM_BASE_OPTIONS_READ_H

#include <stddef.h>

#include "parenmatch.h"

/* A struct of a later version has no more bytes than these beside the known ones: what says so is no size, and nothing
 * is read there. */
#define PM_STRUCT_MORE_MOST 4096u

/*
 * Copies what both sides know of *from into *to, the rest of which becomes zero.
 * known  the size of *to, which a struct that says it has size 0 has
 * least  where the struct of the first release ended: PM_INVALID_ARGUMENT for a size below that, or one that is none
 * PM_UNSUPPORTED where something is not zero of what only the caller knows.
 */
pm_status pmi_options_read(const void *from, void *to, size_t known, size_t least);

/*
 * The other way: *from, of size `known`, goes into *to as far as the caller who made that knows it; its size stays as
 * it is. PM_INVALID_ARGUMENT as above.
 */
pm_status pmi_options_write(const void *from, void *to, size_t known, size_t least);

#endif
