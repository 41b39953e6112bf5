/* SPDX-License-Identifier: Apache-2.0 */
/* The lexer in a shell's text where masks and a table are not enough: the history that was noted, `case`, quotes behind
 * a $, and code inside strings. */
#include <string.h>

#include "core/lexer/shell/reader.h"

/* ---- The lexer's state, and the history ---- */

void pmi_shell_catch_up(pmi_shell_reader *reader, size_t to) {
    if (to == reader->noted)
        return;
    pmi_lexer_back back = {.count = 0, .newlines = 0};
    size_t w = (to + PM_WORD_BITS - 1) / PM_WORD_BITS;
    uint64_t below = to % PM_WORD_BITS ? pmi_bits_low(to % PM_WORD_BITS) : UINT64_MAX;
    while (w-- > reader->noted / PM_WORD_BITS && !pmi_lexer_back_is_full(&back)) {
        uint64_t rest = (reader->code[w] | reader->operands[w] | reader->dollars[w]) & below;
        below = UINT64_MAX;
        if (w == reader->noted / PM_WORD_BITS)
            rest &= ~pmi_bits_low(reader->noted % PM_WORD_BITS);
        while (rest != 0 && !pmi_lexer_back_is_full(&back)) {
            const unsigned bit = pmi_bits_highest(rest);
            const size_t at = w * PM_WORD_BITS + bit;
            unsigned char byte = reader->text[at];
            rest ^= UINT64_C(1) << bit;
            if (!(reader->code[w] >> bit & 1))
                byte = reader->operands[w] >> bit & 1 ? PM_LEXER_OPERAND : '{';
            pmi_lexer_back_add(&back, byte);
        }
    }
    pmi_lexer_history_push_back(&reader->lexer->history, &back);
    reader->noted = to;
}

void pmi_shell_look_around(pmi_shell_reader *reader) {
    pmi_lexer *const lexer = reader->lexer;
    const pmi_lexer_template *const string = pmi_stack_top(&lexer->templates);
    const bool heredocs = lexer->heredoc_count > 0;
    pmi_shell_case *const of = lexer->case_count > 0 ? &lexer->cases[lexer->case_count - 1] : NULL;
    reader->surrounded = heredocs || string || of; /* not from bytes just stored: one load of them would wait */
    reader->heredocs = heredocs;
    reader->open = !string ? 0 : string->code_close == ')' ? '(' : '{';
    reader->of = of;
}

void pmi_shell_state_take(pmi_shell_reader *reader) {
    const pmi_lexer *const lexer = reader->lexer;
    reader->state = lexer->state == PM_LEXER_CODE ? PM_SHELL_CODE : PM_SHELL_OTHER;
    reader->start = SIZE_MAX;
    if (lexer->state != PM_LEXER_REGION || !pmi_lexer_region_idle(lexer))
        return;
    for (unsigned state = 0; state < PM_SHELL_REGIONS; state++)
        if (lexer->region == lexer->shell[state])
            reader->state = state;
}

void pmi_shell_state_give(const pmi_shell_reader *reader) {
    pmi_lexer *const lexer = reader->lexer;
    if (reader->state == PM_SHELL_OTHER)
        return;
    lexer->state = PM_LEXER_CODE;
    if (reader->state == PM_SHELL_CODE)
        return;
    pmi_lexer_region_enter(lexer, lexer->shell[reader->state]);
    if (reader->start != SIZE_MAX) {
        lexer->start = reader->position + reader->start;
        lexer->first = reader->text[reader->start];
    }
}

void pmi_shell_refresh(pmi_shell_reader *reader, size_t i) {
    reader->fresh = reader->noted = i;
    const unsigned char newest = pmi_lexer_history_byte(&reader->lexer->history, 0);
    reader->fresh_due = reader->lexer->class_of[newest] >> PM_SHELL_DUE & 1;
    reader->fresh_soft =
        newest == 'c' || newest == 'e' || newest == ';' || newest == '&' || newest == 'n' || newest == '(';
}

/* The lexer alone read what stands before byte i; returns that byte. */
static size_t go_on_at(pmi_shell_reader *reader, size_t i) {
    pmi_shell_state_take(reader);
    pmi_shell_look_around(reader);
    pmi_shell_refresh(reader, i);
    return i;
}

