/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Literals that end in some word of the piece, so that the table goes on behind them: characters, regular expressions
 * and others that are read byte by byte, heredocs. *stops are the bytes behind that may matter. Returned is false if
 * the byte is to be read in another way.
 */
#ifndef PM_CORE_LEXER_WORDS_AHEAD_H
#define PM_CORE_LEXER_WORDS_AHEAD_H

#include "core/lexer/words/regions.h"

/* ---- The history ---- */

/* What stands in the history for the last of the bytes that were noted, of 64 before some place; takes it from them. */
static inline unsigned char pmi_words_last_byte(const unsigned char *before, uint64_t code, uint64_t operands,
                                                uint64_t *noted) {
    const unsigned bit = pmi_bits_highest(*noted);
    *noted ^= UINT64_C(1) << bit;
    return code >> bit & 1 ? before[bit] : operands >> bit & 1 ? PM_LEXER_OPERAND : ' ';
}

/* Stores the last bytes of the history before byte i, if these tell what a sign begins: a blank perhaps, a sign, and
 * what stands before that if it matters. */
static inline bool pmi_words_signs_before(const pmi_lexer_noted *noted, const unsigned char *text, size_t from,
                                          size_t i, pmi_lexer_history *signs) {
    const size_t w = i / PM_WORD_BITS, bit = i % PM_WORD_BITS;
    const unsigned char *const before = text + i - PM_WORD_BITS;
    if (bit == 0 || w == from / PM_WORD_BITS)
        return false;
    const uint64_t code = noted->code[w] << (PM_WORD_BITS - bit) | noted->code[w - 1] >> bit,
                   operands = noted->operands[w] << (PM_WORD_BITS - bit) | noted->operands[w - 1] >> bit,
                   blanks = noted->blanks[w] << (PM_WORD_BITS - bit) | noted->blanks[w - 1] >> bit;
    uint64_t rest = code | operands | blanks;
    unsigned char byte = 0, blank = 0;
    while (rest != 0 && pmi_byte_is_space(byte = pmi_words_last_byte(before, code, operands, &rest)))
        blank = byte == '\n' || blank == '\n' ? '\n' : ' ';
    const bool doubles = byte == '+' || byte == '-' || byte == '.'; /* may mean another thing behind themselves */
    if (byte == 0 || pmi_byte_is_space(byte) || pmi_byte_in_name(byte) || (doubles && rest == 0))
        return false;
    const unsigned char second = doubles ? pmi_words_last_byte(before, code, operands, &rest) : 0;
    signs->newer = (uint64_t)second << 8 | byte;
    signs->newer = blank ? signs->newer << 8 | blank : signs->newer;
    signs->older = 0;
    return true;
}

/* The history before byte i, as far as a sign there asks for it: a word, and two bytes. */
static inline pmi_lexer_history pmi_words_history_at(const pmi_lexer *lexer, const pmi_lexer_noted *noted,
                                                     const unsigned char *text, size_t from, size_t i) {
    pmi_lexer_history history = lexer->history;
    if (i > from && !pmi_words_signs_before(noted, text, from, i, &history))
        history = pmi_lexer_history_before(lexer, noted, text, from, i, 2);
    return history;
}

/* Notes what of word w is read. */
PM_WORDS_INLINED void pmi_words_note(const pmi_words_reader *reader, const pmi_word_read *read, size_t w) {
    reader->noted->code[w] = read->code;
    reader->noted->operands[w] = read->operands;
    reader->noted->blanks[w] = read->blanks;
}

/* ---- Literals ---- */

/* Reads a ? and the character behind it. */
PM_WORDS_INLINED bool pmi_words_character_read(pmi_words_reader *reader, pmi_word_read *read, size_t w, unsigned bit,
                                               uint64_t *stops) {
    const size_t i = w * PM_WORD_BITS + bit;
    const unsigned char *const bytes = reader->text + i;
    if (reader->to - i < 3)
        return false;
    if (pmi_byte_is_space(bytes[1]) || !pmi_lexer_character_due(pmi_words_byte_before(reader, read, i)))
        return true;
    return pmi_words_literal_read(reader, read, w, bit, i + (bytes[1] == '\\' ? 3 : 2), stops);
}

/* Returns where what byte i begins ends: behind a literal, or before the byte if it is code; 0: it is to be read in
 * another way. Without the reader, which so stays in registers. */
