/* SPDX-License-Identifier: Apache-2.0 */
/* SQL and that of MySQL, read plainly, as docs/guide/delimiters.md describes it. */
#include "tests/text/plain_words_parts.h"

enum {
    PARENTHESES,
    BLOCK,
    LOOP
};

/* A close that is wrong is passed over where it is an option's name, END=, a bound, END (1), or ends a transaction or
 * a package. */
static size_t take_end(plain_words *text, size_t at, size_t end) {
    const bool wrong = text->depth == 0 || text->open[text->depth - 1].kind != BLOCK;
    plain_word close = {.begin = at, .end = end, .kind = BLOCK};
    const char behind = at_or_0(text, behind_blanks(text, end));
    close.passed = wrong && (behind == '=' || behind == '(');
    if (wrong && !close.passed && text->depth == 0 && text->transaction) {
        close.passed = true;
        text->transaction = false;
    }
    add_word(text, close);
    return end;
}

static size_t take_sql_word(plain_words *text, size_t at) {
    static const char *const transactions[] = {"begin transaction", "begin work", "begin read",       "begin \\;",
                                               "begin ;",           "package",    "compound trigger", NULL};
    static const char *const nothing[] = {
        "end transaction", "begin isolation", "begin immediate", "begin exclusive", "begin deferred", "end foreach",
        "end forrows",     "begin tran",      "end repeat",      "end while",       "end tran",       "end work",
        "end for",         "end if",          "loop join",       "loop .",          "row end",        NULL};
    size_t end = behind_one(text, at, transactions);
    if (end > 0) {
        text->transaction = true;
        return end;
    }
    if ((end = behind_one(text, at, nothing)) > 0)
        return end;
    if ((end = behind_words(text, at, "end loop")) > 0)
        return take_word(text, at, end, false, LOOP);
    if ((end = behind_words(text, at, "end case")) > 0)
        return take_word(text, at, end, false, BLOCK);
    if ((end = behind_words(text, at, "end")) > 0)
        return take_end(text, at, end);
    if ((end = behind_words(text, at, "begin")) > 0 || (end = behind_words(text, at, "case")) > 0)
        return take_word(text, at, end, true, BLOCK);
    if ((end = behind_words(text, at, "loop")) > 0)
        return take_word(text, at, end, true, LOOP);
    return at + 1;
}

/* Behind $$ ... $$ or $tag$ ... $tag$; at + 1 if that does not begin at `at`. */
static size_t skip_dollars(plain_words *text, size_t at) {
    size_t end = at + 1;
    if ((at > 0 && in_word(text->bytes[at - 1])) || (at_or_0(text, end) >= '0' && at_or_0(text, end) <= '9'))
        return at + 1;
    while (end < text->n && in_word(text->bytes[end]))
        end++;
    if (at_or_0(text, end) != '$')
        return at + 1;
    const size_t length = end + 1 - at;
    for (size_t i = end + 1; length <= text->n - i; i++)
        if (memcmp(text->bytes + i, text->bytes + at, length) == 0)
            return i + length;
    text->unterminated = true;
    return text->n;
}

/* What both dialects have. */
static size_t take_sql_code(plain_words *text, size_t at) {
    if (stands(text, at, "--"))
        return skip_line(text, at);
    if (stands(text, at, "/*"))
        return skip_until(text, at + 2, "*/");
    if (stands(text, at, "`"))
        return skip_string(text, at + 1, '`', false);
    if (stands(text, at, "(") || stands(text, at, ")"))
        return take_word(text, at, at + 1, text->bytes[at] == '(', PARENTHESES);
    return take_sql_word(text, at);
}

size_t plain_take_sql(plain_words *text, size_t at) {
    if (stands(text, at, "\\echo"))
        return skip_line(text, at);
    if (stands(text, at, "E'") && !(at > 0 && in_word(text->bytes[at - 1])))
        return skip_string(text, at + 2, '\'', true);
    if (stands(text, at, "'") || stands(text, at, "\""))
        return skip_string(text, at + 1, text->bytes[at], false);
    return stands(text, at, "$") ? skip_dollars(text, at) : take_sql_code(text, at);
}

size_t plain_take_mysql(plain_words *text, size_t at) {
    if (stands(text, at, "#"))
        return skip_line(text, at);
    if (stands(text, at, "'") || stands(text, at, "\""))
        return skip_string(text, at + 1, text->bytes[at], true);
    return take_sql_code(text, at);
}
