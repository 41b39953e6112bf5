/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lexer in Perl's text. Nearly every sign may delimit a string there, but only behind a quote operator: masks show
 * the few that stand behind its last letter, and code goes on over all others, with the strings and comments in it. The
 * history is made where a byte asks for it.
 */
#include <string.h>

#include "broadword/text/classify.h"
#include "core/lexer/parts.h"

/* ---- Classes ---- */

/* Bits of a class; bytes of some sorts have two of the last four. */
enum {
    HARD = PM_LEXER_ENDS_CODE,           /* begins something wherever it stands */
    LINES = PM_LEXER_ENDS_TEMPLATE_CODE, /* a newline */
    STRINGS = PM_LEXER_ENDS_REGION,      /* matters inside some string */
    SOFT,                                /* may delimit what a quote operator quotes */
    LETTER,                              /* the last one of a quote operator */
    BLANK,
    NAME, /* part of a word, where that is ASCII; with HARD: ' or # */
    CLASSES
};

static void class_set(pmi_lexer *lexer, const char *bytes, unsigned bits) {
    for (; *bytes; bytes++)
        lexer->class_of[(unsigned char)*bytes] |= (uint8_t)bits;
}

void pmi_lexer_perl_classes(pmi_lexer *lexer) {
    for (unsigned byte = 0; byte < 256; byte++) {
        lexer->class_of[byte] &= 1u << PM_LEXER_BRACKET;
        if (byte < 0x80 && pmi_byte_in_name((unsigned char)byte))
            lexer->class_of[byte] |= 1u << NAME;
    }
    class_set(lexer, "\n", 1u << LINES);
    class_set(lexer, "\"'`\\", 1u << STRINGS);
    class_set(lexer, "/\"'`#", 1u << HARD);
    class_set(lexer, "'#", 1u << NAME);
    class_set(lexer, "`", 1u << LETTER);
    class_set(lexer, "([{!|,:;+-~^%@", 1u << SOFT);
    class_set(lexer, "_=", 1u << SOFT | 1u << HARD);  /* may begin something where a line begins */
    class_set(lexer, "<", 1u << HARD | 1u << LETTER); /* soft, too, and begins a heredoc */
    class_set(lexer, "$", 1u << HARD | 1u << BLANK);  /* matters if it names a variable by a sign, and before itself */
    class_set(lexer, ")].?", 1u << SOFT | 1u << BLANK); /* matter as such signs alone */
    class_set(lexer, "qmsywxr", 1u << LETTER);
    class_set(lexer, " \n", 1u << BLANK);
    class_set(lexer, "\t\v\f\r", 1u << BLANK | 1u << LETTER); /* stand in the history as another blank */
    lexer->classes = CLASSES;
    for (size_t r = 0; r < lexer->language->region_count; r++) {
        const pmi_region *const region = &lexer->language->regions[r];
        const bool string = region->close && strchr("\"'`", region->close[0]);
        lexer->region_class[r] = string ? STRINGS : LINES;
    }
}

/* ---- Where runs of code end ---- */

static const uint64_t nothing[CLASSES];

static inline uint64_t behind(uint64_t mask, uint64_t before, unsigned k) {
    return mask << k | before >> (PM_WORD_BITS - k);
}

/* The letters that may be the last one of a quote operator, whose names have one or two; of bytes in names. */
static inline uint64_t operator_ends(const uint64_t *of, uint64_t names, uint64_t names_before) {
    return of[LETTER] & names & ~(behind(names, names_before, 1) & behind(names, names_before, 2));
}

/* The quotes " and ' and the # of a word. */
static inline uint64_t doubles_of(const uint64_t *of) {
    return of[HARD] & of[STRINGS] & ~(of[LETTER] | of[NAME]);
}

static inline uint64_t singles_of(const uint64_t *of) {
    return of[HARD] & of[STRINGS] & of[NAME];
}

static inline uint64_t hashes_of(const uint64_t *of) {
    return of[HARD] & of[NAME] & ~(of[STRINGS] | of[SOFT] | of[BLANK]);
}

/* The bytes of a word behind runs of `blanks` that go on from the bits of `starts`, and those bits that are no blanks.
 * *more: such a run ends the word before, and then this. */
static inline uint64_t behind_blanks(uint64_t blanks, uint64_t starts, bool *more) {
    const uint64_t from = starts | (uint64_t)*more, sum = blanks + (from & blanks);
    *more = sum < blanks;
    return (from | sum) & ~blanks;
}