size_t pmi_shell_read_alone(pmi_shell_reader *reader, size_t i) {
    pmi_shell_catch_up(reader, i);
    pmi_shell_state_give(reader);
    i = pmi_lexer_step(reader->lexer, reader->text, i, reader->position, reader->outside);
    i += pmi_lexer_heredoc_word(reader->lexer, reader->text + i, reader->to - i);
    return go_on_at(reader, i);
}

/* ---- Special bytes of code ---- */

static inline bool ends_with(const unsigned char *end, size_t n, const char *word, size_t length) {
    return n > length && memcmp(end - length, word, length) == 0 && !pmi_byte_in_name(end[-1 - (ptrdiff_t)length]);
}

/* May a command stand behind the n bytes of code that end there, and not with a blank? */
static bool command_follows(const unsigned char *end, size_t n) {
    switch (end[-1]) {
    case ';':
    case '&':
    case '|':
    case '(':
    case ')':
    case '{':
    case '!':
    case '`':
        return true;
    case 'n':
        return ends_with(end, n, "then", 4) || ends_with(end, n, "in", 2);
    case 'o':
        return ends_with(end, n, "do", 2);
    case 'e':
        return ends_with(end, n, "else", 4) || ends_with(end, n, "while", 5);
    case 'f':
        return ends_with(end, n, "if", 2) || ends_with(end, n, "elif", 4);
    case 'l':
        return ends_with(end, n, "until", 5);
    default:
        return false;
    }
}

typedef enum answer {
    NO = 0,
    YES,
    UNSURE
} answer;

/* Does the word `case` or `esac` before byte i stand where a command does? */
static answer is_command(const pmi_shell_reader *reader, size_t i) {
    const unsigned char *const text = reader->text;
    const size_t word = i - 4, longest = sizeof "until";
    size_t at = word, from;
    while (at > reader->begin && pmi_shell_is_code(reader, at - 1) && pmi_byte_is_space(text[at - 1])) {
        if (text[--at] == '\n')
            return YES;
    }
    for (from = at; from > reader->begin && at - from < longest && pmi_shell_is_code(reader, from - 1);)
        from--;
    if (at == from || text[at - 1] == 0 || (pmi_byte_in_name(text[at - 1]) && at - from < longest))
        return UNSURE;
    return command_follows(text + at, at - from) && (at < word || !pmi_byte_in_name(text[at - 1])) ? YES : NO;
}

static bool ends_in(const pmi_shell_reader *reader, size_t i, const char word[5]) {
    return memcmp(reader->text + i - 4, word, 4) == 0;
}

/* What a byte behind `case` or `esac` does. */
static void read_behind_word(pmi_shell_reader *reader, size_t i) {
    const unsigned char byte = reader->text[i];
    const bool begins = ends_in(reader, i, "case");
    const answer command = pmi_shell_is_code(reader, i - 4) ? is_command(reader, i) : UNSURE;
    if (command != UNSURE) {
        if (command == YES)
            pmi_lexer_shell_word(reader->lexer, begins);
        pmi_shell_look_around(reader);
        if (reader->of && byte == '(')
            reader->of->parens++;
        if (reader->of && byte == ')' && !pmi_lexer_shell_close(reader->of))
            reader->lexer->verdict = PM_LEXER_UNCOUNTED;
        return;
    }
    pmi_shell_catch_up(reader, i);
    pmi_lexer_shell_byte(reader->lexer, byte);
    pmi_shell_look_around(reader);
}

void pmi_shell_read_soft(pmi_shell_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const unsigned char byte = reader->text[i];
    const bool plain = pmi_shell_is_plain_behind(reader, i), square = byte == '[' || byte == ']';
    if (plain && !square && (ends_in(reader, i, "case") || ends_in(reader, i, "esac"))) {
        read_behind_word(reader, i);
        return;
    }
    pmi_shell_effect effect = plain ? PM_SHELL_COUNTS : PM_SHELL_UNKNOWN;
    if (plain && reader->of) {
        uint64_t code = 0;
        for (unsigned k = 1; k <= 3; k++)
            code |= (uint64_t)pmi_shell_is_code(reader, i - k) << (PM_WORD_BITS - k);
        effect = pmi_shell_soft_read(reader, i, code);
    }
    if (effect == PM_SHELL_COUNTS_NOT)
        lexer->verdict = PM_LEXER_UNCOUNTED;
    if (effect != PM_SHELL_UNKNOWN)
        return;
    pmi_shell_catch_up(reader, i);
    if (square)
        pmi_lexer_shell_square(lexer);
    else
        pmi_lexer_shell_byte(lexer, byte);
    pmi_shell_look_around(reader);
}

