/* SPDX-License-Identifier: Apache-2.0 */
/* See broadword/text/code_table.h. */
#include "broadword/text/code_table.h"

/* ---- Bytes ---- */

/* A byte as the first of two. */
enum {
    FIRST_OTHER,
    FIRST_QUOTE,
    FIRST_APOSTROPHE,
    FIRST_BACKTICK,
    FIRST_SLASH,
    FIRST_BACKSLASH,
    FIRST_NEWLINE,
    FIRST_LESS,
    FIRST_GREATER,
    FIRST_OPEN,
    FIRST_CLOSE
};

/* As the second one. */
enum {
    SECOND_SLASH = 16,
    SECOND_STAR = 32,
    SECOND_NAME = 48 /* what may begin a tag, as pmi_code_begins_tag() finds */
};

#define EACH_4(byte, value) [byte] = (value), [(byte) + 1] = (value), [(byte) + 2] = (value), [(byte) + 3] = (value)
#define EACH_16(byte, value)                                                                                           \
    EACH_4(byte, value), EACH_4((byte) + 4, value), EACH_4((byte) + 8, value), EACH_4((byte) + 12, value)
#define EACH_64(byte, value)                                                                                           \
    EACH_16(byte, value), EACH_16((byte) + 16, value), EACH_16((byte) + 32, value), EACH_16((byte) + 48, value)
#define EACH_LETTER(byte, value)                                                                                       \
    EACH_16(byte, value), EACH_4((byte) + 16, value), EACH_4((byte) + 20, value), [(byte) + 24] = (value),             \
                                                                                            [(byte) + 25] = (value)

const uint8_t pmi_code_bytes[256] = {
    ['"'] = FIRST_QUOTE,
    ['\''] = FIRST_APOSTROPHE,
    ['`'] = FIRST_BACKTICK,
    ['/'] = FIRST_SLASH | SECOND_SLASH,
    ['*'] = SECOND_STAR,
    ['\\'] = FIRST_BACKSLASH,
    ['\n'] = FIRST_NEWLINE,
    ['<'] = FIRST_LESS,
    ['>'] = FIRST_GREATER | SECOND_NAME,
    ['{'] = FIRST_OPEN,
    ['}'] = FIRST_CLOSE,
    ['_'] = SECOND_NAME,
    ['$'] = SECOND_NAME,
    EACH_LETTER('a', SECOND_NAME),
    EACH_LETTER('A', SECOND_NAME),
    EACH_64(0x80, SECOND_NAME),
    EACH_64(0xc0, SECOND_NAME),
};

#define ALIKE(first, symbol)                                                                                           \
    [first] = (symbol), [(first) | SECOND_SLASH] = (symbol), [(first) | SECOND_STAR] = (symbol),                       \
    [(first) | SECOND_NAME] = (symbol)

const uint8_t pmi_code_symbols[64] = {
    ALIKE(FIRST_QUOTE, PM_SYMBOL_QUOTE),
    ALIKE(FIRST_APOSTROPHE, PM_SYMBOL_APOSTROPHE),
    ALIKE(FIRST_BACKTICK, PM_SYMBOL_BACKTICK),
    ALIKE(FIRST_BACKSLASH, PM_SYMBOL_BACKSLASH),
    ALIKE(FIRST_NEWLINE, PM_SYMBOL_NEWLINE),
    ALIKE(FIRST_GREATER, PM_SYMBOL_GREATER),
    ALIKE(FIRST_OPEN, PM_SYMBOL_OPEN),
    ALIKE(FIRST_CLOSE, PM_SYMBOL_CLOSE),
    [FIRST_SLASH] = PM_SYMBOL_SLASH,
    [FIRST_SLASH | SECOND_SLASH] = PM_SYMBOL_SLASH_SLASH,
    [FIRST_SLASH | SECOND_STAR] = PM_SYMBOL_SLASH_STAR,
    [FIRST_SLASH | SECOND_NAME] = PM_SYMBOL_SLASH,
    [FIRST_LESS] = PM_SYMBOL_LESS,
    [FIRST_LESS | SECOND_SLASH] = PM_SYMBOL_LESS_SLASH,
    [FIRST_LESS | SECOND_STAR] = PM_SYMBOL_LESS,
    [FIRST_LESS | SECOND_NAME] = PM_SYMBOL_LESS_NAME,
};

