/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code in strings: where it begins, and the brackets that may end it. *stops are the bytes behind that may matter.
 * Returned is false if the byte is to be read in another way.
 */
#ifndef PM_CORE_LEXER_WORDS_CODE_H
#define PM_CORE_LEXER_WORDS_CODE_H

#include "core/lexer/words_reader.h"

/* The bit of the bracket that ends the code of a string, as of #{a}, \(a) and {$a}, which begins at `bit`, if the word
 * has it and nothing that matters before; 0: that is not so. */
PM_WORDS_INLINED unsigned pmi_words_code_end(const pmi_words_reader *reader, const pmi_word_read *read, size_t w,
                                             unsigned bit) {
    const unsigned char *const word = reader->text + w * PM_WORD_BITS;
    if (bit > PM_WORD_BITS - 3)
        return 0;
    const uint64_t stops =
        (read->strings | pmi_lexer_mask_of(reader->piece, w, PM_LEXER_ENDS_TEMPLATE_CODE)) & UINT64_MAX << bit << 2;
    const unsigned end = pmi_bits_lowest(stops | UINT64_C(1) << (PM_WORD_BITS - 1));
    return word[end] == (word[bit + 1] == '(' ? ')' : '}') ? end : 0;
}

/* Begins to read code in a string. */
PM_WORDS_INLINED bool pmi_words_code_begin(pmi_words_reader *reader, pmi_word_read *read, size_t w, unsigned bit,
                                           uint64_t *stops) {
    pmi_lexer *const lexer = reader->lexer;
    const unsigned char byte = reader->text[w * PM_WORD_BITS + bit + 1];
    const bool counted = byte == '(' || byte == '{';
    const unsigned end = pmi_words_code_end(reader, read, w, bit);
    if (end > 0) {
        read->uncounted |= (uint64_t)!counted << end;
        read->operands |= UINT64_C(1) << bit;
        read->blanks |= UINT64_C(1) << bit;
        read->code |= pmi_words_bits_between(bit + 1, end + 1);
        pmi_words_hide_lines(reader, read, w, bit + 1, end);
        *stops = pmi_words_stops_from(reader, read, w, end + 1);
        return true;
    }
    pmi_words_state_give(reader);
    if (!pmi_lexer_template_push(lexer, byte == '(' ? '(' : '{', counted))
        return false;
    reader->state = PM_WORDS_CODE;
    read->in_string_from = reader->in_string ? read->in_string_from : bit + 1;
    reader->in_string = true;
    read->operands |= UINT64_C(1) << bit;
    read->blanks |= UINT64_C(1) << bit;
    read->code |= UINT64_MAX << bit << 1;
    read->strings |= pmi_lexer_mask_of(reader->piece, w, PM_LEXER_ENDS_TEMPLATE_CODE);
    *stops = pmi_words_stops_from(reader, read, w, bit + 1);
    return true;
}

/* A bracket in code, which may be in a string. */
PM_WORDS_INLINED bool pmi_words_brace_read(pmi_words_reader *reader, pmi_word_read *read, size_t w, unsigned bit,
                                           uint64_t *stops) {
    pmi_lexer *const lexer = reader->lexer;
    const unsigned char byte = reader->text[w * PM_WORD_BITS + bit];
    if (!reader->in_string)
        return true;
    const pmi_lexer_template *const string = pmi_stack_top(&lexer->templates);
    const size_t r = (size_t)(string->region - lexer->language->regions);
    if (byte == string->code_close && lexer->braces == 1 && !(lexer->words.regions >> r & 1))
        return false;
    lexer->state = PM_LEXER_CODE; /* as the reader's is */
    if (!pmi_lexer_template_counts(lexer, byte))
        return true;
    if (lexer->verdict == PM_LEXER_UNCOUNTED)
        read->uncounted |= UINT64_C(1) << bit;
    lexer->verdict = PM_LEXER_AS_READ;
    if (lexer->state == PM_LEXER_CODE)
        return true;
    reader->state = (unsigned)r + 1;
    reader->depth = lexer->depth;
    reader->start = SIZE_MAX;
    reader->in_string = pmi_stack_top(&lexer->templates) != NULL;
    if (!reader->in_string)
        pmi_words_hide_lines(reader, read, w, read->in_string_from, bit);
    read->code &= pmi_words_bits_between(0, bit + 1);
    *stops = pmi_words_stops_from(reader, read, w, bit + 1);
    return true;
}

#endif
