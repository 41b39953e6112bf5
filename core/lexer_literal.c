/* SPDX-License-Identifier: Apache-2.0 */
/* The lexer in what only some languages have: directives, raw strings, lifetimes, characters. */
#include <string.h>

#include "core/lexer_parts.h"

/* The name of a directive, behind its #, which begins a line. */
bool pm_lexer_directive_byte(pm_lexer *lexer, unsigned char byte, uint64_t at) {
    static const char *const free_text[] = {"error", "warning", NULL};
    pm_history *history = &lexer->history;
    const bool begun = pm_byte_is_word(pm_history_byte(history, 0));
    if (pm_byte_is_word(byte)) {
        pm_history_push(history, byte);
        return true;
    }
    if (!begun && (byte == ' ' || byte == '\t')) {
        pm_history_push_blank(history, false);
        return true;
    }
    lexer->state = PM_LEXER_CODE;
    if (pm_history_word_in(history, 0, free_text)) {
        lexer->start = at;
        pm_lexer_region_enter_flagged(lexer, PM_REGION_FREE);
    }
    return false;
}

/* The x of C++'s R"x(...)x". What cannot stand in it makes the literal an ordinary string from there. */
bool pm_lexer_raw_delimiter_byte(pm_lexer *lexer, unsigned char byte) {
    if (byte == '(') {
        pm_lexer_region_enter_flagged(lexer, PM_REGION_DELIMITED);
        return true;
    }
    if (lexer->raw_length == PM_RAW_DELIMITER || byte == ')' || byte == '\\' || byte == 0 || pm_byte_is_blank(byte)) {
        lexer->opening[0] = '"';
        lexer->opening_length = 1;
        pm_lexer_opening_ends(lexer);
        return false;
    }
    lexer->raw_delimiter[lexer->raw_length++] = byte;
    return true;
}

/* The hashes of Rust's r##"..."##, or of a raw identifier. */
bool pm_lexer_raw_hashes_byte(pm_lexer *lexer, unsigned char byte, uint64_t at) {
    if (byte == '#') {
        lexer->raw_length++;
        return true;
    }
    lexer->state = PM_LEXER_CODE;
    if (byte != '"')
        return false;
    lexer->start = at;
    pm_lexer_region_enter_flagged(lexer, PM_REGION_HASHED);
    return true;
}

/* Behind Rust's quote: 'a is a lifetime, 'a' a character, and what is no identifier can only be a character. */
bool pm_lexer_quote_byte(pm_lexer *lexer, unsigned char byte) {
    if (pm_byte_is_word(byte)) {
        lexer->state = PM_LEXER_QUOTE_WORD;
        return true;
    }
    pm_lexer_region_enter_flagged(lexer, PM_REGION_LIFETIME);
    return false;
}

bool pm_lexer_quote_word_byte(pm_lexer *lexer, unsigned char byte) {
    if (pm_byte_is_word(byte))
        return true;
    lexer->state = PM_LEXER_CODE;
    pm_history_push(&lexer->history, PM_LEXER_OPERAND);
    return byte == '\'';
}

/* An Emacs Lisp character behind its ?: one byte, or a backslash and one, or modifiers such as \C- before either. */
bool pm_lexer_character_byte(pm_lexer *lexer, unsigned char byte) {
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
        pm_history_push(&lexer->history, PM_LEXER_OPERAND);
    return true;
}
