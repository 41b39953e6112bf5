/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lexer in a shell's text. Most blanks, semicolons and parentheses mean nothing there: they do behind `case` and
 * `esac`, which masks of their letters show, and between them. What code comes before a byte is asked for so rarely
 * that its runs are noted, and given to the history when it is.
 */
#include <string.h>

#include "core/text/lexer_parts.h"

/* Classes of bytes, besides those that every language has. */
enum {
    LINES = PM_LEXER_ENDS_REGION, /* ends a comment, or a line of a heredoc */
    STRINGS,                      /* matters inside some string */
    SOFT,                         /* may end the word `case` or `esac`, or matter inside a `case` */
    OUTER,                        /* the first and last letters of these words, and an & */
    INNER,                        /* the letters between, and an & */
    CLASSES
};

static void class_set(pmi_lexer *lexer, const char *bytes, unsigned class) {
    for (; *bytes; bytes++)
        lexer->class_of[(unsigned char)*bytes] |= (uint8_t)(1u << class);
}

/* Puts what matters inside strings into one class. */
static void strings_join(pmi_lexer *lexer) {
    const uint8_t below = (1u << STRINGS) - 1;
    for (unsigned byte = 0; byte < 256; byte++)
        if (lexer->class_of[byte] > below)
            lexer->class_of[byte] = (uint8_t)((lexer->class_of[byte] & below) | 1u << STRINGS);
    for (size_t r = 0; r < lexer->language->region_count; r++)
        if (lexer->region_class[r] > STRINGS)
            lexer->region_class[r] = STRINGS;
}

void pmi_lexer_shell_classes(pmi_lexer *lexer) {
    strings_join(lexer);
    for (size_t r = 0; r < lexer->language->region_count; r++) {
        const pmi_region *const region = &lexer->language->regions[r];
        if (region->flags & PM_REGION_COMMENT)
            lexer->shell[PM_SHELL_COMMENT] = region;
        else if (region->flags & PM_REGION_TEMPLATE)
            lexer->shell[PM_SHELL_DOUBLE] = region;
        else if (region->open && !region->prefix)
            lexer->shell[PM_SHELL_SINGLE] = region;
    }
    class_set(lexer, " \t\n;()[]", SOFT);
    class_set(lexer, ";[]", PM_LEXER_ENDS_TEMPLATE_CODE); /* as for (){} and '\n', and what matters inside a `case` */
    class_set(lexer, "ce&", OUTER);
    class_set(lexer, "as&", INNER);
    lexer->classes = CLASSES;
}

/* ---- Code that the history was not given yet ---- */

typedef struct code_run {
    size_t from, to;
    unsigned char behind; /* stands in the history for what follows; 0: nothing does */
} code_run;

#define RUNS_MAX 64u

typedef struct shell_reader {
    pmi_lexer *lexer;
    const unsigned char *text;
    const pmi_lexer_masks *piece;
    size_t to;
    uint64_t position; /* of the piece */
    uint64_t *outside;
    bool more;          /* inside the code of a string, or a heredoc follows the line */
    pmi_shell_case *of; /* the innermost `case` that is not ended; NULL: none is */
    unsigned run_count;
    code_run runs[RUNS_MAX];
    /* Bytes, a bit each, and a word behind them with all bits set: see stops_fill(). */
    uint64_t plain[PM_PIECE_WORDS + 1], near[PM_PIECE_WORDS + 1], in_case[PM_PIECE_WORDS + 1];
} shell_reader;

/* Code that is pushed, of which *history has some. */
static void push_run(pmi_lexer_history *history, const unsigned char *run, size_t length) {
    pmi_lexer_history longer = *history; /* in registers: bytes of text might be bytes of *history */
    for (size_t i = 0; i < length; i++) {
        if (pmi_byte_is_space(run[i]))
            pmi_lexer_history_push_blank(&longer, run[i] == '\n');
        else
            pmi_lexer_history_push(&longer, run[i]);
    }
    *history = longer;
}

