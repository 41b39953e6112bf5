/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lexer in elements of JSX (facebook.github.io/jsx), from the < of the outermost one to the > of its last tag.
 * pmi_lexer.depth counts the elements that are open in it, and raw_length the type arguments in a tag. The code in { }
 * is read as that of a template literal, so that what is around it waits in the same stack. A close } in text is a
 * fault of the text, and counts.
 */
#include <string.h>

#include "core/lexer/parts.h"

/* A close brace that is a fault of the text. */
static bool stray_brace(pmi_lexer *lexer) {
    lexer->verdict = PM_LEXER_COUNTED;
    lexer->mixed |= pmi_stack_top(&lexer->templates) != NULL;
    return true;
}

bool pmi_lexer_jsx_due(const pmi_lexer_history *history) {
    static const char words[][PM_HISTORY_BYTES] = {{"await"}, {"case"},   {"default"}, {"do"},
                                                   {"else"},  {"return"}, {"yield"}};
    return pmi_lexer_operand_due(history, &(pmi_lexer_words){words, sizeof words / sizeof *words, NULL}, false);
}

void pmi_lexer_jsx_enter(pmi_lexer *lexer) {
    pmi_lexer_region_enter_flagged(lexer, PM_REGION_JSX);
    lexer->opener = PM_JSX_FIRST;
    lexer->raw_length = 0;
    pmi_lexer_history_push(&lexer->history, '<');
}

/* ---- Is it an element? ---- */

/* What was read so far is code. */
static bool leave_as_code(pmi_lexer *lexer) {
    lexer->state = PM_LEXER_CODE;
    return false;
}

static bool goes_on_as(pmi_lexer *lexer, pmi_jsx step) {
    lexer->opener = (unsigned char)step;
    return false;
}

/* Is the name a single capital letter, a T and another one, or a letter and a digit, as of a type parameter? */
static bool names_parameter(const pmi_lexer_history *history) {
    const unsigned length = pmi_lexer_word_length(history, 0);
    const unsigned char last = pmi_lexer_history_byte(history, 0),
                        first = pmi_lexer_history_byte(history, length > 0 ? length - 1 : 0);
    const bool capital = first >= 'A' && first <= 'Z';
    return capital &&
           (length == 1 || (length == 2 && (pmi_lexer_is_digit(last) || (first == 'T' && last >= 'A' && last <= 'Z'))));
}

/* Behind the first <. A blank or a sign behind it makes it an operator. */
static bool first_byte(pmi_lexer *lexer, unsigned char byte) {
    if (byte == '>' || byte >= 0x80)
        return goes_on_as(lexer, PM_JSX_TAG);
    if (!pmi_byte_in_name(byte) || pmi_lexer_is_digit(byte))
        return leave_as_code(lexer);
    return goes_on_as(lexer, PM_JSX_NAME);
}

/* <T, and <T = begin type parameters, and so may <T>. */
static bool name_byte(pmi_lexer *lexer, unsigned char byte) {
    pmi_lexer_history *const history = &lexer->history;
    if (pmi_byte_in_name(byte)) {
        pmi_lexer_history_push(history, byte);
        return true;
    }
    if (byte == ',' || byte == '=')
        return leave_as_code(lexer);
    if (pmi_byte_is_space(byte)) {
        if (pmi_lexer_word_is(history, 0, "const"))
            return leave_as_code(lexer);
        pmi_lexer_history_push_blank(history, byte == '\n');
        lexer->opener = PM_JSX_WORD;
        return true;
    }
    if (byte == '>' && names_parameter(history)) {
        lexer->opener = PM_JSX_ARROW;
        return true;
    }
    return goes_on_as(lexer, PM_JSX_TAG);
}

/* <T extends begins type parameters, too. */
static bool word_byte(pmi_lexer *lexer, unsigned char byte) {
    pmi_lexer_history *const history = &lexer->history;
    const bool begun = pmi_byte_in_name(pmi_lexer_history_byte(history, 0));
    if (pmi_byte_in_name(byte)) {
        pmi_lexer_history_push(history, byte);
        return true;
    }
    if (!begun && pmi_byte_is_space(byte)) {
        pmi_lexer_history_push_blank(history, byte == '\n');
        return true;
    }
    if ((!begun && (byte == ',' || byte == '=')) ||
        (begun && pmi_byte_is_space(byte) && pmi_lexer_word_is(history, 0, "extends")))
        return leave_as_code(lexer);
    return goes_on_as(lexer, PM_JSX_TAG);
}

/* ---- Tags ---- */

/* A tag has ended, with which as many elements are open. */
static bool tag_ends(pmi_lexer *lexer, uint64_t depth) {
    lexer->depth = depth;
    lexer->previous = 0;
    lexer->opener = PM_JSX_TEXT;
    if (depth == 0)
        pmi_lexer_region_leave(lexer);
    return true;
}

/* The > of a => in type arguments ends nothing. */
static bool greater_byte(pmi_lexer *lexer, unsigned char previous) {
    if (lexer->raw_length > 0) {
        lexer->raw_length -= previous != '=';
        return true;
    }
    return tag_ends(lexer, lexer->depth + (previous != '/'));
}