/* Where a string ends that the quote at byte i begins, and in which a backslash protects the next byte; 0: not here. */
static size_t dollar_end(const pmi_shell_reader *reader, size_t i) {
    while (++i < reader->to && reader->text[i] != '\'')
        i += reader->text[i] == '\\';
    return i < reader->to ? i : 0;
}

/* Reads the quote at byte i, behind a $ that may make it another one. Returns the next byte. */
static size_t read_quote(pmi_shell_reader *reader, size_t i) {
    if ((i >= reader->fresh && i < reader->fresh + 2) || !pmi_shell_is_code(reader, i - 1))
        return pmi_shell_read_alone(reader, i);
    const bool string = reader->operands[(i - 2) / PM_WORD_BITS] >> (i - 2) % PM_WORD_BITS & 1;
    if (!string && !pmi_shell_is_code(reader, i - 2))
        return pmi_shell_read_alone(reader, i);
    const bool dollar = reader->text[i - 1] == '$' && (string || !pmi_byte_in_name(reader->text[i - 2]));
    const size_t end = dollar ? dollar_end(reader, i) : 0;
    if (end > 0) {
        pmi_lexer_mark(reader->operands, end);
        return end + 1;
    }
    reader->state = dollar ? PM_SHELL_DOLLAR : PM_SHELL_SINGLE;
    reader->start = i;
    return i + 1;
}

/* Is byte i of code a parenthesis of a ${ } that is no bracket? */
static bool is_literal(pmi_shell_reader *reader, size_t i) {
    const unsigned char byte = reader->text[i];
    if (reader->open != '{' || (byte != '(' && byte != ')'))
        return false;
    pmi_shell_catch_up(reader, i);
    return pmi_lexer_shell_literal(reader->lexer, byte);
}

/* ---- Heredocs ---- */

/* Is no ( among the bytes of code before byte i that the history would have? */
static bool parens_are_far(const pmi_shell_reader *reader, size_t i) {
    uint64_t below = pmi_bits_low(i % PM_WORD_BITS);
    unsigned count = 0; /* of those bytes at least */
    for (size_t w = i / PM_WORD_BITS; count < PM_HISTORY_BYTES; w--, below = UINT64_MAX) {
        const uint64_t *const of = reader->piece->masks + PM_SHELL_CLASSES * w;
        const bool first = w == reader->noted / PM_WORD_BITS;
        const uint64_t there = below & ~(first ? pmi_bits_low(reader->noted % PM_WORD_BITS) : 0);
        const uint64_t code = reader->code[w] & there;
        if (code & of[PM_SHELL_SOFT] & of[PM_SHELL_X] & ~(of[PM_SHELL_TOKEN] | of[PM_SHELL_NAME]))
            return false;
        count += pmi_bits_count((code & ~of[PM_SHELL_DUE]) | (reader->operands[w] & there)); /* blanks are DUE */
        if (first)
            return count >= PM_HISTORY_BYTES || !pmi_lexer_history_has_paren(&reader->lexer->history);
    }
    return true;
}

/* A line ends at byte i, and heredocs follow. Reads their lines. Returns the next byte. */
static size_t read_heredocs(pmi_shell_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const pmi_lexer_history before = lexer->history;
    lexer->start = reader->position + i;
    lexer->first = '\n';
    pmi_lexer_heredocs_enter(lexer);
    const size_t next = i + 1 + pmi_lexer_heredoc_ahead(lexer, reader->text + i + 1, reader->to - (i + 1));
    lexer->history = before;
    if (lexer->state != PM_LEXER_CODE) {
        pmi_shell_catch_up(reader, i);
        return go_on_at(reader, next);
    }
    pmi_lexer_mark(reader->operands, next - 1); /* what the heredocs are in the history */
    pmi_shell_look_around(reader);
    return next;
}

/* Reads the first < of two at byte i, and what they begin: the word of a heredoc or an operator. Returns the next byte.
 * The history is asked for a ( alone, and so need not be made. */
