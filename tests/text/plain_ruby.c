/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ruby's text read plainly. A slash, a percent sign, a question mark and << begin a literal where an operand may stand.
 * Whether one may is seen from the code before, which is kept as `before`: a blank or newline stands there for blanks
 * in a row, a quote for a literal.
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

/* What a literal ends with, and what may be in it. */
typedef struct literal {
    size_t begin;
    char open, close; /* open: it nests; 0: nothing does */
    bool has_code;    /* #{ begins code */
    bool has_classes; /* in [ ] the closer is none */
    bool in_class;
    size_t depth;
    size_t braces; /* open in the code that is read in it */
} literal;

typedef struct ruby {
    plain_text *text;
    char *before;
    size_t length;
    heredoc heredocs[HEREDOCS];
    size_t heredoc_count;
    literal *around; /* the literals whose code is being read, the innermost last */
    size_t depth;
} ruby;

/* ---- The code before ---- */

static char at_or_0(const ruby *rb, size_t at) {
    return at < rb->text->n ? rb->text->bytes[at] : 0;
}

static bool stands_at(const ruby *rb, size_t at, const char *word) {
    const size_t length = strlen(word);
    return at + length <= rb->text->n && memcmp(rb->text->bytes + at, word, length) == 0;
}

/* The byte `back` bytes before the last one; 0 if that is before the text. */
static char code_before(const ruby *rb, size_t back) {
    return back < rb->length ? rb->before[rb->length - 1 - back] : 0;
}

static void add_code(ruby *rb, char byte) {
    if (!is_blank(byte))
        rb->before[rb->length++] = byte;
    else if (!is_blank(code_before(rb, 0)))
        rb->before[rb->length++] = byte == '\n' ? '\n' : ' ';
    else if (byte == '\n')
        rb->before[rb->length - 1] = '\n';
}

/* How long is the word that ends `back` bytes before the end of the code, as far as the library sees it? */
static size_t word_length(const ruby *rb, size_t back) {
    size_t length = 0;
    while (back + length < KNOWN && in_name(code_before(rb, back + length)))
        length++;
    return length;
}

/* The byte before that word. */
static char before_word(const ruby *rb, size_t back) {
    const size_t at = back + word_length(rb, back);
    return at < KNOWN ? code_before(rb, at) : 0;
}

static bool word_is(const ruby *rb, size_t back, const char *word) {
    const size_t length = word_length(rb, back);
    return strlen(word) == length && memcmp(rb->before + rb->length - back - length, word, length) == 0;
}

/* ---- Where an operand may stand ---- */

