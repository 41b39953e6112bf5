/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Perl's text read plainly. What a byte of code means depends on the code before it, which is kept as `before`: a blank
 * or newline stands there for blanks in a row, a quote for a string, a regular expression and a variable named by a
 * sign.
 */
#include "tests/text/plain_scripts.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/unit.h"
#include "tests/text/plain_bytes.h"
#include "tests/text/plain_heredoc.h"

enum {
    HEREDOCS = 4, /* of a line that are read; further ones are code */
    KNOWN = 16    /* bytes of code back that the library knows: of longer words it sees no more */
};

typedef struct perl {
    plain_text *text;
    char *before;
    size_t length;
    heredoc heredocs[HEREDOCS];
    size_t heredoc_count;
} perl;

/* ---- The code before ---- */

static char at_or_0(const perl *pl, size_t at) {
    return at < pl->text->n ? pl->text->bytes[at] : 0;
}

/* The byte `back` bytes before the last one; 0 if that is before the text. */
static char code_before(const perl *pl, size_t back) {
    return back < pl->length ? pl->before[pl->length - 1 - back] : 0;
}

static void add_code(perl *pl, char byte) {
    if (!is_blank(byte))
        pl->before[pl->length++] = byte;
    else if (!is_blank(code_before(pl, 0)))
        pl->before[pl->length++] = byte == '\n' ? '\n' : ' ';
    else if (byte == '\n')
        pl->before[pl->length - 1] = '\n';
}

/* How long is the word that ends `back` bytes before the end of the code? */
static size_t word_length(const perl *pl, size_t back) {
    size_t length = 0;
    while (in_name(code_before(pl, back + length)))
        length++;
    return length;
}

/* Is it one of these? */
static bool word_is(const perl *pl, size_t back, const char *const *words) {
    const size_t length = word_length(pl, back);
    for (; *words; words++)
        if (strlen(*words) == length && memcmp(pl->before + pl->length - back - length, *words, length) == 0)
            return true;
    return false;
}

/* ---- Quote operators and regular expressions ---- */

/* Is the word behind which `back` bytes stand a name: $s, ->s, sub s? */
static bool is_name_behind(const perl *pl, size_t back) {
    static const char *const makers[] = {"sub", "package", NULL};
    const char before = code_before(pl, back), first = code_before(pl, back + 1);
    if (is_one_of(before, "@%*-:\""))
        return true;
    return (before == '&' && first != '&') || (before == '>' && first == '-') ||
           (is_blank(before) && word_is(pl, back + 1, makers));
}

/* Does the byte begin what a quote operator quotes? *two: it has two parts. */
static bool begins_quote(const perl *pl, char byte, bool *two) {
    static const char *const one_part[] = {"q", "qq", "qw", "qx", "qr", "m", NULL};
    static const char *const two_parts[] = {"s", "tr", "y", NULL};
    const size_t back = is_blank(code_before(pl, 0));
    if (!is_one_of(byte, back ? "([{</!|'\"" : "([{</!|#,:;+-~'\"^%@"))
        return false;
    *two = word_is(pl, back, two_parts);
    return (*two || word_is(pl, back, one_part)) && !is_name_behind(pl, back + word_length(pl, back));
}

/* May an operand begin here, and so a slash a regular expression? */
static bool operand_due(const perl *pl) {
    static const char *const words[] = {"and",     "cmp",   "die",   "elsif", "eq",     "ge",    "grep",
                                        "gt",      "if",    "join",  "le",    "lt",     "map",   "ne",
                                        "not",     "or",    "print", "push",  "return", "split", "unless",
                                        "unshift", "until", "when",  "while", "x",      "xor",   NULL};
    const size_t back = is_blank(code_before(pl, 0));
    const char last = code_before(pl, back);
    if (in_name(last))
        return word_is(pl, back, words) && !is_name_behind(pl, back + word_length(pl, back));
    if (last == '}')
        return code_before(pl, 0) == '\n';
    if (last == '+' || last == '-')
        return code_before(pl, back + 1) != last;
    return !is_one_of(last, ")]\"") && !(last == '/' && back == 0);
}

static size_t cut(perl *pl, size_t begin) {
    pl->text->unterminated = pl->text->cut_known = true;
    pl->text->cut = begin;
    return pl->text->n;
}