static size_t read_less(pmi_shell_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const pmi_lexer_history before = lexer->history;
    const unsigned count = lexer->heredoc_count;
    size_t next = i;
    while (reader->to - next > 2 && memcmp(reader->text + next, "<<<", 3) == 0) /* which begin strings, not heredocs */
        next += 3;
    if (next > i) {
        pmi_lexer_mark_run(reader->code, i, next);
        return next;
    }
    if (!parens_are_far(reader, i))
        return pmi_shell_read_alone(reader, i);
    lexer->history = (pmi_lexer_history){0, 0};
    lexer->start = reader->position + i;
    lexer->first = '<';
    lexer->heredoc_step = 0;
    lexer->state = PM_LEXER_HEREDOC;
    next += 1 + pmi_lexer_heredoc_word(lexer, reader->text + i + 1, reader->to - (i + 1));
    lexer->history = before;
    pmi_shell_look_around(reader);
    if (lexer->heredoc_count > count)
        pmi_lexer_mark(reader->operands, next - 1);
    else if (lexer->state == PM_LEXER_CODE)
        pmi_lexer_mark(reader->code, i);
    if (lexer->state == PM_LEXER_CODE && lexer->heredoc_count > 0 && next < reader->to && reader->text[next] == '\n')
        return read_heredocs(reader, next);
    /* masks take the byte before a # for one of code */
    if (lexer->state == PM_LEXER_CODE && (next == reader->to || reader->text[next] != '#'))
        return next;
    pmi_shell_catch_up(reader, next);
    return go_on_at(reader, next);
}

/* ---- Any of them ---- */

size_t pmi_shell_read_special(pmi_shell_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const unsigned char byte = reader->text[i];
    if (reader->state != PM_SHELL_CODE)
        return pmi_shell_read_alone(reader, i);
    if (byte == '<')
        return read_less(reader, i);
    if (byte == '\n' && reader->heredocs)
        return read_heredocs(reader, i);
    if (byte == '\'')
        return read_quote(reader, i);
    if (is_literal(reader, i))
        lexer->verdict = PM_LEXER_UNCOUNTED;
    else if (byte != '{' && byte != '}')
        pmi_shell_read_soft(reader, i);
    if (byte == '(' || byte == ')')
        pmi_lexer_shell_count(lexer, byte);
    if (lexer->verdict == PM_LEXER_AS_READ) {
        pmi_lexer_mark(reader->outside, i);
        lexer->state = PM_LEXER_CODE;
        if (reader->open && pmi_lexer_template_counts(lexer, byte)) {
            pmi_shell_state_take(reader);
            pmi_shell_look_around(reader);
        }
    }
    lexer->verdict = PM_LEXER_AS_READ;
    pmi_lexer_mark(reader->code, i);
    return i + 1;
}

/* ---- Code in strings ---- */

/* Does code begin in a string at the $ of byte i? */
static bool begins_code(const pmi_shell_reader *reader, size_t i) {
    return i + 1 < reader->to && (reader->text[i + 1] == '(' || reader->text[i + 1] == '{');
}

/* How deep strings with code may lie in the code of a string that is passed over. In the code of a string that was not
 * passed over none may, so that what never ends is looked at twice, not again and again. */
#define STRINGS_MOST 1u

static size_t substitution_end(const pmi_shell_reader *reader, size_t i, unsigned strings);

/* Where the string ends whose first quote is at byte i; 0: something else matters in it than its end and code with at
 * most `strings` strings in each other. */
static size_t string_end(const pmi_shell_reader *reader, size_t i, unsigned strings) {
    const unsigned char *const text = reader->text, quote = text[i];
    if (quote == '\'' && text[i - 1] == '$')
        return 0;
    while (++i < reader->to && text[i] != quote) {
        if (quote == '\'' || (text[i] != '\\' && (text[i] != '$' || !begins_code(reader, i))))
            continue;
        i = text[i] == '$' && strings > 0 ? substitution_end(reader, i, strings - 1) : 0;
        if (i == 0)
            return 0;
    }
    return i < reader->to ? i : 0;
}

static bool is_quote(unsigned char byte) {
    return byte == '"' || byte == '\'';
}

/* May a soft byte at `end` of a command that begins at `begin` end the word `case` or `esac`? */
static bool ends_word(const pmi_shell_reader *reader, size_t begin, size_t end) {
    return end - begin > 4 && (ends_in(reader, end, "case") || ends_in(reader, end, "esac"));
}

/* May byte i of a ${name} or a $(command) mean more than itself, if it is no quote and no bracket that ends these? */
static bool matters(const pmi_shell_reader *reader, size_t i, bool command) {
    const unsigned char byte = reader->text[i];
    const unsigned class = reader->lexer->class_of[byte];
    if (byte == '#')
        return reader->lexer->class_of[reader->text[i - 1]] >> PM_SHELL_DUE & 1;
    if (byte == '$')
        return !command && i + 1 < reader->to && reader->text[i + 1] == '(';
    if (class >> PM_SHELL_TOKEN & 1 && (byte != '\n' || reader->heredocs))
        return true;
    if (!command)
        return reader->of && class & (1u << PM_SHELL_SOFT | 1u << PM_SHELL_DUE);
    return reader->of && (byte == ';' || byte == '&' || byte == '[' || byte == ']');
}

