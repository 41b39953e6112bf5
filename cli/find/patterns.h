/* SPDX-License-Identifier: Apache-2.0 */
/* The patterns that parenmatch find looks for: from the command line and from files, each once. */
#ifndef PM_CLI_FIND_PATTERNS_H
#define PM_CLI_FIND_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/source.h"

typedef struct pattern_list {
    const char **patterns;
    size_t *lengths;
    size_t count, room;
    text_source *files; /* that patterns lie in */
    size_t file_count;
} pattern_list;

/* Adds a pattern of the command line, which stays where it is. Complains and returns false if it is empty. */
bool patterns_add(pattern_list *list, const char *pattern);

/* Adds the lines of a file, "-" for standard input. Complains and returns false if it cannot be read or has an empty
 * line. */
bool patterns_add_file(pattern_list *list, const char *path);

/* Keeps only the first of equal patterns, which may differ in ASCII case if that is ignored. */
bool patterns_make_distinct(pattern_list *list, bool ignore_case);

void patterns_clear(pattern_list *list);

#endif
