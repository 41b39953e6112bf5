/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search for the likeliest repair. It reads the tokens from left to right and keeps the likeliest states: a stack
 * of opens, and the changes that led to it. A change costs; so does what contradicts indentation and habits.
 */
#ifndef PM_CORE_REPAIR_SEARCH_H
#define PM_CORE_REPAIR_SEARCH_H

#include "core/repair/habits.h"
#include "core/repair/prior.h"

#define PM_MARGIN_NONE 1e9 /* there is no other repair */
#define PM_MARGIN_FAR 1e6  /* ... near it */
#define PM_CHANGES_MAX 8u  /* in a text; with more there is no repair */

/* Where an inserted bracket stands. */
typedef enum pmi_change_sort {
    PM_CHANGE_INSERT,
    PM_CHANGE_INSERT_LINE, /* in a new line before the one at `at` */
    PM_CHANGE_REMOVE,
    PM_CHANGE_REPLACE
} pmi_change_sort;

typedef struct pmi_change {
    uint32_t at;      /* byte offset */
    uint32_t partner; /* byte offset of the other bracket; UINT32_MAX: none */
    uint32_t indent;  /* INSERT_LINE: columns */
    uint8_t byte;     /* to be inserted, or in place of what is there */
    uint8_t sort;     /* pmi_change_sort */
} pmi_change;

typedef struct pmi_repair_found {
    size_t count; /* of changes; PM_CHANGES_MAX + 1: too many */
    pmi_change changes[PM_CHANGES_MAX];
    pmi_change rival; /* the first of the next best repair */
    double margin;    /* by how much the next best repair is less likely, as a logarithm */
} pmi_repair_found;

typedef struct pmi_repair_text {
    const char *text;
    size_t n;
    const pm_alphabet *alphabet;
    const pmi_code_tokens *tokens;
    const pmi_habits *habits;
    const pmi_prior_reader *prior;
    bool has_directives; /* as in C */
} pmi_repair_text;

/* PM_OUT_OF_MEMORY; PM_TOO_LARGE: thousands of brackets are open. */
pm_status pmi_repair_search(const pm_allocator *allocator, const pmi_repair_text *text, pmi_repair_found *found);

#endif