/* Is it a keyword that an operand follows? */
static bool is_keyword(const ruby *rb, size_t back) {
    static const char *const words[] = {"await", "case",  "delete", "do",        "else",   "extends", "in",
                                        "new",   "of",    "return", "throw",     "typeof", "void",    "yield",
                                        "and",   "elsif", "if",     "not",       "or",     "then",    "unless",
                                        "until", "when",  "while",  "instanceof"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (word_is(rb, back, words[k]))
            return true;
    return false;
}

/* May an operand begin here? Behind a name it may where a blank follows, as in `puts /x/`; and where a line begins. */
static bool operand_due(const ruby *rb) {
    const char newest = code_before(rb, 0);
    const size_t back = is_blank(newest);
    const char last = code_before(rb, back), second = code_before(rb, back + 1);
    if ((last == ':' && back == 0) || word_is(rb, back, "def")) /* the name of an operator */
        return false;
    if (in_name(last)) {
        const char first = code_before(rb, back + word_length(rb, back) - 1);
        if (newest == '\n')
            return true;
        return before_word(rb, back) != '.' && (is_keyword(rb, back) || (back > 0 && is_lower(first)));
    }
    if (is_one_of(last, ")]}\""))
        return newest == '\n';
    if (last == '+' || last == '-')
        return second != last; /* a++ */
    return last != '.' || second == '.';
}

/* Is a blank behind a name, or behind a method, before this? */
static bool name_and_blank_before(const ruby *rb) {
    return code_before(rb, 0) == ' ' && in_name(code_before(rb, 1)) &&
           (before_word(rb, 1) == '.' || !is_keyword(rb, 1));
}

static bool method_and_blank_before(const ruby *rb) {
    return code_before(rb, 0) == ' ' && word_length(rb, 1) > 0 && before_word(rb, 1) == '.';
}

/* ---- Literals ---- */

/* The text's end cuts off what begins there, or the outermost literal around it. */
static size_t cut(ruby *rb, size_t begin) {
    rb->text->unterminated = rb->text->cut_known = true;
    rb->text->cut = rb->depth > 0 ? rb->around[0].begin : begin;
    return rb->text->n;
}

/* Reads on in a literal: returns what is behind it, or the { of code in it. */
static size_t read_literal(ruby *rb, literal of, size_t at) {
    for (; at < rb->text->n; at++) {
        const char byte = rb->text->bytes[at];
        if (byte == '\\') {
            at++;
            continue;
        }
        if (of.has_code && byte == '#' && at_or_0(rb, at + 1) == '{' && byte != of.close) {
            add_code(rb, '{');
            rb->around[rb->depth++] = of;
            return at + 1;
        }
        if (of.has_classes && (byte == '[' || byte == ']'))
            of.in_class = byte == '[';
        if (of.in_class)
            continue;
        if (byte == of.close && of.depth-- == 0) {
            add_code(rb, '"');
            return at + 1;
        }
        if (of.open && byte == of.open)
            of.depth++;
    }
    return cut(rb, of.begin);
}

static size_t read_quoted(ruby *rb, size_t at) {
    const char quote = rb->text->bytes[at];
    return read_literal(rb, (literal){.begin = at, .close = quote, .has_code = quote != '\''}, at + 1);
}

/* A slash: `a / b` and `a /= b` divide, if a is a name, although an operand may stand there. */
static size_t read_slash(ruby *rb, size_t at) {
    const bool divides = name_and_blank_before(rb) && (at + 1 == rb->text->n || is_one_of(at_or_0(rb, at + 1), " ="));
    if (operand_due(rb) && !divides)
        return read_literal(rb, (literal){.begin = at, .close = '/', .has_code = true, .has_classes = true}, at + 1);
    add_code(rb, '/');
    return at + 1;
}

/* %w(), %() and the like: a letter may follow, and then the delimiter. */
static size_t read_percent(ruby *rb, size_t at) {
    static const char opens[] = "([{<", closes[] = ")]}>";
    const bool due = operand_due(rb) || method_and_blank_before(rb);
    const bool letter = is_one_of(at_or_0(rb, at + 1), "qQwWiIrsx");
    const size_t delimiter = at + 1 + letter;
    const char byte = at_or_0(rb, delimiter);
    add_code(rb, '%');
    if (!due)
        return at + 1;
    if (byte <= ' ' || byte >= 0x7f || in_name(byte) || (byte == '=' && !letter))
        return delimiter;
    const char *const pair = strchr(opens, byte);
    return read_literal(
        rb,
        (literal){.begin = at, .open = pair ? byte : 0, .close = pair ? closes[pair - opens] : byte, .has_code = true},
        delimiter + 1);
}

/* A character: ?a, ?\n. */
static size_t read_question(ruby *rb, size_t at) {
    const char newest = code_before(rb, 0), next = at_or_0(rb, at + 1);
    if (in_name(newest) || is_one_of(newest, ")]}\"?!") || is_blank(next)) {
        add_code(rb, '?');
        return at + 1;
    }
    add_code(rb, '"');
    return at + 2 + (next == '\\');
}

/* ---- Heredocs ---- */

/* Reads << and the word behind it, and returns what follows. Without quotes, - or ~ the word begins with a capital or
 * _, and is not behind a name. */
static size_t read_less(ruby *rb, size_t at) {
    const char *const bytes = rb->text->bytes;
    const size_t n = rb->text->n;
    size_t word = at + 2, end;
    if (at_or_0(rb, at + 1) != '<' || rb->heredoc_count == HEREDOCS) {
        add_code(rb, '<');
        return at + 1;
    }
    heredoc *const found = &rb->heredocs[rb->heredoc_count];
    found->indented = is_one_of(at_or_0(rb, word), "-~");
    word += found->indented;
    const char first = at_or_0(rb, word), newest = code_before(rb, 0);
    const bool quoted = is_one_of(first, "\"'`");
    const bool of_object = word_is(rb, is_blank(newest), "class"); /* class << Object */
    end = word;
    if (quoted) {
        for (end = ++word; end < n && bytes[end] != first && bytes[end] != '\n';)
            end++;
    } else if (in_name(first) && !is_digit(first) &&
               (found->indented || ((is_capital(first) || first == '_') && !of_object && !in_name(newest)))) {
        while (in_name(at_or_0(rb, end)))
            end++;
    }
    found->word = bytes + word;
    found->length = end - word;
    if (quoted ? at_or_0(rb, end) == first : end > word) {
        rb->heredoc_count++;
        add_code(rb, '"');
        return end + quoted;
    }
    add_code(rb, '<');
    return end;
}

/* Reads the heredocs behind the newline at `at`. Returns the newline behind the last one's word. */
static size_t skip_heredocs(ruby *rb, size_t at) {
    const size_t newline = at, n = rb->text->n;
    for (size_t k = 0; k < rb->heredoc_count; k++)
        for (bool found = false; !found;) {
            size_t end = ++at;
            while (end < n && rb->text->bytes[end] != '\n')
                end++;
            found = at <= n && heredoc_ends(&rb->heredocs[k], rb->text->bytes + at, end - at);
            at = end;
            if (end >= n && found && k + 1 == rb->heredoc_count &&
                rb->depth == 0) /* the text may end behind the word */
                return n;
            if (end >= n)
                return cut(rb, newline);
        }
    rb->heredoc_count = 0;
    add_code(rb, '"');
    return at;
}

/* ---- Code ---- */

/* Behind =begin ... =end, or the text's end behind __END__; `at`: neither begins there. */
static size_t skip_begun_line(ruby *rb, size_t at) {
    if (code_before(rb, 0) != '\n')
        return at;
    if (stands_at(rb, at, "__END__"))
        return rb->text->n;
    if (!stands_at(rb, at, "=be"))
        return at;
    for (size_t i = at + 3; i < rb->text->n; i++)
        if (stands_at(rb, i, "\n=end")) {
            add_code(rb, ' ');
            return i + 5;
        }
    return cut(rb, at);
}

static size_t skip_comment(ruby *rb, size_t at) {
    while (at < rb->text->n && rb->text->bytes[at] != '\n')
        at++;
    add_code(rb, ' ');
    return at;
}

/* A bracket; the } of a literal's code leads back into the literal. */
static size_t read_bracket(ruby *rb, size_t at) {
    const char byte = rb->text->bytes[at];
    rb->text->brackets[at] = true;
    add_code(rb, byte);
    if (rb->depth == 0 || (byte != '{' && byte != '}'))
        return at + 1;
    literal *const around = &rb->around[rb->depth - 1];
    around->braces += byte == '{';
    around->braces -= byte == '}';
    if (around->braces > 0)
        return at + 1;
    rb->depth--;
    return read_literal(rb, *around, at + 1);
}

static size_t read_byte(ruby *rb, size_t at) {
    const char byte = rb->text->bytes[at];
    size_t end;
    switch (byte) {
    case '\n':
        if (rb->heredoc_count > 0)
            return skip_heredocs(rb, at);
        break;
    case '(':
    case ')':
    case '[':
    case ']':
    case '{':
    case '}':
        return read_bracket(rb, at);
    case '"':
    case '\'':
    case '`':
        return read_quoted(rb, at);
    case '/':
        return read_slash(rb, at);
    case '%':
        return read_percent(rb, at);
    case '?':
        return read_question(rb, at);
    case '<':
        return read_less(rb, at);
    case '#':
        return skip_comment(rb, at);
    case '$':
        if (is_one_of(at_or_0(rb, at + 1), "\"'`/")) { /* a variable */
            add_code(rb, '"');
            return at + 2;
        }
        break;
    case '=':
    case '_':
        end = skip_begun_line(rb, at);
        if (end > at)
            return end;
        break;
    default:
        break;
    }
    add_code(rb, byte);
    return at + 1;
}

size_t plain_skip_ruby(plain_text *text, size_t at) {
    if (at > 0)
        return at;
    ruby rb = {
        .text = text, .before = allocate(2 * text->n + 2, 1), .around = allocate(text->n + 1, sizeof *rb.around)};
    add_code(&rb, '\n');
    while (at < text->n)
        at = read_byte(&rb, at);
    if (rb.depth > 0)
        cut(&rb, 0);
    free(rb.before);
    free(rb.around);
    return text->n;
}
