/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lexer in a piece of text: from one byte that may mean something to the next. Most of what these begin needs no
 * look at the code before it, so the runs of code are noted, and given to the history when something asks for it.
 */
#include <string.h>

#include "core/lexer/parts.h"

/* ---- Runs of code ---- */

/* A run of code in a piece, and what stands in the history behind it. */
typedef struct code_run {
    uint16_t from, to;
    unsigned char after; /* a blank, the byte that is pushed, or 0 */
} code_run;

#define RUNS_MAX 512u

#define TABLE_WORDS 3u /* a piece of fewer words is not worth the table: it takes over and gives back what is read */
#define CROWD_WORDS 8u /* a piece of fewer words is not worth asking whether it is crowded */

#define WORTH_IT (PM_WORD_BITS / 2) /* bytes: a table that reads fewer at once is asked again only later, */
#define MOST_APART 1024u            /* behind about this many bytes at most */

typedef struct piece_reader {
    pmi_lexer *lexer;
    const unsigned char *text;
    const pmi_lexer_masks *piece;
    size_t to;
    uint64_t position; /* of the piece */
    uint64_t *outside;
    const uint64_t *ends; /* of each word, `apart` from each other: the bytes that may end a run of code */
    size_t apart;
    size_t words_from; /* before this byte the table of words.c is not worth asking again */
    size_t words_apart;
    size_t turns, turned; /* since that byte it was asked so often what comes next */
    size_t crowd;         /* bytes that are read one by one where that was often */
    size_t count;         /* of runs */
    code_run runs[RUNS_MAX];
} piece_reader;

#define TURNS 8u             /* behind which it is asked how far they went: */
#define CROWDED (8u * TURNS) /* so few bytes are read faster one by one, */
#define CROWD PM_WORD_BITS   /* and so many of those behind them, */
#define MOST_CROWDED 1024u   /* and this many at most if that goes on */

_Static_assert(PM_PIECE_WORDS *PM_WORD_BITS <= UINT16_MAX, "places in a piece");

/* How many bytes the history is given of a run at least. */
static size_t run_bytes(const piece_reader *reader, const code_run *run) {
    size_t end = run->to;
    while (end > run->from && pmi_byte_is_space(reader->text[end - 1]))
        end--;
    return end - run->from + (run->after && run->after != ' ');
}

/* Gives the history the runs that were noted, as far back as it remembers. */
static void history_catch_up(piece_reader *reader) {
    pmi_lexer_history *const history = &reader->lexer->history;
    size_t first = reader->count, bytes = 0;
    while (first > 0 && bytes < PM_HISTORY_BYTES)
        bytes += run_bytes(reader, &reader->runs[--first]);
    for (; first < reader->count; first++) {
        const code_run *const run = &reader->runs[first];
        if (run->from < run->to)
            pmi_lexer_history_extend(history, reader->text + run->from, (size_t)(run->to - run->from));
        if (run->after == ' ')
            pmi_lexer_history_push_blank(history, false);
        else if (run->after)
            pmi_lexer_history_push(history, run->after);
    }
    reader->count = 0;
}

static inline void run_note(piece_reader *reader, size_t from, size_t to, unsigned char after) {
    if (!reader->lexer->remembers)
        return;
    if (reader->count == RUNS_MAX)
        history_catch_up(reader);
    reader->runs[reader->count++] = (code_run){(uint16_t)from, (uint16_t)to, after};
}

/* Is byte i of the piece one that ends runs of code, but not that from byte `from` on? The history would be given the
 * same code in one run or in two: blanks in a row stand there as one. */
