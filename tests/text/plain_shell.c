/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A shell's text read plainly. What a byte of code means depends on the code before it, which is kept as `before`: a
 * blank or newline stands there for blanks in a row, a quote for a string and for what a backslash protects.
 */
#include "tests/text/plain_scripts.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/unit.h"
#include "tests/text/plain_bytes.h"
#include "tests/text/plain_heredoc.h"

enum {
    HEREDOCS = 4, /* of a line that are read; further ones are code */
    CASES = 16,   /* nested that are read; further ones are code */
    KNOWN = 16    /* bytes of code back that decide whether a << is of arithmetic */
};

typedef enum case_part {
    SUBJECT, /* before `in` */
    PATTERN,
    PATTERN_IN_PARENS, /* it began with one, so that its close is a bracket */
    COMMANDS
} case_part;

typedef struct case_of {
    case_part part;
    size_t parens; /* open in the part */
    size_t arithmetic;
    bool in_arithmetic; /* inside the (( that began with `arithmetic` parens open */
    bool unclosed;      /* the last pattern was */
} case_of;

/* Code inside a string. */
typedef struct inner_code {
    size_t string; /* where that begins */
    char open, close;
    size_t depth;  /* brackets of this sort open */
    size_t parens; /* of $( ), open in the code of ${ } */
} inner_code;

typedef struct shell {
    plain_text *text;
    char *before;
    size_t length;
    heredoc heredocs[HEREDOCS];
    size_t heredoc_count;
    case_of cases[CASES];
    size_t case_count;
    inner_code *codes; /* the innermost last */
    size_t code_count;
} shell;

/* ---- The code before ---- */

static char at_or_0(const shell *sh, size_t at) {
    return at < sh->text->n ? sh->text->bytes[at] : 0;
}

/* The byte `back` bytes before the last one; 0 if that is before the text. */
static char code_before(const shell *sh, size_t back) {
    return back < sh->length ? sh->before[sh->length - 1 - back] : 0;
}

static void add_code(shell *sh, char byte) {
    if (!is_blank(byte))
        sh->before[sh->length++] = byte;
    else if (!is_blank(code_before(sh, 0)))
        sh->before[sh->length++] = byte == '\n' ? '\n' : ' ';
    else if (byte == '\n')
        sh->before[sh->length - 1] = '\n';
}

/* Does the word end `back` bytes before the end of the code? */
static bool word_before(const shell *sh, size_t back, const char *word) {
    const size_t length = strlen(word);
    for (size_t k = 0; k < length; k++)
        if (code_before(sh, back + k) != word[length - 1 - k])
            return false;
    return !in_name(code_before(sh, back + length));
}

static bool one_before(const shell *sh, size_t back, const char *const *words) {
    for (; *words; words++)
        if (word_before(sh, back, *words))
            return true;
    return false;
}

/* ---- case x in a) ... ;; esac ---- */

static bool is_command(const shell *sh, size_t length) {
    static const char *const words[] = {"then", "do", "else", "in", "if", "while", "until", "elif", NULL};
    const size_t back = length + is_blank(code_before(sh, length));
    const char last = code_before(sh, back);
    return code_before(sh, length) == '\n' || last == 0 || strchr("\n;&|(){!`", last) || one_before(sh, back, words);
}

static bool in_pattern(const case_of *of) {
    return of->part == PATTERN || of->part == PATTERN_IN_PARENS;
}

static void begin_part(case_of *of, case_part part) {
    *of = (case_of){.part = part};
}

static void begin_pattern(case_of *of) {
    const bool unclosed = of->part == PATTERN;
    if (of->part == SUBJECT || of->in_arithmetic)
        return;
    begin_part(of, PATTERN);
    of->unclosed = unclosed;
}

static void open_paren(const shell *sh, case_of *of) {
    static const char *const in[] = {"in", NULL};
    const size_t back = is_blank(code_before(sh, 0));
    const char last = code_before(sh, back);
    if (of->part == PATTERN && of->parens == 0 && (last == ';' || last == '&' || one_before(sh, back, in)))
        of->part = PATTERN_IN_PARENS;
    if (code_before(sh, 0) == '(' && of->parens > 0 && !of->in_arithmetic) {
        of->in_arithmetic = true;
        of->arithmetic = of->parens - 1;
    }
    of->parens++;
}

