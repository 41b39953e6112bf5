/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The check of a long text by several threads. The text is cut into slices. Each is read from the state that its lexer
 * probably begins in, and leaves its effect (core/check/effect.h). Then the caller goes through the slices in
 * order: if a slice began in the state that the text before it ended in, its effect is applied; if not, the caller
 * reads it again. After many wrong guesses it reads on alone for a while.
 */
#ifndef PM_CORE_CHECK_SLICES_H
#define PM_CORE_CHECK_SLICES_H

#include "core/lexer/lexer.h"
#include "core/text/bracket_masks.h"

/* Long slices cost less, short ones keep more threads busy with a text that is not so long. */
#define PM_CHECK_SLICE_BYTES_MIN ((size_t)1 << 18)
#define PM_CHECK_SLICE_BYTES_MAX ((size_t)1 << 20)
#define PM_CHECK_SLICED_BYTES_MIN ((size_t)1 << 22) /* shorter texts are read by one thread */
#define PM_CHECK_SLICES_MIN 4u                      /* fewer slices too */

/* Reads n more bytes, by at most `threads` threads, in slices of slice_bytes, a multiple of 64. For languages without
 * delimiters. The outcome does not depend on either number. */
pm_status pmi_check_read_slices(pm_check *check, const unsigned char *text, size_t n, size_t slice_bytes,
                                unsigned threads);

/* Gives back the memory that the check keeps for slices. */
void pmi_check_free_slots(pm_check *check);

/* Puts the reader's lexer into the state in which text[at] is probably read, by the text before it. `offset` is that
 * of text[0] in the whole text. Looks at no more than `most` bytes where 1 KiB is not enough. `lasting`: inside of a
 * string or comment that probably lasts up to there, unless its end is seen; NULL: nothing is known. Takes memory only
 * for languages that nest code in strings, and keeps none. */
void pmi_lexer_guess(pmi_bracket_reader *reader, const unsigned char *text, size_t at, uint64_t offset, size_t most,
                     const pmi_lexer *lasting);

/* Puts a lexer into the state of another one of its language, but for the literals around the code. */
void pmi_lexer_enter(pmi_lexer *lexer, const pmi_lexer *state);

#endif
