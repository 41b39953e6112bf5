/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a byte of a word begins and ends, as the table says: a region, a character, what a backslash protects. *stops
 * are the bytes behind it that may matter. Returned is false if the byte is to be read in another way.
 */
#ifndef PM_CORE_LEXER_WORDS_REGIONS_H
#define PM_CORE_LEXER_WORDS_REGIONS_H

#include "core/lexer/words/reader.h"

/* ---- Opens ---- */

/* Opens the region of a state by `length` bytes. */
PM_WORDS_INLINED bool pmi_words_open_read(pmi_words_reader *reader, pmi_word_read *read, unsigned state,
                                          unsigned length, size_t w, unsigned bit, uint64_t *stops) {
    if (reader->lexer->language->regions[state - 1].flags & PM_REGION_OUTSIDE)
        reader->lexer->unclear |= reader->in_string || reader->heredocs;
    read->counted |= UINT64_C(1) << bit;
    read->code &= pmi_bits_low(bit);
    reader->state = state;
    reader->start = w * PM_WORD_BITS + bit;
    reader->depth = 0;
    pmi_words_passed_to(reader, bit + length);
    *stops = pmi_words_stops_from(reader, read, w, bit + length);
    return true;
}

/* Reads the bytes from `bit` on to before byte `end` of the piece as a comment or literal. */
PM_WORDS_INLINED bool pmi_words_skipped_read(pmi_words_reader *reader, pmi_word_read *read, size_t w, unsigned bit,
                                             size_t end, bool comment, uint64_t *stops) {
    const unsigned behind = (unsigned)(end - w * PM_WORD_BITS);
    const bool over = behind > PM_WORD_BITS;
    const uint64_t last = UINT64_C(1) << (end - 1) % PM_WORD_BITS, skipped = pmi_words_bits_between(bit, behind);
    pmi_words_passed_to(reader, behind);
    *(comment ? over ? &reader->over_blanks : &read->blanks : over ? &reader->over_operands : &read->operands) |= last;
    read->code &= ~skipped;
    *stops &= ~skipped;
    return true;
}

PM_WORDS_INLINED bool pmi_words_literal_read(pmi_words_reader *reader, pmi_word_read *read, size_t w, unsigned bit,
                                             size_t end, uint64_t *stops) {
    return pmi_words_skipped_read(reader, read, w, bit, end, false, stops);
}

/* Reads a comment in long brackets, which begins with `length` bytes up to the first one. */
PM_WORDS_INLINED bool pmi_words_long_comment_read(pmi_words_reader *reader, pmi_word_read *read, size_t w, unsigned bit,
                                                  unsigned length, uint64_t *stops) {
    const size_t end = pmi_lexer_long_end(reader->text, w * PM_WORD_BITS + bit + length, reader->to);
    read->counted |= (uint64_t)(end > 0) << bit;
    return end > 0 && pmi_words_skipped_read(reader, read, w, bit, end, true, stops);
}

/* Reads a string in long brackets, whose first and last one are brackets of the code. */
PM_WORDS_INLINED bool pmi_words_long_read(pmi_words_reader *reader, pmi_word_read *read, size_t w, unsigned bit,
                                          uint64_t *stops) {
    const size_t end = pmi_lexer_long_end(reader->text, w * PM_WORD_BITS + bit + 1, reader->to);
    if (end == 0 || !pmi_words_literal_read(reader, read, w, bit, end, stops))
        return false;
    read->counted |= UINT64_C(1) << bit;
    *(reader->over > 0 ? &reader->over_counted : &read->counted) |= UINT64_C(1) << (end - 1) % PM_WORD_BITS;
    return true;
}