/* What goes on from one word to the next. */
typedef struct word_before {
    uint64_t names;      /* bytes in names */
    uint64_t letters;    /* the last ones of quote operators */
    bool behind_letters; /* blanks behind one end the word */
    bool behind_line;    /* the word ends in blanks with which a line begins */
} word_before;

/* The bytes of a word that may end a run of code, except for quotes and # that are sure to begin strings and comments
 * there; `before` and `next`: the classes of the words around it. `first`: the first byte that is read, before which
 * anything may stand, or 0. */
static inline uint64_t others_of(const uint64_t *of, const uint64_t *before, const uint64_t *next, uint64_t first,
                                 word_before *last) {
    const uint64_t hard = of[HARD], soft = of[SOFT], letter = of[LETTER], blank = of[BLANK];
    const uint64_t starts = hard & soft, less = hard & letter & ~of[STRINGS], dollar = hard & blank;
    /* before the first byte another record may end in a name */
    const uint64_t names = of[NAME] & ~hard & (first ? 0 - first : UINT64_MAX);
    const uint64_t letters_before = last->letters, letters = last->letters = operator_ends(of, names, last->names);
    last->names = names;
    const uint64_t blanks = blank & ~hard & ~soft, blanks_next = next[BLANK] & ~next[HARD] & ~next[SOFT];
    const uint64_t signs = (hard | soft) & ~starts, signs_next = (next[HARD] | next[SOFT]) & ~(next[HARD] & next[SOFT]);
    const uint64_t due = behind_blanks(blanks, behind(letters, letters_before, 1) | first, &last->behind_letters);
    const uint64_t line = behind_blanks(blanks, behind(of[LINES], before[LINES], 1) | first, &last->behind_line);
    const uint64_t quotes = doubles_of(of) | singles_of(of) | hashes_of(of);
    return (hard & ~(starts | less | dollar | (quotes & ~due))) | (starts & line) |
           (less & (due | ~(blanks >> 1 | blanks_next << 63))) | (dollar & (signs >> 1 | signs_next << 63)) |
           (soft & ~hard & ~blank & due);
}

typedef struct perl_reader {
    pmi_lexer *lexer;
    const unsigned char *text;
    const pmi_lexer_masks *piece;
    size_t from, to;
    uint64_t position; /* of the piece */
    uint64_t *outside;
    uint64_t others[PM_PIECE_WORDS]; /* bytes that may end a run of code, except for quotes and # that are sure to begin
                                        strings and comments there */
    pmi_lexer_noted noted;           /* of words that are read together */
} perl_reader;

static void others_fill(perl_reader *reader) {
    const size_t first = reader->from / PM_WORD_BITS, words = pmi_bits_words(reader->to);
    word_before last = {0, 0, false, false};
    for (size_t w = first; w < words; w++) {
        const uint64_t *const of = reader->piece->masks + CLASSES * w;
        const uint64_t begin = w == first ? UINT64_C(1) << reader->from % PM_WORD_BITS : 0;
        reader->others[w] =
            others_of(of, w > 0 ? of - CLASSES : nothing, w + 1 < words ? of + CLASSES : nothing, begin, &last);
    }
    for (size_t i = reader->from; i < reader->to && i < reader->from + 2;
         i++) /* what is before them is not known here */
        if (reader->lexer->class_of[reader->text[i]] & (1u << HARD | 1u << SOFT))
            pmi_lexer_mark(reader->others, i);
    if (reader->lexer->class_of[reader->text[reader->to - 1]] & 1u << HARD) /* what is behind it */
        pmi_lexer_mark(reader->others, reader->to - 1);
}

/* ---- Words of 64 bytes ---- */

/* What code goes on with: strings and comments. */
enum {
    CODE = 0,
    DOUBLE,
    SINGLE,
    COMMENT
};

typedef struct words_state {
    unsigned state;
    size_t start; /* of the string or comment */
    bool escaped; /* the next byte of a string */
} words_state;

/* Reads a word from `bit` on, of which `there` are the bytes that are there. Returns the bit of a byte of code that is
 * to be read in another way, or the number of bits. */