static inline bool passes(const piece_reader *reader, size_t from, size_t i) {
    const unsigned char *const at = reader->text + i;
    if (i - from < 2)
        return false;
    const bool blank = pmi_byte_is_space(at[-1]), plain = !blank || (at[-1] == ' ' && !pmi_byte_is_space(at[-2]));
    switch (reader->lexer->ahead[at[0]]) {
    case PM_AHEAD_START:
        return plain;
    case PM_AHEAD_LESS:
        return plain && i + 1 < reader->to && at[1] != '<';
    case PM_AHEAD_QUESTION:
        return pmi_byte_in_name(at[-1]);
    default:
        return false;
    }
}

/* Ruby: bytes that begin something where a line begins end runs only there. What came before byte `from` is not known.
 */
static void ends_fill(const pmi_lexer *lexer, const pmi_lexer_masks *piece, size_t from, size_t to, uint64_t *ends) {
    const unsigned lines = lexer->region_class[lexer->flagged[pmi_bits_lowest(PM_REGION_LINE)] - 1];
    uint64_t lines_before = 0, blanks_before = 0; /* the word's before; at first, perhaps all */
    for (size_t w = from / PM_WORD_BITS; w * PM_WORD_BITS < to; w++) {
        const uint64_t *const of = piece->masks + piece->classes * w;
        const uint64_t blanks = of[PM_LEXER_BLANK], newlines = of[lines];
        const uint64_t first = w == from / PM_WORD_BITS ? UINT64_C(3) << from % PM_WORD_BITS : 0;
        const uint64_t second = w == from / PM_WORD_BITS + 1 && from % PM_WORD_BITS == PM_WORD_BITS - 1;
        const uint64_t behind_line = newlines << 1 | lines_before >> (PM_WORD_BITS - 1);
        const uint64_t behind_blanks =
            (blanks << 1 | blanks_before >> (PM_WORD_BITS - 1)) & (blanks << 2 | blanks_before >> (PM_WORD_BITS - 2));
        ends[w] = of[PM_LEXER_ENDS_CODE] | (of[PM_LEXER_STARTS] & (behind_line | behind_blanks | first | second));
        lines_before = newlines;
        blanks_before = blanks;
    }
}

/* Returns where the run of ordinary code from byte `from` < reader->to on ends. */
static size_t code_end(const piece_reader *reader, size_t from) {
    const pmi_lexer *const lexer = reader->lexer;
    const bool more = pmi_stack_top(&lexer->templates) != NULL || lexer->heredoc_count > 0;
    const unsigned other = more ? PM_LEXER_ENDS_TEMPLATE_CODE : PM_LEXER_ENDS_CODE;
    if (!lexer->passes)
        return pmi_lexer_next_byte(reader->piece, PM_LEXER_ENDS_CODE, other, from, reader->to);
    uint64_t unread = pmi_bits_low(from % PM_WORD_BITS);
    for (size_t w = from / PM_WORD_BITS; w * PM_WORD_BITS < reader->to; w++, unread = 0) {
        const uint64_t ends = reader->ends[reader->apart * w] | pmi_lexer_mask_of(reader->piece, w, other);
        for (uint64_t rest = ends & ~unread; rest != 0; rest &= rest - 1) {
            const size_t i = w * PM_WORD_BITS + pmi_bits_lowest(rest);
            if (i >= reader->to || !passes(reader, from, i))
                return i < reader->to ? i : reader->to;
        }
    }
    return reader->to;
}

/* Reads byte i of code, behind a byte of code, if that one is all that decides about the regions it may open. Returns
 * the next byte, or i. */