/* Opens the region whose open is the longest that stands there, if one does. */
PM_WORDS_INLINED bool pmi_words_longest_read(pmi_words_reader *reader, pmi_word_read *read, size_t w, unsigned bit,
                                             uint64_t *stops) {
    pmi_lexer *const lexer = reader->lexer;
    const size_t i = w * PM_WORD_BITS + bit;
    unsigned length;
    if (i + PM_LEXER_OPENING > reader->to)
        return false;
    lexer->start = reader->position + i;
    const pmi_region *const region = pmi_lexer_region_ahead_of(lexer, reader->text + i, &length);
    if (!region || region->flags & PM_REGION_NOT)
        return true;
    if (region->flags & PM_REGION_NOTHING && lexer->language->code & PM_CODE_RUBY)
        return pmi_words_literal_read(reader, read, w, bit, i + length, stops);
    if (region->flags & PM_REGION_LONG)
        return pmi_words_long_comment_read(reader, read, w, bit, length, stops);
    const size_t r = (size_t)(region - lexer->language->regions);
    return lexer->words.regions >> r & 1 && pmi_words_open_read(reader, read, (unsigned)r + 1, length, w, bit, stops);
}

/* ---- Opens that depend on what stands before ---- */

/* Is the byte before a bit of a word one of a name? */
PM_WORDS_INLINED bool pmi_words_behind_name(const pmi_words_reader *reader, const pmi_word_read *read, size_t w,
                                            unsigned bit) {
    const size_t at = w * PM_WORD_BITS + bit;
    if (at == reader->from)
        return pmi_byte_in_name(pmi_lexer_history_byte(&reader->lexer->history, 0));
    const bool code = bit > 0 ? read->code >> (bit - 1) & 1 : reader->noted->code[w - 1] >> (PM_WORD_BITS - 1);
    return code && pmi_byte_in_name(reader->text[at - 1]);
}

#define PM_WORDS_PREFIX_BYTES 8u /* the longest of a region's prefixes, what is before it, and some to spare */

/* What stands in the history for byte i, which was noted. */
PM_WORDS_INLINED unsigned char pmi_words_noted_byte(const pmi_words_reader *reader, size_t i) {
    const size_t w = i / PM_WORD_BITS, bit = i % PM_WORD_BITS;
    return reader->noted->code[w] >> bit & 1       ? reader->text[i]
           : reader->noted->operands[w] >> bit & 1 ? PM_LEXER_OPERAND
                                                   : ' ';
}

/* What the blanks before byte `at` are in the history: a newline, or a blank; 0: that is not known. */
PM_WORDS_INLINED unsigned char pmi_words_last_blank(const pmi_words_reader *reader, size_t at) {
    while (at-- > reader->from) {
        const unsigned char byte = pmi_words_noted_byte(reader, at);
        if (byte == '\n' || !pmi_byte_is_space(byte))
            return byte == '\n' ? '\n' : ' ';
    }
    return 0;
}

/* The history at byte `at`, as far as regions ask for it, of bytes that were noted: a word, or what it is behind. */
PM_WORDS_INLINED pmi_lexer_history pmi_words_recent_history(const pmi_words_reader *reader, size_t at) {
    const pmi_lexer *const lexer = reader->lexer;
    const unsigned char byte = pmi_words_noted_byte(reader, at - 1);
    pmi_lexer_history history = {byte, 0};
    if (lexer->region_flags & PM_REGION_START && pmi_byte_is_space(byte)) {
        const bool lines = lexer->language->code & PM_CODE_ASSEMBLY; /* does a line that goes on matter? */
        history.newer = lines ? 0 : pmi_words_last_blank(reader, at);
        return history.newer ? history
                             : pmi_lexer_history_before(lexer, reader->noted, reader->text, reader->from, at,
                                                        PM_WORDS_PREFIX_BYTES);
    }
    if (!lexer->words.prefixes || !pmi_byte_in_name(byte))
        return history;
    for (unsigned k = 1; k < PM_WORDS_PREFIX_BYTES; k++) {
        if (at - k == reader->from)
            return pmi_lexer_history_before(lexer, reader->noted, reader->text, reader->from, at,
                                            PM_WORDS_PREFIX_BYTES);
        const unsigned char before = pmi_words_noted_byte(reader, at - k - 1);
        history.newer |= (uint64_t)before << 8 * k;
        if (!pmi_byte_in_name(before))
            break;
    }
    return history;
}

