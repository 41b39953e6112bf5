/* SPDX-License-Identifier: Apache-2.0 */
/* The plain readers. What the languages have in common comes first, then each language as its manual describes it. */
#include "tests/text/plain_readers.h"

#include <string.h>

/* ---- In common ---- */

/* The byte at an offset; 0 behind the text. */
static char at_or_0(const plain_text *text, size_t at) {
    return at < text->n ? text->bytes[at] : 0;
}

static bool stands(const plain_text *text, size_t at, const char *word) {
    const size_t length = strlen(word);
    return length <= text->n - at && memcmp(text->bytes + at, word, length) == 0;
}

static bool in_name(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '_' || byte == '$' || (unsigned char)byte >= 0x80;
}

/* Is the whole name before `at`, which no literal is part of, this one? */
static bool name_before(const plain_text *text, size_t at, const char *name) {
    size_t begin = at;
    while (begin > text->behind && in_name(text->bytes[begin - 1]))
        begin--;
    return at - begin == strlen(name) && memcmp(text->bytes + begin, name, at - begin) == 0;
}

static size_t cut(plain_text *text) {
    text->unterminated = true;
    return text->n;
}

/* To the newline, which is not part of a comment. */
static size_t skip_line(const plain_text *text, size_t at) {
    while (at < text->n && text->bytes[at] != '\n')
        at++;
    return at;
}

/* Behind the first `close` from `at` on. */
static size_t skip_until(plain_text *text, size_t at, const char *close) {
    for (; at < text->n; at++)
        if (stands(text, at, close))
            return at + strlen(close);
    return cut(text);
}

/* Behind a comment of / * and * / that may have others in it; `at` is behind its open. */
static size_t skip_nested(plain_text *text, size_t at) {
    for (size_t depth = 1; at < text->n;) {
        if (stands(text, at, "/*")) {
            depth++;
            at += 2;
        } else if (stands(text, at, "*/")) {
            at += 2;
            if (--depth == 0)
                return at;
        } else {
            at++;
        }
    }
    return cut(text);
}

typedef enum string_end {
    MANY_LINES, /* only its close ends the string */
    ONE_LINE,   /* a newline does, too */
    CONTINUED   /* a newline does, unless a backslash stands before it */
} string_end;

/* Behind a string with escapes; `at` is behind its opening quote or quotes. */
static size_t skip_escaped(plain_text *text, size_t at, const char *close, string_end end) {
    while (at < text->n) {
        if (stands(text, at, close))
            return at + strlen(close);
        if (text->bytes[at] == '\n' && end != MANY_LINES)
            return at;
        if (text->bytes[at] != '\\') {
            at++;
        } else if (at_or_0(text, at + 1) == '\n' && end == ONE_LINE) {
            return at + 1;
        } else if (end == CONTINUED && stands(text, at, "\\\r\n")) {
            at += 3;
        } else {
            at += 2;
        }
    }
    return end == MANY_LINES ? cut(text) : text->n;
}

/* Behind a string of one line without escapes. */
static size_t skip_in_line(const plain_text *text, size_t at, char close) {
    while (at < text->n && text->bytes[at] != close && text->bytes[at] != '\n')
        at++;
    return at < text->n && text->bytes[at] == close ? at + 1 : at;
}

/* ---- Languages like C ---- */

static size_t skip_protobuf(plain_text *text, size_t at) {
    if (stands(text, at, "//"))
        return skip_line(text, at);
    if (stands(text, at, "/*"))
        return skip_until(text, at + 2, "*/");
    if (stands(text, at, "\""))
        return skip_escaped(text, at + 1, "\"", ONE_LINE);
    if (stands(text, at, "'"))
        return skip_escaped(text, at + 1, "'", ONE_LINE);
    return at;
}

static size_t skip_go(plain_text *text, size_t at) {
    return stands(text, at, "`") ? skip_until(text, at + 1, "`") : skip_protobuf(text, at);
}

static size_t skip_java(plain_text *text, size_t at) {
    if (stands(text, at, "\"\"\""))
        return skip_escaped(text, at + 3, "\"\"\"", MANY_LINES);
    return skip_protobuf(text, at);
}

/* A preprocessor's lines have no brackets of their own, but for those that are code. */
static size_t skip_verilog(plain_text *text, size_t at) {
    if (stands(text, at, "'"))
        return at;
    if (stands(text, at, "\""))
        return skip_escaped(text, at + 1, "\"", CONTINUED);
    return skip_protobuf(text, at);
}