static size_t read_behind_byte(piece_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const unsigned char *const bytes = reader->text + i;
    const unsigned unclear = PM_REGION_FIRST | PM_REGION_START | PM_REGION_REGEX | PM_REGION_NOT | PM_REGION_NOTHING;
    const pmi_region *opened = NULL;
    size_t length = 1;
    if (lexer->ahead[bytes[0]] != PM_AHEAD_OPENS || reader->to - i < PM_LEXER_OPENING)
        return i;
    for (uint32_t rest = lexer->opened_by[bytes[0]]; rest != 0; rest &= rest - 1) {
        const pmi_region *const region = &lexer->language->regions[pmi_bits_lowest(rest)];
        size_t longer = 1;
        while (region->open[longer] && (unsigned char)region->open[longer] == bytes[longer])
            longer++;
        if (region->open[longer] || (opened && longer <= length))
            continue;
        if (region->flags & unclear || (region->prefix && pmi_byte_in_name(bytes[-1])))
            return i;
        if (region->prefix || (region->flags & PM_REGION_WORD && !pmi_lexer_comment_due(bytes[0], bytes[-1])))
            continue;
        opened = region;
        length = longer;
    }
    pmi_lexer_mark(reader->outside, i);
    if (opened) {
        lexer->start = reader->position + i;
        lexer->first = bytes[0];
        pmi_lexer_region_enter(lexer, opened);
        return i + length;
    }
    run_note(reader, i, i + 1, 0);
    return i + 1;
}

/* Reads a directive from its backtick on, byte i, if the range has what ends its name. Returns the next byte, or i. */
static size_t read_backtick(piece_reader *reader, size_t i) {
    size_t end = i + 1;
    while (end < reader->to && pmi_byte_in_name(reader->text[end]))
        end++;
    if (end == reader->to || (end == i + 1 && pmi_byte_is_space(reader->text[end])))
        return i; /* the name may follow */
    pmi_lexer_backtick_name(reader->lexer, reader->text + i + 1, end - i - 1, reader->position + end);
    pmi_lexer_mark_run(reader->outside, i, end);
    run_note(reader, i, end, 0);
    return end;
}

static bool is_blank(unsigned char byte) {
    return byte == ' ' || byte == '\t';
}

/* Goes back over the blanks that a run of code ends with, and counts their newlines. Returns false if it is nothing
 * else; or stores the byte before them. */
static bool run_before_blanks(const piece_reader *reader, const code_run *run, unsigned *newlines,
                              unsigned char *byte) {
    *byte = run->after;
    if (run->after && run->after != ' ')
        return true;
    for (size_t end = run->to; end > run->from; end--) {
        *byte = reader->text[end - 1];
        if (!pmi_byte_is_space(*byte))
            return true;
        *newlines += *byte == '\n';
    }
    return false;
}

/* Is the byte behind the runs that were noted the first one of code in its line, which no backslash has continued? As
 * the history would say of it. */
static bool begins_line(const piece_reader *reader) {
    const pmi_lexer_history *const history = &reader->lexer->history;
    unsigned newlines = 0;
    unsigned char byte;
    for (size_t k = reader->count; k-- > 0 && newlines < 2;)
        if (run_before_blanks(reader, &reader->runs[k], &newlines, &byte))
            return newlines > 1 || (newlines == 1 && byte != '\\');
    byte = pmi_lexer_history_byte(history, 0);
    if (pmi_byte_is_space(byte)) {
        newlines += byte == '\n';
        byte = pmi_lexer_history_byte(history, 1);
        newlines += byte == '\n';
    }
    return newlines > 1 || (newlines == 1 && byte != '\\');
}

/* Reads what tells whether the #if whose name ends before byte i is an #if 0, if the range has it. Returns the next
 * byte, and stores whether the rest of the line is no code. */
static size_t read_condition(piece_reader *reader, size_t i, bool *rest) {
    const unsigned char *const text = reader->text;
    size_t end = i;
    while (end < reader->to && is_blank(text[end]))
        end++;
    const bool zero = end < reader->to && text[end] == '0';
    end += zero;
    if (end == reader->to)
        return i;
    *rest = pmi_lexer_condition(reader->lexer, zero && !pmi_byte_in_name(text[end]), reader->position + end);
    pmi_lexer_mark_run(reader->outside, i, end);
    run_note(reader, i, end, 0);
    return end;
}

/* Reads the directive whose # is byte i, behind newlines and blanks from byte `from` on that were not noted. Returns
 * the next byte, or i if the range may not have all of its name; stores whether the rest of the line is no code. */