/* Opens the region whose open is the longest that stands there, if what stands before allows it. */
PM_WORDS_INLINED bool pmi_words_behind_read(pmi_words_reader *reader, pmi_word_read *read, size_t w, unsigned bit,
                                            uint64_t *stops) {
    pmi_lexer *const lexer = reader->lexer;
    const pmi_lexer_history history = lexer->history;
    reader->noted->code[w] = read->code;
    reader->noted->operands[w] = read->operands;
    reader->noted->blanks[w] = read->blanks;
    if (w * PM_WORD_BITS + bit > reader->from)
        lexer->history = pmi_words_recent_history(reader, w * PM_WORD_BITS + bit);
    const bool known = pmi_words_longest_read(reader, read, w, bit, stops);
    lexer->history = history;
    return known;
}

/* What stands in the history before byte i, which is in the word that is read. */
PM_WORDS_INLINED unsigned char pmi_words_byte_before(const pmi_words_reader *reader, const pmi_word_read *read,
                                                     size_t i) {
    if (i == reader->from)
        return pmi_lexer_history_byte(&reader->lexer->history, 0);
    const size_t before = i - 1, w = before / PM_WORD_BITS;
    const bool here = w == i / PM_WORD_BITS;
    const uint64_t operands = here ? read->operands : reader->noted->operands[w],
                   code = here ? read->code : reader->noted->code[w];
    return operands >> before % PM_WORD_BITS & 1 ? PM_LEXER_OPERAND
           : code >> before % PM_WORD_BITS & 1   ? reader->text[before]
                                                 : ' '; /* a comment */
}

/* ---- Characters ---- */

/* Opens the region of a state if a word may begin there. */
PM_WORDS_INLINED bool pmi_words_at_word_read(pmi_words_reader *reader, pmi_word_read *read, unsigned state, size_t w,
                                             unsigned bit, uint64_t *stops) {
    const char *const open = reader->lexer->language->regions[state - 1].open;
    return !pmi_lexer_comment_due((unsigned char)open[0],
                                  pmi_words_byte_before(reader, read, w * PM_WORD_BITS + bit)) ||
           pmi_words_open_read(reader, read, state, open[1] ? 2 : 1, w, bit, stops);
}

/* The region of characters, of languages that have ticks. */
PM_WORDS_INLINED size_t pmi_words_character_region(const pmi_lexer *lexer) {
    return lexer->flagged[pmi_bits_lowest(PM_REGION_LIFETIME)] - 1u;
}

/* Where the literal ends that a quote begins, if the word has all of it: 'a, 'a' or '('; 0: it has not, or what
 * follows is to be read in another way. */
PM_WORDS_INLINED unsigned pmi_words_character_end(const pmi_words_reader *reader, size_t w, unsigned bit) {
    const pmi_lexer *const lexer = reader->lexer;
    const unsigned char *const word = reader->text + w * PM_WORD_BITS;
    unsigned end = bit + 1;
    while (end < PM_WORD_BITS && pmi_byte_in_name(word[end]))
        end++;
    if (end > bit + 1)
        return end < PM_WORD_BITS ? end + (word[end] == '\'') : 0;
    if (lexer->region_flags & PM_REGION_TICK && (word[end] == ':' || word[end] == '['))
        return 0;
    const unsigned class = lexer->region_class[pmi_words_character_region(lexer)];
    const uint64_t stops = pmi_lexer_mask_of(reader->piece, w, class) & UINT64_MAX << bit << 1;
    end = stops != 0 ? pmi_bits_lowest(stops) : bit;
    return word[end] == '\'' && end > bit ? end + 1 : 0;
}