/* Where the } of a ${name} or the ) of a $(command) stands, whose $ is at byte i; 0: something else than strings and
 * brackets matters before it. */
static size_t substitution_end(const pmi_shell_reader *reader, size_t i, unsigned strings) {
    const unsigned char open = reader->text[i + 1], close = open == '(' ? ')' : '}';
    const unsigned stops = 1u << PM_SHELL_TOKEN | 1u << PM_SHELL_SOFT | 1u << PM_SHELL_DUE; /* but for { */
    uint64_t depth = 0;
    for (size_t end = i + 2; end < reader->to; end++) {
        const unsigned char byte = reader->text[end];
        const unsigned class = reader->lexer->class_of[byte];
        if (!(class & stops) && byte != open)
            continue;
        if (class >> PM_SHELL_SOFT & 1 && ends_word(reader, i + 1, end))
            return 0;
        if (byte == close && depth-- == 0)
            return end;
        depth += byte == open;
        if (is_quote(byte))
            end = string_end(reader, end, strings);
        else if (byte != '(' && byte != ')' && matters(reader, end, open == '('))
            end = 0;
        if (end == 0)
            return 0;
    }
    return 0;
}

/* Of the bytes read from byte i to before byte `end`, no parenthesis is a bracket. */
static void hide_parens(const pmi_shell_reader *reader, size_t i, size_t end) {
    uint64_t unread = pmi_bits_low(i % PM_WORD_BITS);
    for (size_t w = i / PM_WORD_BITS; w * PM_WORD_BITS < end; w++, unread = 0) {
        const uint64_t *const of = reader->piece->masks + PM_SHELL_CLASSES * w;
        const uint64_t sides = (of[PM_SHELL_X] | of[PM_SHELL_Y]) & ~(of[PM_SHELL_TOKEN] | of[PM_SHELL_NAME]);
        reader->outside[w] &= ~(sides & of[PM_SHELL_SOFT]) | unread;
    }
}

static size_t note_code(pmi_shell_reader *reader, size_t i, unsigned strings);

/* Notes the string that begins at byte i, with the code in it, and returns the byte behind it. */
static size_t note_string(pmi_shell_reader *reader, size_t i, unsigned strings) {
    const unsigned char *const text = reader->text, quote = text[i];
    for (i++; text[i] != quote;)
        i = quote == '"' && text[i] == '$' && begins_code(reader, i) ? note_code(reader, i, strings - 1) : i + 1;
    pmi_lexer_mark(reader->operands, i);
    return i + 1;
}

/* Notes the code that begins behind the $ at byte i, with the strings in it, and returns the byte behind it; 0:
 * substitution_end() does not know its end. The parentheses of ${name} are no brackets. */
static size_t note_code(pmi_shell_reader *reader, size_t i, unsigned strings) {
    const size_t begin = i + 1, last = substitution_end(reader, i, strings);
    if (last == 0)
        return 0;
    pmi_lexer_mark(reader->dollars, i);
    for (i = begin; i <= last;) {
        size_t run = i;
        while (run <= last && !is_quote(reader->text[run]))
            run++;
        pmi_lexer_mark_run(reader->code, i, run);
        pmi_lexer_mark_run(reader->outside, i, run);
        if (reader->text[begin] == '{')
            hide_parens(reader, i, run);
        i = run <= last ? note_string(reader, run, strings) : run;
    }
    return last + 1;
}

size_t pmi_shell_begin_code(pmi_shell_reader *reader, size_t i) {
    const size_t end = note_code(reader, i, reader->open ? 0 : STRINGS_MOST);
    if (end > 0 && reader->lexer->lines) /* of those in a string none ends a record */
        pmi_lexer_hide_lines(reader->lexer, reader->outside, i, end);
    if (end > 0)
        return end;
    pmi_shell_state_give(reader);
    if (!pmi_lexer_template_push(reader->lexer, reader->text[i + 1], true))
        return i + 2;
    pmi_lexer_mark(reader->dollars, i);
    reader->state = PM_SHELL_CODE;
    pmi_shell_look_around(reader);
    return pmi_shell_read_special(reader, i + 1);
}