/* Gives the history what was noted, as far back as it remembers. */
static void history_catch_up(shell_reader *reader) {
    unsigned known = 0; /* bytes that are not blank */
    unsigned r = reader->run_count;
    size_t at = 0;
    while (r > 0 && known <= PM_HISTORY_BYTES) {
        const code_run *const run = &reader->runs[--r];
        known += run->behind == PM_LEXER_OPERAND;
        for (at = run->to; at > run->from && known <= PM_HISTORY_BYTES; at--)
            known += !pmi_byte_is_space(reader->text[at - 1]);
    }
    for (; r < reader->run_count; r++) {
        const code_run *const run = &reader->runs[r];
        const size_t from = at < run->from ? run->from : at;
        push_run(&reader->lexer->history, reader->text + from, run->to - from);
        at = run->to;
        if (run->behind)
            push_run(&reader->lexer->history, &run->behind, 1);
    }
    reader->run_count = 0;
}

static void note_run(shell_reader *reader, size_t from, size_t to) {
    if (from == to)
        return;
    if (reader->run_count == RUNS_MAX)
        history_catch_up(reader);
    reader->runs[reader->run_count++] = (code_run){from, to, 0};
}

static void note_behind(shell_reader *reader, size_t at, unsigned char byte) {
    if (reader->run_count > 0 && !reader->runs[reader->run_count - 1].behind) {
        reader->runs[reader->run_count - 1].behind = byte;
        return;
    }
    if (reader->run_count == RUNS_MAX)
        history_catch_up(reader);
    reader->runs[reader->run_count++] = (code_run){at, at, byte};
}

static unsigned char newest(const shell_reader *reader) {
    if (reader->run_count == 0)
        return pmi_lexer_history_byte(&reader->lexer->history, 0);
    const code_run *const last = &reader->runs[reader->run_count - 1];
    return last->behind ? last->behind : reader->text[last->to - 1];
}

/* ---- Code ---- */

static bool is_outer(unsigned char byte) {
    return byte == 'c' || byte == 'e' || byte == '&';
}

/* What stands k bytes behind those of a class. */
static uint64_t behind(const uint64_t *masks, size_t word, unsigned class, unsigned k) {
    const uint64_t before = word > 0 ? masks[(ptrdiff_t) class - CLASSES] : 0;
    return masks[class] << k | before >> (PM_WORD_BITS - k);
}

/* The bytes of a word that may end a run of code; `near` are those before which not all of `case` is in the run. */
static inline uint64_t stops_of(const shell_reader *reader, const uint64_t *masks, size_t word, uint64_t near) {
    const uint64_t outer = behind(masks, word, OUTER, 1);
    const uint64_t inner = behind(masks, word, INNER, 2) & behind(masks, word, INNER, 3);
    uint64_t soft = outer & (near | (inner & behind(masks, word, OUTER, 4)));
    uint64_t stops = masks[PM_LEXER_ENDS_CODE];
    if (reader->of) {
        stops |= masks[PM_LEXER_ENDS_TEMPLATE_CODE] & ~masks[LINES];
        soft = reader->of->part == PM_CASE_WORD ? UINT64_MAX : outer; /* `in` is to come, or ;& */
    }
    if (reader->more)
        stops |= masks[PM_LEXER_ENDS_TEMPLATE_CODE];
    return stops | (masks[SOFT] & soft);
}

/* Notes the bytes that may end a run in most code, and in the parts of a `case`. */
static void stops_fill(shell_reader *reader, size_t from) {
    const size_t words = pmi_bits_words(reader->to);
    for (size_t w = from / PM_WORD_BITS; w < words; w++) {
        const uint64_t *const masks = reader->piece->masks + CLASSES * w;
        const uint64_t outer = behind(masks, w, OUTER, 1) & masks[SOFT];
        const uint64_t inner = behind(masks, w, INNER, 2) & behind(masks, w, INNER, 3);
        reader->plain[w] = masks[PM_LEXER_ENDS_CODE] | (outer & inner & behind(masks, w, OUTER, 4));
        reader->near[w] = outer;
        reader->in_case[w] = masks[PM_LEXER_ENDS_CODE] | (masks[PM_LEXER_ENDS_TEMPLATE_CODE] & ~masks[LINES]) | outer;
    }
    reader->plain[words] = reader->near[words] = reader->in_case[words] = UINT64_MAX;
}

