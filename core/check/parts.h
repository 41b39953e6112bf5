/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A check of a text, as its files share it:
 *
 *   check.c     is the interface
 *   chunk.c     reads in bulk
 *   brackets.c  reads bracket by bracket
 *   faults.c    counts and reports what is wrong
 *   end.c       ends a text or a record
 *   open.c      goes through what is open
 *   pending.c   keeps conditionals from the readings that change nothing
 *   records.c   cuts a text into records
 *   batch.c     reads many short records at once
 *   slices.c    has several threads read
 *   save.c      goes back
 *   suffix.c    completes a text
 *   suffix_read.c  the same by reading, rests.c what it need not read again
 */
#ifndef PM_CORE_CHECK_PARTS_H
#define PM_CORE_CHECK_PARTS_H

#include "core/check/effect.h"
#include "core/check/pending.h"
#include "core/check/rests.h"
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
    pm_check_summary found; /* found.records: number of the current record */
    uint64_t record_begin;  /* its offset */
    uint64_t faults;        /* before it */
    uint64_t faulty;        /* where what was pushed ends in which the last close was a fault */
    pm_place begin, end;    /* with delimiters: of the current record, and of what was pushed */
} pmi_check_progress;

/* What completes a text that ends in code, as long as no bracket and no directive comes. */
typedef struct pmi_kept_suffix {
    bool known;
    pm_status status;      /* PM_OK or PM_UNSUPPORTED */
    size_t length, stored; /* bytes[0] ... bytes[stored - 1] are its first ones */
    char bytes[PM_SUFFIX_KEPT];
} pmi_kept_suffix;

struct pm_check {
    pm_allocator allocator;
    pmi_delimiters_check delimiters; /* used instead of what follows if the language has them */
    pm_status failure;               /* met by a push since the last finish */

    pm_alphabet alphabet;
    pmi_byte_classes open_classes; /* 1: an open; made when first wanted */
    char open_byte[PM_OPEN_KINDS];
    char close_byte[PM_OPEN_KINDS]; /* 0: the kind has no close */
    pm_check_report report;
    void *user;
    pm_context *context; /* for repairs */
    bool repairs;        /* are wanted */

    pmi_bracket_reader reader;
    pmi_directives directives; /* of the piece or chunk being read */
    pmi_readings readings;     /* what was open at the last directive that chose a branch */
    pmi_bracket_stack opens;   /* above that, below the word that follows */
    pmi_check_progress progress;
    pmi_pending pending;
    bool keeps_pending;       /* from one push to the next */
    int separator;            /* of records; PM_RECORDS_NONE: no records */
    bool marked;              /* the reader's masks show separators outside strings, and alphabet.role knows them */
    size_t batch_bytes;       /* at most, of short records read at once */
    unsigned batch_rests;     /* records to be read alone before that is tried again, */
    unsigned batch_failures;  /* and the same when the first record of a batch was bad; 0: the last one's was not */
    pmi_check_effect *effect; /* of a slice: where to note what the text before it decides; else NULL */
    unsigned threads;         /* at most, for a long text; 0: as many as OpenMP gives */
    pmi_kept_suffix suffix;   /* where it does not follow from what is open */
    pmi_rests rests;          /* of such ones */
    struct pmi_check_slots *slots; /* what slices.c keeps from one long text to the next; NULL: nothing */

    bool faulty;      /* the last chunk had faults, which were only counted */
    bool kinds_known; /* of the innermost opens, in: */
    pmi_kind_stack kinds;
};

/* The number of opens; in the first reading. */
static inline uint64_t pmi_check_depth(const pm_check *check) {
    return check->progress.depth + pmi_readings_first(&check->readings, &check->readings.now);
}

/* Bytes that were pushed; brackets only. */
static inline uint64_t pmi_check_text_length(const pm_check *check) {
    return pmi_text_word_offset(&check->progress.current) + check->progress.filled;
}

/* ---- check.c ---- */

/* Reads n bytes of one record by one thread, or fails; brackets only. */
pm_status pmi_check_read(pm_check *check, const unsigned char *text, size_t n);

/* Empties the check, and gives back what the text took. */
void pmi_check_reset(pm_check *check);

/* ---- chunk.c ---- */

#define PM_CHECK_WORDS (2 * PM_CHUNK_WORDS) /* of a chunk: the more, the fewer opens outlive one */
#define PM_CHECK_BYTES (PM_CHECK_WORDS * PM_WORD_BITS)

/* Reads some of n >= 64 bytes, whole words, and stores how many; the current word is empty. */
pm_status pmi_check_read_chunk(pm_check *check, const unsigned char *text, size_t n, size_t *done);

/* Reads n bytes with marked separators as far as they are whole words, and stores their number; 0: the first ones must
 * be read record by record. */
pm_status pmi_check_read_marked(pm_check *check, const unsigned char *text, size_t n, size_t *done);

/* ---- brackets.c ---- */

/* A role that no alphabet has: of the byte that ends records, if it is marked. */
#define PM_ROLE_RECORD_END PM_ROLE(PM_ROLE_NEUTRAL, PM_OPEN_KINDS)

/* Reads n < 64 bytes, which lie in the current word. */
pm_status pmi_check_read_piece(pm_check *check, const unsigned char *text, size_t n);

/* Reads brackets of the current word, behind the bytes that it has; text is what follows those. */
void pmi_check_read_some(pm_check *check, const unsigned char *text, uint64_t brackets);

