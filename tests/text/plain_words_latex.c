/* SPDX-License-Identifier: Apache-2.0 */
/* LaTeX, in which case matters, read plainly, as docs/guide/delimiters.md describes it. */
#include "tests/text/plain_words_parts.h"

enum {
    BRACES,
    DISPLAY,
    INLINE,
    LEFT,
    GROUP,
    ENVIRONMENTS /* and behind it where a name came first */
};

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
    add_word(text, word);
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
        add_word(text, (plain_word){.begin = at, .end = end, .open = true, .may_end = true, .kind = GROUP});
        return end;
    }
    if ((end = behind_whole(text, at, "\\endgroup")) > 0)
        return take_latex_close(text, at, end, GROUP);
    if (stands_so(text, at, "\\begin{") || stands_so(text, at, "\\end{"))
        return take_environment(text, at, at + (text->bytes[at + 1] == 'b' ? 7 : 5));
    return at + 1;
}

size_t plain_take_latex(plain_words *text, size_t at) {
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