/* The 64 bits from bit i on. */
static inline uint64_t bits_from(const uint64_t *words, size_t i) {
    const size_t in_word = i % PM_WORD_BITS;
    const uint64_t *const at = words + i / PM_WORD_BITS;
    return at[0] >> in_word | at[1] << 1 << (PM_WORD_BITS - 1 - in_word);
}

/* Returns the byte from i < reader->to on at which a run of code may end, where neither `in` is to come nor a heredoc
 * or the code of a string is near. */
static size_t stop_find_plainly(const shell_reader *reader, size_t i, unsigned char newest) {
    const uint64_t *const words = reader->of ? reader->in_case : reader->plain;
    const uint64_t first = is_outer(newest) && reader->lexer->class_of[reader->text[i]] >> SOFT & 1;
    uint64_t rest = bits_from(words, i) | (bits_from(reader->near, i) & 14) | first;
    if (rest == 0) {
        i &= ~(size_t)(PM_WORD_BITS - 1);
        do
            i += PM_WORD_BITS;
        while ((rest = words[i / PM_WORD_BITS]) == 0);
    }
    const size_t found = i + pmi_bits_lowest(rest);
    return found < reader->to ? found : reader->to;
}

/* The same in all code; what comes before byte i is `newest`. */
static size_t stop_find(const shell_reader *reader, size_t i, unsigned char newest) {
    const unsigned in_word = i % PM_WORD_BITS;
    const uint64_t first = UINT64_C(1) << in_word;
    uint64_t near = UINT64_C(14) << in_word; /* three bytes behind it */
    size_t w = i / PM_WORD_BITS;
    if (!reader->more && !(reader->of && reader->of->part == PM_CASE_WORD))
        return stop_find_plainly(reader, i, newest);
    const uint64_t *masks = reader->piece->masks + CLASSES * w;
    uint64_t stops = stops_of(reader, masks, w, near) | (is_outer(newest) ? masks[SOFT] & first : 0);
    stops &= ~(first - 1);
    near = in_word > PM_WORD_BITS - 4 ? UINT64_C(14) >> (PM_WORD_BITS - in_word) : 0;
    while (stops == 0) {
        if (++w * PM_WORD_BITS >= reader->to)
            return reader->to;
        masks += CLASSES;
        stops = stops_of(reader, masks, w, near);
        near = 0;
    }
    const size_t found = w * PM_WORD_BITS + pmi_bits_lowest(stops);
    return found < reader->to ? found : reader->to;
}

/* May the code before a byte, of which `length` bytes are in the run, end in a word or sign that matters to it? */
static bool matters_before(const unsigned char *end, size_t length, unsigned char newest) {
    const char *const backwards = newest == 'e' ? "esac" : "case";
    if (!is_outer(newest) || length == 0)
        return is_outer(newest);
    if (newest == '&')
        return length == 1 || end[-2] == ';';
    for (size_t k = 1; k < 4 && k < length; k++)
        if (end[-1 - (ptrdiff_t)k] != (unsigned char)backwards[k])
            return false;
    return true;
}

typedef enum byte_effect {
    NO_EFFECT, /* it is code as any other byte */
    NO_BRACKET,
    ENDS_RUN /* it is to be read by its own */
} byte_effect;

