/* SPDX-License-Identifier: Apache-2.0 */
/* The history: the last bytes of code, in which comments are blanks, strings one byte each, and blanks in a row one. */
#ifndef PM_CORE_LEXER_HISTORY_H
#define PM_CORE_LEXER_HISTORY_H

#include <string.h>

#include "base/ascii.h"
#include "core/lexer/lexer.h"

#define PM_LEXER_OPERAND '"' /* stands for a string, a character, a regular expression */

/* ---- From the first byte to the last ---- */

/* A text's beginning is the beginning of a line. */
static inline void pmi_lexer_history_init(pmi_lexer_history *history) {
    *history = (pmi_lexer_history){'\n', 0};
}

/* The byte `back` bytes before the newest; 0 when it is before the text or forgotten. */
static inline unsigned char pmi_lexer_history_byte(const pmi_lexer_history *history, unsigned back) {
    if (back >= PM_HISTORY_BYTES)
        return 0;
    return (unsigned char)(back < 8 ? history->newer >> 8 * back : history->older >> 8 * (back - 8));
}

/* From `back` on, the next byte back that is no blank: in a run of code several blanks may stand in a row. */
static inline unsigned pmi_lexer_history_behind_blanks(const pmi_lexer_history *history, unsigned back) {
    while (pmi_byte_is_space(pmi_lexer_history_byte(history, back)))
        back++;
    return back;
}

static inline void pmi_lexer_history_push(pmi_lexer_history *history, unsigned char byte) {
    history->older = history->older << 8 | history->newer >> 56;
    history->newer = history->newer << 8 | byte;
}

/* Eight bytes of code at once. */
static inline void pmi_lexer_history_push_8(pmi_lexer_history *history, const unsigned char *bytes) {
    history->older = history->newer;
    history->newer = (uint64_t)bytes[0] << 56 | (uint64_t)bytes[1] << 48 | (uint64_t)bytes[2] << 40 |
                     (uint64_t)bytes[3] << 32 | (uint64_t)bytes[4] << 24 | (uint64_t)bytes[5] << 16 |
                     (uint64_t)bytes[6] << 8 | bytes[7]; /* compilers know this for one load */
}

/* A blank, which disappears in a blank before it. */
static inline void pmi_lexer_history_push_blank(pmi_lexer_history *history, bool newline) {
    const unsigned char newest = pmi_lexer_history_byte(history, 0);
    if (!pmi_byte_is_space(newest))
        pmi_lexer_history_push(history, newline ? '\n' : ' ');
    else if (newline && newest == '\n' && pmi_lexer_history_byte(history, 1) == '\\')
        pmi_lexer_history_push(history, '\n'); /* the line that goes on ends, though nothing is in it */
    else if (newline)
        history->newer = (history->newer & ~UINT64_C(0xff)) | '\n';
}

/* Fewer than eight bytes: four, two and one of them at once. */
static inline void pmi_lexer_history_push_few(pmi_lexer_history *history, const unsigned char *bytes, size_t count) {
    uint64_t few = 0;
    if (count == 0)
        return;
    if (count & 4) {
        few = (uint64_t)bytes[0] << 24 | (uint64_t)bytes[1] << 16 | (uint64_t)bytes[2] << 8 | bytes[3];
        bytes += 4;
    }
    if (count & 2) {
        few = few << 16 | (uint64_t)bytes[0] << 8 | bytes[1];
        bytes += 2;
    }
    if (count & 1)
        few = few << 8 | bytes[0];
    history->older = history->older << 8 * count | history->newer >> (64 - 8 * count);
    history->newer = history->newer << 8 * count | few;
}

/* Are these bytes four blanks, as many are before code? */
static inline bool pmi_lexer_indents(const unsigned char *bytes) {
    uint32_t four;
    memcpy(&four, bytes, sizeof four);
    return four == UINT32_C(0x20202020);
}