/* Behind what the delimiter at `at` begins, to the one that closes it; n: nothing closes it. */
static size_t behind_delimited(const perl *pl, size_t at) {
    static const char opens[] = "([{<", closes[] = ")]}>";
    const char *const bytes = pl->text->bytes, *const pair = strchr(opens, bytes[at]);
    const char open = pair ? bytes[at] : 0, close = pair ? closes[pair - opens] : bytes[at];
    size_t depth = 0;
    for (size_t i = at + 1; i < pl->text->n; i++) {
        if (bytes[i] == '\\')
            i++;
        else if (bytes[i] == close && depth-- == 0)
            return i + 1;
        else if (open && bytes[i] == open)
            depth++;
    }
    return 0;
}

/* Blanks and comments between the parts of s{}{}. */
static size_t behind_blanks(const perl *pl, size_t at) {
    while (at < pl->text->n && (is_blank(pl->text->bytes[at]) || pl->text->bytes[at] == '#'))
        if (pl->text->bytes[at++] == '#')
            while (at < pl->text->n && pl->text->bytes[at] != '\n')
                at++;
    return at;
}

static size_t skip_quoted(perl *pl, size_t at, bool two) {
    size_t begin = at, end = behind_delimited(pl, at);
    if (end != 0 && two) {
        const bool pair = is_one_of(pl->text->bytes[at], "([{<");
        begin = pair ? behind_blanks(pl, end) : end - 1;
        if (begin >= pl->text->n) /* no second part */
            return pl->text->n;
        end = behind_delimited(pl, begin);
    }
    if (end == 0)
        return cut(pl, at);
    add_code(pl, '"');
    return end;
}

/* ---- Variables ---- */

/* Do the bytes before begin a prototype, as ($$; does, and in a line ; and blanks? */
static bool in_prototype(const perl *pl) {
    size_t back = 0;
    if (is_blank(code_before(pl, 0)))
        return code_before(pl, 0) != '\n' && is_one_of(code_before(pl, 1), "($@%*;");
    while (back < KNOWN && is_one_of(code_before(pl, back), "$@%&*;\\[]+_,"))
        back++;
    return back < KNOWN && code_before(pl, back) == '(' && (back + 1 == KNOWN || code_before(pl, back + 1) != '$');
}

static size_t read_dollar(perl *pl, size_t at) {
    const char byte = at_or_0(pl, at + 1);
    if (at + 1 == pl->text->n)
        return at + 1;
    if (byte == '$' || byte == '#') {
        add_code(pl, '$');
        return at + 2;
    }
    if (is_one_of(byte, "([]\"'`/<,!|~^%@?.") || (byte == ')' && !in_prototype(pl))) {
        add_code(pl, '"');
        return at + 2;
    }
    add_code(pl, '$');
    return at + 1;
}

/* ---- Heredocs ---- */

/* Is the word before a << no variable, number or constant? */
static bool bare_word_before(const perl *pl) {
    static const char *const words[] = {"print", "printf", "say", NULL};
    const size_t length = word_length(pl, 0);
    const char first = code_before(pl, length - 1);
    return length < KNOWN && !is_digit(first) && !is_one_of(code_before(pl, length), "$@%&>*:{") &&
           (!is_capital(first) || word_is(pl, length + 1, words));
}

/* Does the < before `at` begin a glob or the reading of a file? Skips it, or returns `at`. */
static size_t skip_glob(perl *pl, size_t at) {
    const char next = at_or_0(pl, at);
    if (is_digit(next) || !(in_name(next) || is_one_of(next, "/~*.{:>")) || !operand_due(pl))
        return at;
    while (at < pl->text->n && !is_one_of(pl->text->bytes[at], ">\n"))
        at++;
    add_code(pl, '"');
    return at + (at_or_0(pl, at) == '>');
}