static size_t read_hash(piece_reader *reader, size_t from, size_t i, bool *rest) {
    const unsigned char *const text = reader->text;
    pmi_lexer *const lexer = reader->lexer;
    size_t name = i + 1;
    while (name < reader->to && is_blank(text[name]))
        name++;
    size_t end = name;
    while (end < reader->to && pmi_byte_in_name(text[end]))
        end++;
    if (end == reader->to)
        return i;
    pmi_lexer_mark_run(reader->outside, from, end);
    if (i > from + 1)
        run_note(reader, from, i, 0);
    const size_t noted = i > from + 1 ? i : from;
    if (name > i + 1) {
        run_note(reader, noted, i + 1, ' ');
        run_note(reader, name, end, 0);
    } else {
        run_note(reader, noted, end, 0);
    }
    *rest = pmi_lexer_hash_name(lexer, text + name, end - name, reader->position + end);
    return lexer->state == PM_LEXER_CONDITION ? read_condition(reader, end, rest) : end;
}

/* Reads a directive from its # on, byte i, if it begins a line; and those of the next lines if the rest of its line is
 * empty and no code. Returns the next byte, or i. */
static size_t read_hashes(piece_reader *reader, size_t i) {
    const unsigned char *const text = reader->text;
    pmi_lexer *const lexer = reader->lexer;
    if (!begins_line(reader))
        return i;
    for (size_t from = i;;) {
        bool rest;
        const size_t end = read_hash(reader, from, i, &rest);
        if (end == i)
            return from;
        if (!rest)
            return end;
        if (text[end] != '\n') {
            pmi_lexer_skip_rest(lexer, reader->position + end);
            return end;
        }
        for (from = end, i = end + 1; i < reader->to && pmi_byte_is_space(text[i]);)
            i++;
        if (i == reader->to || text[i] != '#')
            return end;
    }
}

/* Reads byte i of code if whatever it begins does not depend on the history. Returns the next byte, or i. */
static size_t read_quick_byte(piece_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const unsigned char *const bytes = reader->text + i;
    const unsigned quick = lexer->quick[bytes[0]];
    unsigned length = 1;
    if (pmi_stack_top(&lexer->templates) && pmi_lexer_template_counts(lexer, bytes[0])) {
        pmi_lexer_mark(reader->outside, i);
        if (lexer->verdict != PM_LEXER_AS_READ) /* it may have been marked before, as what ends a directive's name */
            reader->outside[i / PM_WORD_BITS] ^= UINT64_C(1) << i % PM_WORD_BITS;
        lexer->verdict = PM_LEXER_AS_READ;
        run_note(reader, i, i + 1, 0);
        return i + 1;
    }
    if (lexer->ahead[bytes[0]] == PM_AHEAD_LESS && i + 1 < reader->to &&
        (bytes[1] != '<' || lexer->heredoc_count == PM_HEREDOCS_MAX)) {
        pmi_lexer_mark(reader->outside, i);
        run_note(reader, i, i + 1, 0);
        return i + 1;
    }
    if (bytes[0] == '`' && lexer->language->code & PM_CODE_BACKTICKS)
        return read_backtick(reader, i);
    if (quick == 0 || (quick == PM_QUICK_SEVERAL && reader->to - i < PM_LEXER_OPENING))
        return i;
    lexer->start = reader->position + i;
    lexer->first = bytes[0];
    const pmi_region *const region = quick == PM_QUICK_SEVERAL ? pmi_lexer_region_ahead_of(lexer, bytes, &length)
                                                               : &lexer->language->regions[quick - 1];
    if (region && region->flags & PM_REGION_NOTHING)
        return i;
    pmi_lexer_mark(reader->outside, i);
    if (region && !(region->flags & PM_REGION_NOT)) {
        pmi_lexer_region_enter(lexer, region);
        return i + length;
    }
    run_note(reader, i, i + 1, 0);
    return i + 1;
}

