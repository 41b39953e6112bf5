/* SPDX-License-Identifier: Apache-2.0 */
/* The plain readers. What the languages have in common comes first, then each language as its manual describes it. */
#include "tests/text/plain_readers.h"

#include <string.h>

#include "tests/text/plain_bytes.h"
#include "tests/text/plain_scripts.h"

/* ---- In common ---- */

/* The byte at an offset; 0 behind the text. */
static char at_or_0(const plain_text *text, size_t at) {
    return at < text->n ? text->bytes[at] : 0;
}

static bool stands(const plain_text *text, size_t at, const char *word) {
    const size_t length = strlen(word);
    return length <= text->n - at && memcmp(text->bytes + at, word, length) == 0;
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

/* A preprocessor's lines have no brackets of their own, except those that are code. */
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

/* Behind r"..." or r##"..."##, whose quote or first # is at `at`; `at` if it is not a string, as in r#type. */
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

/* ---- C ---- */

/* To the newline that ends a comment, or what else reaches there: one without a backslash before it. */
static size_t skip_continued_line(const plain_text *text, size_t at) {
    for (size_t i = at; i < text->n; i++) {
        const bool returned = i > at && text->bytes[i - 1] == '\r';
        if (text->bytes[i] == '\n' && (i < at + 1 + returned || text->bytes[i - 1 - returned] != '\\'))
            return i;
    }
    return text->n;
}

/* Is nothing but blanks and comments before `at` in its line, and no backslash at the end of the line before? */
static bool begins_line(const plain_text *text, size_t at) {
    while (at > 0 && text->code[at - 1] != '\n' && is_blank(text->code[at - 1]))
        at--;
    if (at == 0)
        return true;
    const bool newline = text->code[at - 1] == '\n';
    for (at--; at > 0 && text->code[at - 1] != '\n' && is_blank(text->code[at - 1]);)
        at--;
    return newline && (at == 0 || text->code[at - 1] != '\\');
}

/* Does a quote at `at` separate digits, as in 1'000? Behind 16 bytes of digits, letters and points it does, whatever
 * they begin with: the library has forgotten that. */
static bool separates_digits(const plain_text *text, size_t at) {
    size_t begin = at;
    while (begin > 0 &&
           (in_name(text->code[begin - 1]) || text->code[begin - 1] == '.' || text->code[begin - 1] == '\''))
        begin--;
    const char first = at_or_0(text, begin), second = at_or_0(text, begin + 1);
    if (at - begin >= 16)
        return true;
    return begin < at && ((first >= '0' && first <= '9') || (first == '.' && second >= '0' && second <= '9'));
}

/* Behind R"x(...)x", whose quote is at `at`. What cannot stand in x makes an ordinary string of the rest. */
static size_t skip_c_raw(plain_text *text, size_t at) {
    char close[20] = ")";
    size_t paren = at + 1;
    for (; at_or_0(text, paren) != '('; paren++) {
        if (paren == text->n)
            return cut(text);
        if (paren - at > 16 || is_blank(text->bytes[paren]) || strchr(")\\", text->bytes[paren]))
            return skip_escaped(text, paren, "\"", CONTINUED);
    }
    memcpy(close + 1, text->bytes + at + 1, paren - at - 1);
    close[paren - at] = '"';
    return skip_until(text, paren + 1, close);
}

/* Behind an #error and its line; `at` where another directive, or no one, is. */
static size_t skip_message(plain_text *text, size_t at) {
    static const char *const names[] = {"error", "warning", "region", "endregion"};
    size_t name = at + 1;
    while (at_or_0(text, name) == ' ' || at_or_0(text, name) == '\t')
        name++;
    for (size_t k = 0; begins_line(text, at) && k < sizeof names / sizeof *names; k++) {
        const size_t end = name + strlen(names[k]);
        if (name < text->n && stands(text, name, names[k]) && end < text->n && !in_name(text->bytes[end]))
            return skip_continued_line(text, end);
    }
    return at;
}

static size_t skip_c(plain_text *text, size_t at) {
    static const char *const raw[] = {"R", "LR", "uR", "UR", "u8R"};
    text->comment = stands(text, at, "//") || stands(text, at, "/*") || stands(text, at, "#");
    if (stands(text, at, "//"))
        return skip_continued_line(text, at + 2);
    if (stands(text, at, "/*"))
        return skip_until(text, at + 2, "*/");
    if (stands(text, at, "#"))
        return skip_message(text, at);
    for (size_t k = 0; stands(text, at, "\"") && k < sizeof raw / sizeof *raw; k++)
        if (name_before(text, at, raw[k]))
            return skip_c_raw(text, at);
    if (stands(text, at, "\""))
        return skip_escaped(text, at + 1, "\"", CONTINUED);
    return stands(text, at, "'") && !separates_digits(text, at) ? skip_escaped(text, at + 1, "'", CONTINUED) : at;
}

/* ---- JavaScript, without the tags of JSX ---- */

static size_t read_code(const plain_reader *reader, plain_text *text, size_t at, bool in_template);

/* Behind `...`; the code in ${ } counts. */
static size_t skip_template(const plain_reader *reader, plain_text *text, size_t at) {
    while (at < text->n) {
        if (stands(text, at, "`"))
            return at + 1;
        if (stands(text, at, "${"))
            at = read_code(reader, text, at + 1, true);
        else
            at += stands(text, at, "\\") ? 2 : 1;
    }
    return cut(text);
}

static bool name_is_one_of(const char *bytes, size_t n, const char *const *words, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (strlen(words[k]) == n && memcmp(bytes, words[k], n) == 0)
            return true;
    return false;
}

/* May an operand begin here, and so a slash a regular expression? After a bracket that closes it is a division, and
 * after < the end of a tag. */
static bool operand_due(const plain_text *text, size_t at) {
    static const char *const words[] = {"await", "case", "delete", "do",    "else",   "extends", "in",   "instanceof",
                                        "new",   "of",   "return", "throw", "typeof", "void",    "yield"};
    const char *const code = text->code;
    while (at > 0 && is_blank(code[at - 1]))
        at--;
    if (at == 0)
        return true;
    const char last = code[at - 1], before = at > 1 ? code[at - 2] : 0;
    if (in_name(last)) {
        size_t begin = at;
        while (begin > 0 && in_name(code[begin - 1]))
            begin--;
        return !(begin > 0 && code[begin - 1] == '.') &&
               name_is_one_of(code + begin, at - begin, words, sizeof words / sizeof *words);
    }
    if (last == '+' || last == '-')
        return before != last;
    return last == '.' ? before == '.' : !strchr(")]}<\"", last);
}

/* Behind a regular expression. A slash in [ ] does not end it; a newline does. */
static size_t skip_regex(const plain_text *text, size_t at) {
    bool in_class = false;
    while (at < text->n && text->bytes[at] != '\n') {
        if (text->bytes[at] == '/' && !in_class)
            return at + 1;
        if (text->bytes[at] == '[' || text->bytes[at] == ']')
            in_class = text->bytes[at] == '[';
        at += text->bytes[at] == '\\' && at_or_0(text, at + 1) != '\n' ? 2 : 1;
    }
    return at;
}

static size_t skip_javascript(plain_text *text, size_t at) {
    static const plain_reader nested = {.skip = skip_javascript};
    text->comment = false;
    if (stands(text, at, "`")) {
        const size_t end = skip_template(&nested, text, at + 1);
        text->comment = false;
        return end;
    }
    text->comment = stands(text, at, "//") || stands(text, at, "/*") || stands(text, at, "#!");
    if (stands(text, at, "//") || (at == 0 && stands(text, at, "#!")))
        return skip_line(text, at);
    if (stands(text, at, "/*"))
        return skip_until(text, at + 2, "*/");
    if (stands(text, at, "\"") || stands(text, at, "'"))
        return skip_escaped(text, at + 1, text->bytes[at] == '"' ? "\"" : "'", CONTINUED);
    text->may_be_jsx |= stands(text, at, "<") && operand_due(text, at);
    return stands(text, at, "/") && operand_due(text, at) ? skip_regex(text, at + 1) : at;
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

/* ---- YAML, whose brackets are those of flow collections ---- */

typedef struct yaml_reading {
    size_t flow;   /* collections open */
    size_t indent; /* the column, from 1, of the key or sign whose value is read; 0: the document's */
    size_t key;    /* the column of the line's first value; 0: there was no value yet */
    bool continues;
    enum {
        YAML_LINE,  /* a line begins, outside flow collections */
        YAML_VALUE, /* a value may begin */
        YAML_AFTER, /* one has ended */
        YAML_PLAIN
    } next;
} yaml_reading;

static bool is_yaml_blank(const plain_text *text, size_t at) {
    return text->bytes[at] == 0 || strchr(" \t\r\n", text->bytes[at]);
}

static size_t column_of(const plain_text *text, size_t at) {
    size_t begin = at;
    while (begin > 0 && text->bytes[begin - 1] != '\n')
        begin--;
    return at - begin + 1;
}

static bool begins_comment(const plain_text *text, size_t at) {
    return stands(text, at, "#") && (at == 0 || is_yaml_blank(text, at - 1));
}

static size_t end_line(yaml_reading *yaml, size_t newline) {
    yaml->continues = yaml->next == YAML_PLAIN || (yaml->next == YAML_LINE && yaml->continues);
    yaml->key = 0;
    if (yaml->flow == 0)
        yaml->next = YAML_LINE;
    else if (yaml->next != YAML_AFTER)
        yaml->next = YAML_VALUE;
    return newline + 1;
}

static size_t take_flow_bracket(plain_text *text, yaml_reading *yaml, size_t at) {
    const bool opens = strchr("[{", text->bytes[at]);
    text->brackets[at] = true;
    yaml->flow = opens ? yaml->flow + 1 : yaml->flow > 0 ? yaml->flow - 1 : 0;
    yaml->next = opens ? YAML_VALUE : YAML_AFTER;
    return at + 1;
}

static bool is_bracket(const plain_text *text, size_t at) {
    return text->bytes[at] != 0 && strchr("[]{}", text->bytes[at]);
}

/* Behind the lines of a block scalar, whose header begins at `at`: those farther in than its key. */
static size_t skip_block_scalar(const plain_text *text, const yaml_reading *yaml, size_t at) {
    size_t line = skip_line(text, at);
    while (line < text->n) {
        size_t first = line + 1;
        while (first < text->n && is_yaml_blank(text, first))
            first++;
        if (first == text->n)
            return first;
        const size_t column = column_of(text, first);
        if (column <= yaml->indent || (column == 1 && strchr("-.", text->bytes[first])))
            return first - column + 1;
        line = skip_line(text, first);
    }
    return text->n;
}

/* In '' a quote is doubled. */
static size_t skip_yaml_single(plain_text *text, size_t at) {
    do {
        at = skip_until(text, at, "'");
    } while (!text->unterminated && at_or_0(text, at) == '\'' && ++at);
    return at;
}

static size_t read_yaml_value(plain_text *text, yaml_reading *yaml, size_t at) {
    const char byte = text->bytes[at];
    if (byte == '\n')
        return end_line(yaml, at);
    if (is_yaml_blank(text, at) || (byte == ',' && yaml->flow > 0))
        return at + 1;
    yaml->key = yaml->key > 0 ? yaml->key : column_of(text, at);
    if (is_bracket(text, at))
        return take_flow_bracket(text, yaml, at);
    if (begins_comment(text, at))
        return skip_line(text, at);
    if ((byte == '|' || byte == '>') && yaml->flow == 0) {
        yaml->key = 0;
        yaml->continues = false;
        yaml->next = YAML_LINE;
        return skip_block_scalar(text, yaml, at);
    }
    if (byte == '&' || byte == '*' || byte == '!') {
        while (at < text->n && !is_yaml_blank(text, at) &&
               !(yaml->flow > 0 && (is_bracket(text, at) || text->bytes[at] == ',')))
            at++;
        if (at < text->n && is_bracket(text, at))
            return take_flow_bracket(text, yaml, at);
        return at;
    }
    yaml->next = byte == '"' || byte == '\'' ? YAML_AFTER : YAML_PLAIN;
    if (yaml->next == YAML_PLAIN)
        return at + 1;
    const size_t end = byte == '"' ? skip_escaped(text, at + 1, "\"", MANY_LINES) : skip_yaml_single(text, at + 1);
    if (text->unterminated) {
        text->cut = at;
        text->cut_known = true;
    }
    if (memchr(text->bytes + at, '\n', end - at))
        yaml->key = 0; /* it ends in another line */
    return end;
}

/* What does a sign before the blank at `at` say? */
static void end_sign(const plain_text *text, yaml_reading *yaml, size_t at) {
    const size_t column = column_of(text, at);
    const char sign = text->bytes[at - 1];
    const bool marker = column == 4 && (stands(text, at - 3, "---") || stands(text, at - 3, "..."));
    const bool item = (sign == '-' || sign == '?') && yaml->flow == 0 && yaml->key + 1 == column;
    if (sign != ':' && !marker && !item)
        return;
    yaml->next = YAML_VALUE;
    if (marker)
        yaml->indent = 0;
    else if (yaml->flow == 0 && yaml->key > 0)
        yaml->indent = yaml->key;
    if (item && !marker)
        yaml->key = 0; /* the item is a value of its own */
}

/* A byte of a plain scalar, or behind another value. */
static size_t read_yaml_scalar(plain_text *text, yaml_reading *yaml, size_t at) {
    const char byte = text->bytes[at];
    if (begins_comment(text, at)) {
        yaml->next = YAML_VALUE;
        return skip_line(text, at);
    }
    if (is_yaml_blank(text, at)) {
        end_sign(text, yaml, at);
        return byte == '\n' ? end_line(yaml, at) : at + 1;
    }
    const bool after = yaml->next == YAML_AFTER;
    if (is_bracket(text, at) && (yaml->flow > 0 || (after && (byte == ']' || byte == '}'))))
        return take_flow_bracket(text, yaml, at);
    if (yaml->flow > 0 && (byte == ',' || (byte == ':' && after)))
        yaml->next = YAML_VALUE;
    else if (byte != ':')
        yaml->next = YAML_PLAIN;
    return at + 1;
}

/* Reads all at once. */
static size_t skip_yaml(plain_text *text, size_t at) {
    yaml_reading yaml = {.next = YAML_LINE};
    while (at < text->n) {
        if (yaml.next == YAML_LINE && !is_yaml_blank(text, at)) {
            const bool goes_on = yaml.continues && column_of(text, at) > yaml.indent && text->bytes[at] != '#';
            yaml.continues = false;
            yaml.next = goes_on ? YAML_PLAIN : YAML_VALUE;
            at += goes_on;
        } else if (yaml.next == YAML_LINE) {
            at = text->bytes[at] == '\n' ? end_line(&yaml, at) : at + 1;
        } else {
            at = (yaml.next == YAML_VALUE ? read_yaml_value : read_yaml_scalar)(text, &yaml, at);
        }
    }
    return text->n;
}

/* ---- All ---- */

const plain_reader plain_readers[] = {
    {"c", skip_c, {"(",   ")",  "[",      "]",        "{",    "}",      "\"",  "'",   "\\", "//",
                   "/*",  "*/", "\n",     "a",        "R",    "u8",     "R\"", ")\"", "1",  "1'2",
                   ".5'", "#",  "#error", "# region", "\\\n", "\\\r\n", " ",   "x)",  "/",  "*"}},
    {"c++", skip_c, {"(",  ")",  "[", "]",         "{",          "\"",          "'",      "//",   "/*", "*/",
                     "\n", "\n", "a", "\n#if 1\n", "\n# else\n", "\n#endif //", "uR\"b(", ")b\"", "9",  "\\"}},
    {"typescript", skip_javascript, {"(",  ")",  "[",  "]",  "{",    "}", "\"", "'", "`",       "${",
                                     "\\", "//", "/*", "*/", "\n",   "a", "/",  "*", "return ", "of",
                                     " ",  "+",  "-",  ".",  "\\\n", "=", "1",  "$", "then"}},
    {"javascript",
     skip_javascript,
     {"(", ")", "}", "\"", "`", "${", "\\", "//", "/*", "\n", "a", "/", "return", "#!", " ", "++", "..", ";", "x.in"}},
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
    {"shell",
     plain_skip_shell,
     {"case ", "case x in ", "esac", "esac\n", " in ",   "in\n", ";;",    ";;\n",  ";&", ";;&",   "(",
      ")",     "((",         "))",   "{",      "}",      "[",    "]",     "\"",    "'",  "$'",    "\\",
      "\\\n",  "\"$(",       "${",   "\"${a}", "\"${a#", "$(",   "#",     " #",    "\n", " ",     "\t",
      "<",     "<<",         "<<<",  "<<E\n",  "<<-'E'", "E\n",  "\tE\n", "E\r\n", "a",  "then ", " do\n",
      "&& ",   "|",          "`",    "<<\\E ", "E",      "=",    "!",     "2 << 1"}},
    {"ruby", plain_skip_ruby, {"%w(",       "%(",
                               "%q{",       " %i[",
                               "%=",        "%Q!",
                               "#{",        "\"#{",
                               "/",         " /",
                               " / ",       "/=",
                               "puts /",    "if /",
                               "x",         ".x ",
                               "def ",      "class ",
                               "?",         " ?",
                               "?\\",       "$\"",
                               "$/",        "$'",
                               "$`",        "$",
                               "(",         ")",
                               "[",         "]",
                               "{",         "}",
                               "\"",        "'",
                               "`",         "#",
                               "\n",        " ",
                               "\t",        "<",
                               "<<",        "<<E",
                               "<<~E",      "<<-'E'",
                               "E\n",       " E\r\n",
                               "<<\"\"",    "\\",
                               "\n=be",     "\n=end",
                               "\n__END__", "\n__E",
                               "\n  ",      "=",
                               "+",         "..",
                               ":",         ",",
                               "a",         "1",
                               "!",         "a_name_of_16_byt"}},
    {"perl",
     plain_skip_perl,
     {"q(",
      "qq{",
      "qw(",
      "m/",
      "m{",
      "s/",
      "s{",
      "tr/",
      "y!",
      "q ",
      "s ",
      "sub s ",
      "->s",
      "x",
      "(",
      ")",
      "[",
      "]",
      "{",
      "}",
      "$",
      "$#",
      "$$",
      "@",
      "%",
      "&",
      "\"",
      "'",
      "`",
      "#",
      "\n",
      " ",
      "\t",
      "/",
      "split /",
      "if ",
      "<",
      "<<",
      "<<E;",
      "<<'E'",
      "<<~E",
      "E\n",
      " E\n",
      "print OUT<<E",
      "=",
      "\n=pod",
      "\n=cut\n",
      "\n__END__",
      "\\",
      ";",
      ",",
      ":",
      "|",
      "=~ /",
      "a",
      "1",
      "($$;$)",
      "<$",
      "m-",
      ">",
      "a_name_of_16_byt",
      "\n  ",
      "!",
      "-"}},
    {"yaml", skip_yaml, {"a: ", "- ", "\n",  "\n  ", "[",   "]",       "{",    "}", ", ", "\"",
                         "'",   "# ", "|\n", ">-\n", "a",   "\n---\n", "...",  ":", "? ", "&b ",
                         "!c",  "\\", "''",  "#",    "\n ", "b",       "--- ", ",", "\t", "\r\n"}},
};

const size_t plain_reader_count = sizeof plain_readers / sizeof *plain_readers;

/* Reads code from an offset on; in a template literal to the brace that closes what is at `at`, and behind it. */
static size_t read_code(const plain_reader *reader, plain_text *text, size_t at, bool in_template) {
    size_t braces = 0;
    while (at < text->n) {
        const bool cut_before = text->unterminated;
        const size_t found = reader->skip(text, at), end = found < text->n ? found : text->n;
        if (found > at) {
            text->cut = text->unterminated && !cut_before && !text->cut_known ? at : text->cut;
            memset(text->code + at, text->comment ? ' ' : '"', end - at);
            at = text->behind = end;
            continue;
        }
        const char byte = text->code[at] = text->bytes[at];
        text->brackets[at] |= byte != 0 && strchr("()[]{}", byte) != NULL;
        braces += byte == '{';
        braces -= byte == '}';
        at++;
        if (in_template && braces == 0)
            return at;
    }
    text->unterminated |= in_template;
    return at;
}

void plain_read(const plain_reader *reader, plain_text *text) {
    memset(text->brackets, false, text->n);
    text->behind = 0;
    text->cut = text->n;
    text->comment = text->unterminated = text->cut_known = text->may_be_jsx = false;
    read_code(reader, text, 0, false);
}