/* What is the byte at `stop` of a run that began at `from`? */
static byte_effect effect_of(const shell_reader *reader, size_t from, size_t stop, unsigned char newest) {
    const unsigned char byte = reader->text[stop];
    pmi_shell_case *const of = reader->of;
    if (reader->more || matters_before(reader->text + stop, stop - from, newest))
        return ENDS_RUN;
    if (!of)
        return reader->lexer->class_of[byte] >> SOFT & 1 ? NO_EFFECT : ENDS_RUN;
    switch (byte) {
    case '{':
    case '}':
        return NO_EFFECT;
    case '[':
    case ']':
        return pmi_lexer_shell_in_pattern(of) ? NO_BRACKET : NO_EFFECT;
    case ';':
        if (newest == ';')
            pmi_lexer_shell_semicolons(of);
        return NO_EFFECT;
    case '(':
        if (newest == '(' || (of->part == PM_CASE_PATTERN && of->parens == 0))
            return ENDS_RUN;
        of->parens++;
        return NO_EFFECT;
    case ')':
        return pmi_lexer_shell_close(of) ? NO_EFFECT : NO_BRACKET;
    default:
        return pmi_byte_is_space(byte) && (of->part != PM_CASE_WORD || newest != 'n') ? NO_EFFECT : ENDS_RUN;
    }
}

/* Returns where the run of code from `from` < reader->to on ends, and marks it. */
static size_t code_run_read(const shell_reader *reader, size_t from) {
    unsigned char before = newest(reader);
    byte_effect effect = NO_EFFECT;
    size_t marked = from, stop = from;
    for (size_t i = from; i < reader->to && effect != ENDS_RUN; i = stop + 1) {
        stop = stop_find(reader, i, before);
        if (stop == reader->to)
            break;
        before = stop > i ? reader->text[stop - 1] : before;
        effect = effect_of(reader, from, stop, before);
        before = reader->text[stop];
        if (effect == NO_BRACKET) {
            pmi_lexer_mark_run(reader->outside, marked, stop);
            marked = stop + 1;
        }
    }
    stop = effect == ENDS_RUN ? stop : reader->to;
    pmi_lexer_mark_run(reader->outside, marked, stop);
    return stop;
}

static void look_around(shell_reader *reader) {
    pmi_lexer *const lexer = reader->lexer;
    reader->more = pmi_stack_top(&lexer->templates) != NULL || lexer->heredoc_count > 0;
    reader->of = lexer->case_count > 0 ? &lexer->cases[lexer->case_count - 1] : NULL;
}

static size_t read_alone(shell_reader *reader, size_t i) {
    history_catch_up(reader);
    const size_t next = pmi_lexer_step(reader->lexer, reader->text, i, reader->position, reader->outside);
    look_around(reader);
    return next;
}

static size_t enter(shell_reader *reader, size_t i, const pmi_region *region) {
    reader->lexer->start = reader->position + i;
    reader->lexer->first = reader->text[i];
    pmi_lexer_region_enter(reader->lexer, region);
    return i + 1;
}

/* ---- Strings and comments ---- */

static size_t leave(shell_reader *reader, size_t i, unsigned char stands_for) {
    reader->lexer->state = PM_LEXER_CODE;
    note_behind(reader, i, stands_for);
    return i;
}

/* Where the } of a ${name} stands, whose { is at i; 0: it is another thing. */
static size_t variable_end(const shell_reader *reader, size_t i) {
    size_t end = i + 1;
    while (end < reader->to && pmi_byte_is_word(reader->text[end]))
        end++;
    return end < reader->to && reader->text[end] == '}' ? end : 0;
}

static size_t read_double(shell_reader *reader, size_t i) {
    while (i < reader->to) {
        i = pmi_lexer_next_byte(reader->piece, STRINGS, STRINGS, i, reader->to);
        if (i == reader->to)
            break;
        const unsigned char byte = reader->text[i];
        if (byte == '"')
            return leave(reader, i + 1, PM_LEXER_OPERAND);
        if (byte != '\'' && i + 1 == reader->to)
            return read_alone(reader, i);
        if (byte == '$' && (reader->text[i + 1] == '(' || reader->text[i + 1] == '{')) {
            const size_t end = reader->text[i + 1] == '{' ? variable_end(reader, i + 1) : 0;
            if (end == 0)
                return read_alone(reader, i);
            note_behind(reader, i, '{'); /* for what is in front of code */
            note_run(reader, i + 1, end + 1);
            pmi_lexer_mark_run(reader->outside, i + 1, end + 1);
            i = end + 1;
            continue;
        }
        i += byte == '\\' ? 2 : 1;
    }
    return i;
}

