/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last 16 bytes of code, for the questions that only the token before can answer: is this quote inside a number, is
 * this slash a division? Each run of blanks at the end stands as one blank, '\n' if it held a newline and ' ' if not,
 * so the answers do not depend on where a text was cut into pieces.
 */
#ifndef PM_CORE_TEXT_LEXER_HISTORY_H
#define PM_CORE_TEXT_LEXER_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PM_HISTORY_BYTES 16u /* the longest word asked for, "instanceof", the byte before it, and some to spare */

typedef struct pmi_lexer_history {
    uint64_t newer, older; /* the newest byte lowest; 0: before the text */
} pmi_lexer_history;

static inline bool pmi_byte_is_blank(unsigned char byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static inline bool pmi_byte_is_digit(unsigned char byte) {
    return byte >= '0' && byte <= '9';
}

/* May the byte stand in an identifier? All of UTF-8 beyond ASCII may. */
static inline bool pmi_byte_is_word(unsigned char byte) {
    const unsigned char small = byte | 0x20;
    return (small >= 'a' && small <= 'z') || pmi_byte_is_digit(byte) || byte == '_' || byte == '$' || byte >= 0x80;
}

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
    if (!pmi_byte_is_blank(newest))
        pmi_lexer_history_push(history, newline ? '\n' : ' ');
    else if (newline)
        history->newer = (history->newer & ~UINT64_C(0xff)) | '\n';
}

/* A run of code. */
static inline void pmi_lexer_history_extend(pmi_lexer_history *history, const unsigned char *run, size_t length) {
    size_t end = length;
    bool newline = false;
    for (; end > 0 && pmi_byte_is_blank(run[end - 1]); end--)
        newline |= run[end - 1] == '\n';
    pmi_lexer_history longer = *history; /* in registers: bytes of text might be bytes of *history */
    size_t i = end > PM_HISTORY_BYTES ? end - PM_HISTORY_BYTES : 0;
    for (; i + 8 <= end; i += 8)
        pmi_lexer_history_push_8(&longer, run + i);
    for (; i < end; i++)
        pmi_lexer_history_push(&longer, run[i]);
    *history = longer;
    if (end < length)
        pmi_lexer_history_push_blank(history, newline);
}

/* How many bytes of a word stand there, read backwards from `back`; PM_HISTORY_BYTES - back: that many or more. */
static inline unsigned pmi_lexer_history_word(const pmi_lexer_history *history, unsigned back) {
    unsigned length = 0;
    while (back + length < PM_HISTORY_BYTES && pmi_byte_is_word(pmi_lexer_history_byte(history, back + length)))
        length++;
    return length;
}

/* Is the word that ends at `back` one of the list, which ends in NULL? */
static inline bool pmi_lexer_history_word_in(const pmi_lexer_history *history, unsigned back, const char *const *list) {
    const unsigned length = pmi_lexer_history_word(history, back);
    for (; *list; list++) {
        unsigned same = 0;
        while (same < length && (*list)[same] &&
               (unsigned char)(*list)[same] == pmi_lexer_history_byte(history, back + length - 1 - same))
            same++;
        if (length > 0 && same == length && !(*list)[same])
            return true;
    }
    return false;
}

#endif