/* Reads << and the word behind it, or what else a < begins, and returns what follows. */
static size_t read_less(perl *pl, size_t at) {
    const char *const bytes = pl->text->bytes;
    size_t word = at + 2, end;
    if (at_or_0(pl, at + 1) != '<' || pl->heredoc_count == HEREDOCS) {
        const size_t behind = at_or_0(pl, at + 1) == '<' ? at + 1 : skip_glob(pl, at + 1);
        if (behind == at + 1)
            add_code(pl, '<');
        return behind;
    }
    heredoc *const found = &pl->heredocs[pl->heredoc_count];
    found->indented = is_one_of(at_or_0(pl, word), "-~");
    word += found->indented;
    const size_t unblank = word;
    while (at_or_0(pl, word) == ' ' || at_or_0(pl, word) == '\t')
        word++;
    const char first = at_or_0(pl, word);
    end = word;
    if (first == '"' || first == '\'') {
        for (end = ++word; end < pl->text->n && bytes[end] != first && bytes[end] != '\n';)
            end++;
        found->word = bytes + word;
        found->length = end - word;
        if (at_or_0(pl, end) == first) {
            pl->heredoc_count++;
            add_code(pl, '"');
            return end + 1;
        }
    } else if (in_name(first) && !is_digit(first) &&
               (found->indented || (word == unblank && first != '$' &&
                                    (!in_name(code_before(pl, 0)) || (is_capital(first) && bare_word_before(pl)))))) {
        while (in_name(at_or_0(pl, end)))
            end++;
        found->word = bytes + word;
        found->length = end - word;
        pl->heredoc_count++;
        add_code(pl, '"');
        return end;
    }
    add_code(pl, '<');
    return end;
}

/* Reads the heredocs behind the newline at `at`. Returns the newline behind the last one's word. */
static size_t skip_heredocs(perl *pl, size_t at) {
    const size_t newline = at, n = pl->text->n;
    for (size_t k = 0; k < pl->heredoc_count; k++)
        for (bool found = false; !found;) {
            size_t end = ++at;
            while (end < n && pl->text->bytes[end] != '\n')
                end++;
            found = at <= n && heredoc_ends(&pl->heredocs[k], pl->text->bytes + at, end - at);
            at = end;
            if (end >= n) /* the text may end behind the word of the last one */
                return found && k + 1 == pl->heredoc_count ? n : cut(pl, newline);
        }
    pl->heredoc_count = 0;
    add_code(pl, '"');
    return at;
}

/* ---- Code ---- */

/* Behind what begins a line there: POD, or the text's end behind __END__; `at`: nothing does. */
static size_t skip_pod(perl *pl, size_t at) {
    static const char pods[][4] = {"=po", "=he", "=ov", "=it", "=ba", "=be", "=en", "=fo"};
    const char *const bytes = pl->text->bytes;
    const size_t n = pl->text->n;
    if (code_before(pl, 0) != '\n' || n - at < 3)
        return at;
    if ((n - at >= 7 && memcmp(bytes + at, "__END__", 7) == 0) ||
        (n - at >= 8 && memcmp(bytes + at, "__DATA__", 8) == 0))
        return n;
    for (size_t k = 0; k < sizeof pods / sizeof *pods; k++)
        if (memcmp(bytes + at, pods[k], 3) == 0) {
            for (size_t i = at + 3; i + 5 <= n; i++)
                if (memcmp(bytes + i, "\n=cut", 5) == 0) {
                    add_code(pl, ' ');
                    return i + 5;
                }
            return n;
        }
    return at;
}

static size_t skip_string(perl *pl, size_t at) {
    const char *const bytes = pl->text->bytes;
    for (size_t i = at + 1; i < pl->text->n; i++) {
        if (bytes[i] == bytes[at]) {
            add_code(pl, '"');
            return i + 1;
        }
        i += bytes[i] == '\\';
    }
    return cut(pl, at);
}

static size_t read_byte(perl *pl, size_t at) {
    const char byte = pl->text->bytes[at];
    bool two;
    if (byte == '$')
        return read_dollar(pl, at);
    if (begins_quote(pl, byte, &two))
        return skip_quoted(pl, at, two);
    if (byte == '/' && operand_due(pl))
        return skip_quoted(pl, at, false);
    if (byte == '\n' && pl->heredoc_count > 0)
        return skip_heredocs(pl, at);
    if (byte == '<')
        return read_less(pl, at);
    if (is_one_of(byte, "\"'`"))
        return skip_string(pl, at);
    if (byte == '#') {
        while (at < pl->text->n && pl->text->bytes[at] != '\n')
            at++;
        add_code(pl, ' ');
        return at;
    }
    const size_t end = is_one_of(byte, "=_") ? skip_pod(pl, at) : at;
    if (end > at)
        return end;
    pl->text->brackets[at] = is_one_of(byte, "()[]{}");
    add_code(pl, byte);
    return at + 1;
}

size_t plain_skip_perl(plain_text *text, size_t at) {
    if (at > 0)
        return at;
    perl pl = {.text = text, .before = allocate(text->n + 2, 1)};
    add_code(&pl, '\n');
    while (at < text->n)
        at = read_byte(&pl, at);
    free(pl.before);
    return text->n;
}
