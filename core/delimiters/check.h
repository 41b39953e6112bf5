/* SPDX-License-Identifier: Apache-2.0 */
/* The part of pm_check for languages with delimiters: it keeps the chunks and reads the whole text at its end. */
#ifndef PM_CORE_DELIMITERS_CHECK_H
#define PM_CORE_DELIMITERS_CHECK_H

#include "core/delimiters/open/text.h"
#include "core/delimiters/tags/check.h"
#include "core/delimiters/windows/starts.h"
#include "core/lexer/lexer.h"

/* Text that a check and its saved states keep. */
typedef struct pmi_delimiters_text {
    size_t users;
    size_t shared, room; /* bytes that saved states may use; that there are */
    unsigned char bytes[];
} pmi_delimiters_text;

/* For a saved state that uses the first `length` bytes. NULL is allowed. */
pmi_delimiters_text *pmi_delimiters_text_share(pmi_delimiters_text *text, size_t length);

/* NULL is allowed. */
void pmi_delimiters_text_release(const pm_allocator *allocator, pmi_delimiters_text *text);

/* As pm_check_report(), of a text without records, whose diagnostic may be completed in place. */
typedef bool (*pmi_delimiters_report)(pm_diagnostic *diagnostic, void *user);

typedef struct pmi_delimiters_check {
    pm_context *context;
    pm_allocator allocator;
    const struct pmi_delimiters *pairs; /* NULL: the language has brackets, and this is not used */
    struct pmi_delimiters *made;        /* they, if the language has only rules; else NULL */
    pmi_delimiters_report report;
    void *user;
    pmi_token_scan scan; /* begun with the first text, unless the tags are read (core/delimiters/tags/check.h) */
    pmi_tag_memory tags;
    pmi_delimiters_text *kept; /* what was pushed; NULL: nothing */
    size_t length;             /* bytes of it */
    pmi_open_text *open_text;  /* what is open; NULL: nothing was asked yet */
} pmi_delimiters_check;

/* As pm_check_create(), for a language that has delimiters. To be given to pmi_delimiters_check_clear(), except after a
 * failure. */
pm_status pmi_delimiters_check_init(pmi_delimiters_check *check, pm_context *context, const pm_language *language,
                                    pmi_delimiters_report report, void *user);

/* Keeps a chunk. PM_OUT_OF_MEMORY. */
pm_status pmi_delimiters_check_push(pmi_delimiters_check *check, const char *text, size_t n);

/* Checks what was pushed and n more bytes. PM_OUT_OF_MEMORY; then *found is undefined. */
pm_status pmi_delimiters_check_finish(pmi_delimiters_check *check, const char *text, size_t n, pm_check_summary *found);

/* Returns the number of faults. */
static inline uint64_t pmi_faults_of(const pm_check_summary *found) {
    return found->unmatched.open + found->unmatched.close + found->mismatched + found->unterminated;
}

#define PM_RECORDS_BYTES (4 * PM_PIECE_WORDS * PM_WORD_BITS) /* that are checked at once, at most */
#define PM_RECORDS_SLACK (2 * PM_WORD_BITS)                  /* zeros behind them */

/* Returns the bytes of records that are checked at once, at most. */
size_t pmi_delimiters_check_together(const pmi_delimiters_check *check);

/* Checks records up to the first one with faults, without reports, where nothing was pushed. Stores their number, and
 * their brackets and depth. PM_OUT_OF_MEMORY. */
pm_status pmi_delimiters_check_records(pmi_delimiters_check *check, const unsigned char *text,
                                       const pmi_text_records *records, pm_check_summary *found, size_t *good);

/* As pm_check_open() and pm_check_suffix(), of what was pushed. */
pm_status pmi_delimiters_check_open(pmi_delimiters_check *check, pm_open_bracket *opens, size_t capacity,
                                    uint64_t *count, pm_open_end *end);
pm_status pmi_delimiters_check_suffix(pmi_delimiters_check *check, char *suffix, size_t capacity, size_t *length);

/* Makes room for n more bytes behind the text, which others do not use. Returns false if there is no memory. */
bool pmi_delimiters_check_make_room(pmi_delimiters_check *check, size_t n);

/* Goes back to the first `length` bytes of a text, of which the reader knew `then`. */
void pmi_delimiters_check_return(pmi_delimiters_check *check, pmi_delimiters_text *kept, size_t length,
                                 const pmi_open_text_saved *then);

/* Forgets what was pushed. */
void pmi_delimiters_check_reset(pmi_delimiters_check *check);

void pmi_delimiters_check_clear(pmi_delimiters_check *check);

#endif
