/* SPDX-License-Identifier: Apache-2.0 */
/* A table of how often things occur in a text: tokens, rows of them, tokens in brackets. */
#ifndef PM_CORE_REPAIR_COUNTS_H
#define PM_CORE_REPAIR_COUNTS_H

#include <stdbool.h>

#include "parenmatch.h"

/* What is counted. */
enum {
    PM_COUNT_WORD = 1,      /* a token */
    PM_COUNT_BEFORE,        /* a token that another one follows; its name */
    PM_COUNT_TOKEN,         /* a token, behind a token */
    PM_COUNT_SORT,          /* a sort, behind a token */
    PM_COUNT_BEFORE_TWO,    /* the sort of one, and a token behind it */
    PM_COUNT_SORT_TWO,      /* a sort, behind those */
    PM_COUNT_AROUND,        /* a token in surroundings */
    PM_COUNT_FORM,          /* a form that another one follows */
    PM_COUNT_FORM_AFTER,    /* a form, behind a form */
    PM_COUNT_INSIDE,        /* a form in a frame that another one follows */
    PM_COUNT_INSIDE_AFTER,  /* a form, behind a form in a frame */
    PM_COUNT_CLOSED,        /* a close whose open had made a frame */
    PM_COUNT_CLOSED_AFTER,  /* a form, behind that */
    PM_COUNT_CALLED,        /* a token before a parenthesis */
    PM_COUNT_ARGUMENTS,     /* ... with this number of arguments */
    PM_COUNT_PAIR,          /* a sort, behind a sort */
    PM_COUNT_BEFORE_NAMES,  /* a token, and a token behind it */
    PM_COUNT_SORT_NAMES,    /* a sort, behind those */
    PM_COUNT_HANGING,       /* a bracket of a kind over several lines, by whether its open ends one */
    PM_COUNT_HANGING_CLOSE, /* ... whose close begins one */
    PM_COUNTS_A_TOKEN = 24
};

#define PM_COUNTS_ROOM_MAX ((size_t)1 << 21) /* entries: what is new in a text that needs more is not counted */

typedef struct pmi_counts {
    uint64_t *table; /* open addressing: a key, and in its lowest bits the count; 0: free */
    size_t mask, used;
    bool full;
} pmi_counts;

/* Returns the key of a count: PM_COUNT_WORD ... of three numbers. */
uint64_t pmi_count_key(unsigned what, uint32_t a, uint32_t b, uint32_t c);

/* Makes room for the counts of one more token: the table is at most two thirds full, or has PM_COUNTS_ROOM_MAX entries.
 * False: out of memory. */
bool pmi_counts_make_room(pmi_counts *counts, const pm_allocator *allocator);
void pmi_counts_clear(pmi_counts *counts, const pm_allocator *allocator);

void pmi_counts_add(pmi_counts *counts, uint64_t key);

/* Returns a count. */
uint32_t pmi_counts_of(const pmi_counts *counts, uint64_t key);

/* Returns a count less a number, at least 0. */
double pmi_counts_get(const pmi_counts *counts, uint64_t key, unsigned less);

/* Returns the natural logarithm of x > 0, to 1e-4; the library does without the mathematical one. */
double pmi_logarithm(double x);

#endif
