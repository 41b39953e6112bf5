/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the command find. */
#ifndef PM_CLI_FIND_FIND_H
#define PM_CLI_FIND_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/machine_options.h"
#include "cli/source.h"
#include "parenmatch.h"

/* ---- The patterns that parenmatch find looks for: from the command line and from files, each once ---- */

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

/* ---- What parenmatch find is asked to do ---- */

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

/* ---- Printing hits in a text as grep does ---- */

/* What is printed of hits. */
typedef enum hit_form {
    HITS_AS_LINES, /* the lines that they begin in, each once */
    HITS_ALONE,    /* what was found */
    HITS_AS_JSON,  /* an object for each */
    HITS_COUNTED,  /* nothing: lines are counted */
    HITS_NOTICED   /* nothing: the first is enough */
} hit_form;

typedef struct hit_printer {
    hit_form form;
    bool file_names, line_numbers, byte_offsets;
    const pm_dict *dict;

    const text_source *source; /* loaded as a whole */
    uint64_t line;             /* where the reader stands: its number, from 1, */
    size_t begin, end;         /* where it begins, and behind its newline; both 0 before the first line */
    uint64_t lines;            /* that have hits */
} hit_printer;

/* Begins with another text. */
void hits_begin(hit_printer *printer, const text_source *source);

/* A pm_find_report whose user is the printer. */
bool hits_print(const pm_hit *hits, size_t count, void *user);

#endif