#define NAME (1u << PM_SIGN_NAME)
#define BLANK (1u << PM_SIGN_BLANK)

const uint8_t pmi_code_sign_bits[128] = {
    [' '] = BLANK,
    EACH_4('\t', BLANK),
    ['\r'] = BLANK,
    EACH_LETTER('a', NAME),
    EACH_LETTER('A', NAME),
    EACH_4('0', NAME),
    EACH_4('4', NAME),
    ['8'] = NAME,
    ['9'] = NAME,
    ['_'] = NAME,
    ['$'] = NAME,
    ['<'] = 1u << PM_SIGN_LESS,
    ['>'] = 1u << PM_SIGN_GREATER,
    ['{'] = 1u << PM_SIGN_BRACE,
    ['}'] = 1u << PM_SIGN_BRACE,
};

/* ---- The table ---- */

#define ACTION(action) ((action) << PM_TABLE_ACTION)
#define DEPTH(elements) ((elements) * (1 << PM_TABLE_DEPTH))
#define EITHER(symbol, entry) [symbol] = (entry), [(symbol) + PM_SYMBOL_BEHIND] = (entry)

/* Code, whether or not it is in the { } of a string or element. */
#define CODE_TO(sort) (PM_TABLE_CODE ^ (sort))
#define CODE                                                                                                           \
    [PM_SYMBOL_QUOTE] = CODE_TO(PM_TABLE_STRING) | PM_TABLE_QUOTES,                                                    \
    [PM_SYMBOL_APOSTROPHE] = CODE_TO(PM_TABLE_CHARACTER) | PM_TABLE_QUOTES,                                            \
    [PM_SYMBOL_BACKTICK] = ACTION(PM_ACTION_BACKTICKS), EITHER(PM_SYMBOL_SLASH, ACTION(PM_ACTION_SLASH)),              \
    EITHER(PM_SYMBOL_SLASH_SLASH, CODE_TO(PM_TABLE_LINE) | PM_TABLE_COMMENTS),                                         \
    EITHER(PM_SYMBOL_SLASH_STAR, CODE_TO(PM_TABLE_BLOCK) | PM_TABLE_COMMENTS),                                         \
    [PM_SYMBOL_LESS_NAME] = ACTION(PM_ACTION_LESS), [PM_SYMBOL_OTHER] = ACTION(PM_ACTION_OTHER)

/* A string or character, which the `end` or a newline ends. */
#define QUOTED(sort, end)                                                                                              \
    [end] = CODE_TO(sort) | PM_TABLE_QUOTES, [PM_SYMBOL_NEWLINE] = CODE_TO(sort) | PM_TABLE_QUOTES,                    \
    [PM_SYMBOL_BACKSLASH] = ACTION(PM_ACTION_ESCAPE)

#define LINE [PM_SYMBOL_NEWLINE] = CODE_TO(PM_TABLE_LINE) | PM_TABLE_COMMENTS

#define BLOCK_ENDS (CODE_TO(PM_TABLE_BLOCK) | PM_TABLE_COMMENTS | PM_TABLE_AFTER)
#define BLOCK                                                                                                          \
    [PM_SYMBOL_SLASH + PM_SYMBOL_BEHIND] = BLOCK_ENDS, [PM_SYMBOL_SLASH_SLASH + PM_SYMBOL_BEHIND] = BLOCK_ENDS,        \
                       [PM_SYMBOL_SLASH_STAR + PM_SYMBOL_BEHIND] = BLOCK_ENDS

#define TAG_TO(sort) (PM_TABLE_TAG ^ (sort))