/* Is the ) a bracket? That of a pattern without a ( is not, unless the pattern before it had none. */
static bool close_paren(case_of *of) {
    bool counts = true;
    if (of->parens > 0) {
        of->parens--;
        if (of->in_arithmetic && of->arithmetic == of->parens)
            of->in_arithmetic = false;
        if (of->parens == 0 && of->part == PATTERN_IN_PARENS)
            begin_part(of, COMMANDS);
    } else if (of->part == PATTERN) {
        counts = of->unclosed;
        begin_part(of, COMMANDS);
    }
    return counts;
}

/* A blank, ; or parenthesis of code. Returns false if it is no bracket although it looks like one. */
static bool read_case(shell *sh, char byte) {
    if (word_before(sh, 0, "case") && is_command(sh, 4) && sh->case_count < CASES)
        begin_part(&sh->cases[sh->case_count++], SUBJECT);
    else if (word_before(sh, 0, "esac") && is_command(sh, 4) && sh->case_count > 0)
        sh->case_count--;
    if (sh->case_count == 0)
        return true;
    case_of *const of = &sh->cases[sh->case_count - 1];
    if (byte == ')')
        return close_paren(of);
    if (byte == '(')
        open_paren(sh, of);
    else if (byte == ';' && code_before(sh, 0) == ';')
        begin_pattern(of);
    else if (is_blank(byte) && of->part == SUBJECT && of->parens == 0 && word_before(sh, 0, "in"))
        begin_part(of, PATTERN);
    else if (is_blank(byte) && of->part != SUBJECT && code_before(sh, 0) == '&' && code_before(sh, 1) == ';' &&
             code_before(sh, 2) != ';') /* as ;;& was read at its ;; */
        begin_pattern(of);
    return true;
}

/* ---- Heredocs ---- */

static bool in_arithmetic(const shell *sh) {
    size_t closed = 0;
    for (size_t back = 0; back + 1 < KNOWN; back++) {
        const char byte = code_before(sh, back);
        if (byte == '(' && closed == 0 && code_before(sh, back + 1) == '(')
            return true;
        closed += byte == ')';
        closed -= byte == '(' && closed > 0;
    }
    return false;
}

/* Reads << and the word behind it, and returns what follows. */
static size_t read_redirection(shell *sh, size_t at) {
    const char *const bytes = sh->text->bytes;
    const size_t n = sh->text->n;
    size_t word = at + 2, end;
    const bool one = at_or_0(sh, at + 1) != '<' || sh->heredoc_count == HEREDOCS, three = at_or_0(sh, word) == '<';
    if (one || three || in_arithmetic(sh)) { /* behind <<< a string follows */
        end = one ? at + 1 : three ? word + 1 : word;
        for (; at < end; at++)
            add_code(sh, '<');
        return end;
    }
    heredoc *const found = &sh->heredocs[sh->heredoc_count];
    found->indented = at_or_0(sh, word) == '-';
    word += found->indented;
    while (at_or_0(sh, word) == ' ' || at_or_0(sh, word) == '\t')
        word++;
    const char first = at_or_0(sh, word);
    if (first == '"' || first == '\'') {
        for (end = ++word; end < n && bytes[end] != first && bytes[end] != '\n';)
            end++;
        found->word = bytes + word;
        found->length = end - word;
        if (end < n && bytes[end] == first) {
            sh->heredoc_count++;
            add_code(sh, '"');
            return end + 1;
        }
    } else if (first == '\\' || first == '!' || (in_name(first) && !is_digit(first))) {
        word += first == '\\';
        for (end = word; end < n && (in_name(bytes[end]) || (bytes[end] && strchr("-.!+", bytes[end])));)
            end++;
        found->word = bytes + word;
        found->length = end - word;
        sh->heredoc_count++;
        add_code(sh, '"');
        return end;
    } else {
        end = word;
    }
    add_code(sh, '<'); /* it is an operator after all */
    return end;
}

/* Reads the heredocs whose lines begin at `at`. Returns the newline behind the last one's word; the text's end may cut
 * them off. */
static size_t skip_heredocs(shell *sh, size_t at) {
    const size_t n = sh->text->n;
    for (size_t k = 0; k < sh->heredoc_count; k++) {
        size_t end;
        bool found = false;
        at += k > 0; /* the newline */
        for (; !found; at = found ? end : end + 1) {
            for (end = at; end < n && sh->text->bytes[end] != '\n';)
                end++;
            if (end == n)
                return n;
            found = heredoc_ends(&sh->heredocs[k], sh->text->bytes + at, end - at);
        }
    }
    sh->heredoc_count = 0;
    add_code(sh, '"');
    return at;
}

