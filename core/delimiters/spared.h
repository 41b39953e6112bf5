/* SPDX-License-Identifier: Apache-2.0 */
/* Closes that are no fault although nothing is open for them: the rules `lone`, `stray` and `spare`. What is read on a
 * device knows nothing of what is open, so that they are tokens, and only whoever reports faults passes them over. */
#ifndef PM_CORE_DELIMITERS_SPARED_H
#define PM_CORE_DELIMITERS_SPARED_H

#include <stdbool.h>
#include <stddef.h>

#include "parenmatch/base.h"

struct pmi_delimiters;
struct pmi_token;

/* The kind of a token that neither opens nor closes: a rule that lets a close stand alone. */
#define PM_KIND_MARK (PM_NONE - 1)

typedef struct pmi_spared {
    const struct pmi_delimiters *pairs;
    const unsigned char *text;
    size_t n;
    bool let; /* the next lone close may stand where nothing is open */
    bool cut; /* whether a close was taken depended on what may follow the text */
} pmi_spared;

/* Takes a token that does not close the innermost of `depth` opens. True: it is no fault, and closes nothing. */
bool pmi_spared_take(pmi_spared *spared, const struct pmi_token *close, size_t depth);

#endif
