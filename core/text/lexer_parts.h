/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the lexer share: lexer.c drives, lexer_region.c reads what is inside strings and comments,
 * lexer_code.c code and what may begin there, lexer_literal.c what only some languages have. */
#ifndef PM_CORE_TEXT_LEXER_PARTS_H
#define PM_CORE_TEXT_LEXER_PARTS_H

#include "core/text/lexer.h"

/* Classes of bytes, a bit each. */
#define PM_LEXER_BRACKET 0u            /* a bracket of the alphabet */
#define PM_LEXER_ENDS_CODE 1u          /* ends a run of ordinary code */
#define PM_LEXER_ENDS_TEMPLATE_CODE 2u /* ends it inside a template literal */
#define PM_LEXER_ENDS_REGION 3u        /* this bit and those above: ends a run inside a region */

#define PM_LEXER_OPERAND '"' /* stands in the history for a string, a character, a regular expression */

/* A template literal with code in it, and what to return to behind that. */
typedef struct pmi_lexer_template {
    uint64_t start;  /* of the literal */
    uint64_t braces; /* lexer->braces around it */
} pmi_lexer_template;

/* Languages may have more regions than there are bits left. Those that share one stop at each other's bytes too: that
 * costs time, nothing else. */
static inline unsigned pmi_lexer_region_class(const pm_language *language, const pmi_region *region) {
    return PM_LEXER_ENDS_REGION + (unsigned)(region - language->regions) % (PM_PIECE_CLASSES - PM_LEXER_ENDS_REGION);
}

/* Does what came before in the region not matter to the next byte? */
static inline bool pmi_lexer_region_idle(const pmi_lexer *lexer) {
    return lexer->escape == PM_LEXER_UNESCAPED && lexer->previous == 0 && lexer->matched == 0;
}

/* Begins to read a region; that which has the flag. */
void pmi_lexer_region_enter(pmi_lexer *lexer, const pmi_region *region);
void pmi_lexer_region_enter_flagged(pmi_lexer *lexer, unsigned flag);

/* A brace of code inside a template literal. */
void pmi_lexer_template_brace(pmi_lexer *lexer, unsigned char byte);

/* The bytes of `opening` open no more than a region of one byte, or none. */
void pmi_lexer_opening_ends(pmi_lexer *lexer);

/* Functions of states, for the byte at `at`: true if they took it, false if it is to be read again in the state that
 * they changed to. */
bool pmi_lexer_region_byte(pmi_lexer *lexer, unsigned char byte);
bool pmi_lexer_code_byte(pmi_lexer *lexer, unsigned char byte, uint64_t at);
bool pmi_lexer_opening_byte(pmi_lexer *lexer, unsigned char byte);
bool pmi_lexer_directive_byte(pmi_lexer *lexer, unsigned char byte, uint64_t at);
bool pmi_lexer_raw_delimiter_byte(pmi_lexer *lexer, unsigned char byte);
bool pmi_lexer_raw_hashes_byte(pmi_lexer *lexer, unsigned char byte, uint64_t at);
bool pmi_lexer_quote_byte(pmi_lexer *lexer, unsigned char byte);
bool pmi_lexer_quote_word_byte(pmi_lexer *lexer, unsigned char byte);
bool pmi_lexer_character_byte(pmi_lexer *lexer, unsigned char byte); /* in any of its three states */

#endif
