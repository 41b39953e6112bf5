/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code in strings: where it begins, and the brackets that may end it. *stops are the bytes behind that may matter.
 * Returned is false if the byte is to be read in another way.
 */
#ifndef PM_CORE_LEXER_WORDS_CODE_H
#define PM_CORE_LEXER_WORDS_CODE_H

#include "core/lexer/words/reader.h"

/* Code in a string that ends in its word: the bit of the bracket that ends it, and the strings in the code, with the
 * last byte of each. */
typedef struct pmi_words_inner_code {
    unsigned end;
    uint64_t strings, operands;
} pmi_words_inner_code;

/* Reads the code of a string, as of #{a}, \(a) and {$a["b"]}, which begins at `bit`. Returns false if the word does not
 * have all of it, or something else than strings of "" matters in it. */
PM_WORDS_INLINED bool pmi_words_inner_read(const pmi_words_reader *reader, const pmi_word_read *read, size_t w,
                                           unsigned bit, pmi_words_inner_code *code) {
    const unsigned char *const word = reader->text + w * PM_WORD_BITS, close = word[bit + 1] == '(' ? ')' : '}';
    uint64_t stops = bit > PM_WORD_BITS - 3
                         ? 0
                         : (read->strings | pmi_lexer_mask_of(reader->piece, w, PM_LEXER_ENDS_TEMPLATE_CODE)) &
                               UINT64_MAX << bit << 2;
    code->strings = code->operands = 0;
    for (; stops != 0; stops &= stops - 1) {
        const uint64_t behind = stops & (stops - 1), first = stops & (0 - stops), last = behind & (0 - behind);
        code->end = pmi_bits_lowest(stops);
        if (word[code->end] == close)
            return true;
        if (word[code->end] != '"' || !reader->lexer->alone['"'] || last == 0 || word[pmi_bits_lowest(last)] != '"')
            return false;
        code->strings |= (last << 1) - first;
        code->operands |= last;
        stops = behind;
    }
    return false;
}

/* Begins to read code in a string. */
PM_WORDS_INLINED bool pmi_words_code_begin(pmi_words_reader *reader, pmi_word_read *read, size_t w, unsigned bit,
                                           uint64_t *stops) {
    pmi_lexer *const lexer = reader->lexer;
    const unsigned char byte = reader->text[w * PM_WORD_BITS + bit + 1];
    const bool counted = byte == '(' || byte == '{';
    pmi_words_inner_code inner;
    if (pmi_words_inner_read(reader, read, w, bit, &inner)) {
        read->uncounted |= (uint64_t)!counted << inner.end;
        read->operands |= UINT64_C(1) << bit | inner.operands;
        read->blanks |= UINT64_C(1) << bit;
        read->code |= pmi_words_bits_between(bit + 1, inner.end + 1) & ~inner.strings;
        pmi_words_hide_lines(reader, read, w, bit + 1, inner.end);
        *stops = pmi_words_stops_from(reader, read, w, inner.end + 1);
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
