/* SPDX-License-Identifier: Apache-2.0 */
/* The table by which words.c reads; words/table.c makes it. */
#ifndef PM_CORE_LEXER_WORDS_TABLE_H
#define PM_CORE_LEXER_WORDS_TABLE_H

#include "core/lexer/parts.h"

#define PM_WORDS_CODE 0u /* a state; the others are 1 + the number of a region */

/* What the table holds: a state, and below PM_ENTRY_ACTION what is done to get there. */
enum {
    PM_ENTRY_STATE = 31,
    PM_ENTRY_TOGGLES = 1 << 5,         /* code begins or ends here */
    PM_ENTRY_BEHIND = 1 << 6,          /* or behind this byte */
    PM_ENTRY_OPERAND = 1 << 7,         /* a string ends */
    PM_ENTRY_ACTION = 8,               /* bits above are one of these: */
    PM_ENTRY_STOP = 1,                 /* the byte is read in another way */
    PM_ENTRY_OPEN_ONE,                 /* this byte opens a comment */
    PM_ENTRY_OPEN_TWO,                 /* this byte and the next open a region */
    PM_ENTRY_OPEN_SEVERAL,             /* perhaps this byte and those behind it do */
    PM_ENTRY_OPEN_BEHIND,              /* the same, and what stands before decides */
    PM_ENTRY_OPEN_UNNAMED,             /* this byte does, but behind a name it may be something else */
    PM_ENTRY_OPEN_LONG,                /* the [ of [==[ */
    PM_ENTRY_OPEN_CHARACTER,           /* a ? that begins a character, unless it is an operator */
    PM_ENTRY_AHEAD,                    /* what the lexer reads ahead knows what this byte begins */
    PM_ENTRY_HEREDOC,                  /* the first < of two */
    PM_ENTRY_LINES,                    /* a newline, behind which a heredoc may follow */
    PM_ENTRY_CLOSE_LINE,               /* a newline closes the comment, and is code */
    PM_ENTRY_CLOSE_CUT,                /* a newline ends the string, and is code */
    PM_ENTRY_CLOSE_ONE,                /* this byte closes the region */
    PM_ENTRY_CLOSE_TWO,                /* this byte and the next close the region */
    PM_ENTRY_NEST,                     /* or open another one inside it */
    PM_ENTRY_BEGIN_CODE,               /* code begins in the string */
    PM_ENTRY_BRACE,                    /* and goes on or ends there */
    PM_ENTRY_LINE_ONE,                 /* as PM_ENTRY_OPEN_ONE, of table->line */
    PM_ENTRY_LINE_TWO,                 /* as PM_ENTRY_OPEN_TWO, of it */
    PM_ENTRY_LINE_UNLESS,              /* the same, unless table->unless follows; then as PM_ENTRY_OPEN_SEVERAL */
    PM_ENTRY_BLOCK_TWO,                /* as PM_ENTRY_OPEN_TWO, of table->block */
    PM_ENTRY_ESCAPE,                   /* a backslash */
    PM_ENTRY_PROTECT,                  /* a backslash in code */
    PM_ENTRY_OPEN_TICK,                /* a quote that may belong to a name */
    PM_ENTRY_OPEN_WORD,                /* this byte, perhaps with the next, opens a region where a word may begin */
    PM_ENTRY_QUICK = PM_ENTRY_LINE_ONE /* these and those behind it are read at once, if the word alone tells how */
};

/* Do these bytes open the region, of whose open they are the first two, or the first and any other? */
static inline bool pmi_words_is_open_of(const pmi_region *region, unsigned char first, unsigned char second) {
    return (unsigned char)region->open[0] == first && (!region->open[1] || (unsigned char)region->open[1] == second);
}

/* The string that the byte opens as r + 1, if it is one that is read by parity; 0: it opens none. */
static inline unsigned pmi_words_string_of(const pmi_lexer_words_table *table, unsigned char quote) {
    return table->quote_of[table->class_of[quote]];
}

#endif
