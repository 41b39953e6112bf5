/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What reads words by a table: where it is, and what it has found in its word. words.c goes from one byte that matters
 * to the next. What these begin and end is in words/regions.h, code in strings in words/code.h. Two ways are shorter:
 * words/quick.h looks at the word alone, words/quotes.h at all its quotes at once.
 */
#ifndef PM_CORE_LEXER_WORDS_READER_H
#define PM_CORE_LEXER_WORDS_READER_H

#include "core/lexer/words/table.h"

/* Functions that the compiler reads the two loops over words with, so that what those read is in registers. */
#define PM_WORDS_INLINED static inline __attribute__((always_inline))

/* ---- A word ---- */

typedef struct pmi_words_reader {
    pmi_lexer *lexer;
    const unsigned char *text;
    const pmi_lexer_masks *piece;
    size_t from;
    uint64_t position; /* of the piece */
    unsigned state;
    bool in_string; /* the code is */
    bool heredocs;  /* follow the line */
    uint64_t depth;
    size_t start; /* of the region in the piece; SIZE_MAX: before it */
    size_t to;
    unsigned actions;                                  /* for which the table was not enough, in this word */
    unsigned over;                                     /* bytes of the next words that are read */
    uint64_t over_operands, over_blanks, over_counted; /* of the word with the last one: as in pmi_word_read */
    pmi_lexer_noted *noted;
} pmi_words_reader;

/* What of a word is read. */
typedef struct pmi_word_read {
    uint64_t code, operands, blanks;
    uint64_t counted;        /* bytes that begin and end comments, which may be brackets */
    uint64_t uncounted;      /* brackets of code that do not count */
    uint64_t strings;        /* the bytes that may matter in code and in strings */
    unsigned in_string_from; /* where the outermost string begins whose code is read */
} pmi_word_read;

/* Bits from ... to - 1 of a word, of those that it has. */
PM_WORDS_INLINED uint64_t pmi_words_bits_between(unsigned from, unsigned to) {
    return (to < PM_WORD_BITS ? pmi_bits_low(to) : UINT64_MAX) & ~pmi_bits_low(from);
}

/* The bytes of word w that may matter in a state that is entered at a byte before `bit`. */
PM_WORDS_INLINED uint64_t pmi_words_stops_from(const pmi_words_reader *reader, const pmi_word_read *read, size_t w,
                                               unsigned bit) {
    const pmi_lexer *const lexer = reader->lexer;
    const uint64_t behind = bit < PM_WORD_BITS ? UINT64_MAX << bit : 0;
    if (reader->state == PM_WORDS_CODE || lexer->words.strings >> (reader->state - 1) & 1)
        return read->strings & behind;
    return pmi_lexer_mask_of(reader->piece, w, lexer->region_class[reader->state - 1]) & behind;
}

/* A word was read up to that bit, which may be one of the next words. */
PM_WORDS_INLINED void pmi_words_passed_to(pmi_words_reader *reader, unsigned bit) {
    reader->over = bit > PM_WORD_BITS ? bit - PM_WORD_BITS : 0;
    reader->over_operands = reader->over_blanks = reader->over_counted = 0;
}

/* ---- Between the lexer and the reader ---- */

/* Puts the reader where the lexer is. Returns false if the table does not know the lexer's state. */
PM_WORDS_INLINED bool pmi_words_state_take(const pmi_lexer *lexer, pmi_words_reader *reader) {
    reader->state = PM_WORDS_CODE;
    reader->in_string = pmi_stack_top(&lexer->templates) != NULL;
    reader->heredocs = lexer->heredoc_count > 0;
    reader->depth = 0;
    reader->start = SIZE_MAX;
    if (lexer->state == PM_LEXER_CODE)
        return true;
    const size_t r = (size_t)(lexer->region - lexer->language->regions);
    reader->state = (unsigned)r + 1;
    reader->depth = lexer->depth;
    return lexer->words.regions >> r & 1;
}

/* Puts the lexer where the reader is. */
PM_WORDS_INLINED void pmi_words_state_give(const pmi_words_reader *reader) {
    pmi_lexer *const lexer = reader->lexer;
    lexer->state = PM_LEXER_CODE;
    if (reader->state == PM_WORDS_CODE)
        return;
    pmi_lexer_region_enter(lexer, &lexer->language->regions[reader->state - 1]);
    lexer->depth = reader->depth;
    if (reader->start != SIZE_MAX) {
        lexer->start = reader->position + reader->start;
        lexer->first = reader->text[reader->start];
    }
}

/* Gives the history what was noted before byte `to`, as far back as it remembers. */
PM_WORDS_INLINED void pmi_words_history_make(const pmi_words_reader *reader, size_t to) {
    if (to > reader->from && reader->lexer->remembers)
        reader->lexer->history =
            pmi_lexer_history_before(reader->lexer, reader->noted, reader->text, reader->from, to, PM_HISTORY_BYTES);
}

/* Newlines of a word in the code of a string, or between such code, end no record. */
PM_WORDS_INLINED void pmi_words_hide_lines(const pmi_words_reader *reader, pmi_word_read *read, size_t w, unsigned from,
                                           unsigned to) {
    if (reader->lexer->lines)
        read->uncounted |= reader->lexer->lines[w] & pmi_words_bits_between(from, to);
}

#endif