static inline unsigned word_read(perl_reader *reader, words_state *state, size_t w, uint64_t there, bool lines) {
    const uint64_t *const of = reader->piece->masks + CLASSES * w;
    const uint64_t doubles = doubles_of(of), singles = singles_of(of), hashes = hashes_of(of), newlines = of[LINES],
                   dollars = of[HARD] & of[BLANK];
    const unsigned char *const word = reader->text + w * PM_WORD_BITS;
    const uint64_t others = reader->others[w] | (lines ? newlines : 0);
    const uint64_t backslashes = of[STRINGS] & ~of[HARD] & there;
    const pmi_quotation before = {true, state->escaped};
    const uint64_t codes = backslashes || state->escaped ? pmi_quoted_escapes(&before, backslashes) : 0;
    const uint64_t escaped = codes ^ (backslashes | (uint64_t)state->escaped);
    uint64_t unread = there, begin = there & (0 - there), skipped = 0, operands = 0;
    unsigned stop = PM_WORD_BITS;
    for (;;) {
        if (state->state == CODE) {
            const uint64_t next = (doubles | singles | hashes | others) & unread;
            begin = next & (0 - next);
            if (next == 0)
                break;
            if (begin & others) {
                const unsigned bit = pmi_bits_lowest(next);
                const unsigned char sign = begin & dollars && begin << 1 & there ? word[bit + 1] : ')';
                if (sign == ')') {
                    stop = bit;
                    break;
                }
                const bool names = pmi_lexer_perl_names(sign), passes = names || sign == '$' || sign == '#';
                skipped |= (names ? begin : 0) | (passes ? begin << 1 : 0);
                operands |= names ? begin << 1 : 0;
                unread &= 0 - (begin << 1 << passes);
                continue;
            }
            state->state = doubles & begin ? DOUBLE : singles & begin ? SINGLE : COMMENT;
            state->start = w * PM_WORD_BITS + pmi_bits_lowest(next);
            unread &= 0 - (begin << 1);
        }
        const bool string = state->state != COMMENT;
        const uint64_t closers = (string ? (state->state == DOUBLE ? doubles : singles) & ~escaped : newlines) & unread;
        const uint64_t end = closers & (0 - closers);
        skipped |= end - begin;
        if (end == 0)
            break;
        skipped |= string ? end : 0;
        operands |= string ? end : 0;
        unread &= 0 - (end << string);
        state->state = CODE;
    }
    const uint64_t code = ~skipped & there & (stop < PM_WORD_BITS ? pmi_bits_low(stop) : UINT64_MAX);
    reader->outside[w] |= code;
    reader->noted.code[w] = code;
    reader->noted.operands[w] = operands;
    reader->noted.blanks[w] = 0;
    state->escaped =
        (state->state == DOUBLE || state->state == SINGLE) && (codes & backslashes & there & ~(there >> 1)) != 0;
    return stop;
}

static void state_give(const perl_reader *reader, const words_state *state) {
    static const unsigned char opens[] = {[DOUBLE] = '"', [SINGLE] = '\'', [COMMENT] = '#'};
    pmi_lexer *const lexer = reader->lexer;
    if (state->state == CODE)
        return;
    lexer->start = reader->position + state->start;
    lexer->first = opens[state->state];
    pmi_lexer_region_enter(lexer, &lexer->language->regions[lexer->alone[lexer->first] - 1]);
    lexer->escape = state->escaped ? PM_LEXER_ESCAPE : PM_LEXER_UNESCAPED;
}

/* Does nothing but plain code stand in the word of byte *i between that byte and one that is to be read in another way?
 * Reads up to that, then. */
static inline bool run_read(perl_reader *reader, size_t *i) {
    const size_t w = *i / PM_WORD_BITS;
    const uint64_t *const of = reader->piece->masks + CLASSES * w;
    const uint64_t lines = reader->lexer->heredoc_count > 0 ? of[LINES] : 0;
    const uint64_t others = (reader->others[w] | lines) & ~pmi_bits_low(*i % PM_WORD_BITS);
    const uint64_t first = others & (0 - others), before = (first - 1) & ~pmi_bits_low(*i % PM_WORD_BITS);
    if (first == 0 || before & (doubles_of(of) | singles_of(of) | hashes_of(of)))
        return false;
    const size_t end = w * PM_WORD_BITS + pmi_bits_lowest(first);
    if (end >= reader->to || /* in the next record */
        (first & of[HARD] & of[BLANK] && end + 1 < reader->to && reader->text[end + 1] != ')'))
        return false;
    reader->outside[w] |= before;
    pmi_lexer_history_extend(&reader->lexer->history, reader->text + *i, end - *i);
    *i = end;
    return true;
}