static __attribute__((noinline)) size_t pmi_words_ahead_end(pmi_lexer *lexer, const pmi_lexer_noted *noted,
                                                            const unsigned char *text, size_t from, size_t i,
                                                            size_t to) {
    const pmi_lexer_history history = pmi_words_history_at(lexer, noted, text, from, i);
    if (lexer->ahead[text[i]] != PM_AHEAD_START) {
        const size_t length = pmi_lexer_ruby_literal(&history, text + i, to - i);
        return length == 0 ? 0 : length == 1 ? i : i + length;
    }
    unsigned length;
    const pmi_lexer_history kept = lexer->history;
    lexer->history = history;
    const bool opens = to - i < PM_LEXER_OPENING || pmi_lexer_region_ahead_of(lexer, text + i, &length);
    lexer->history = kept;
    return opens ? 0 : i;
}

/* Reads a byte of code with what it begins, if that is code or a literal that ends in the piece. */
PM_WORDS_INLINED bool pmi_words_ahead_read(pmi_words_reader *reader, pmi_word_read *read, size_t w, unsigned bit,
                                           uint64_t *stops) {
    const size_t i = w * PM_WORD_BITS + bit;
    pmi_words_note(reader, read, w);
    const size_t end = pmi_words_ahead_end(reader->lexer, reader->noted, reader->text, reader->from, i, reader->to);
    return end > 0 && (end == i || pmi_words_literal_read(reader, read, w, bit, end, stops));
}

/* ---- Heredocs ---- */

/* Reads heredocs from the newline before them on. Returns how many bytes they have if there is one, which ends there;
 * 0: that is not so. */
static __attribute__((noinline)) size_t pmi_words_lines_end(pmi_lexer *lexer, const unsigned char *bytes, size_t n) {
    if (lexer->heredoc_count != 1)
        return 0;
    const pmi_lexer_history kept = lexer->history;
    pmi_lexer_heredocs_enter(lexer);
    const size_t taken = 1 + pmi_lexer_heredoc_ahead(lexer, bytes + 1, n - 1);
    lexer->history = kept;
    lexer->state = PM_LEXER_CODE;
    return lexer->heredoc_count > 0 ? 0 : taken;
}

/* Returns the offset behind a heredoc's word, given its << at byte i, or behind the heredoc if that follows at once; 0
 * if none begins. */
static __attribute__((noinline)) size_t pmi_words_heredoc_end(pmi_lexer *lexer, const pmi_lexer_noted *noted,
                                                              const unsigned char *text, size_t from, size_t i,
                                                              size_t to) {
    const unsigned count = lexer->heredoc_count;
    const pmi_lexer_history kept = lexer->history;
    lexer->history = pmi_words_history_at(lexer, noted, text, from, i);
    lexer->state = PM_LEXER_HEREDOC;
    lexer->heredoc_step = 0;
    const size_t end = i + 1 + pmi_lexer_heredoc_word(lexer, text + i + 1, to - (i + 1));
    lexer->history = kept;
    lexer->state = PM_LEXER_CODE;
    if (lexer->heredoc_count == count)
        return 0;
    const bool line_ends = end < to && text[end] == '\n' && !(lexer->class_of['\n'] >> PM_LEXER_BRACKET & 1);
    return end + (line_ends ? pmi_words_lines_end(lexer, text + end, to - end) : 0);
}

/* Reads the first < of two, with the word of a heredoc behind them. */
PM_WORDS_INLINED bool pmi_words_heredoc_read(pmi_words_reader *reader, pmi_word_read *read, size_t w, unsigned bit,
                                             uint64_t *stops) {
    pmi_words_note(reader, read, w);
    const size_t end = pmi_words_heredoc_end(reader->lexer, reader->noted, reader->text, reader->from,
                                             w * PM_WORD_BITS + bit, reader->to);
    if (end == 0)
        return false;
    if (reader->lexer->heredoc_count == 0)
        return pmi_words_literal_read(reader, read, w, bit, end, stops);
    reader->heredocs = true;
    read->strings |= pmi_lexer_mask_of(reader->piece, w, PM_LEXER_ENDS_TEMPLATE_CODE);
    *stops = pmi_words_stops_from(reader, read, w, bit + 1);
    return pmi_words_literal_read(reader, read, w, bit, end, stops);
}

/* Reads the newline behind which heredocs follow, and these. */
PM_WORDS_INLINED bool pmi_words_lines_read(pmi_words_reader *reader, pmi_word_read *read, size_t w, unsigned bit,
                                           uint64_t *stops) {
    const size_t i = w * PM_WORD_BITS + bit;
    if (pmi_lexer_mask_of(reader->piece, w, PM_LEXER_BRACKET) >> bit & 1)
        return false; /* the newline itself counts */
    const size_t taken = pmi_words_lines_end(reader->lexer, reader->text + i, reader->to - i);
    if (taken == 0)
        return false;
    reader->heredocs = false;
    return pmi_words_literal_read(reader, read, w, bit, i + taken, stops);
}

#endif
