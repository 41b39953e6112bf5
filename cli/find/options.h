/* SPDX-License-Identifier: Apache-2.0 */
/* What parenmatch find is asked to do. */
#ifndef PM_CLI_FIND_OPTIONS_H
#define PM_CLI_FIND_OPTIONS_H

#include <stdbool.h>

#include "cli/find/patterns.h"
#include "cli/machine_options.h"
#include "parenmatch.h"

typedef struct find_request {
    pattern_list patterns;
    bool ignore_case;
    bool alone, count, names_only, quiet, json; /* what is printed: lines, if none of these */
    bool line_numbers, byte_offsets;            /* and what before it */
    int file_names;                             /* -1: if there are several files */
    pm_find_options search;
    machine_options machine;
} find_request;

#define FIND_REQUEST_DEFAULT                                                                                           \
    { .search.kind = PM_FIND_LEFTMOST_LONGEST, .file_names = -1 }

/* Reads the options and patterns; files to search are argv[optind] and on. Returns false, with *code set, when there is
 * nothing more to do. The patterns are to be cleared in any case. */
bool find_options_read(find_request *request, int *code, int argc, char **argv);

#endif