/* 'a is a lifetime, 'a' a character. */
static size_t skip_rust_quote(plain_text *text, size_t at) {
    size_t end = at + 1;
    while (in_name(at_or_0(text, end)))
        end++;
    if (end > at + 1)
        return at_or_0(text, end) == '\'' ? end + 1 : end;
    return skip_escaped(text, at + 1, "'", ONE_LINE);
}

/* Behind r"..." or r##"..."##, whose quote or first # is at `at`; `at` if it is none, as in r#type. */
static size_t skip_rust_raw(plain_text *text, size_t at) {
    size_t quote = at;
    while (at_or_0(text, quote) == '#')
        quote++;
    if (at_or_0(text, quote) != '"')
        return at;
    const size_t hashes = quote - at;
    for (size_t i = quote + 1; i < text->n; i++) {
        size_t found = 0;
        while (text->bytes[i] == '"' && found < hashes && at_or_0(text, i + 1 + found) == '#')
            found++;
        if (text->bytes[i] == '"' && found == hashes)
            return i + 1 + hashes;
    }
    return cut(text);
}

static size_t skip_rust(plain_text *text, size_t at) {
    const bool raw = name_before(text, at, "r") || name_before(text, at, "br") || name_before(text, at, "cr");
    if (raw && (stands(text, at, "\"") || stands(text, at, "#"))) {
        const size_t behind = skip_rust_raw(text, at);
        if (behind > at)
            return behind;
    }
    if (stands(text, at, "//"))
        return skip_line(text, at);
    if (stands(text, at, "/*"))
        return skip_nested(text, at + 2);
    if (stands(text, at, "\""))
        return skip_escaped(text, at + 1, "\"", MANY_LINES);
    return stands(text, at, "'") ? skip_rust_quote(text, at) : at;
}

/* ---- Others ---- */

static size_t skip_python(plain_text *text, size_t at) {
    if (stands(text, at, "#"))
        return skip_line(text, at);
    if (stands(text, at, "\"\"\"") || stands(text, at, "'''"))
        return skip_escaped(text, at + 3, text->bytes[at] == '"' ? "\"\"\"" : "'''", MANY_LINES);
    if (stands(text, at, "\"") || stands(text, at, "'"))
        return skip_escaped(text, at + 1, text->bytes[at] == '"' ? "\"" : "'", CONTINUED);
    return at;
}

static size_t skip_toml(plain_text *text, size_t at) {
    if (stands(text, at, "#"))
        return skip_line(text, at);
    if (stands(text, at, "\"\"\""))
        return skip_escaped(text, at + 3, "\"\"\"", MANY_LINES);
    if (stands(text, at, "'''"))
        return skip_until(text, at + 3, "'''");
    if (stands(text, at, "\""))
        return skip_escaped(text, at + 1, "\"", ONE_LINE);
    return stands(text, at, "'") ? skip_in_line(text, at + 1, '\'') : at;
}

/* Is the last byte before `at` that is no blank one of these, and not before `from`? */
static bool before_blanks(const plain_text *text, size_t from, size_t at, char byte) {
    while (at > from && (text->bytes[at - 1] == ' ' || text->bytes[at - 1] == '\t'))
        at--;
    return at > from && text->bytes[at - 1] == byte;
}

/* An & before a line's end continues a string. Only blanks stand before the # of a directive, whose line is no code. */
static size_t skip_fortran(plain_text *text, size_t at) {
    const bool line_begins = before_blanks(text, text->behind, at, '\n') || (at == 0);
    if (stands(text, at, "!") || (line_begins && stands(text, at, "#")))
        return skip_line(text, at);
    if (!stands(text, at, "\"") && !stands(text, at, "'"))
        return at;
    bool continued = false;
    for (size_t i = at + 1; i < text->n; i++) {
        continued = continued && strchr(" \t\n\r!", text->bytes[i]);
        if (continued && text->bytes[i] == '!')
            i = skip_line(text, i);
        else if (text->bytes[i] == text->bytes[at])
            return i + 1;
        else if (text->bytes[i] == '\n' && !continued && !(continued = before_blanks(text, at + 1, i, '&')))
            return i;
    }
    return text->n;
}

