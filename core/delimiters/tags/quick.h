/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tags among other delimiters, of a check: what a tag with a name does that came before is kept where it is found
 * quickly, if it does no more than open, close or nothing, and to end one open whose close may be left out.
 */
#ifndef PM_CORE_DELIMITERS_TAGS_QUICK_H
#define PM_CORE_DELIMITERS_TAGS_QUICK_H

#include "core/delimiters/token_scan.h"

/* A tag that was taken, or something else; scan->count has its tokens. Of no more than two registers. */
typedef struct pmi_quick_tag {
    pmi_open *top; /* the innermost open behind it; NULL: it is to be taken in another way, and nothing was done */
    size_t end;    /* where it began: nothing begins there */
} pmi_quick_tag;

/* Takes the tag that a pattern with PM_PATTERN_TAG begins, where `top` is the innermost open and there is room for one
 * more. */
pmi_quick_tag pmi_quick_tag_take(pmi_token_scan *scan, uint32_t pattern, size_t begin, pmi_open *top);

/* Takes what a pattern begins with all that is noted of it: a tag, a token or a region (scan.c). */
pmi_quick_tag pmi_quick_take(pmi_token_scan *scan, uint32_t found, size_t begin, pmi_open *top);

#endif
