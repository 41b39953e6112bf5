/* SPDX-License-Identifier: Apache-2.0 */
/* What the word alone shows: comments that end in it, backslashes with what they protect, and quotes of names and
 * characters. */
#ifndef PM_CORE_LEXER_WORDS_QUICK_H
#define PM_CORE_LEXER_WORDS_QUICK_H

#include "core/lexer/words/regions.h"

/* The bit of the newline that ends a comment, of those that may; 0: it does not end in its word. */
PM_WORDS_INLINED unsigned pmi_words_line_end(const unsigned char *word, uint64_t ends, unsigned bit) {
    const uint64_t rest = ends & (UINT64_MAX << bit << 1);
    const unsigned end = rest != 0 ? pmi_bits_lowest(rest) : 0;
    return word[end] == '\n' ? end : 0;
}

/* The bit behind a comment that ends with two bytes; 0: it does not end in its word, or another one begins in it. */
PM_WORDS_INLINED unsigned pmi_words_block_end(const unsigned char *word, const pmi_region *region, uint64_t ends,
                                              unsigned bit) {
    for (uint64_t rest = ends & (UINT64_MAX << bit << 2); rest != 0; rest &= rest - 1) {
        const unsigned at = pmi_bits_lowest(rest);
        if (word[at] == (unsigned char)region->close[0] && word[at + 1] == (unsigned char)region->close[1])
            return at + 2 <= PM_WORD_BITS ? at + 2 : 0;
        if (region->flags & PM_REGION_NESTS && pmi_words_is_open_of(region, word[at], word[at + 1]))
            return 0;
    }
    return 0;
}

/* Reads what the table opens if it is a comment that ends in its word: no step waits for the one before to know the
 * state. Returns false if it is not. */
PM_WORDS_INLINED bool pmi_words_comment_read(const pmi_words_reader *reader, pmi_word_read *of, unsigned action,
                                             size_t w, unsigned bit, uint64_t *stops) {
    const pmi_lexer *const lexer = reader->lexer;
    const unsigned char *const word = reader->text + w * PM_WORD_BITS;
    const bool block = action == PM_ENTRY_BLOCK_TWO;
    const size_t r = (block ? lexer->words.block : lexer->words.line) - 1u;
    const pmi_region *const region = &lexer->language->regions[r];
    const uint64_t ends = pmi_lexer_mask_of(reader->piece, w, lexer->region_class[r]);
    const unsigned end = block ? pmi_words_block_end(word, region, ends, bit) : pmi_words_line_end(word, ends, bit);
    if (end == 0 || (action == PM_ENTRY_LINE_UNLESS && word[bit + 2] == lexer->words.unless))
        return false;
    const uint64_t last = UINT64_C(1) << (end - 1);
    of->counted |= UINT64_C(1) << bit | (block && region->flags & PM_REGION_BRACKET ? last : 0);
    of->blanks |= block ? last : 0;
    of->code = (of->code & pmi_bits_low(bit)) | ~pmi_words_bits_between(0, end);
    *stops = of->strings & ~pmi_words_bits_between(0, end) & ~(block || reader->heredocs ? 0 : last << 1);
    return true;
}

/* Reads a backslash and the byte that it protects, which together are an operand. */
PM_WORDS_INLINED bool pmi_words_protected_read(pmi_word_read *of, unsigned bit, uint64_t *stops) {
    of->counted |= UINT64_C(1) << bit;
    of->code &= ~(UINT64_C(3) << bit);
    of->operands |= UINT64_C(2) << bit;
    *stops &= ~(UINT64_C(2) << bit);
    return true;
}

/* Reads what the table says at once if that is known by the word alone. Returns false if it is not. */
PM_WORDS_INLINED bool pmi_words_quick_read(const pmi_words_reader *reader, pmi_word_read *of, unsigned action,
                                           unsigned state, size_t w, unsigned bit, uint64_t *stops) {
    const pmi_lexer *const lexer = reader->lexer;
    const unsigned char *const at = reader->text + w * PM_WORD_BITS + bit;
    if (action == PM_ENTRY_PROTECT)
        return bit + 1 < PM_WORD_BITS && pmi_words_protected_read(of, bit, stops);
    if (action == PM_ENTRY_OPEN_TICK)
        return pmi_words_tick_read(reader, of, w, bit, stops);
    if (action == PM_ENTRY_OPEN_WORD)
        return !pmi_lexer_comment_due(*at, pmi_words_byte_before(reader, of, w * PM_WORD_BITS + bit));
    if (action != PM_ENTRY_ESCAPE)
        return pmi_words_comment_read(reader, of, action, w, bit, stops);
    if (bit + 1 == PM_WORD_BITS || !(lexer->words.escapes >> (state - 1) & 1) || pmi_byte_is_space(at[1]) ||
        at[1] == 'z')
        return false;
    *stops &= ~(UINT64_C(2) << bit);
    return true;
}

#endif
