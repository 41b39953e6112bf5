/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a lexer between two bytes as a string of bytes: all that matters to what follows, except where in the
 * text it is. Lexers of one language that have equal strings read the same text alike. A string that says more than
 * matters may differ from another for nothing; fields without a meaning in a state are therefore left out.
 */
#ifndef PM_CORE_LEXER_STATE_H
#define PM_CORE_LEXER_STATE_H

#include "core/lexer/lexer.h"
#include "core/lexer/parts.h"

/* Where a lexer goes on that was loaded, unless that is the beginning of the text, which is 0. */
#define PM_LEXER_ELSEWHERE (UINT64_C(1) << 40)

/* Returns the length of the string, and stores its first `room` bytes. */
size_t pmi_lexer_save(const pmi_lexer *lexer, unsigned char *bytes, size_t room);

/* The same without the history. */
size_t pmi_lexer_save_apart(const pmi_lexer *lexer, unsigned char *bytes, size_t room);

/* Do two histories of lexers of one language say the same to what follows? Of blanks in a row a lexer keeps one or
 * more, as it happened to read them. `near`: of what is before a blank it asks nothing. */
bool pmi_lexer_histories_agree(const pmi_lexer_history *a, const pmi_lexer_history *b, bool near);

/* Puts the lexer into a state that was saved of one with the same language. Whatever it is inside of began before
 * PM_LEXER_ELSEWHERE. Returns false if there is no memory; then the lexer is as after pmi_lexer_clear(). */
bool pmi_lexer_load(pmi_lexer *lexer, const unsigned char *bytes);

/* The same without the template literals around the code, of which there may be as many as the text has bytes. */
size_t pmi_lexer_save_innermost(const pmi_lexer *lexer, unsigned char *bytes, size_t room);
void pmi_lexer_load_innermost(pmi_lexer *lexer, const unsigned char *bytes);

/* Returns all of a literal that matters to what follows, and zeros, paddings included. */
pmi_lexer_template pmi_lexer_template_plain(const pmi_lexer_template *literal);

/* Is this what pmi_lexer_template_plain() makes of a literal? */
bool pmi_lexer_template_is_plain_of(const pmi_lexer_template *plain, const pmi_lexer_template *literal);

/* Puts equal literals around the code, inside those that are there. Returns false if there is no memory. */
bool pmi_lexer_push_plain(pmi_lexer *lexer, const pmi_lexer_template *plain, uint64_t count);

/* Where began what the lexer is inside of, or may turn out to be inside of, the outermost where they nest? Returns
 * false if the lexer reads plain code. */
bool pmi_lexer_begun(const pmi_lexer *lexer, uint64_t *position);

#endif