/* Reads code, with the strings and comments in it, from byte i on to one that is to be read in another way. */
static size_t words_read(perl_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const bool lines = lexer->heredoc_count > 0;
    words_state state = {CODE, 0, false};
    size_t at = i;
    while (at < reader->to) {
        const size_t w = at / PM_WORD_BITS, next = (w + 1) * PM_WORD_BITS;
        const uint64_t behind_text = reader->to < next ? ~pmi_bits_low(reader->to % PM_WORD_BITS) : 0;
        const unsigned stop = word_read(reader, &state, w, ~pmi_bits_low(at % PM_WORD_BITS) & ~behind_text, lines);
        at = stop < PM_WORD_BITS ? w * PM_WORD_BITS + stop : next < reader->to ? next : reader->to;
        if (stop < PM_WORD_BITS)
            break;
    }
    if (at < reader->to || !lexer->ends)
        lexer->history = pmi_lexer_history_before(lexer, &reader->noted, reader->text, i, at, PM_HISTORY_BYTES);
    state_give(reader, &state);
    return at;
}

/* ---- Reading ---- */

static __attribute__((noinline)) size_t read_alone(const perl_reader *reader, size_t i) {
    i = pmi_lexer_step(reader->lexer, reader->text, i, reader->position, reader->outside);
    return i + pmi_lexer_heredoc_word(reader->lexer, reader->text + i, reader->to - i);
}

/* Reads a string, idle at byte i, up to its end. */
static size_t read_string(const perl_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const unsigned char quote = (unsigned char)lexer->region->close[0];
    while (i < reader->to) {
        i = pmi_lexer_next_byte(reader->piece, STRINGS, STRINGS, i, reader->to);
        if (i == reader->to || (reader->text[i] == '\\' && i + 1 == reader->to))
            break;
        if (reader->text[i] == quote) {
            pmi_lexer_region_leave(lexer);
            return i + 1;
        }
        i += reader->text[i] == '\\' ? 2 : 1;
    }
    return i < reader->to ? read_alone(reader, i) : i;
}

/* Does a quote operator stand before the next byte, perhaps with a blank between? The answer may be yes where it is a
 * name. */
static bool operator_before(const pmi_lexer *lexer) {
    const pmi_lexer_history *const history = &lexer->history;
    const unsigned back = pmi_byte_is_space(pmi_lexer_history_byte(history, 0));
    const unsigned char last = pmi_lexer_history_byte(history, back), first = pmi_lexer_history_byte(history, back + 1);
    if (!(lexer->class_of[last] >> LETTER & 1))
        return false;
    return !pmi_byte_in_name(first) ||
           ((first == 'q' || first == 't') && !pmi_byte_in_name(pmi_lexer_history_byte(history, back + 2)));
}

/* Code goes on at byte i, behind a comment. If a quote operator stands before that, which masks do not show, reads up
 * to what may be its delimiter. Returns the next byte. */
static size_t go_on_behind_comment(const perl_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const size_t begin = i;
    if (!operator_before(lexer))
        return i;
    while (i < reader->to && pmi_byte_is_space(reader->text[i]) && lexer->heredoc_count == 0)
        i++;
    pmi_lexer_history_extend(&lexer->history, reader->text + begin, i - begin);
    return i < reader->to ? read_alone(reader, i) : i;
}

/* Reads a comment up to its newline. */
static __attribute__((noinline)) size_t read_comment(const perl_reader *reader, size_t i) {
    i = pmi_lexer_next_byte(reader->piece, LINES, LINES, i, reader->to);
    if (i == reader->to)
        return i;
    pmi_lexer_region_leave(reader->lexer);
    return go_on_behind_comment(reader, i);
}

/* Reads a glob up to its end, or that of its line. */
static size_t read_glob(const perl_reader *reader, size_t i) {
    while (i < reader->to && reader->text[i] != '>' && reader->text[i] != '\n')
        i++;
    if (i == reader->to)
        return i;
    pmi_lexer_region_leave(reader->lexer);
    return i + (reader->text[i] == '>');
}

/* A line ends at byte i, and heredocs follow: reads their lines. Returns the next byte. */
static size_t read_heredocs(const perl_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    pmi_lexer_mark(reader->outside, i);
    lexer->start = reader->position + i;
    lexer->first = '\n';
    pmi_lexer_heredocs_enter(lexer);
    return i + 1 + pmi_lexer_heredoc_ahead(lexer, reader->text + i + 1, reader->to - (i + 1));
}

