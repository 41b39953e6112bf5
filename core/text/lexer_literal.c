/* SPDX-License-Identifier: Apache-2.0 */
/* The lexer in constructs of some languages: directives, raw strings, lifetimes, characters. */
#include <string.h>

#include "core/text/lexer_parts.h"

/* The name of a directive, behind its #, which begins a line. */
bool pmi_lexer_directive_byte(pmi_lexer *lexer, unsigned char byte, uint64_t at) {
    static const char *const free_text[] = {"error", "warning", NULL};
    pmi_lexer_history *history = &lexer->history;
    const bool begun = pmi_byte_is_word(pmi_lexer_history_byte(history, 0));
    if (pmi_byte_is_word(byte)) {
        pmi_lexer_history_push(history, byte);
        return true;
    }
    if (!begun && (byte == ' ' || byte == '\t')) {
        pmi_lexer_history_push_blank(history, false);
        return true;
    }
    lexer->state = PM_LEXER_CODE;
    if (pmi_lexer_history_word_in(history, 0, free_text)) {
        lexer->start = at;
        pmi_lexer_region_enter_flagged(lexer, PM_REGION_FREE);
    }
    return false;
}

/* The x of C++'s R"x(...)x". What cannot stand in it makes the literal an ordinary string from there. */
bool pmi_lexer_raw_delimiter_byte(pmi_lexer *lexer, unsigned char byte) {
    if (byte == '(') {
        pmi_lexer_region_enter_flagged(lexer, PM_REGION_DELIMITED);
        return true;
    }
    if (lexer->raw_length == PM_RAW_DELIMITER || byte == ')' || byte == '\\' || byte == 0 || pmi_byte_is_blank(byte)) {
        lexer->opening[0] = '"';
        lexer->opening_length = 1;
        pmi_lexer_opening_ends(lexer);
        return false;
    }
    lexer->raw_delimiter[lexer->raw_length++] = byte;
    return true;
}

/* The hashes of Rust's r##"..."##, or of a raw identifier. */
bool pmi_lexer_raw_hashes_byte(pmi_lexer *lexer, unsigned char byte, uint64_t at) {
    if (byte == '#') {
        lexer->raw_length++;
        return true;
    }
    lexer->state = PM_LEXER_CODE;
    if (byte != '"')
        return false;
    lexer->start = at;
    pmi_lexer_region_enter_flagged(lexer, PM_REGION_HASHED);
    return true;
}

/* Behind Rust's quote: 'a is a lifetime, 'a' a character, and what is no identifier can only be a character. */
bool pmi_lexer_quote_byte(pmi_lexer *lexer, unsigned char byte) {
    if (pmi_byte_is_word(byte)) {
        lexer->state = PM_LEXER_QUOTE_WORD;
        return true;
    }
    pmi_lexer_region_enter_flagged(lexer, PM_REGION_LIFETIME);
    return false;
}

bool pmi_lexer_quote_word_byte(pmi_lexer *lexer, unsigned char byte) {
    if (pmi_byte_is_word(byte))
        return true;
    lexer->state = PM_LEXER_CODE;
    pmi_lexer_history_push(&lexer->history, PM_LEXER_OPERAND);
    return byte == '\'';
}

/* An Emacs Lisp character behind its ?: one byte, or a backslash and one, or modifiers such as \C- before either. */
bool pmi_lexer_character_byte(pmi_lexer *lexer, unsigned char byte) {
    switch (lexer->state) {
    case PM_LEXER_CHARACTER:
        lexer->state = byte == '\\' ? PM_LEXER_CHARACTER_ESCAPE : PM_LEXER_CODE;
        break;
    case PM_LEXER_CHARACTER_ESCAPE:
        lexer->state = byte == '^'                      ? PM_LEXER_CHARACTER
                       : byte && strchr("ACHMSs", byte) ? PM_LEXER_CHARACTER_MODIFIER
                                                        : PM_LEXER_CODE;
        break;
    default:
        lexer->state = byte == '-' ? PM_LEXER_CHARACTER : PM_LEXER_CODE;
        return byte == '-';
    }
    if (lexer->state == PM_LEXER_CODE)
        pmi_lexer_history_push(&lexer->history, PM_LEXER_OPERAND);
    return true;
}