/* ---- Strings ---- */

static size_t cut(shell *sh, size_t begin) {
    sh->text->unterminated = sh->text->cut_known = true;
    sh->text->cut = sh->code_count > 0 ? sh->codes[0].string : begin;
    return sh->text->n;
}

/* Behind '' or, with escapes, $''. */
static size_t skip_single(shell *sh, size_t at, bool escapes) {
    const char *const bytes = sh->text->bytes;
    for (size_t i = at + 1; i < sh->text->n; i++) {
        if (bytes[i] == '\'') {
            add_code(sh, '"');
            return i + 1;
        }
        i += escapes && bytes[i] == '\\';
    }
    return cut(sh, at);
}

/* Reads on in the string that begins at `begin`: returns what is behind it, or the bracket that begins code in it. */
static size_t skip_double(shell *sh, size_t begin, size_t at) {
    const char *const bytes = sh->text->bytes;
    for (; at < sh->text->n; at++) {
        const char next = at_or_0(sh, at + 1);
        if (bytes[at] == '"') {
            add_code(sh, '"');
            return at + 1;
        }
        if (bytes[at] == '$' && (next == '(' || next == '{')) {
            add_code(sh, '{');
            sh->codes[sh->code_count++] = (inner_code){.string = begin, .open = next, .close = next == '(' ? ')' : '}'};
            return at + 1;
        }
        at += bytes[at] == '\\';
    }
    return cut(sh, begin);
}

/* ---- Code ---- */

static bool begins_word(char before) {
    return is_blank(before) || (before && strchr(";&|()`}", before));
}

static size_t read_bracket(shell *sh, size_t at, bool counts) {
    const char byte = sh->text->bytes[at];
    sh->text->brackets[at] = counts;
    add_code(sh, byte);
    if (sh->code_count == 0 || !counts)
        return at + 1;
    inner_code *const code = &sh->codes[sh->code_count - 1];
    code->depth += byte == code->open;
    code->depth -= byte == code->close;
    code->parens += byte == '(';
    code->parens -= byte == ')';
    if (code->depth > 0 || byte != code->close)
        return at + 1;
    sh->code_count--;
    return skip_double(sh, code->string, at + 1);
}

/* Is it a parenthesis in the ${ } of a string, where those of $( ) alone are brackets? */
static bool is_literal(const shell *sh, char byte) {
    const inner_code *const code = sh->code_count > 0 ? &sh->codes[sh->code_count - 1] : NULL;
    if (!code || code->open != '{' || (byte != '(' && byte != ')'))
        return false;
    return code->parens == 0 && (byte == ')' || code_before(sh, 0) != '$');
}

static size_t read_byte(shell *sh, size_t at) {
    const char byte = sh->text->bytes[at];
    bool counts = true;
    if (byte == '\n' && sh->heredoc_count > 0)
        return skip_heredocs(sh, at + 1);
    if (is_literal(sh, byte))
        counts = false;
    else if (byte && strchr(" \t\n;()", byte))
        counts = read_case(sh, byte);
    switch (byte) {
    case '[':
    case ']':
        return read_bracket(sh, at, sh->case_count == 0 || !in_pattern(&sh->cases[sh->case_count - 1]));
    case '(':
    case ')':
    case '{':
    case '}':
        return read_bracket(sh, at, counts);
    case '<':
        return read_redirection(sh, at);
    case '\\':
        if (at + 1 < sh->text->n)
            add_code(sh, '"');
        return at + 2;
    case '\'':
        return skip_single(sh, at, word_before(sh, 0, "$"));
    case '"':
        return skip_double(sh, at, at + 1);
    case '#':
        if (!begins_word(code_before(sh, 0)))
            break;
        while (at < sh->text->n && sh->text->bytes[at] != '\n')
            at++;
        add_code(sh, ' ');
        return at;
    default:
        break;
    }
    add_code(sh, byte);
    return at + 1;
}

size_t plain_skip_shell(plain_text *text, size_t at) {
    if (at > 0)
        return at;
    shell sh = {.text = text, .before = allocate(2 * text->n + 2, 1), .codes = allocate(text->n + 1, sizeof *sh.codes)};
    add_code(&sh, '\n');
    while (at < text->n)
        at = read_byte(&sh, at);
    if (sh.code_count > 0)
        cut(&sh, 0);
    free(sh.before);
    free(sh.codes);
    return text->n;
}
