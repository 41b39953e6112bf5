/* SPDX-License-Identifier: Apache-2.0 */
/* What the plain readers of tags and words have in common, and the function of each language. */
#ifndef PM_TESTS_TEXT_PLAIN_WORDS_PARTS_H
#define PM_TESTS_TEXT_PLAIN_WORDS_PARTS_H

#include <ctype.h>
#include <string.h>

#include "tests/text/plain_bytes.h"
#include "tests/text/plain_words.h"

/* ---- Bytes ---- */

/* The byte at an offset; 0 behind the text. */
static inline char at_or_0(const plain_words *text, size_t at) {
    return at < text->n ? text->bytes[at] : 0;
}

static inline bool same_letters(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (tolower((unsigned char)a[i]) != tolower((unsigned char)b[i]))
            return false;
    return true;
}

/* Does this stand there, in either case? */
static inline bool stands(const plain_words *text, size_t at, const char *what) {
    const size_t length = strlen(what);
    return at <= text->n && length <= text->n - at && same_letters(text->bytes + at, what, length);
}

/* The same, but case matters. */
static inline bool stands_so(const plain_words *text, size_t at, const char *what) {
    const size_t length = strlen(what);
    return at <= text->n && length <= text->n - at && memcmp(text->bytes + at, what, length) == 0;
}

static inline size_t behind_blanks(const plain_words *text, size_t at) {
    while (is_blank(at_or_0(text, at)))
        at++;
    return at;
}

/* Behind the first `close` from `at` on; the text's end, if nothing closes. */
static inline size_t skip_until(plain_words *text, size_t at, const char *close) {
    for (; at < text->n; at++)
        if (stands(text, at, close))
            return at + strlen(close);
    text->unterminated = true;
    return text->n;
}

/* To the newline. */
static inline size_t skip_line(const plain_words *text, size_t at) {
    while (at < text->n && text->bytes[at] != '\n')
        at++;
    return at;
}

/* Behind a string whose text begins at `at`; a backslash protects the byte behind it, if the string has escapes. */
static inline size_t skip_string(plain_words *text, size_t at, char quote, bool escapes) {
    for (; at < text->n; at++) {
        if (text->bytes[at] == quote)
            return at + 1;
        at += escapes && text->bytes[at] == '\\';
    }
    text->unterminated = true;
    return text->n;
}

/* Behind several words, with any blanks where `words` has one; 0 if they do not stand at `at` as whole words. */
static inline size_t behind_words(const plain_words *text, size_t at, const char *words) {
    size_t i = at;
    if (at > 0 && in_word(text->bytes[at - 1]) && in_word(*words))
        return 0;
    for (const char *w = words; *w; w++) {
        if (*w == ' ') {
            const size_t next = behind_blanks(text, i);
            if (next == i && in_word(w[-1]) && in_word(w[1]))
                return 0;
            i = next;
        } else if (tolower((unsigned char)at_or_0(text, i)) == *w) {
            i++;
        } else {
            return 0;
        }
    }
    return in_word(text->bytes[i - 1]) && in_word(at_or_0(text, i)) ? 0 : i;
}

/* Behind the one of these, the longest first, that stands at `at`; 0 if no one does. */
static inline size_t behind_one(const plain_words *text, size_t at, const char *const *list) {
    size_t end = 0;
    for (; *list && end == 0; list++)
        end = behind_words(text, at, *list);
    return end;
}

/* ---- What is open. A close is one of the innermost open, whatever its kind ---- */

static inline void add_word(plain_words *text, plain_word word) {
    text->words[text->count++] = word;
    if (word.open)
        text->open[text->depth++] = word;
    else if (text->depth > 0 && !word.passed)
        text->depth--;
}

/* Closes what is open, down to a depth, before `at`. */
static inline void omit_closes(plain_words *text, size_t depth, size_t at) {
    while (text->depth > depth)
        add_word(text, (plain_word){.begin = at, .end = at, .kind = text->open[text->depth - 1].kind});
}

/* Omitted closes are supplied for the innermost 64 opens. */
static inline size_t seen(const plain_words *text) {
    return text->depth > 64 ? text->depth - 64 : 0;
}

static inline void add_close(plain_words *text, plain_word close) {
    size_t depth = text->depth;
    while (depth > seen(text) && text->open[depth - 1].kind != close.kind && text->open[depth - 1].may_end)
        depth--;
    if (depth > 0 && text->open[depth - 1].kind == close.kind)
        omit_closes(text, depth, close.begin);
    add_word(text, close);
}

static inline size_t take_word(plain_words *text, size_t at, size_t end, bool open, size_t kind) {
    add_word(text, (plain_word){.begin = at, .end = end, .open = open, .kind = kind});
    return end;
}

/* ---- Languages, each in a file of its own ---- */

/* Each takes what begins at `at` and returns the offset behind it; at + 1: nothing begins there. */
size_t plain_take_html(plain_words *text, size_t at);
size_t plain_take_sql(plain_words *text, size_t at);
size_t plain_take_mysql(plain_words *text, size_t at);
size_t plain_take_pascal(plain_words *text, size_t at);
size_t plain_take_latex(plain_words *text, size_t at);
size_t plain_take_xml(plain_words *text, size_t at);

#endif