void pmi_lexer_hide_lines(const pmi_lexer *lexer, uint64_t *outside, size_t from, size_t to) {
    for (; from < to; from++)
        outside[from / PM_WORD_BITS] &= ~(lexer->lines[from / PM_WORD_BITS] & UINT64_C(1) << from % PM_WORD_BITS);
}

/* Reads a run of code, and what is behind it, up to the next byte that is to be read in another way. */
static size_t read_code(piece_reader *reader, size_t i) {
    const size_t from = i;
    const bool hides = pmi_lexer_hides_lines(reader->lexer),
               hashes = reader->lexer->language->code & PM_CODE_DIRECTIVES;
    while (i < reader->to && reader->lexer->state == PM_LEXER_CODE) {
        const size_t stop = code_end(reader, i);
        pmi_lexer_mark_run(reader->outside, i, stop);
        if (stop > i)
            run_note(reader, i, stop, 0);
        const bool behind_code = stop > i;
        i = stop < reader->to ? read_quick_byte(reader, stop) : stop;
        if (i == stop && stop < reader->to && reader->text[stop] == '#' && hashes)
            i = read_hashes(reader, stop);
        if (i == stop && behind_code && stop < reader->to)
            i = read_behind_byte(reader, stop);
        if (i == stop)
            break;
    }
    if (hides)
        pmi_lexer_hide_lines(reader->lexer, reader->outside, from, i);
    return i;
}

/* ---- Regions ---- */

/* Does a backslash in the region protect any byte behind it, and is that all it does? */
static inline bool escapes_plainly(unsigned flags) {
    return (flags & PM_REGION_ESCAPES) &&
           !(flags & (PM_REGION_LINE | PM_REGION_CONTINUED | PM_REGION_ZAPS | PM_REGION_GAPS));
}

static inline bool closes_at(const unsigned char *bytes, const char *close, size_t length) {
    size_t k = 0;
    while (k < length && bytes[k] == (unsigned char)close[k])
        k++;
    return k == length;
}

/* At byte i code begins in a string. Returns its first byte. */
static size_t begin_code(piece_reader *reader, size_t i) {
    const unsigned char byte = reader->text[i + 1];
    if (!pmi_lexer_template_push(reader->lexer, byte == '(' ? '(' : '{', byte == '(' || byte == '{'))
        return i;
    run_note(reader, i, i, '{');
    return i + 1;
}

/* Reads an idle region that is quick from byte i to its end. Returns the next byte; if the region has not ended before
 * that, the byte is to be read in another way. */
static size_t read_quick_region(piece_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const unsigned char *const text = reader->text;
    const pmi_region *const region = lexer->region;
    const unsigned class = pmi_lexer_region_class(lexer, region), flags = region->flags;
    const char *const close = region->close;
    const size_t length = close[1] == 0 ? 1 : strlen(close), to = reader->to;
    for (;; i++) {
        i = pmi_lexer_next_byte(reader->piece, class, class, i, to);
        if (to - i < 2 || to - i < length)
            return i;
        const unsigned char byte = text[i];
        const bool line_ends = byte == '\n' && flags & PM_REGION_LINE;
        if (line_ends || (byte == (unsigned char)close[0] && closes_at(text + i, close, length))) {
            if (!line_ends && flags & PM_REGION_LEAVES)
                return i;
            lexer->state = PM_LEXER_CODE;
            run_note(reader, i, i, flags & (PM_REGION_COMMENT | PM_REGION_OUTSIDE) ? ' ' : PM_LEXER_OPERAND);
            return line_ends ? i : i + length;
        }
        if (flags & PM_REGION_TEMPLATE && byte == (unsigned char)region->code[0] && text[i + 1] &&
            strchr(region->code + 1, text[i + 1]))
            return begin_code(reader, i);
        if (byte == '\\' && flags & (PM_REGION_ESCAPES | PM_REGION_CONTINUED)) {
            if (!escapes_plainly(flags))
                return i;
            i++;
        }
    }
}