/* Reads the < at byte i, with the word of a heredoc or the glob that it begins. Returns the next byte. */
static size_t read_less(const perl_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    lexer->heredoc_step = 0;
    lexer->state = PM_LEXER_HEREDOC;
    i += 1 + pmi_lexer_heredoc_word(lexer, reader->text + i + 1, reader->to - (i + 1));
    if (lexer->state == PM_LEXER_REGION)
        return read_glob(reader, i);
    const bool line_ends = lexer->state == PM_LEXER_CODE && lexer->heredoc_count > 0 && i < reader->to;
    return line_ends && reader->text[i] == '\n' ? read_heredocs(reader, i) : i;
}

/* Reads byte i of code, which may begin something else than a string or a comment, with that. Returns the next byte. */
static size_t read_one_sign(const perl_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const unsigned char byte = reader->text[i];
    lexer->opening_length = 0;
    if (byte == '\n')
        return read_heredocs(reader, i);
    if (byte == '$' && i + 1 < reader->to) {
        lexer->state = PM_LEXER_VARIABLE;
        return i + 1 + pmi_lexer_perl_state_byte(lexer, reader->text[i + 1]);
    }
    const size_t quoted = pmi_lexer_perl_quote(lexer, reader->text + i, reader->to - i);
    if (quoted > 0)
        return i + quoted;
    if (byte == '<')
        return read_less(reader, i);
    if (byte == '$' || lexer->opened_by[byte])
        return read_alone(reader, i);
    pmi_lexer_mark(reader->outside, i);
    pmi_lexer_history_push(&lexer->history, byte);
    return i + 1;
}

/* Do two other bytes that may end a run stand close behind byte i? */
static inline bool is_crowded(const perl_reader *reader, size_t i) {
    const uint64_t near = reader->others[i / PM_WORD_BITS] >> i % PM_WORD_BITS & 0xff;
    return near & (near - 1);
}

/* Reads such a byte, and other signs that stand close behind it. */
static __attribute__((noinline)) size_t read_sign(const perl_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const unsigned char byte = reader->text[i];
    i = read_one_sign(reader, i);
    if (lexer->state != PM_LEXER_CODE || byte == '<' || byte == '\n' || i >= reader->to || !is_crowded(reader, i))
        return i;
    return pmi_lexer_perl_signs(lexer, reader->text, i, reader->to, reader->outside);
}

/* Reads code from byte i on, and the byte that is to be read in another way. */
static size_t read_code(perl_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const size_t end = run_read(reader, &i) ? i : words_read(reader, i);
    if (end == reader->to)
        return end;
    const unsigned char byte = reader->text[end];
    const unsigned region = lexer->alone[byte];
    if (byte == '=' && pmi_lexer_history_byte(&lexer->history, 0) == '\n' && !operator_before(lexer)) { /* POD? */
        if (end + 1 < reader->to && !pmi_byte_is_letter(reader->text[end + 1])) {
            pmi_lexer_history_push(&lexer->history, byte);
            return end + 1;
        }
        const size_t taken = pmi_lexer_code_ahead(lexer, reader->text + end, reader->to - end, reader->position + end);
        return taken > 0 ? end + taken : read_alone(reader, end);
    }
    lexer->start = reader->position + end;
    lexer->first = byte;
    if (region == 0 || operator_before(lexer))
        return read_sign(reader, end);
    pmi_lexer_region_enter(lexer, &lexer->language->regions[region - 1]);
    return byte == '#' ? read_comment(reader, end + 1) : read_string(reader, end + 1);
}

/* Reads what a quote operator quotes, up to its end or a byte that is to be read in another way. */
static size_t read_paired(const perl_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const unsigned char closer = lexer->closer, opener = lexer->opener ? lexer->opener : closer;
    while (i < reader->to && lexer->escape == PM_LEXER_UNESCAPED) {
        const unsigned char byte = reader->text[i];
        if (byte == '\\' && i + 1 == reader->to)
            break;
        i += byte == '\\' ? 2 : 1;
        if (byte == '\\' || (byte != closer && byte != opener))
            continue;
        pmi_lexer_paired_byte(lexer, byte);
        if (lexer->state != PM_LEXER_REGION)
            return i;
    }
    return i < reader->to ? read_alone(reader, i) : i;
}