static bool tag_byte(pmi_lexer *lexer, unsigned char byte) {
    const unsigned char previous = lexer->previous;
    if (pmi_byte_is_space(byte))
        return true;
    lexer->previous = byte == '/' || byte == '=' ? byte : 0;
    if (previous == '/' && (byte == '/' || byte == '*')) {
        lexer->previous = 0;
        lexer->opener = byte == '/' ? PM_JSX_LINE : PM_JSX_COMMENT;
        return true;
    }
    switch (byte) {
    case '"':
    case '\'':
        lexer->opener = byte == '"' ? PM_JSX_DOUBLE : PM_JSX_SINGLE;
        return true;
    case '<':
        lexer->raw_length++;
        return true;
    case '>':
        return greater_byte(lexer, previous);
    case '{':
        return pmi_lexer_code_begin(lexer, byte, true);
    case '}':
        return stray_brace(lexer);
    default:
        return true;
    }
}

/* Up to the end of a comment. */
static bool comment_byte(pmi_lexer *lexer, unsigned char byte) {
    const bool ends = lexer->previous == '*' && byte == '/';
    lexer->previous = byte == '*' ? byte : 0;
    if (ends)
        lexer->opener = PM_JSX_TAG;
    return true;
}

/* Up to a byte that ends a string or comment of a tag. */
static bool until(pmi_lexer *lexer, unsigned char byte, unsigned char end) {
    if (byte == end)
        lexer->opener = PM_JSX_TAG;
    return true;
}

/* ---- Text ---- */

static bool text_byte(pmi_lexer *lexer, unsigned char byte) {
    if (byte == '<')
        lexer->opener = PM_JSX_LESS;
    else if (byte == '{')
        return pmi_lexer_code_begin(lexer, byte, true);
    else if (byte == '}')
        return stray_brace(lexer);
    return true;
}

static bool less_byte(pmi_lexer *lexer, unsigned char byte) {
    lexer->previous = 0;
    lexer->raw_length = 0;
    if (byte == '/') {
        lexer->opener = PM_JSX_CLOSING;
        return true;
    }
    const bool tag = byte == '>' || byte >= 0x80 || (pmi_byte_in_name(byte) && !pmi_lexer_is_digit(byte));
    return goes_on_as(lexer, tag ? PM_JSX_TAG : PM_JSX_TEXT);
}

bool pmi_lexer_jsx_byte(pmi_lexer *lexer, unsigned char byte) {
    switch ((pmi_jsx)lexer->opener) {
    case PM_JSX_TEXT:
        return text_byte(lexer, byte);
    case PM_JSX_LESS:
        return less_byte(lexer, byte);
    case PM_JSX_FIRST:
        return first_byte(lexer, byte);
    case PM_JSX_NAME:
        return name_byte(lexer, byte);
    case PM_JSX_WORD:
        return word_byte(lexer, byte);
    case PM_JSX_ARROW:
        return byte == '(' ? leave_as_code(lexer) : (tag_ends(lexer, 1), false);
    case PM_JSX_TAG:
        return tag_byte(lexer, byte);
    case PM_JSX_DOUBLE:
        return until(lexer, byte, '"');
    case PM_JSX_SINGLE:
        return until(lexer, byte, '\'');
    case PM_JSX_COMMENT:
        return comment_byte(lexer, byte);
    case PM_JSX_LINE:
        return until(lexer, byte, '\n');
    case PM_JSX_CLOSING:
        return byte == '>' ? tag_ends(lexer, lexer->depth - 1) : true;
    }
    return true;
}

/* ---- Runs of bytes ---- */

static size_t find(const unsigned char *text, unsigned char byte, size_t i, size_t to) {
    const unsigned char *const found = memchr(text + i, byte, to - i);
    return found ? (size_t)(found - text) : to;
}

/* The first byte from i on that is not like those that a tag passes over: names, values without quotes, and blanks. */
static size_t tag_run(pmi_lexer *lexer, const unsigned char *text, size_t i, size_t to) {
    enum {
        NAME = 0,
        BLANK,
        SIGN
    };
    static const uint8_t sorts[256] = {['\t'] = BLANK, ['\n'] = BLANK, ['\v'] = BLANK, ['\f'] = BLANK, ['\r'] = BLANK,
                                       [' '] = BLANK,  ['/'] = SIGN,   ['='] = SIGN,   ['"'] = SIGN,   ['\''] = SIGN,
                                       ['<'] = SIGN,   ['>'] = SIGN,   ['{'] = SIGN,   ['}'] = SIGN,   ['*'] = SIGN};
    bool name = false;
    for (; i < to && sorts[text[i]] != SIGN; i++)
        name |= sorts[text[i]] == NAME;
    if (name)
        lexer->previous = 0;
    return i;
}

