/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Last bytes of texts that what follows may change, such as the first ones of a word or tag. How such a text is
 * completed depends on these bytes, the one before, and the innermost opens; so it is tried once for all texts that are
 * alike in this.
 */
#ifndef PM_CORE_DELIMITERS_TAILS_H
#define PM_CORE_DELIMITERS_TAILS_H

#include "core/delimiters/open_text.h"

/* Stores what the text is completed by depends on, if `tried` closes are tried. False: it depends on more. */
bool pmi_tail_of(const pmi_open_text *text, const unsigned char *bytes, unsigned tried, pmi_tail *tail);

/* How texts with that tail are completed; NULL: it is not known. */
const pmi_tail_end *pmi_tail_find(const pmi_closes *closes, const pmi_tail *tail);

/* Notes it, perhaps instead of that of another tail. */
void pmi_tail_keep(pmi_closes *closes, const pmi_tail *tail, const pmi_tail_end *end);

#endif