/* A run of code. */
static inline void pmi_lexer_history_extend(pmi_lexer_history *history, const unsigned char *run, size_t length) {
    size_t end = length, newlines = 0;
    while (end >= 4 && pmi_lexer_indents(run + end - 4))
        end -= 4;
    for (; end > 0 && pmi_byte_is_space(run[end - 1]); end--)
        newlines += run[end - 1] == '\n';
    pmi_lexer_history longer = *history; /* in registers: bytes of text might be bytes of *history */
    size_t i = end > PM_HISTORY_BYTES ? end - PM_HISTORY_BYTES : 0;
    for (; i + 8 <= end; i += 8)
        pmi_lexer_history_push_8(&longer, run + i);
    pmi_lexer_history_push_few(&longer, run + i, end - i);
    *history = longer;
    if (end < length)
        pmi_lexer_history_push_blank(history, newlines > 0);
    if (newlines > 1)
        pmi_lexer_history_push_blank(history, true);
}

/* ---- From the last byte to the first ---- */

/* Bytes before some place, the last one first; of a run of blanks one, a newline if there is one in it, and two if a
 * line that goes on ends there. */
typedef struct pmi_lexer_back {
    unsigned char bytes[PM_HISTORY_BYTES + 2];
    unsigned count;
    unsigned newlines; /* in the run of blanks that was added last */
} pmi_lexer_back;

static inline bool pmi_lexer_back_is_full(const pmi_lexer_back *back) {
    return back->count > PM_HISTORY_BYTES;
}

/* Is the byte that was added last a blank? */
static inline bool pmi_lexer_back_is_blank(const pmi_lexer_back *back) {
    return back->count > 0 && pmi_byte_is_space(back->bytes[back->count - 1]);
}

static inline void pmi_lexer_back_add(pmi_lexer_back *back, unsigned char byte) {
    const bool blank = pmi_byte_is_space(byte);
    if (byte == '\\' && back->newlines > 1)
        back->bytes[back->count++] = '\n';
    if (!blank || !pmi_lexer_back_is_blank(back))
        back->bytes[back->count++] = !blank || byte == '\n' ? byte : ' ';
    else if (byte == '\n')
        back->bytes[back->count - 1] = '\n';
    back->newlines = blank ? back->newlines + (byte == '\n') : 0;
}

/* Would more blanks change nothing? */
static inline bool pmi_lexer_back_ends_in_lines(const pmi_lexer_back *back) {
    return back->newlines > 1;
}

/* Eight bytes, the first one lowest. */
static inline uint64_t pmi_lexer_back_eight(const unsigned char *bytes) {
    return (uint64_t)bytes[7] << 56 | (uint64_t)bytes[6] << 48 | (uint64_t)bytes[5] << 40 | (uint64_t)bytes[4] << 32 |
           (uint64_t)bytes[3] << 24 | (uint64_t)bytes[2] << 16 | (uint64_t)bytes[1] << 8 | bytes[0];
}

static inline void pmi_lexer_history_push_back(pmi_lexer_history *history, const pmi_lexer_back *back) {
    pmi_lexer_history longer = *history;
    if (pmi_lexer_back_is_full(back)) { /* as a rule: nothing is left of what was remembered */
        *history = (pmi_lexer_history){pmi_lexer_back_eight(back->bytes), pmi_lexer_back_eight(back->bytes + 8)};
        return;
    }
    if (back->newlines > 1)
        pmi_lexer_history_push_blank(&longer, true); /* which may end a line that goes on */
    for (unsigned k = back->count; k-- > 0;) {
        if (pmi_byte_is_space(back->bytes[k]))
            pmi_lexer_history_push_blank(&longer, back->bytes[k] == '\n');
        else
            pmi_lexer_history_push(&longer, back->bytes[k]);
    }
    *history = longer;
}

/* ---- From what was noted ---- */

/* What was noted of the words of a piece, a bit a byte. */
typedef struct pmi_lexer_noted {
    uint64_t code[PM_PIECE_WORDS];
    uint64_t operands[PM_PIECE_WORDS]; /* the last bytes of strings */
    uint64_t blanks[PM_PIECE_WORDS];   /* of comments that do not end with their line; with `operands`: before code */
} pmi_lexer_noted;

/* Returns the lexer's history with `count` bytes or more of what was noted between two bytes of a piece, of which none
 * is in a word that began before them. */
pmi_lexer_history pmi_lexer_history_before(const pmi_lexer *lexer, const pmi_lexer_noted *noted,
                                           const unsigned char *text, size_t from, size_t to, unsigned count);

#endif
