/* SPDX-License-Identifier: Apache-2.0 */
/* A check of a text, as its files share it: check.c reads, check_open.c lists what is open, check_save.c goes back,
 * check_suffix.c completes, check_records.c cuts into records, check_slices.c has several threads read. */
#ifndef PM_CORE_TEXT_CHECK_PARTS_H
#define PM_CORE_TEXT_CHECK_PARTS_H

#include "core/delimiters/check.h"
#include "core/text/bracket_masks.h"
#include "core/text/check_effect.h"
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
    pm_check_summary found; /* found.records: number of the current record */
    uint64_t record_begin;  /* its offset */
    uint64_t faults;        /* before it */
    pm_place begin, end;    /* with delimiters: of the current record, and of what was pushed */
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
    int separator;            /* of records; PM_RECORDS_NONE: no records */
    bool marked;              /* the reader's masks show separators outside strings, and alphabet.role knows them */
    pmi_check_effect *effect; /* of a slice: where to note what the text before it decides; else NULL */
    unsigned threads;         /* at most, for a long text; 0: as many as OpenMP gives */

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

/* ---- What check_records.c takes from check.c ---- */

/* A role that no alphabet has: of the byte that ends records, if it is marked. */
#define PM_ROLE_RECORD_END PM_ROLE(PM_ROLE_NEUTRAL, PM_OPEN_KINDS)

/* Reads n bytes of one record by one thread, or fails; brackets only. */
pm_status pmi_check_read(pm_check *check, const unsigned char *text, size_t n);

/* Reads n bytes with marked separators as far as they are whole words, and stores their number; 0: the first ones must
 * be read record by record. */
pm_status pmi_check_read_marked(pm_check *check, const unsigned char *text, size_t n, size_t *done);

/* Steps over a separator. Returns false if there is no memory. */
bool pmi_check_skip(pm_check *check, unsigned char byte);

/* Ends what is open, and reports it; brackets only. False: there is no memory. */
bool pmi_check_end_brackets(pm_check *check);

/* Reports the string or comment that ends with the text or record; the lexer begins again. */
void pmi_check_end_strings(pm_check *check);

/* Counts a record that ends before the separator or text's end at `end`; the next begins at `next`. */
void pmi_check_count_record(pm_check *check, uint64_t end, uint64_t next);

/* ---- What check.c takes from check_records.c ---- */

static inline bool pmi_check_has_records(const pm_check *check) {
    return check->separator != PM_RECORDS_NONE || check->progress.found.records > 0;
}

/* As pm_check_push(), if there is a separator. */
pm_status pmi_check_push_records(pm_check *check, const unsigned char *text, size_t n);

/* As pm_check_push() and pm_check_finish(), with delimiters; *summary is set if the status is PM_OK. */
pm_status pmi_check_push_delimiters(pm_check *check, const unsigned char *text, size_t n);
pm_status pmi_check_finish_delimiters(pm_check *check, const unsigned char *text, size_t n, pm_check_summary *summary);

/* Makes a check with delimiters ready for a text. */
void pmi_check_reset_delimiters(pm_check *check);

/* pm_check_report of delimiters, which know of one record only. */
bool pmi_check_report_delimiters(const pm_diagnostic *diagnostic, void *check);

/* A place in the current record becomes one of the text; with delimiters. */
pm_place pmi_check_place(const pm_check *check, pm_place place);

/* Restores a state, which nothing but destroying it may follow. Fails never if the check had been saved since its last
 * finish and only closes followed. */
void pmi_check_return(pm_check *check, pm_check_state *state);

/* ---- Reading ---- */

/* Takes the depth into account to which the text has risen above the readings. */
void pmi_check_note_depth(pm_check *check, uint64_t depth);

/* Reads a close: the current word's byte `bit`. */
void pmi_check_close(pm_check *check, unsigned bit, unsigned kind, char byte);

/* Counts and reports that this byte of the current word closed an open of another kind. */
void pmi_check_mismatch(pm_check *check, unsigned bit, char byte, pm_place open, unsigned open_kind);

/* Moves what is open to the readings. Returns false if there is no memory. */
bool pmi_check_settle(pm_check *check);

/* Empties the check, and gives back what the text took. */
void pmi_check_reset(pm_check *check);

#endif
