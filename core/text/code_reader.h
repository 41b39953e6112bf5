/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lexer behind masks, for languages whose comments, strings and characters look as C's do. Masks read the words
 * that they understand, the lexer the others. In between the lexer is put where it would be, had it read all the text.
 */
#ifndef PM_CORE_TEXT_CODE_READER_H
#define PM_CORE_TEXT_CODE_READER_H

#include "broadword/text/code_masks.h"
#include "core/lexer/lexer.h"

typedef struct pmi_code_reader {
    pmi_code_rules rules;
    pmi_byte_classes lexer_classes;
    pmi_code_classes code_classes;
    pmi_code_classes line_classes; /* the same, where newlines are brackets; if `knows_lines`, made when first wanted */
    bool knows_lines;
    const pmi_region *regions[PM_INSIDE_EXPRESSION + 1]; /* by pmi_code_inside; NULL if the language lacks it */
    const pmi_region *longs[PM_LONG_SORTS];              /* by pmi_code_long; the same */
    const pmi_region *holders[PM_HOLDER_SORTS];          /* by pmi_code_holder; the same */
} pmi_code_reader;

/* Returns false if masks do not understand the lexer's language. */
bool pmi_code_reader_init(pmi_code_reader *reader, const pmi_lexer *lexer);

/* Maximum of words read at once: behind them the lexer is put where they end, which takes as long as some words. */
#define PM_CODE_WORDS (2 * PM_PIECE_WORDS)

/* Reads the next `words` words of text; brackets[w] is what pmi_lexer_scan() says of word w. */
pm_status pmi_code_reader_words(const pmi_code_reader *reader, const pmi_classifier *classifier, pmi_lexer *lexer,
                                const unsigned char *text, size_t words, uint64_t *brackets);

/* Reads a chunk of whole records; see pmi_bracket_reader_records(). */
pm_status pmi_code_reader_records(const pmi_code_reader *reader, const pmi_classifier *classifier, pmi_lexer *lexer,
                                  const unsigned char *text, const pmi_text_records *records, uint64_t *brackets,
                                  size_t *cut);

/* May it depend on code far before, or around, what a byte means? */
bool pmi_code_reader_asks_around(const pmi_code_reader *reader);

/* Does the lexer ask nothing of what is before a blank? */
bool pmi_code_asks_no_further(const pmi_code_reader *reader, const pmi_lexer *lexer);

/* The same where pmi_lexer_lines_are_apart(), as pmi_lexer_scan_lines(). */
pm_status pmi_code_reader_lines(pmi_code_reader *reader, const pmi_classifier *classifier, pmi_lexer *lexer,
                                const unsigned char *text, const pmi_text_records *records, uint64_t *brackets,
                                size_t *apart);

/* ---- Between masks and the lexer: code_follow.c, for code_reader.c ---- */

/* A chunk, of which the lexer has read the first `lexed` words, and masks those up to the `words`-th. A record ends in
 * the word of the last byte before the next one. */
typedef struct pmi_code_chunk {
    const unsigned char *text;
    pmi_code_found found;
    bool backticks; /* as in pmi_code_rules; the same: */
    bool separators, lifetimes;
    bool near;   /* of what is before a blank, the lexer asks nothing */
    bool quoted; /* the lexer is in a string or the like behind the words that it has read */
    size_t lexed, words;
    unsigned level;                  /* of `around` when masks began */
    pmi_code_templates *around;      /* NULL: the language has none */
    bool hashes;                     /* as in pmi_code_rules */
    const pmi_code_classes *classes; /* that masks are made of */
    const uint64_t *lines;    /* newlines, which are to be shown where they may end a record; NULL: they are not */
    pmi_text_records records; /* count 0: the chunk is a part of one text */
    size_t record;            /* that the lexer is in */
    size_t cut;               /* the first that ends inside a string or comment; or as many as there are */
} pmi_code_chunk;

static inline bool pmi_code_record_ends(const pmi_code_chunk *chunk, size_t record, size_t end) {
    return record < chunk->records.count && pmi_text_records_next(&chunk->records, record) <= end;
}

static inline bool pmi_code_bit_at(const uint64_t *words, size_t i) {
    return words[i / PM_WORD_BITS] >> i % PM_WORD_BITS & 1;
}

/* Is the lexer in a string or the like? */
static inline bool pmi_code_in_quoted(const pmi_lexer *lexer) {
    return lexer->state == PM_LEXER_REGION && !(lexer->region->flags & PM_REGION_COMMENT);
}

/* Takes over where the lexer is, if there nothing is pending that masks do not know. */
bool pmi_code_state_take(const pmi_code_reader *reader, const pmi_lexer *lexer, pmi_code_chunk *chunk,
                         pmi_code_state *state);

/* Behind how many of the next `words` words could the lexer, which is at byte `begin` of the chunk, be put, as to
 * hashes there that may be of a raw string? */
size_t pmi_code_hashes_known(const pmi_code_reader *reader, const pmi_lexer *lexer, const pmi_code_chunk *chunk,
                             size_t begin, size_t words);

/* Puts the lexer behind the words that masks have read. */
void pmi_code_lexer_follow(const pmi_code_reader *reader, pmi_lexer *lexer, pmi_code_chunk *chunk,
                           const pmi_code_state *state);

#endif
