/* SPDX-License-Identifier: Apache-2.0 */
/* What the check of a text with delimiters (check.c) and that of its records (check_records.c) share. */
#ifndef PM_CORE_DELIMITERS_CHECK_PARTS_H
#define PM_CORE_DELIMITERS_CHECK_PARTS_H

#include "core/delimiters/check.h"
#include "core/text/line_index.h"

/* A fault that is reported later, if at all. */
typedef struct pmi_kept_fault {
    pm_fault fault;
    bool closes; /* `partner` is set */
    pmi_token at, partner;
} pmi_kept_fault;

typedef struct pmi_kept_faults {
    pmi_kept_fault *entries;
    size_t count, room;
    bool on;  /* faults are kept */
    bool all; /* none is missing */
} pmi_kept_faults;

/* The check of one text, or of one record after another. */
typedef struct pmi_text_check {
    pmi_delimiters_report report; /* NULL: none, or no more */
    void *user;
    pm_diagnostic diagnostic; /* of the last fault: to set what a fault has takes less time than to clear all */
    pmi_line_index lines;
    pm_place at, partner; /* of the last fault; line 0: none */
    pmi_kept_faults kept;
    pmi_token_scan *scan;
    bool out_of_memory;
    pm_check_summary found; /* in the text, or in the last record; without lines */
} pmi_text_check;

/* Begins the scan of texts for a check. */
pm_status pmi_text_check_begin(pmi_delimiters_check *whole, pmi_text_check *check);

/* Checks a text by its tokens. */
pm_status pmi_text_check_tokens(pmi_delimiters_check *whole, const unsigned char *text, size_t n,
                                pmi_text_check *check);

/* Checks a text whose tags all match by name (pmi_tag_language.plain). */
pm_status pmi_text_check_tags(pmi_delimiters_check *whole, const unsigned char *text, size_t n, pmi_text_check *check);

#define PM_OPENS_KEPT ((size_t)4096) /* room for as many is kept for the next text */

/* Releases the room for opens, if there is more than for `kept` of them. */
void pmi_delimiters_check_release_opens(pmi_delimiters_check *whole, size_t kept);

#endif
