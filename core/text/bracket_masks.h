/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The brackets of a text outside strings and comments, as masks: the lexer behind SIMD. Whole words of 64 bytes are
 * read in bulk; what is shorter, and so every cut, goes to the lexer alone, and both may alternate as they like.
 */
#ifndef PM_CORE_TEXT_BRACKET_MASKS_H
#define PM_CORE_TEXT_BRACKET_MASKS_H

#include "broadword/text/classify.h"
#include "core/lexer/lexer.h"
#include "core/text/code_reader.h"

#define PM_CHUNK_WORDS PM_PIECE_WORDS /* maximum of words read at once: text and masks stay in the L1 cache */
#define PM_CHUNK_BYTES (PM_CHUNK_WORDS * PM_WORD_BITS)

typedef struct pmi_bracket_reader {
    pmi_lexer lexer; /* whose pmi_lexer_scan(), pmi_lexer_inside() and pmi_lexer_clear() are called as they are */
    const pmi_classifier *classifier;
    pmi_byte_classes classes;
    pmi_byte_classes packed_classes; /* see pmi_classifier.unquoted; if it packs */
    bool many_kinds;
    bool packs;       /* has the language no more than quotations, and the target a way to read it in one pass? */
    bool lines_apart; /* pmi_lexer_lines_are_apart(), where reading records as one text pays */
    bool cuts;        /* records behind a cut need not be read */
    unsigned rests;   /* chunks that are not read in that way, as it was in vain before */
    int separator;    /* the byte that is marked, or -1 */
    pmi_code_reader code;
    enum {
        PM_BRACKETS_EVERYWHERE,
        PM_BRACKETS_UNQUOTED,
        PM_BRACKETS_IN_CODE,
        PM_BRACKETS_LEXED
    } where;
} pmi_bracket_reader;

/* As pmi_lexer_init(), and with that classifier. */
void pmi_bracket_reader_init(pmi_bracket_reader *reader, const pmi_classifier *classifier, const pm_language *language,
                             const pm_alphabet *alphabet, const pm_allocator *allocator);

/* Makes a reader show a byte outside strings as if it were a bracket, or no longer. Returns false,
 * with nothing done, if the byte means something already, or if a text that begins behind it, outside strings, could be
 * read otherwise than one that goes on. */
bool pmi_bracket_reader_mark(pmi_bracket_reader *reader, unsigned char byte, bool marked);

/* Maximum of words that pmi_bracket_reader_words() reads at once, PM_CHUNK_WORDS at least. */
static inline size_t pmi_bracket_reader_most(const pmi_bracket_reader *reader) {
    return reader->where == PM_BRACKETS_IN_CODE ? PM_CODE_WORDS : PM_CHUNK_WORDS;
}

/* Reads the next words of text, no more than that: brackets[w] is what pmi_lexer_scan() says of word w. */
pm_status pmi_bracket_reader_words(pmi_bracket_reader *reader, const unsigned char *text, size_t words,
                                   uint64_t *brackets);

/* Does the lexer ask nothing of what is before a blank? */
static inline bool pmi_bracket_reader_is_near(const pmi_bracket_reader *reader) {
    return reader->where == PM_BRACKETS_IN_CODE && pmi_code_asks_no_further(&reader->code, &reader->lexer);
}

/* Reads the next n <= 64 bytes: *brackets is what pmi_lexer_scan() says of them. */
pm_status pmi_bracket_reader_piece(pmi_bracket_reader *reader, const unsigned char *text, size_t n, uint64_t *brackets);

#define PM_PACK_WORDS (4 * PM_CHUNK_WORDS) /* maximum of words packed at once */

/* Where reader->packs: reads at most *words <= PM_PACK_WORDS words of text, as long as they have no more than `room` >=
 * PM_UNQUOTED_ROOM brackets. Stores how many words it read, and returns the number of their brackets. found->inside may
 * be NULL. */
size_t pmi_bracket_reader_pack(pmi_bracket_reader *reader, const unsigned char *text, size_t *words, size_t room,
                               pmi_unquoted_found *found);

/* Reads a chunk of whole records, for each of which the lexer begins again; see pmi_lexer_scan_records(). If
 * reader->cuts, *cut may be any record but the first, and what is behind it is not read. The lexer has just begun. The
 * chunk has at most PM_CHUNK_BYTES bytes; behind them zeros fill the last word of text. */
pm_status pmi_bracket_reader_records(pmi_bracket_reader *reader, const unsigned char *text,
                                     const pmi_text_records *records, uint64_t *brackets, size_t *cut);

#endif
