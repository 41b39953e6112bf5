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

/* The lexer is in a region that begins at byte `start`. */
static void region_give(const pmi_shell_reader *reader, unsigned state, size_t start) {
    pmi_lexer *const lexer = reader->lexer;
    pmi_lexer_region_enter(lexer, lexer->shell[state]);
    if (start != SIZE_MAX) {
        lexer->start = reader->position + start;
        lexer->first = reader->text[start];
    }
}

void pmi_shell_state_give(const pmi_shell_reader *reader) {
    pmi_lexer *const lexer = reader->lexer;
    if (reader->state == PM_SHELL_OTHER)
        return;
    lexer->state = PM_LEXER_CODE;
    if (reader->state == PM_SHELL_CODE)
        return;
    region_give(reader, reader->state, reader->start);
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
    pmi_shell_nests_give(reader);
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
    if (next == i && count == PM_HEREDOCS_MAX) /* nor do two, then */
        next++;
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
    pmi_shell_nests_give(reader);
    if (reader->state != PM_SHELL_CODE)
        return pmi_shell_read_alone(reader, i);
    if (byte == '<')
        return read_less(reader, i);
    if (byte == '\n' && reader->heredocs)
        return read_heredocs(reader, i);
    if (byte == '\'')
        return read_quote(reader, i);
    if (pmi_shell_is_literal(reader, i, i > 0 && pmi_shell_is_code(reader, i - 1)))
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

/* Of the code in strings only what goes on where another function reads is given to the lexer. */
void pmi_shell_nests_give(pmi_shell_reader *reader) {
    pmi_lexer *const lexer = reader->lexer;
    const uint64_t braces = lexer->braces, raw_length = lexer->raw_length;
    if (reader->nest_count == 0)
        return;
    for (unsigned k = 0; k < reader->nest_count; k++) {
        const pmi_shell_nest *const nest = &reader->nests[k];
        region_give(reader, PM_SHELL_DOUBLE, nest->start);
        lexer->braces = nest->braces;
        lexer->raw_length = nest->raw_length;
        pmi_lexer_template_push(lexer, nest->open, true);
    }
    reader->nest_count = 0;
    lexer->braces = braces;
    lexer->raw_length = raw_length;
    pmi_shell_look_around(reader);
}

void pmi_shell_code_begin(pmi_shell_reader *reader, unsigned char open, size_t start) {
    pmi_lexer *const lexer = reader->lexer;
    if (reader->nest_count == PM_SHELL_NESTS)
        pmi_shell_nests_give(reader);
    reader->nests[reader->nest_count++] = (pmi_shell_nest){start, lexer->braces, lexer->raw_length, open, reader->open};
    reader->surrounded = true;
    reader->open = open;
    lexer->braces = lexer->raw_length = 0;
}

size_t pmi_shell_code_end(pmi_shell_reader *reader) {
    pmi_lexer *const lexer = reader->lexer;
    if (reader->nest_count == 0) {
        pmi_lexer_template_pop(lexer);
        pmi_shell_look_around(reader);
        return SIZE_MAX;
    }
    const pmi_shell_nest *const nest = &reader->nests[--reader->nest_count];
    reader->open = nest->around;
    reader->surrounded = reader->open || reader->heredocs || reader->of;
    lexer->braces = nest->braces;
    lexer->raw_length = nest->raw_length;
    return nest->start;
}