/* Reads an idle region. Returns the next byte that matters there, or behind it. */
static size_t read_region(piece_reader *reader, size_t i) {
    const pmi_lexer *const lexer = reader->lexer;
    if (lexer->regions_quick >> (lexer->region - lexer->language->regions) & 1)
        return read_quick_region(reader, i);
    if (!lexer->region->close && !(lexer->region->flags & ~(PM_REGION_COMMENT | PM_REGION_START | PM_REGION_REST)))
        return reader->to;
    const unsigned class = pmi_lexer_region_class(lexer, lexer->region);
    return pmi_lexer_next_byte(reader->piece, class, class, i, reader->to);
}

/* In a region whose bytes are read one by one, and between two that mean something together: reads up to code in the
 * region, behind its end, or to a byte that is to be read in another way. Returns the next byte. */
static size_t read_by_bytes(piece_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    pmi_bytes_end ended;
    i = pmi_lexer_bytes_end(lexer, reader->text, i, reader->to, &ended);
    if (ended == PM_BYTES_CODE)
        return begin_code(reader, i);
    if (ended == PM_BYTES_OTHER)
        return i;
    lexer->state = PM_LEXER_CODE;
    run_note(reader, i, i, PM_LEXER_OPERAND);
    return i + 1;
}

static bool in_idle_region(const pmi_lexer *lexer) {
    return lexer->state == PM_LEXER_REGION && pmi_lexer_region_idle(lexer);
}

/* ---- Other bytes ---- */

/* Reads the bytes of a directive's name from byte i on. Returns the byte behind them. */
static size_t read_name(const piece_reader *reader, size_t i) {
    size_t end = i;
    while (end < reader->to && pmi_byte_in_name(reader->text[end]))
        end++;
    if (end > i)
        pmi_lexer_history_extend(&reader->lexer->history, reader->text + i, end - i);
    pmi_lexer_mark_run(reader->outside, i, end);
    return end;
}

/* Reads the byte at *i, where a run ended, with some behind it. Returns false if it is to be read alone. */
static bool read_ahead(piece_reader *reader, size_t *i) {
    pmi_lexer *const lexer = reader->lexer;
    const unsigned char *const bytes = reader->text + *i;
    const size_t n = reader->to - *i;
    size_t taken;
    if (lexer->state == PM_LEXER_CODE) {
        if (!lexer->ahead[bytes[0]])
            return false;
        taken = pmi_lexer_code_ahead(lexer, bytes, n, reader->position + *i);
        if (taken == 0)
            return false;
        pmi_lexer_mark(reader->outside, *i);
    } else if (lexer->state == PM_LEXER_DIRECTIVE) {
        taken = read_name(reader, *i) - *i;
        if (taken == 0)
            return false;
    } else if (lexer->state != PM_LEXER_REGION ||
               !(pmi_lexer_region_idle(lexer) || lexer->region->flags & PM_REGION_HEREDOC) ||
               !pmi_lexer_region_ahead(lexer, bytes, n, &taken)) {
        return false;
    }
    *i += taken;
    if (lexer->verdict == PM_LEXER_COUNTED)
        pmi_lexer_mark(reader->outside, *i - 1);
    lexer->verdict = PM_LEXER_AS_READ;
    return true;
}

/* Does the next byte mean the same whatever came right before it? */
static bool between_bytes(const pmi_lexer *lexer) {
    return lexer->state == PM_LEXER_CODE || in_idle_region(lexer);
}

