/* SPDX-License-Identifier: Apache-2.0 */
/* The plain readers of tags and words. What the languages have in common comes first, then each language as
 * docs/guide/delimiters.md describes it. */
#include "tests/text/plain_words.h"

#include <ctype.h>
#include <string.h>

/* ---- In common ---- */

static bool is_blank(char byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static bool is_letter(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

static bool in_word(char byte) {
    return is_letter(byte) || (byte >= '0' && byte <= '9') || byte == '_' || (unsigned char)byte >= 0x80;
}

/* The byte at an offset; 0 behind the text. */
static char at_or_0(const plain_words *text, size_t at) {
    return at < text->n ? text->bytes[at] : 0;
}

static bool same_letters(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (tolower((unsigned char)a[i]) != tolower((unsigned char)b[i]))
            return false;
    return true;
}

/* Does this stand there, in either case? */
static bool stands(const plain_words *text, size_t at, const char *what) {
    const size_t length = strlen(what);
    return at <= text->n && length <= text->n - at && same_letters(text->bytes + at, what, length);
}

static size_t behind_blanks(const plain_words *text, size_t at) {
    while (is_blank(at_or_0(text, at)))
        at++;
    return at;
}

/* Behind the first `close` from `at` on; the text's end, if nothing closes. */
static size_t skip_until(plain_words *text, size_t at, const char *close) {
    for (; at < text->n; at++)
        if (stands(text, at, close))
            return at + strlen(close);
    text->unterminated = true;
    return text->n;
}

/* To the newline. */
static size_t skip_line(const plain_words *text, size_t at) {
    while (at < text->n && text->bytes[at] != '\n')
        at++;
    return at;
}

/* Behind a string whose text begins at `at`; a backslash protects the byte behind it, if the string has escapes. */
static size_t skip_string(plain_words *text, size_t at, char quote, bool escapes) {
    for (; at < text->n; at++) {
        if (text->bytes[at] == quote)
            return at + 1;
        at += escapes && text->bytes[at] == '\\';
    }
    text->unterminated = true;
    return text->n;
}

/* Behind several words, with any blanks where `words` has one; 0 if they do not stand at `at` as whole words. */
static size_t behind_words(const plain_words *text, size_t at, const char *words) {
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
static size_t behind_one(const plain_words *text, size_t at, const char *const *list) {
    size_t end = 0;
    for (; *list && end == 0; list++)
        end = behind_words(text, at, *list);
    return end;
}

/* ---- What is open. A close is one of the innermost open, whatever its kind ---- */

void plain_words_add(plain_words *text, plain_word word) {
    text->words[text->count++] = word;
    if (word.open)
        text->open[text->depth++] = word;
    else if (text->depth > 0 && !word.passed)
        text->depth--;
}

/* Closes what is open, down to a depth, before `at`. */
static void omit_closes(plain_words *text, size_t depth, size_t at) {
    while (text->depth > depth)
        plain_words_add(text, (plain_word){.begin = at, .end = at, .kind = text->open[text->depth - 1].kind});
}

/* Omitted closes are supplied for the innermost 64 opens. */
static size_t seen(const plain_words *text) {
    return text->depth > 64 ? text->depth - 64 : 0;
}

static void add_close(plain_words *text, plain_word close) {
    size_t depth = text->depth;
    while (depth > seen(text) && text->open[depth - 1].kind != close.kind && text->open[depth - 1].may_end)
        depth--;
    if (depth > 0 && text->open[depth - 1].kind == close.kind)
        omit_closes(text, depth, close.begin);
    plain_words_add(text, close);
}

/* ---- HTML ---- */

static bool is_one_of(const plain_words *text, size_t begin, size_t end, const char *names) {
    for (size_t length; *names; names += length + (names[length] != 0)) {
        length = strcspn(names, " ");
        if (length == end - begin && same_letters(text->bytes + begin, names, length))
            return true;
    }
    return false;
}

/* Which tags end an element whose own end tag may be omitted. */
static const struct {
    const char *name, *before;
} omitted[] = {
    {"p", "address article aside blockquote details dialog div dl fieldset figcaption figure footer form h1 h2 h3 h4 "
          "h5 h6 header hgroup hr main menu nav ol p pre search section table ul"},
    {"li", "li"},
    {"dt", "dt dd"},
    {"dd", "dt dd"},
    {"rt", "rt rp"},
    {"rp", "rt rp"},
    {"optgroup", "optgroup hr"},
    {"option", "option optgroup hr"},
    {"caption", "colgroup thead tbody tfoot tr"},
    {"colgroup", "thead tbody tfoot tr"},
    {"thead", "tbody tfoot"},
    {"tbody", "tbody tfoot"},
    {"tfoot", ""},
    {"tr", "tr tbody tfoot"},
    {"td", "td th"},
    {"th", "td th"},
};

static const char *ended_before(const plain_words *text, const plain_word *open) {
    for (size_t k = 0; k < sizeof omitted / sizeof *omitted; k++)
        if (is_one_of(text, open->begin + 1, open->rule, omitted[k].name))
            return omitted[k].before;
    return NULL;
}

/* What a tag that opens something ends: the outermost of the elements at the top whose ends may be omitted. */
static void end_elements(plain_words *text, size_t name, size_t name_end, size_t at) {
    size_t depth = text->depth;
    for (size_t d = text->depth; d > seen(text) && text->open[d - 1].may_end; d--) {
        const char *const tags = ended_before(text, &text->open[d - 1]);
        if (tags && is_one_of(text, name, name_end, tags))
            depth = d - 1;
    }
    omit_closes(text, depth, at);
}

static bool ends_name(char byte) {
    return is_blank(byte) || byte == '/' || byte == '>' || byte == '{';
}

/* Returns the offset behind the tag; n + 1 if the text's end cuts it off. A quote counts behind a = alone. */
static size_t behind_tag(const plain_words *text, size_t name_end, bool *empty) {
    *empty = false;
    for (size_t i = name_end; i < text->n; i++) {
        const char byte = text->bytes[i];
        size_t before = i;
        while (before > name_end && is_blank(text->bytes[before - 1]))
            before--;
        if (byte == '>')
            return i + 1;
        *empty = byte == '/' && at_or_0(text, i + 1) == '>';
        if (*empty)
            return i + 2;
        if ((byte == '"' || byte == '\'') && before > name_end && text->bytes[before - 1] == '=')
            for (i++; i < text->n && text->bytes[i] != byte;)
                i++;
    }
    return text->n + 1;
}

/* Where the end tag of a raw element begins; n if it has no end tag. */
static size_t raw_end(const plain_words *text, size_t at, const char *name, size_t length) {
    for (; at < text->n; at++) {
        const size_t end = at + 2 + length;
        if (stands(text, at, "</") && end <= text->n && same_letters(text->bytes + at + 2, name, length) &&
            (end == text->n || ends_name(text->bytes[end])))
            return at;
    }
    return text->n;
}

/* Names are of one kind in either case. */
static size_t kind_of_name(const plain_words *text, size_t name, size_t length) {
    for (size_t k = 0; k < text->count; k++) {
        const plain_word *const word = &text->words[k];
        const size_t begin = word->kind;
        if (word->begin < word->end && same_letters(text->bytes + begin, text->bytes + name, length) &&
            ends_name(text->bytes[begin + length]))
            return begin;
    }
    return name;
}

static size_t take_tag(plain_words *text, size_t at) {
    const bool closes = stands(text, at, "</");
    const size_t name = at + 1 + closes;
    const char first = at_or_0(text, name);
    size_t name_end = name;
    bool empty;
    if (!is_letter(first) && first != '_' && first != ':' && (unsigned char)first < 0x80)
        return at + 1;
    while (name_end < text->n && !ends_name(text->bytes[name_end]))
        name_end++;
    const size_t end = behind_tag(text, name_end, &empty);
    if (end > text->n) {
        text->unterminated = true;
        return text->n;
    }
    if (!closes)
        end_elements(text, name, name_end, at);
    if ((empty && !closes) ||
        is_one_of(text, name, name_end,
                  "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr "
                  "html head body"))
        return end;
    plain_word word = {at, end, !closes, false, false, kind_of_name(text, name, name_end - name), name_end};
    if (closes) {
        add_close(text, word);
        return end;
    }
    word.may_end = ended_before(text, &word) != NULL;
    plain_words_add(text, word);
    if (is_one_of(text, name, name_end, "iframe noembed noframes script style textarea title xmp"))
        return raw_end(text, end, text->bytes + name, name_end - name);
    return end;
}

static size_t take_html(plain_words *text, size_t at) {
    if (stands(text, at, "<!--"))
        return skip_until(text, at + 4, "-->");
    if (stands(text, at, "<![CDATA["))
        return skip_until(text, at + 9, "]]>");
    if (stands(text, at, "<!") || stands(text, at, "<?"))
        return skip_until(text, at + 2, ">");
    return stands(text, at, "<") ? take_tag(text, at) : at + 1;
}

/* ---- SQL ---- */

enum {
    PARENTHESES,
    BLOCK,
    LOOP
};

static size_t take_word(plain_words *text, size_t at, size_t end, bool open, size_t kind) {
    plain_words_add(text, (plain_word){.begin = at, .end = end, .open = open, .kind = kind});
    return end;
}

/* A close that is wrong is passed over where it is an option's name, END=, or ends a transaction. */
static size_t take_end(plain_words *text, size_t at, size_t end) {
    const bool wrong = text->depth == 0 || text->open[text->depth - 1].kind != BLOCK;
    plain_word close = {.begin = at, .end = end, .kind = BLOCK};
    close.passed = wrong && at_or_0(text, behind_blanks(text, end)) == '=';
    if (wrong && !close.passed && text->depth == 0 && text->transaction) {
        close.passed = true;
        text->transaction = false;
    }
    plain_words_add(text, close);
    return end;
}

static size_t take_sql_word(plain_words *text, size_t at) {
    static const char *const transactions[] = {"begin transaction", "begin work", "begin read",
                                               "begin \\;",         "begin ;",    NULL};
    static const char *const nothing[] = {
        "end transaction", "begin isolation", "begin immediate", "begin exclusive", "begin deferred",
        "end foreach",     "end forrows",     "begin tran",      "end repeat",      "end while",
        "end tran",        "end work",        "end for",         "end if",          NULL};
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

static size_t take_sql(plain_words *text, size_t at) {
    if (stands(text, at, "\\echo"))
        return skip_line(text, at);
    if (stands(text, at, "E'") && !(at > 0 && in_word(text->bytes[at - 1])))
        return skip_string(text, at + 2, '\'', true);
    if (stands(text, at, "'") || stands(text, at, "\""))
        return skip_string(text, at + 1, text->bytes[at], false);
    return stands(text, at, "$") ? skip_dollars(text, at) : take_sql_code(text, at);
}

static size_t take_mysql(plain_words *text, size_t at) {
    if (stands(text, at, "#"))
        return skip_line(text, at);
    if (stands(text, at, "'") || stands(text, at, "\""))
        return skip_string(text, at + 1, text->bytes[at], true);
    return take_sql_code(text, at);
}

/* ---- Pascal ---- */

enum {
    PASCAL_BLOCK,
    REPEAT,
    ROUND,
    SQUARE
};

enum {
    ANY,
    RECORD
};

/* Behind a comment whose text begins at `at`. Those of its kind may be in it. */
static size_t skip_comment(plain_words *text, size_t at, const char *open, const char *close) {
    for (size_t depth = 1; at < text->n;) {
        if (stands(text, at, close)) {
            at += strlen(close);
            if (--depth == 0)
                return at;
        } else if (text->nested && stands(text, at, open)) {
            at += strlen(open);
            depth++;
        } else {
            at++;
        }
    }
    text->unterminated = true;
    return text->n;
}

/* Behind the branches that are not compiled if the first one is. */
static size_t skip_branches(plain_words *text, size_t at) {
    for (size_t depth = 1; at < text->n; at++) {
        const bool ifend = stands(text, at, "{$ifend"), endc = stands(text, at, "{$endc");
        if (ifend || endc || stands(text, at, "{$endif")) {
            if (--depth == 0)
                return at + (endc ? 6 : 7);
        } else if (stands(text, at, "{$if")) {
            depth++;
        }
    }
    text->unterminated = true;
    return text->n;
}

/* Does only a semicolon follow, perhaps behind a list of at most 4,096 bytes, as in "= class(TBase);"? */
static bool has_no_body(const plain_words *text, size_t at) {
    const size_t list = behind_blanks(text, at);
    size_t end = list, depth = 0;
    if (at_or_0(text, list) != '(')
        return at_or_0(text, list) == ';';
    do {
        depth += text->bytes[end] == '(';
        depth -= text->bytes[end] == ')';
    } while (++end < text->n && end - list < 4096 && depth > 0);
    return depth == 0 && at_or_0(text, behind_blanks(text, end)) == ';';
}

/* What defines a type, behind a =. */
static size_t take_type(plain_words *text, size_t at) {
    static const char *const nothing[] = {"= objcprotocol external name",
                                          "= objcprotocol external ;",
                                          "= objcclass external name",
                                          "= objcclass external ;",
                                          "= class of",
                                          NULL};
    static const char *const may_lack_body[] = {"= class",        "= interface", "= object", "= dispinterface",
                                                "= objcprotocol", "= objcclass", NULL};
    static const char *const others[] = {"= packed object", "= objccategory", "= packed class", "= type helper", NULL};
    size_t end = behind_one(text, at, nothing);
    if (end > 0)
        return end;
    if ((end = behind_one(text, at, may_lack_body)) > 0)
        return has_no_body(text, end) ? end : take_word(text, at, end, true, PASCAL_BLOCK);
    end = behind_one(text, at, others);
    return end > 0 ? take_word(text, at, end, true, PASCAL_BLOCK) : at + 1;
}

static bool is_in_record(const plain_words *text) {
    size_t depth = text->depth;
    while (depth > seen(text) && text->open[depth - 1].kind != PASCAL_BLOCK)
        depth--;
    return depth > seen(text) && text->open[depth - 1].rule == RECORD;
}

static size_t take_pascal_word(plain_words *text, size_t at) {
    static const char *const blocks[] = {"begin", "try", "asm", NULL}, *const units[] = {"unit", "library", NULL},
                             *const ends[] = {"end.", "end", NULL};
    plain_word open = {.begin = at, .open = true, .kind = PASCAL_BLOCK};
    size_t end;
    if (at > 0 && (text->bytes[at - 1] == '&' || text->bytes[at - 1] == '@'))
        return at + 1;
    if ((end = behind_one(text, at, ends)) > 0) {
        add_close(text, (plain_word){.begin = at, .end = end, .kind = PASCAL_BLOCK});
        return end;
    }
    if ((end = behind_words(text, at, "until")) > 0) {
        add_close(text, (plain_word){.begin = at, .end = end, .kind = REPEAT});
        return end;
    }
    if ((end = behind_words(text, at, "repeat")) > 0)
        return take_word(text, at, end, true, REPEAT);
    if ((end = behind_words(text, at, "case")) > 0) /* in a record it has no end of its own */
        return is_in_record(text) ? end : take_word(text, at, end, true, PASCAL_BLOCK);
    if ((open.end = behind_words(text, at, "record")) > 0)
        open.rule = RECORD;
    else if ((open.end = behind_one(text, at, units)) > 0)
        open.may_end = true;
    else if ((open.end = behind_one(text, at, blocks)) == 0)
        return at + 1;
    plain_words_add(text, open);
    return open.end;
}

static size_t take_pascal(plain_words *text, size_t at) {
    const char byte = text->bytes[at];
    if (stands(text, at, "//"))
        return skip_line(text, at);
    if (stands(text, at, "{$else"))
        return skip_branches(text, at + 6);
    if (byte == '{')
        return skip_comment(text, at + 1, "{", "}");
    if (stands(text, at, "(*"))
        return skip_comment(text, at + 2, "(*", "*)");
    if (byte == '\'')
        return skip_string(text, at + 1, '\'', false);
    if (byte == '(' || byte == '[')
        return take_word(text, at, at + 1, true, byte == '(' ? ROUND : SQUARE);
    if (byte == ')' || byte == ']') {
        add_close(text, (plain_word){.begin = at, .end = at + 1, .kind = byte == ')' ? ROUND : SQUARE});
        return at + 1;
    }
    if (stands(text, at, ":="))
        return at + 2;
    return byte == '=' ? take_type(text, at) : take_pascal_word(text, at);
}

/* ---- LaTeX, in which case matters ---- */

enum {
    BRACES,
    DISPLAY,
    INLINE,
    LEFT,
    GROUP,
    ENVIRONMENTS /* and behind it where a name came first */
};

static bool stands_so(const plain_words *text, size_t at, const char *what) {
    const size_t length = strlen(what);
    return at <= text->n && length <= text->n - at && memcmp(text->bytes + at, what, length) == 0;
}

/* Behind a command; 0 if it is not there, or letters go on. */
static size_t behind_command(const plain_words *text, size_t at, const char *command) {
    const size_t end = at + strlen(command);
    return stands_so(text, at, command) && !is_letter(at_or_0(text, end)) ? end : 0;
}

/* The same, and no digit, underline or byte above 127 goes on. */
static size_t behind_whole(const plain_words *text, size_t at, const char *command) {
    const size_t end = at + strlen(command);
    return stands_so(text, at, command) && !in_word(at_or_0(text, end)) ? end : 0;
}

/* \verb|...|, which its line ends at the latest. */
static size_t skip_verb(const plain_words *text, size_t end) {
    size_t close = end + 1;
    while (close < text->n && text->bytes[close] != text->bytes[end] && text->bytes[close] != '\n')
        close++;
    return close < text->n && text->bytes[close] == text->bytes[end] ? close + 1 : close;
}

static bool delimits_verb(const plain_words *text, size_t end) {
    return end < text->n && !is_letter(text->bytes[end]) && !is_blank(text->bytes[end]);
}

/* Behind a control sequence; `at` if no one begins there. */
static size_t behind_control(const plain_words *text, size_t at) {
    size_t end = at + 1;
    if (at_or_0(text, at) != '\\')
        return at;
    while (is_letter(at_or_0(text, end)) || at_or_0(text, end) == '@')
        end++;
    return end == at + 1 && end < text->n ? end + 1 : end;
}

/* \let\a\b and \let\a = \b. */
static size_t skip_let(const plain_words *text, size_t end) {
    const size_t first = behind_control(text, behind_blanks(text, end));
    size_t second = behind_blanks(text, first);
    if (at_or_0(text, second) == '=')
        second = behind_blanks(text, second + 1);
    return behind_control(text, second);
}

/* Behind the \fi of a branch in which an environment begins or ends as in the branch before. */
static size_t skip_else(plain_words *text, size_t at) {
    for (size_t depth = 1; at < text->n; at++) {
        if (behind_command(text, at, "\\fi")) {
            at += 2;
            if (--depth == 0)
                return at + 1;
        } else if (stands_so(text, at, "\\if") && !behind_command(text, at, "\\iff") &&
                   !behind_command(text, at, "\\ifthenelse")) {
            at += 2;
            depth++;
        }
    }
    text->unterminated = true;
    return text->n;
}

/* In braces, opens need no closes, and closes no opens. */
static size_t take_close(plain_words *text, plain_word close) {
    size_t depth = text->depth;
    while (depth > seen(text) && text->open[depth - 1].kind != close.kind && text->open[depth - 1].kind != BRACES)
        depth--;
    const bool in_braces = depth > seen(text) && text->open[depth - 1].kind == BRACES;
    if (in_braces && close.kind != BRACES)
        return close.end;
    if (in_braces)
        omit_closes(text, depth, close.begin);
    add_close(text, close);
    return close.end;
}

static size_t environment_kind(const plain_words *text, size_t name, size_t length) {
    for (size_t k = 0; k < text->count; k++) {
        const size_t begin = text->words[k].kind - ENVIRONMENTS;
        if (text->words[k].kind >= ENVIRONMENTS && memcmp(text->bytes + begin, text->bytes + name, length) == 0 &&
            (text->bytes[begin + length] == '}' || is_blank(text->bytes[begin + length])))
            return text->words[k].kind;
    }
    return ENVIRONMENTS + name;
}

/* Where \end{name} stands; n if it does not. */
static size_t verbatim_end(const plain_words *text, size_t at, size_t name, size_t length) {
    for (; at < text->n; at++) {
        const size_t end = at + 5 + length;
        if (stands_so(text, at, "\\end{") && end <= text->n &&
            memcmp(text->bytes + at + 5, text->bytes + name, length) == 0 &&
            (end == text->n || text->bytes[end] == '}' || is_blank(text->bytes[end])))
            return at;
    }
    return text->n;
}

static size_t take_environment(plain_words *text, size_t at, size_t name) {
    static const char *const verbatim[] = {"verbatim", "verbatim*", "Verbatim",     "lstlisting",
                                           "minted",   "comment",   "filecontents", "filecontents*"};
    const bool opens = stands_so(text, at, "\\begin{");
    const char first = at_or_0(text, name);
    size_t name_end = name, end;
    if (!is_letter(first) && first != '_' && first != ':' && (unsigned char)first < 0x80)
        return at + 1;
    while (name_end < text->n && text->bytes[name_end] != '}' && !is_blank(text->bytes[name_end]))
        name_end++;
    for (end = name_end; end < text->n && text->bytes[end] != '}';)
        end++;
    if (end == text->n) {
        text->unterminated = true;
        return text->n;
    }
    const size_t length = name_end - name;
    plain_word word = {.begin = at, .end = end + 1, .open = opens, .kind = environment_kind(text, name, length)};
    word.passed = text->depth == 0 && word.end - at == 14 && stands_so(text, at, "\\end{document}");
    if (!opens)
        return take_close(text, word);
    plain_words_add(text, word);
    for (size_t k = 0; k < sizeof verbatim / sizeof *verbatim; k++)
        if (strlen(verbatim[k]) == length && stands_so(text, name, verbatim[k]))
            return verbatim_end(text, word.end, name, length);
    return word.end;
}

static size_t take_latex_close(plain_words *text, size_t at, size_t end, size_t kind) {
    return take_close(text, (plain_word){.begin = at, .end = end, .kind = kind});
}

static size_t take_command(plain_words *text, size_t at) {
    static const char *const nothing[] = {"\\\\", "\\{", "\\}", "\\%"};
    size_t end;
    for (size_t k = 0; k < sizeof nothing / sizeof *nothing; k++)
        if (stands_so(text, at, nothing[k]))
            return at + 2;
    if (stands_so(text, at, "\\verb*") && delimits_verb(text, at + 6))
        return skip_verb(text, at + 6);
    if (stands_so(text, at, "\\verb") && delimits_verb(text, at + 5))
        return skip_verb(text, at + 5);
    if (stands_so(text, at, "\\url{") || stands_so(text, at, "\\href{"))
        return skip_until(text, at + (text->bytes[at + 1] == 'u' ? 5 : 6), "}");
    if ((end = behind_command(text, at, "\\let")) > 0)
        return skip_let(text, end);
    if (stands_so(text, at, "\\else\\begin{") || stands_so(text, at, "\\else\\end{"))
        return skip_else(text, at + (text->bytes[at + 6] == 'b' ? 12 : 10));
    if (stands_so(text, at, "\\[") || stands_so(text, at, "\\("))
        return take_word(text, at, at + 2, true, text->bytes[at + 1] == '[' ? DISPLAY : INLINE);
    if (stands_so(text, at, "\\]") || stands_so(text, at, "\\)"))
        return take_latex_close(text, at, at + 2, text->bytes[at + 1] == ']' ? DISPLAY : INLINE);
    if ((end = behind_whole(text, at, "\\left")) > 0)
        return take_word(text, at, end, true, LEFT);
    if ((end = behind_whole(text, at, "\\right")) > 0)
        return take_latex_close(text, at, end, LEFT);
    if ((end = behind_whole(text, at, "\\begingroup")) > 0) {
        plain_words_add(text, (plain_word){.begin = at, .end = end, .open = true, .may_end = true, .kind = GROUP});
        return end;
    }
    if ((end = behind_whole(text, at, "\\endgroup")) > 0)
        return take_latex_close(text, at, end, GROUP);
    if (stands_so(text, at, "\\begin{") || stands_so(text, at, "\\end{"))
        return take_environment(text, at, at + (text->bytes[at + 1] == 'b' ? 7 : 5));
    return at + 1;
}

static size_t take_latex(plain_words *text, size_t at) {
    const char byte = text->bytes[at];
    if (byte == '%')
        return skip_line(text, at);
    if (byte == '`' && at_or_0(text, at + 1) == '\\' && at + 2 < text->n && strchr("()[]", text->bytes[at + 2]))
        return at + 3; /* the number of a character */
    if (byte == '{')
        return take_word(text, at, at + 1, true, BRACES);
    if (byte == '}')
        return take_latex_close(text, at, at + 1, BRACES);
    return byte == '\\' ? take_command(text, at) : at + 1;
}

/* ---- All ---- */

const plain_word_reader plain_word_readers[] = {
    {"xml",
     plain_xml_take,
     {"<a>",
      "</a>",
      "<A>",
      "</A>",
      "<ab>",
      "</ab>",
      "<a/>",
      "</a/>",
      "<a ",
      "b=",
      "= '",
      "\"",
      "'",
      ">",
      "/>",
      "/",
      "<!--",
      "-->",
      "--",
      "<![CDATA[",
      "]]>",
      "]]",
      "<!",
      "<!DOCTYPE a [",
      "<!ENTITY ",
      "]>",
      "[",
      "<?",
      "?>",
      "?",
      "<",
      "</",
      " ",
      "\n",
      "=",
      "b",
      "<_x:y>",
      "</_x:y>",
      "<a=",
      "<a=\"",
      "<1>",
      "</ a>",
      "</a\n>",
      "<a\tb",
      "<\xc3\xa4>",
      "</\xc3\xa4>",
      "<a_name_of_more_than_thirty_two_bytes>",
      "</a_name_of_more_than_thirty_two_bytes>",
      "&lt;",
      "!"}},
    {"html",
     take_html,
     {"<p>",
      "<P>",
      "</p>",
      "<li>",
      "<ul>",
      "</ul>",
      "<div>",
      "</div>",
      "</DIV >",
      "<td>",
      "<tr>",
      "</tr>",
      "<table>",
      "<tbody>",
      "</table>",
      "<br>",
      "<hr/>",
      "<a ",
      "href=",
      "= '",
      "\"",
      "'",
      ">",
      "/>",
      "<!--",
      "-->",
      "--",
      "<![CDATA[",
      "]]>",
      "<!",
      "<?",
      "<script",
      "<script>",
      "</",
      "script>",
      "</script",
      "<title>",
      "</title>",
      "<option>",
      "<optgroup>",
      "</b>",
      "<b>",
      "<",
      "/",
      " ",
      "\n",
      "<html>",
      "</body>",
      "{% if %}",
      "<form{%",
      "<b{",
      "a",
      "<_x>",
      "</_X>",
      "<div/>",
      "<dt>",
      "<dd>",
      "</dl>",
      "<rt>",
      "<caption>",
      "<!doctype html>",
      "</p",
      "="}},
    {"sql", take_sql, {"begin",       "end",      " end ",    " begin ",
                       "case ",       " loop ",   "end loop", "end  case",
                       ";",           "\\;",      " ",        "\n",
                       "(",           ")",        "'",        "\"",
                       "`",           "E'",       "e'",       "\\",
                       "--",          "/*",       "*/",       "$$",
                       "$a$",         "$1",       "a",        "begin;",
                       "end = ",      "=",        "if ",      "end if ",
                       "work ",       "tran ",    "\\echo",   "$",
                       "read ",       "BEGIN\n",  "END",      "_",
                       "1",           "#",        "escape'",  "transaction ",
                       "end\nwhile ", "isolation"}},
    {"mysql", take_mysql, {"begin ", " end ", "case ", " loop ", "end loop ", "end case ", ";",  " ",    "\n",
                           "(",      ")",     "'",     "\"",     "`",         "\\",        "--", "/*",   "*/",
                           "#",      "$$",    "a",     "begin;", "end =",     "E'",        "/",  "work "}},
    {"pascal",
     take_pascal,
     {"begin",
      " end ",
      "end.",
      "end;",
      "case ",
      " record",
      "try ",
      "asm\n",
      "= class",
      "=class of ",
      "= packed class",
      "= object",
      "= interface",
      "=type helper",
      "unit ",
      "library ",
      "repeat ",
      " until",
      ":= ",
      ":",
      "=",
      ";",
      "(",
      ")",
      "[",
      "]",
      "{",
      "}",
      "(*",
      "*)",
      "//",
      "\n",
      "'",
      "{$if",
      "{$else}",
      "{$endif}",
      "{$ifend",
      "{$endc}",
      "&",
      "@",
      "= objcclass",
      " external ",
      "name",
      " a ",
      " ",
      "(a)",
      "*",
      "= Class(",
      "dispinterface",
      "$",
      "class"}},
    {"latex",
     take_latex,
     {"\\begin{a}",
      "\\end{a}",
      "\\begin{ab}",
      "\\end{ab}",
      "{",
      "}",
      "\\[",
      "\\]",
      "\\(",
      "\\)",
      "\\left",
      "\\right",
      "\\left(",
      "\\right)",
      "\\begingroup",
      "\\endgroup",
      "\\",
      "\\\\",
      "\\{",
      "\\}",
      "\\%",
      "%",
      "\n",
      "`",
      "\\verb",
      "\\verb*",
      "|",
      "*",
      "\\url{",
      "\\href{",
      "\\let",
      "=",
      " ",
      "\\else",
      "\\begin{",
      "\\end{",
      "\\if",
      "\\iff",
      "\\fi",
      "\\fill",
      "\\ifx",
      "\\begin{verbatim}",
      "\\end{verbatim}",
      "\\begin{comment}",
      "\\end{comment}",
      "a",
      "\\end{document}",
      "\\begin{document}",
      "$",
      "\\else\\begin{",
      "\\else\\end{",
      "1",
      "\\x@y",
      "\\ifthenelse",
      "a}",
      "\\begin{a ",
      "\\Left",
      "[",
      ")"}},
};

const size_t plain_word_reader_count = sizeof plain_word_readers / sizeof *plain_word_readers;

void plain_words_read(const plain_word_reader *reader, plain_words *text) {
    text->count = text->depth = 0;
    text->unterminated = text->transaction = false;
    for (size_t at = 0; at < text->n;)
        at = reader->take(text, at);
    size_t depth = text->depth;
    while (depth > 0 && text->open[depth - 1].may_end)
        depth--;
    omit_closes(text, depth, text->n);
}
