/* SPDX-License-Identifier: Apache-2.0 */
/* Printing hits in a text as grep does. */
#ifndef PM_CLI_FIND_PRINT_H
#define PM_CLI_FIND_PRINT_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/source.h"
#include "parenmatch.h"

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