size_t pmi_lexer_step(pmi_lexer *lexer, const unsigned char *text, size_t i, uint64_t position, uint64_t *outside) {
    const uint64_t bit = UINT64_C(1) << i % PM_WORD_BITS;
    uint64_t *const word = &outside[i / PM_WORD_BITS];
    if (lexer->state == PM_LEXER_CODE ||
        (lexer->state >= PM_LEXER_DIRECTIVE && lexer->state <= PM_LEXER_CONDITION_ZERO))
        *word |= bit;
    const bool taken = pmi_lexer_read_byte(lexer, text[i], position + i);
    if (lexer->verdict != PM_LEXER_AS_READ) {
        *word = (*word & ~bit) | (lexer->verdict == PM_LEXER_COUNTED ? bit : 0);
        lexer->verdict = PM_LEXER_AS_READ;
    }
    return i + taken;
}

/* Reads on in the directive that a byte has begun, and what tells an #if 0 from an #if. Returns the byte behind. */
static size_t read_directive(piece_reader *reader, size_t i) {
    const pmi_lexer *const lexer = reader->lexer;
    while (i < reader->to && lexer->state >= PM_LEXER_DIRECTIVE && lexer->state <= PM_LEXER_CONDITION_ZERO) {
        const size_t end = lexer->state == PM_LEXER_DIRECTIVE ? read_name(reader, i) : i;
        i = end > i ? end : pmi_lexer_step(reader->lexer, reader->text, i, reader->position, reader->outside);
    }
    return i;
}

/* Reads words by a table. Where it knows too little of the text, it is asked the less often. */
static size_t read_words(piece_reader *reader, size_t i) {
    history_catch_up(reader);
    const size_t next = pmi_lexer_words_range(reader->lexer, reader->text, reader->piece, i, reader->to,
                                              reader->position, reader->ends, reader->apart, reader->outside);
    reader->words_apart = next - i >= WORTH_IT               ? 0
                          : reader->words_apart < MOST_APART ? 2 * reader->words_apart + WORTH_IT
                                                             : reader->words_apart;
    reader->words_from = next + reader->words_apart;
    return next;
}

/* May something begin in every eight bytes of a word of code? */
static bool is_crowded(uint64_t ends) {
    for (unsigned shift = 1; shift < 8; shift *= 2)
        ends |= ends << shift;
    return (ends | UINT64_C(0xff)) == UINT64_MAX;
}

/* Is the table of words.c to read the piece? Some languages it reads only where much begins and ends, of which
 * four words are asked. */
static bool reads_by_table(const pmi_lexer *lexer, const pmi_lexer_masks *piece, size_t from, size_t to) {
    const size_t first = from / PM_WORD_BITS, words = (to - from) / PM_WORD_BITS;
    if (!lexer->words.known || words < TABLE_WORDS)
        return false;
    if (lexer->words.always || words < CROWD_WORDS)
        return lexer->words.always;
    for (size_t k = 1; k < 8; k += 2)
        if (!is_crowded(pmi_lexer_mask_of(piece, first + k * words / 8, PM_LEXER_ENDS_CODE)))
            return false;
    return true;
}

/* ---- Crowded text ---- */

/* Reads bytes one by one where something begins or ends at so many that the other ways, which look for the next that
 * matters, take more time. Records that are read as one are left to those. Returns the next byte. */
static size_t read_crowd(piece_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    if (++reader->turns < TURNS && !lexer->crowded)
        return i;
    const bool crowded = lexer->crowded || i - reader->turned < CROWDED;
    lexer->crowded = false;
    reader->turns = 0;
    reader->turned = i;
    if (!crowded || lexer->crowd_regions == 0 || lexer->lines) {
        reader->crowd = CROWD;
        return i;
    }
    history_catch_up(reader);
    const size_t end = reader->to - i < reader->crowd ? reader->to : i + reader->crowd;
    reader->crowd = reader->crowd < MOST_CROWDED ? 2 * reader->crowd : reader->crowd;
    reader->turned = pmi_lexer_crowd_range(lexer, reader->text, i, end, reader->to, reader->position, reader->outside);
    if (reader->turned == i) /* behind what is read in another way */
        reader->turns = TURNS - 1;
    return reader->turned;
}

