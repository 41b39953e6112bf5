/* SPDX-License-Identifier: Apache-2.0 */
/* What the files share that complete a text: suffix.c derives what does from what is open, suffix_read.c reads it. */
#ifndef PM_CORE_CHECK_SUFFIX_H
#define PM_CORE_CHECK_SUFFIX_H

#include <string.h>

#include "base/sizes.h"
#include "core/check/parts.h"

/* A suffix that is stored as far as there is room. */
typedef struct pmi_suffix {
    char *bytes;
    size_t capacity, length;
} pmi_suffix;

static inline void pmi_suffix_add_byte(pmi_suffix *to, unsigned char byte) {
    if (to->length < to->capacity)
        to->bytes[to->length] = (char)byte;
    to->length++;
}

static inline void pmi_suffix_add(pmi_suffix *to, const unsigned char *bytes, size_t n) {
    const size_t stored = (size_t)pmi_min(to->length, to->capacity);
    if (to->bytes)
        memcpy(to->bytes + stored, bytes, (size_t)pmi_min(n, to->capacity - stored));
    to->length += n;
}

static inline uint64_t pmi_check_faults_of_closes(const pm_check *check) {
    return check->progress.found.mismatched + check->progress.found.unmatched.close;
}

/* A trial: the lexer reads bytes, as if no string were around, and at its end is what it was. */
typedef struct pmi_lexer_trial {
    pm_check *check;
    pmi_stack literals;
    pmi_directives directives, *noted;
    unsigned char changed[sizeof(pmi_lexer) - PM_LEXER_FIXED];
} pmi_lexer_trial;

void pmi_lexer_trial_begin(pmi_lexer_trial *trial, pm_check *check);
void pmi_lexer_trial_end(pmi_lexer_trial *trial);

/* Reads bytes; stores which are brackets, a bit each. False: there is no memory, or code has begun in a string. */
bool pmi_lexer_trial_read(pmi_lexer_trial *trial, const unsigned char *bytes, size_t n, uint64_t *brackets);

/* Appends what completes the text, if it follows from what is open; else returns false, with *to as it was except for
 * bytes behind its length. The check is as before. `lost`: that branches have lost opens is no fault of the suffix. */
bool pmi_check_suffix_derive(pm_check *check, bool lost, pmi_suffix *to);

/* Completes the text by closes, which the lexer alone reads, and by what followed the same place when a suffix was read
 * before; stores how that ended. False: nothing is known to follow. */
bool pmi_check_suffix_known(pm_check *check, pmi_suffix *to, pm_status *status);

/* Makes what completes the text by reading it; with `derives` only up to where the rest can be derived, without it all,
 * for tests. PM_UNSUPPORTED, PM_OUT_OF_MEMORY. */
pm_status pmi_check_suffix_read(pm_check *check, bool derives, pmi_suffix *to);

#endif
