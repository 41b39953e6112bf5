/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes that lead out of a string or comment, all of them, where they follow from what the lexer knows of it. */
#ifndef PM_CORE_TEXT_LEXER_EXIT_H
#define PM_CORE_TEXT_LEXER_EXIT_H

#include "core/text/lexer_parts.h"

#define PM_EXIT_PIECES 6u

/* Pieces, each repeated. */
typedef struct pmi_region_exit {
    struct {
        const unsigned char *bytes;
        size_t length;
        uint64_t times;
    } pieces[PM_EXIT_PIECES];
    unsigned count;
    bool newline; /* one is among the bytes */
    bool bracket; /* the last byte is a bracket, as the region's first one was */
} pmi_region_exit;

/* In state REGION: stores what leads out of it; no pieces if it may stay. If no brackets follow, what the text's end
 * may cut off stays. False: it does not follow; *exit is undefined. Borrows the lexer's bytes. */
bool pmi_lexer_region_exit(const pmi_lexer *lexer, bool brackets_follow, pmi_region_exit *exit);

/* The same out of a literal whose code has ended, without the bracket that ends the code. */
void pmi_lexer_literal_exit(const pmi_lexer_template *literal, pmi_region_exit *exit);

/* The number of those bytes, and the bracket if it is not counted; 0: nothing ends the literal. */
uint64_t pmi_lexer_literal_exit_length(const pmi_lexer_template *literal);

#endif