/* ---- Pieces ---- */

static void read_piece(piece_reader *reader, size_t from) {
    pmi_lexer *const lexer = reader->lexer;
    const size_t to = reader->to;
    for (size_t i = from; i < to;) {
        i = read_crowd(reader, i);
        if (i == to)
            break;
        if (lexer->strings.known && to - i > 2 * PM_WORD_BITS && between_bytes(lexer))
            i = pmi_lexer_strings_range(lexer, reader->text, reader->piece, i, to, reader->position, reader->outside);
        if (i >= reader->words_from && between_bytes(lexer))
            i = read_words(reader, i);
        if (lexer->crowded)
            continue;
        if (lexer->state == PM_LEXER_CODE)
            i = read_code(reader, i);
        if (lexer->state == PM_LEXER_REGION && lexer->region->flags & PM_REGION_JSX) {
            unsigned char after;
            if (pmi_lexer_jsx_remembers(lexer))
                history_catch_up(reader);
            i = pmi_lexer_jsx_range(lexer, reader->text, reader->piece, i, to, reader->outside, &after);
            if (after)
                run_note(reader, i, i, after);
            continue;
        }
        if (pmi_lexer_among_plain_bytes(lexer)) {
            i = read_by_bytes(reader, i);
            if (lexer->state == PM_LEXER_CODE)
                continue;
        } else if (in_idle_region(lexer)) {
            i = read_region(reader, i);
            if (lexer->state == PM_LEXER_CODE)
                continue;
        }
        if (i == to)
            break;
        history_catch_up(reader);
        const size_t at = i;
        const bool hides = pmi_lexer_hides_lines(lexer);
        if (!read_ahead(reader, &i)) {
            i = pmi_lexer_step(lexer, reader->text, i, reader->position, reader->outside);
            i = lexer->state == PM_LEXER_DIRECTIVE ? read_directive(reader, i)
                                                   : i + pmi_lexer_heredoc_word(lexer, reader->text + i, to - i);
        }
        if (hides)
            pmi_lexer_hide_lines(lexer, reader->outside, at, i);
    }
    if (!lexer->ends)
        history_catch_up(reader);
}

void pmi_lexer_scan_range(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
                          size_t to, uint64_t *outside) {
    if (lexer->state == PM_LEXER_REGION && (lexer->region->flags & PM_REGION_YAML)) {
        pmi_lexer_yaml_range(lexer, text, piece, from, to, outside);
    } else if (lexer->language->code & PM_CODE_SHELL) {
        pmi_lexer_shell_range(lexer, text, piece, from, to, outside);
    } else if (lexer->language->code & PM_CODE_PERL) {
        pmi_lexer_perl_range(lexer, text, piece, from, to, outside);
    } else {
        piece_reader reader;
        uint64_t ends[PM_PIECE_WORDS];
        const bool starts = lexer->language->code & PM_CODE_RUBY;
        if (starts)
            ends_fill(lexer, piece, from, to, ends);
        reader.ends = starts ? ends : piece->masks + PM_LEXER_ENDS_CODE;
        reader.apart = starts ? 1 : piece->classes;
        reader.lexer = lexer;
        reader.text = text;
        reader.piece = piece;
        reader.to = to;
        reader.position = lexer->position - from;
        reader.outside = outside;
        reader.count = 0;
        reader.words_from = reads_by_table(lexer, piece, from, to) ? 0 : SIZE_MAX;
        reader.words_apart = 0;
        reader.turns = 0;
        reader.turned = from;
        reader.crowd = CROWD;
        read_piece(&reader, from);
        lexer->position = reader.position + to;
    }
}

void pmi_lexer_scan_last(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
                         size_t to, uint64_t *outside) {
    lexer->ends = true;
    pmi_lexer_scan_range(lexer, text, piece, from, to, outside);
    lexer->ends = false;
}