/* The first byte from i on that may matter in an element. */
static size_t run_end(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t i, size_t to) {
    const unsigned class = pmi_lexer_region_class(lexer, lexer->region);
    switch ((pmi_jsx)lexer->opener) {
    case PM_JSX_TEXT:
        return pmi_lexer_next_byte(piece, class, class, i, to);
    case PM_JSX_TAG:
        return tag_run(lexer, text, i, to);
    case PM_JSX_DOUBLE:
        return find(text, '"', i, to);
    case PM_JSX_SINGLE:
        return find(text, '\'', i, to);
    case PM_JSX_LINE:
        return find(text, '\n', i, to);
    case PM_JSX_CLOSING:
        return find(text, '>', i, to);
    default:
        return i;
    }
}

/* Reads the sign at byte i of a tag, if it is a frequent one, with what it begins. Returns the next byte, or i. */
static size_t sign_read(pmi_lexer *lexer, const unsigned char *text, size_t i, size_t to) {
    const unsigned char byte = text[i];
    if (lexer->raw_length > 0)
        return i;
    if (byte == '"' || byte == '\'') {
        const size_t end = find(text, byte, i + 1, to);
        lexer->previous = 0;
        if (end == to)
            lexer->opener = byte == '"' ? PM_JSX_DOUBLE : PM_JSX_SINGLE;
        return end + (end < to);
    }
    if (byte == '=' || (byte == '/' && lexer->previous != '/')) {
        lexer->previous = byte;
        return i + 1;
    }
    if (byte == '>' && (lexer->previous != '/' || lexer->depth > 0)) {
        lexer->depth += lexer->previous != '/';
        lexer->previous = 0;
        lexer->opener = PM_JSX_TEXT;
        return i + 1;
    }
    return i;
}

/* The same of a < in text, at byte i. */
static size_t less_read(pmi_lexer *lexer, const unsigned char *text, size_t i, size_t to) {
    if (i + 1 == to || !(text[i + 1] == '/' || pmi_byte_is_letter(text[i + 1])))
        return i;
    const bool closes = text[i + 1] == '/';
    lexer->previous = 0;
    lexer->raw_length = 0;
    lexer->opener = closes ? PM_JSX_CLOSING : PM_JSX_TAG;
    return i + 1 + closes;
}

static size_t frequent_read(pmi_lexer *lexer, const unsigned char *text, size_t i, size_t to) {
    if (lexer->opener == PM_JSX_TAG)
        return sign_read(lexer, text, i, to);
    if (lexer->opener == PM_JSX_TEXT && text[i] == '<')
        return less_read(lexer, text, i, to);
    if (lexer->opener == PM_JSX_CLOSING && lexer->depth > 1) {
        lexer->depth--;
        lexer->previous = 0;
        lexer->opener = PM_JSX_TEXT;
        return i + 1;
    }
    return i;
}

bool pmi_lexer_jsx_remembers(const pmi_lexer *lexer) {
    return lexer->opener == PM_JSX_FIRST || lexer->opener == PM_JSX_NAME || lexer->opener == PM_JSX_WORD ||
           lexer->opener == PM_JSX_ARROW;
}

size_t pmi_lexer_jsx_range(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t i,
                           size_t to, uint64_t *outside, unsigned char *after) {
    *after = 0;
    while (lexer->state == PM_LEXER_REGION) {
        i = run_end(lexer, text, piece, i, to);
        if (i == to)
            break;
        const size_t next = frequent_read(lexer, text, i, to);
        if (next > i) {
            i = next;
            continue;
        }
        if (text[i] == '{' && (lexer->opener == PM_JSX_TEXT || lexer->opener == PM_JSX_TAG)) {
            lexer->previous = 0;
            if (!pmi_lexer_template_push(lexer, '{', true))
                return i + 1;
            *after = '{';
            return i;
        }
        const pmi_lexer_history history = lexer->history;
        const bool remembers = pmi_lexer_jsx_remembers(lexer), taken = pmi_lexer_jsx_byte(lexer, text[i]);
        if (lexer->verdict == PM_LEXER_COUNTED)
            pmi_lexer_mark(outside, i);
        lexer->verdict = PM_LEXER_AS_READ;
        i += taken;
        if (lexer->state == PM_LEXER_CODE && !remembers) { /* an element has ended */
            lexer->history = history;
            *after = PM_LEXER_OPERAND;
        }
    }
    return i;
}

/* ---- Out of it ---- */

/* A tag whose type arguments are closed one by one. The > of a => closes none, so a byte comes between. */
static const char *tag_closer(const pmi_lexer *lexer) {
    if (lexer->raw_length > 0)
        return lexer->previous == '=' ? "a" : ">";
    return lexer->previous == '/' ? ">" : "/>";
}

const char *pmi_lexer_jsx_closer(const pmi_lexer *lexer) {
    switch ((pmi_jsx)lexer->opener) {
    case PM_JSX_TEXT:
    case PM_JSX_ARROW:
        return "</>";
    case PM_JSX_FIRST:
        return " ";
    case PM_JSX_TAG:
        return tag_closer(lexer);
    case PM_JSX_DOUBLE:
        return "\"";
    case PM_JSX_SINGLE:
        return "'";
    case PM_JSX_COMMENT:
        return lexer->previous == '*' ? "/" : "*/";
    case PM_JSX_LINE:
        return "\n";
    case PM_JSX_CLOSING:
        return ">";
    default:
        return "/>";
    }
}
