/* SPDX-License-Identifier: Apache-2.0 */
/* A check of a text, as its files share it: check.c reads, check_open.c lists what is open, check_save.c goes back,
 * check_suffix.c completes. */
#ifndef PM_CORE_TEXT_CHECK_PARTS_H
#define PM_CORE_TEXT_CHECK_PARTS_H

#include "core/delimiters/check.h"
#include "core/text/bracket_masks.h"
#include "core/text/kind_run.h"
#include "core/text/language.h"
#include "core/text/open_bracket_stack.h"
#include "core/text/readings.h"

/* How far a check is, without its stacks: what a saved state copies. */
typedef struct pmi_check_progress {
    pmi_text_word current;  /* the word being read; run 1 */
    pmi_text_word previous; /* the word before that */
    unsigned filled;        /* bytes of the current one */
    bool muted;             /* the reporter wants no more */
    pm_diagnostic cut;      /* where the string or comment that we are inside began */
    uint64_t depth;         /* above the readings */
    pm_check_summary found;
} pmi_check_progress;

struct pm_check {
    pm_allocator allocator;
    pmi_delimiters_check delimiters; /* used instead of what follows if the language has them */
    pm_status failure;               /* met by a push since the last finish */

    pm_alphabet alphabet;
    char open_byte[PM_OPEN_KINDS];
    char close_byte[PM_OPEN_KINDS]; /* 0: the kind has no close */
    pm_check_report report;
    void *user;

    pmi_bracket_reader reader;
    pmi_directives directives; /* of the piece or chunk being read */
    pmi_readings readings;     /* what was open at the last directive that chose a branch */
    pmi_bracket_stack opens;   /* above that, below the word that follows */
    pmi_check_progress progress;

    bool kinds_known; /* of the innermost opens, in: */
    pmi_kind_stack kinds;
};

/* The number of opens; in the first reading. */
static inline uint64_t pmi_check_depth(const pm_check *check) {
    return check->progress.depth + pmi_readings_depth(&check->readings);
}

/* The innermost open. Returns false if nothing is open. */
bool pmi_check_innermost(const pm_check *check, unsigned *kind, uint64_t *offset);

/* The kinds of opens above the readings, innermost first, until `take` returns false. */
void pmi_check_visit_kinds(const pm_check *check, bool (*take)(unsigned kind, void *user), void *user);

/* Restores a state, which nothing but destroying it may follow. Fails never if the check had been saved since its last
 * finish and only closes followed. */
void pmi_check_return(pm_check *check, pm_check_state *state);

#endif