static size_t read_single(shell_reader *reader, size_t i) {
    if (i == reader->to)
        return i;
    do {
        i = pmi_lexer_next_byte(reader->piece, STRINGS, STRINGS, i, reader->to);
        if (i == reader->to)
            return i;
    } while (reader->text[i++] != '\'' && i < reader->to);
    return reader->text[i - 1] == '\'' ? leave(reader, i, PM_LEXER_OPERAND) : i;
}

/* The # of a comment that follows the newline at `at`, with nothing but blanks between; 0: another thing does. */
static size_t next_comment(const shell_reader *reader, size_t at) {
    while (at < reader->to && pmi_byte_is_space(reader->text[at]))
        at++;
    return at < reader->to && reader->text[at] == '#' ? at : 0;
}

/* Reads the rest of a comment, and those on the lines behind it. */
static size_t read_comment(shell_reader *reader, size_t i) {
    const bool followed = !reader->more && !reader->of;
    size_t begin = 0;
    while (i < reader->to) {
        i = pmi_lexer_next_byte(reader->piece, LINES, LINES, i, reader->to);
        const size_t next = i < reader->to && followed ? next_comment(reader, i) : 0;
        if (next == 0)
            break;
        if (begin == 0) { /* all blanks between comments are one to the history */
            note_behind(reader, i, ' ');
            note_run(reader, i, next);
        }
        begin = next;
        i = next + 1;
    }
    if (i < reader->to)
        return leave(reader, i, ' ');
    if (begin > 0)
        enter(reader, begin, reader->lexer->shell[PM_SHELL_COMMENT]);
    return i;
}

static size_t read_region(shell_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const pmi_region *const region = lexer->region;
    if (region->flags & PM_REGION_HEREDOC) {
        const size_t line = pmi_lexer_heredoc_ahead(lexer, reader->text + i, reader->to - i);
        return line > 0 ? i + line : read_alone(reader, i);
    }
    if (!pmi_lexer_region_idle(lexer))
        return read_alone(reader, i);
    if (region == lexer->shell[PM_SHELL_DOUBLE])
        return read_double(reader, i);
    if (region == lexer->shell[PM_SHELL_SINGLE])
        return read_single(reader, i);
    if (region != lexer->shell[PM_SHELL_COMMENT])
        return read_alone(reader, i);
    return read_comment(reader, i);
}

static size_t read_code(shell_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const size_t stop = code_run_read(reader, i);
    note_run(reader, i, stop);
    if (stop == reader->to)
        return stop;
    switch (reader->text[stop]) {
    case '"':
        return read_double(reader, enter(reader, stop, lexer->shell[PM_SHELL_DOUBLE]));
    case '\'':
        if (newest(reader) == '$')
            return read_alone(reader, stop);
        return read_single(reader, enter(reader, stop, lexer->shell[PM_SHELL_SINGLE]));
    case '#':
        if (pmi_lexer_word_due(newest(reader)))
            return read_comment(reader, enter(reader, stop, lexer->shell[PM_SHELL_COMMENT]));
        note_run(reader, stop, stop + 1);
        return stop + 1;
    case '\\':
        if (stop + 1 == reader->to)
            return read_alone(reader, stop);
        note_behind(reader, stop, PM_LEXER_OPERAND);
        return stop + 2;
    default:
        return read_alone(reader, stop);
    }
}

void pmi_lexer_shell_range(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
                           size_t to, uint64_t *outside) {
    shell_reader reader;
    reader.lexer = lexer;
    reader.text = text;
    reader.piece = piece;
    reader.to = to;
    reader.position = lexer->position - from;
    reader.outside = outside;
    reader.run_count = 0;
    look_around(&reader);
    stops_fill(&reader, from);
    for (size_t i = from; i < to;)
        i = lexer->state == PM_LEXER_CODE     ? read_code(&reader, i)
            : lexer->state == PM_LEXER_REGION ? read_region(&reader, i)
                                              : read_alone(&reader, i);
    history_catch_up(&reader);
    lexer->position = reader.position + to;
}