/* Reads a directive that chooses a branch. Returns false if there is no memory. */
bool pmi_check_direct(pm_check *check, pmi_directive directive);

/* The same where nothing is open above the readings. */
bool pmi_check_direct_settled(pm_check *check, pmi_directive directive);

/* Reads a close: the current word's byte `bit`. */
void pmi_check_close(pm_check *check, unsigned bit, unsigned kind, char byte);

/* Steps over a separator. Returns false if there is no memory. */
bool pmi_check_skip(pm_check *check, unsigned char byte);

/* Puts the full current word away, and begins the next. Returns false if there is no memory. */
bool pmi_check_finish_word(pm_check *check);

/* Takes the depth into account to which the text has risen above the readings. */
void pmi_check_note_depth(pm_check *check, uint64_t depth);

/* Does the text now end inside a string or comment that began where it was not said before? Stores where. */
bool pmi_check_cut_begins(pm_check *check, uint64_t *offset);

/* ---- faults.c ---- */

/* The current word's byte `bit` closes an open of another kind. */
void pmi_check_mismatch(pm_check *check, unsigned bit, char byte, pm_place open, unsigned open_kind);

/* The current word's byte `bit` closes nothing. */
void pmi_check_unmatched_close(pm_check *check, unsigned bit, char byte);

/* Nothing closes an open. Only reports it; returns false if the reporter wants no more. */
bool pmi_check_report_open(pm_check *check, pm_place at, unsigned kind);

/* The text or record ends inside the string or comment that began at the cut. */
void pmi_check_unterminated(pm_check *check);

/* ---- end.c ---- */

/* Ends what is open, and reports it; brackets only. False: there is no memory. */
bool pmi_check_end_brackets(pm_check *check);

/* Reports the string or comment that ends with the text or record; the lexer begins again. */
void pmi_check_end_strings(pm_check *check);

/* Counts a record that ends before the separator or text's end at `end`; the next begins at `next`. */
void pmi_check_count_record(pm_check *check, uint64_t end, uint64_t next);

/* Ends a record at the current word's byte `bit`, a marked separator: outside strings, in a language without branches.
 */
void pmi_check_end_marked_record(pm_check *check, unsigned bit);

/* Counts the record that ends as bad if a fault was found since the last such call. */
void pmi_check_count_if_bad(pm_check *check);

/* Ends the last record, whose brackets have been ended, and says what was found in the text. */
void pmi_check_summarize(pm_check *check, pm_check_summary *summary);

/* ---- open.c ---- */

/* The innermost open. Returns false if nothing is open. */
bool pmi_check_innermost(const pm_check *check, unsigned *kind, uint64_t *offset);

/* Stores the closes of up to `most` innermost opens above the readings, and the offsets of these; returns how many. */
unsigned pmi_check_inner_closes(const pm_check *check, unsigned most, unsigned char *closes, uint64_t *offsets);

/* The opens above the readings, outermost first, until `take` returns false; then false is returned. */
bool pmi_check_visit_opens(pm_check *check, bool (*take)(pm_check *check, pm_place at, unsigned kind));

/* Drops the opens above the readings, and keeps their memory for the next record. */
void pmi_check_drop_opens(pm_check *check);

/* Moves an open to the readings, in a slice to its effect. Returns false if there is no memory. */
bool pmi_check_settle_open(pm_check *check, pm_place at, unsigned kind);

/* The same of all that are above them. */
bool pmi_check_settle(pm_check *check);

/* ---- pending.c ---- */

/* Reads a directive; a conditional that may yet change nothing is pending. Returns false if there is no memory. */
bool pmi_check_direct_lazily(pm_check *check, pmi_directive directive);

/* Gives the readings the conditionals that are pending; behind that none are. Returns false if there is no memory. */
bool pmi_check_unfold(pm_check *check);

/* The same at the end of a text, without opens that are not reported. */
bool pmi_check_end_pending(pm_check *check);

/* Forgets them, and gives their memory back. */
void pmi_check_clear_pending(pm_check *check);

/* ---- save.c ---- */

/* As pm_check_restore() by a suffix, which leaves no trace. */
pm_status pmi_check_return(pm_check *check, const pm_check_state *state);

/* ---- batch.c ---- */

/* Reads records of the next n bytes with their separators, if a record begins there and as long as they are short and
 * good. Stores the number of bytes read. */
pm_status pmi_check_read_separated(pm_check *check, const unsigned char *text, size_t n, size_t *done);

/* The same of `count` records at offsets of a text; stores the number of records. */
pm_status pmi_check_read_listed(pm_check *check, const unsigned char *text, const uint64_t *offsets, size_t count,
                                size_t *done);

/* ---- repairs.c ---- */

/* As pm_check_text(), in a check with brackets to which nothing was pushed; reports mistakes. */
pm_status pmi_check_text_repaired(pm_check *check, const char *text, size_t n, pm_check_summary *summary);

/* ---- records.c ---- */

/* Was anything pushed since the last finish? */
bool pmi_check_is_begun(const pm_check *check);

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

/* The pmi_delimiters_report of a check. */
bool pmi_check_report_delimiters(pm_diagnostic *diagnostic, void *check);

/* Moves the place behind n bytes of text that are not pushed; with delimiters. */
void pmi_check_advance(pm_check *check, const unsigned char *text, size_t n);

/* A place in the current record becomes one of the text; with delimiters. */
pm_place pmi_check_place(const pm_check *check, pm_place place);

#endif
