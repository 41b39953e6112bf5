/* SPDX-License-Identifier: Apache-2.0 */
/* The table by which broadword/text/code_nested.h reads: from a state, by a byte that may matter, to the next state. */
#ifndef PM_BROADWORD_TEXT_CODE_TABLE_H
#define PM_BROADWORD_TEXT_CODE_TABLE_H

#include "broadword/text/code_types.h"

/* What a text is in. */
enum {
    PM_TABLE_CODE,
    PM_TABLE_STRING,
    PM_TABLE_CHARACTER,
    PM_TABLE_LINE,
    PM_TABLE_BLOCK,
    PM_TABLE_BACKTICKS,
    PM_TABLE_TEXT, /* of an element; the same: */
    PM_TABLE_TAG,
    PM_TABLE_NESTED = 8, /* added to the first five: in code that is in the { } of a string or element */
    PM_TABLE_DOUBLE = PM_TABLE_NESTED + PM_TABLE_BLOCK + 1, /* of a tag: a value in quotes, */
    PM_TABLE_SINGLE,                                        /* or in apostrophes */
    PM_TABLE_CLOSING,                                       /* a tag that closes */
    PM_TABLE_STATES
};

/* What a byte is, together with the next one. */
enum {
    PM_SYMBOL_OTHER,
    PM_SYMBOL_QUOTE,
    PM_SYMBOL_APOSTROPHE,
    PM_SYMBOL_BACKTICK,
    PM_SYMBOL_SLASH,
    PM_SYMBOL_SLASH_SLASH,
    PM_SYMBOL_SLASH_STAR,
    PM_SYMBOL_BACKSLASH,
    PM_SYMBOL_NEWLINE,
    PM_SYMBOL_LESS,
    PM_SYMBOL_LESS_SLASH,
    PM_SYMBOL_LESS_NAME, /* what may begin a tag is behind it */
    PM_SYMBOL_GREATER,
    PM_SYMBOL_OPEN,        /* { */
    PM_SYMBOL_CLOSE,       /* } */
    PM_SYMBOL_BEHIND = 16, /* added: of a slash, it is behind a star, and of a >, behind a slash */
    PM_SYMBOLS = 2 * PM_SYMBOL_BEHIND
};

/* What the table holds: in which bits the next state differs, and what is done to get there. */
enum {
    PM_TABLE_STATE = 15,
    PM_TABLE_QUOTES = 1 << 4,   /* strings and the like begin or end here */
    PM_TABLE_COMMENTS = 1 << 5, /* the same of comments, */
    PM_TABLE_AFTER = 1 << 6,    /* or behind this byte */
    PM_TABLE_ENDS = 1 << 7,     /* the outermost element ends if none is open */
    PM_TABLE_ACTION = 8,        /* four bits are one of these: */
    PM_ACTION_ODD = 1,          /* the word is read in another way */
    PM_ACTION_ESCAPE,           /* a backslash protects the next byte */
    PM_ACTION_SLASH,            /* perhaps a regular expression begins */
    PM_ACTION_LESS,             /* perhaps an element does */
    PM_ACTION_OTHER,            /* perhaps something else */
    PM_ACTION_BACKTICKS,        /* a string between backticks begins */
    PM_ACTION_BACKTICKS_END,
    PM_ACTION_DOLLAR, /* code begins in it if a dollar stands before the { */
    PM_ACTION_INTO,   /* code begins in an element */
    PM_ACTION_OPEN,   /* a brace of such code is opened, */
    PM_ACTION_CLOSE,  /* or closed */
    PM_TABLE_ACTIONS = 15 << PM_TABLE_ACTION,
    PM_TABLE_DEPTH = 16 /* bits above, with their sign: how many elements more are open */
};

extern const int32_t pmi_code_table[PM_TABLE_STATES][PM_SYMBOLS];

/* By byte, two numbers: what it is as the first of two, below 16, and as the second, times 16. */
extern const uint8_t pmi_code_bytes[256];
extern const uint8_t pmi_code_symbols[64]; /* by such numbers of two bytes */

/* What pmi_code_signs says of bytes of ASCII, a bit each. */
enum {
    PM_SIGN_BLANK,
    PM_SIGN_NAME,
    PM_SIGN_LESS,
    PM_SIGN_GREATER,
    PM_SIGN_BRACE
};
extern const uint8_t pmi_code_sign_bits[128];

static inline unsigned pmi_code_symbol(const unsigned char *at) {
    return pmi_code_symbols[(pmi_code_bytes[at[0]] & 15) | (pmi_code_bytes[at[1]] & 48)];
}

#endif