/* Returns the first newline from byte i on behind which POD may end, or a comment does. */
static size_t line_end(const perl_reader *reader, size_t i) {
    const bool pod = reader->lexer->region->close[1] == '=';
    uint64_t unread = ~pmi_bits_low(i % PM_WORD_BITS);
    for (size_t w = i / PM_WORD_BITS; w * PM_WORD_BITS < reader->to; w++, unread = UINT64_MAX) {
        const uint64_t *const of = reader->piece->masks + CLASSES * w;
        const unsigned last = (unsigned)(reader->to - 1 - w * PM_WORD_BITS); /* behind it anything may stand */
        const uint64_t unknown = UINT64_C(1) << (last < PM_WORD_BITS ? last : PM_WORD_BITS - 1);
        const uint64_t found = of[LINES] & unread & (pod ? (of[HARD] & of[SOFT]) >> 1 | unknown : UINT64_MAX);
        if (found) {
            const size_t at = w * PM_WORD_BITS + pmi_bits_lowest(found);
            return at < reader->to ? at : reader->to;
        }
    }
    return reader->to;
}

static __attribute__((noinline)) size_t read_region(const perl_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    size_t taken;
    if (lexer->region->flags & PM_REGION_PAIRED)
        return read_paired(reader, i);
    if (!lexer->region->close && !(lexer->region->flags & PM_REGION_HEREDOC))
        return reader->to;
    if (lexer->region->flags & PM_REGION_FREE)
        return read_glob(reader, i);
    if (pmi_lexer_region_idle(lexer) && pmi_lexer_region_class(lexer, lexer->region) == STRINGS)
        return read_string(reader, i);
    if (pmi_lexer_region_idle(lexer)) {
        i = line_end(reader, i);
        if (i == reader->to)
            return i;
    } else if (!(lexer->region->flags & PM_REGION_HEREDOC)) {
        return read_alone(reader, i);
    }
    if (pmi_lexer_region_ahead(lexer, reader->text + i, reader->to - i, &taken)) {
        i += taken;
        return lexer->state == PM_LEXER_CODE ? go_on_behind_comment(reader, i) : i;
    }
    if (lexer->region->flags & PM_REGION_HEREDOC)
        i += pmi_lexer_heredoc_rest(lexer, reader->text + i, reader->to - i);
    return i < reader->to ? read_alone(reader, i) : i;
}

/* Where a word behind a literal begins, as behind =cut, masks take both for one: the next bytes may end runs. */
static __attribute__((noinline)) void mark_others_behind_literal(perl_reader *reader, size_t i) {
    const size_t longest = sizeof "qq " - 1;
    if (i == reader->from || !pmi_byte_in_name(reader->text[i - 1]) ||
        pmi_lexer_history_byte(&reader->lexer->history, 0) == reader->text[i - 1])
        return;
    for (size_t k = i; k < reader->to && k <= i + longest; k++)
        if (reader->lexer->class_of[reader->text[k]] & (1u << HARD | 1u << SOFT))
            pmi_lexer_mark(reader->others, k);
}

static void range_read(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
                       size_t to, uint64_t *outside) {
    perl_reader reader;
    if (from == to)
        return;
    reader.lexer = lexer;
    reader.text = text;
    reader.piece = piece;
    reader.from = from;
    reader.to = to;
    reader.position = lexer->position - from;
    reader.outside = outside;
    others_fill(&reader);
    for (size_t i = from; i < to;) {
        const bool in_region = lexer->state == PM_LEXER_REGION;
        i = in_region                       ? read_region(&reader, i)
            : lexer->state == PM_LEXER_CODE ? read_code(&reader, i)
                                            : read_alone(&reader, i);
        if (in_region && lexer->state == PM_LEXER_CODE)
            mark_others_behind_literal(&reader, i);
    }
    lexer->position = reader.position + to;
}

PM_LEXER_FOR_BITS static void range_read_by_bits(pmi_lexer *lexer, const unsigned char *text,
                                                 const pmi_lexer_masks *piece, size_t from, size_t to,
                                                 uint64_t *outside) {
    range_read(lexer, text, piece, from, to, outside);
}

void pmi_lexer_perl_range(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
                          size_t to, uint64_t *outside) {
    if (pmi_lexer_has_bits(lexer))
        range_read_by_bits(lexer, text, piece, from, to, outside);
    else
        range_read(lexer, text, piece, from, to, outside);
}
