/* SPDX-License-Identifier: Apache-2.0 */
/* What scans of a text and of records share: the arrays that take tokens. */
#ifndef PM_CORE_TOKENS_SCAN_H
#define PM_CORE_TOKENS_SCAN_H

#include "core/delimiters/token_scan.h"
#include "core/text/language.h"

/* Arrays that take delimiters, up to their capacity. */
typedef struct pmi_token_output {
    const pm_text_arrays *arrays;
    size_t count;
    uint64_t base; /* where the text begins whose tokens come */
} pmi_token_output;

/* pmi_token_take of a pmi_token_output. */
bool pmi_token_output_store(const pmi_token *tokens, size_t count, void *user);

/* Completes arrays whose kinds were stored as bytes: brackets, of length 1. */
void pmi_text_arrays_widen(const pm_text_arrays *arrays, size_t stored);

/* Reads a caller's arrays; NULL: none are wanted. */
pm_status pmi_text_arrays_read(const pm_text_arrays *arrays, pm_text_arrays *known);

/* Gives arrays that want a match parens of their own, to be freed, for a text of n bytes. */
pm_status pmi_text_arrays_add_parens(const pm_allocator *allocator, size_t n, pm_text_arrays *arrays);

#endif