/* $( and $\( are characters; a blank behind $ is not. */
static size_t skip_erlang(plain_text *text, size_t at) {
    const char next = at_or_0(text, at + 1);
    if (stands(text, at, "%"))
        return skip_line(text, at);
    if (stands(text, at, "\"") || stands(text, at, "'"))
        return skip_escaped(text, at + 1, text->bytes[at] == '"' ? "\"" : "'", MANY_LINES);
    if (!stands(text, at, "$") || next == ' ' || (next >= '\t' && next <= '\r'))
        return at;
    const bool control = stands(text, at, "$\\^"); /* $\^A */
    const size_t end = at + (control ? 4 : next == '\\' ? 3 : 2);
    return end < text->n ? end : text->n;
}

/* Behind [==[ ... ]==], if that begins at `at`; its first and last bytes count if it is a string. */
static size_t skip_lua_long(plain_text *text, size_t at, bool counts) {
    size_t open = at + 1, level = 0;
    while (at_or_0(text, open) == '=')
        open++;
    level = open - at - 1;
    if (!stands(text, at, "[") || at_or_0(text, open) != '[')
        return at;
    text->brackets[at] |= counts;
    for (size_t i = open + 1; i < text->n; i++) {
        size_t equals = 0;
        while (text->bytes[i] == ']' && at_or_0(text, i + 1 + equals) == '=')
            equals++;
        if (text->bytes[i] != ']' || equals != level || at_or_0(text, i + 1 + equals) != ']')
            continue;
        text->brackets[i + 1 + equals] |= counts;
        return i + level + 2;
    }
    return cut(text);
}

static size_t skip_lua(plain_text *text, size_t at) {
    if (stands(text, at, "--")) {
        const size_t behind = at + 2 < text->n ? skip_lua_long(text, at + 2, false) : at + 2;
        return behind > at + 2 ? behind : skip_line(text, at);
    }
    if (at == 0 && stands(text, at, "#!"))
        return skip_line(text, at);
    if (stands(text, at, "\"") || stands(text, at, "'"))
        return skip_escaped(text, at + 1, text->bytes[at] == '"' ? "\"" : "'", CONTINUED);
    return skip_lua_long(text, at, true);
}

/* ---- All ---- */

const plain_reader plain_readers[] = {
    {"go", skip_go, {"(", ")", "[", "{", "}", "`", "\"", "'", "\\", "//", "/*", "*/", "\n", "a", "/", "*"}},
    {"protobuf", skip_protobuf, {"(", ")", "[", "]", "{", "\"", "'", "\\", "//", "/*", "*/", "\n", "a", "/", "\r\n"}},
    {"jsonc", skip_protobuf, {"[", "]", "{", "}", "\"", "'", "\\", "//", "/*", "*/", "\n", "a", "/", ","}},
    {"java", skip_java, {"(", ")", "{", "\"\"\"", "\"", "'", "\\", "//", "/*", "*/", "\n", "a", "/", "\"\""}},
    {"verilog", skip_verilog, {"(", ")", "{", "\"", "'", "\\", "//", "/*", "*/", "\n", "a", "\\\n", "\\\r\n", "`a"}},
    {"rust",
     skip_rust,
     {"(", ")", "{", "\"", "'", "\\", "//", "/*", "*/", "\n", "a", "r", "#", "'a", "'a'", "br", " "}},
    {"python", skip_python, {"(", ")", "[", "\"\"\"", "'''", "\"", "'", "\\", "#", "\n", "a", "\\\n", "\\\r\n", "f"}},
    {"toml", skip_toml, {"[", "]", "{", "\"\"\"", "'''", "\"", "'", "\\", "#", "\n", "a", "="}},
    {"fortran", skip_fortran, {"(", ")", "[", "\"", "'", "!", "\n", "a", "''", "&\n", "& ", "\n#"}},
    {"erlang", skip_erlang, {"(", ")", "{", "\"", "'", "\\", "%", "\n", "a", "$", "$(", "$\\", " ", "$\\^"}},
    {"lua", skip_lua, {"(",  ")",   "[",   "]", "{",  "\"", "'", "\\",   "--",   "[[",
                       "]]", "[=[", "]=]", "=", "\n", "a",  "-", "\\\n", "--[[", "#!"}},
};

const size_t plain_reader_count = sizeof plain_readers / sizeof *plain_readers;

void plain_read(const plain_reader *reader, plain_text *text) {
    memset(text->brackets, false, text->n);
    text->behind = 0;
    text->unterminated = false;
    for (size_t at = 0; at < text->n;) {
        const size_t end = reader->skip(text, at);
        if (end > at) {
            at = text->behind = end < text->n ? end : text->n;
            continue;
        }
        text->brackets[at] |= text->bytes[at] != 0 && strchr("()[]{}", text->bytes[at]) != NULL;
        at++;
    }
}