/* Reads a quote that belongs to a name, or all of a literal. Returns false if the word does not show that it is one. */
PM_WORDS_INLINED bool pmi_words_tick_read(const pmi_words_reader *reader, pmi_word_read *read, size_t w, unsigned bit,
                                          uint64_t *stops) {
    if (reader->lexer->region_flags & PM_REGION_TICK &&
        pmi_lexer_is_tick(pmi_words_byte_before(reader, read, w * PM_WORD_BITS + bit)))
        return true;
    const unsigned end = pmi_words_character_end(reader, w, bit);
    if (end == 0)
        return false;
    const uint64_t skipped = pmi_words_bits_between(bit, end);
    read->code &= ~skipped;
    read->operands |= UINT64_C(1) << (end - 1);
    *stops &= ~skipped;
    return true;
}

/* Reads the quote of a literal that does not end in the word, and begins with no letter. */
PM_WORDS_INLINED bool pmi_words_character_open(pmi_words_reader *reader, pmi_word_read *read, size_t w, unsigned bit,
                                               uint64_t *stops) {
    const unsigned char next = reader->text[w * PM_WORD_BITS + bit + 1];
    if (pmi_byte_in_name(next) || next == ':' || next == '[' || next == '\n')
        return false;
    reader->state = (unsigned)pmi_words_character_region(reader->lexer) + 1;
    read->code &= pmi_bits_low(bit);
    reader->start = w * PM_WORD_BITS + bit;
    *stops = pmi_words_stops_from(reader, read, w, bit + 1);
    return true;
}

/* ---- Inside regions, and their ends ---- */

/* Passes a backslash and what it protects. */
PM_WORDS_INLINED bool pmi_words_escape_read(pmi_words_reader *reader, size_t w, unsigned bit, uint64_t *stops) {
    const unsigned flags = reader->lexer->language->regions[reader->state - 1].flags;
    const unsigned char byte = reader->text[w * PM_WORD_BITS + bit + 1];
    if (!(flags & PM_REGION_ESCAPES) || pmi_byte_is_space(byte) || byte == 'z')
        return false;
    pmi_words_passed_to(reader, bit + 2);
    *stops &= ~(UINT64_C(2) << bit);
    return true;
}

/* Closes the region with the last one of `length` bytes. */
PM_WORDS_INLINED bool pmi_words_close_read(pmi_words_reader *reader, pmi_word_read *read, unsigned length, size_t w,
                                           unsigned bit, uint64_t *stops) {
    const unsigned flags = reader->lexer->language->regions[reader->state - 1].flags, end = bit + length;
    const bool over = end > PM_WORD_BITS, blank = flags & (PM_REGION_COMMENT | PM_REGION_OUTSIDE);
    const uint64_t last = UINT64_C(1) << (end - 1) % PM_WORD_BITS;
    reader->state = PM_WORDS_CODE;
    read->code |= ~pmi_words_bits_between(0, end);
    pmi_words_passed_to(reader, end);
    *(blank ? over ? &reader->over_blanks : &read->blanks : over ? &reader->over_operands : &read->operands) |= last;
    if (flags & PM_REGION_BRACKET)
        *(over ? &reader->over_counted : &read->counted) |= last;
    *stops = pmi_words_stops_from(reader, read, w, end);
    return true;
}

/* Ends a string with its line. What the history is given of it stands at its last byte, if that is known. */
PM_WORDS_INLINED bool pmi_words_cut_read(pmi_words_reader *reader, pmi_word_read *read, size_t w, unsigned bit,
                                         uint64_t *stops) {
    const uint64_t last = (UINT64_C(1) << bit) >> 1;
    if (last == 0 || w * PM_WORD_BITS + bit == reader->from || read->code & last)
        return false;
    reader->state = PM_WORDS_CODE;
    read->code |= UINT64_MAX << bit;
    read->operands |= last;
    *stops = pmi_words_stops_from(reader, read, w, bit + 1);
    return true;
}

#endif