const int32_t pmi_code_table[PM_TABLE_STATES][PM_SYMBOLS] = {
    [PM_TABLE_CODE] = {CODE},
    [PM_TABLE_STRING] = {QUOTED(PM_TABLE_STRING, PM_SYMBOL_QUOTE)},
    [PM_TABLE_CHARACTER] = {QUOTED(PM_TABLE_CHARACTER, PM_SYMBOL_APOSTROPHE)},
    [PM_TABLE_LINE] = {LINE},
    [PM_TABLE_BLOCK] = {BLOCK},
    [PM_TABLE_CODE | PM_TABLE_NESTED] =
        {CODE, [PM_SYMBOL_OPEN] = ACTION(PM_ACTION_OPEN), [PM_SYMBOL_CLOSE] = ACTION(PM_ACTION_CLOSE)},
    [PM_TABLE_STRING | PM_TABLE_NESTED] = {QUOTED(PM_TABLE_STRING, PM_SYMBOL_QUOTE)},
    [PM_TABLE_CHARACTER | PM_TABLE_NESTED] = {QUOTED(PM_TABLE_CHARACTER, PM_SYMBOL_APOSTROPHE)},
    [PM_TABLE_LINE | PM_TABLE_NESTED] = {LINE},
    [PM_TABLE_BLOCK | PM_TABLE_NESTED] = {BLOCK},
    [PM_TABLE_BACKTICKS] = {[PM_SYMBOL_BACKTICK] = ACTION(PM_ACTION_BACKTICKS_END),
                            [PM_SYMBOL_BACKSLASH] = ACTION(PM_ACTION_ESCAPE),
                            [PM_SYMBOL_OPEN] = ACTION(PM_ACTION_DOLLAR)},
    [PM_TABLE_TEXT] = {[PM_SYMBOL_LESS_SLASH] = PM_TABLE_TEXT ^ PM_TABLE_CLOSING,
                       [PM_SYMBOL_LESS_NAME] = PM_TABLE_TEXT ^ PM_TABLE_TAG,
                       [PM_SYMBOL_OPEN] = ACTION(PM_ACTION_INTO),
                       [PM_SYMBOL_CLOSE] = ACTION(PM_ACTION_ODD)},
    [PM_TABLE_TAG] = {[PM_SYMBOL_QUOTE] = TAG_TO(PM_TABLE_DOUBLE),
                      [PM_SYMBOL_APOSTROPHE] = TAG_TO(PM_TABLE_SINGLE),
                      EITHER(PM_SYMBOL_SLASH_SLASH, ACTION(PM_ACTION_ODD)), /* comments, */
                      EITHER(PM_SYMBOL_SLASH_STAR, ACTION(PM_ACTION_ODD)),
                      [PM_SYMBOL_LESS] = ACTION(PM_ACTION_ODD), /* and type arguments */
                      [PM_SYMBOL_LESS_SLASH] = ACTION(PM_ACTION_ODD),
                      [PM_SYMBOL_LESS_NAME] = ACTION(PM_ACTION_ODD),
                      [PM_SYMBOL_GREATER] = TAG_TO(PM_TABLE_TEXT) | DEPTH(1),
                      [PM_SYMBOL_GREATER + PM_SYMBOL_BEHIND] = TAG_TO(PM_TABLE_TEXT) | PM_TABLE_ENDS,
                      [PM_SYMBOL_OPEN] = ACTION(PM_ACTION_INTO),
                      [PM_SYMBOL_CLOSE] = ACTION(PM_ACTION_ODD)},
    [PM_TABLE_DOUBLE] = {[PM_SYMBOL_QUOTE] = TAG_TO(PM_TABLE_DOUBLE)},
    [PM_TABLE_SINGLE] = {[PM_SYMBOL_APOSTROPHE] = TAG_TO(PM_TABLE_SINGLE)},
    [PM_TABLE_CLOSING] = {EITHER(PM_SYMBOL_GREATER, (PM_TABLE_CLOSING ^ PM_TABLE_TEXT) | PM_TABLE_ENDS | DEPTH(-1))},
};
