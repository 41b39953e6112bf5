/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lexer behind masks, for languages whose comments, strings and characters look as C's do. Masks read the words
 * that they understand, the lexer the others. In between the lexer is put where it would be, had it read all the text.
 */
#ifndef PM_CORE_TEXT_CODE_READER_H
#define PM_CORE_TEXT_CODE_READER_H

#include "broadword/text/code_masks.h"
#include "core/text/lexer.h"

typedef struct pmi_code_reader {
    pmi_code_rules rules;
    pmi_byte_classes lexer_classes, code_classes;
    const pmi_region *regions[PM_INSIDE_EXPRESSION + 1]; /* by pmi_code_inside; NULL if the language lacks it */
    const pmi_region *longs[PM_LONG_SORTS];              /* by pmi_code_long; the same */
} pmi_code_reader;

/* Returns false if masks do not understand the lexer's language. */
bool pmi_code_reader_init(pmi_code_reader *reader, const pmi_lexer *lexer);

/* Reads the next `words` words of text; brackets[w] is what pmi_lexer_scan() says of word w. */
pm_status pmi_code_reader_words(const pmi_code_reader *reader, const pmi_classifier *classifier, pmi_lexer *lexer,
                                const unsigned char *text, size_t words, uint64_t *brackets);

/* Reads a chunk of whole records; see pmi_bracket_reader_records(). */
pm_status pmi_code_reader_records(const pmi_code_reader *reader, const pmi_classifier *classifier, pmi_lexer *lexer,
                                  const unsigned char *text, const pmi_text_records *records, uint64_t *brackets,
                                  size_t *cut);

#endif
