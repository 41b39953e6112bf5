/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lexer in Perl's text. Nearly every sign may delimit a string there, but only behind a quote operator: masks show
 * the few that stand behind its last letter, and runs of code go on over all others.
 */
#include <string.h>

#include "core/text/lexer_parts.h"

/* ---- Classes ---- */

/* Bits of a class; bytes of some sorts have two of the last four. */
enum {
    HARD = PM_LEXER_ENDS_CODE,           /* begins something wherever it stands */
    LINES = PM_LEXER_ENDS_TEMPLATE_CODE, /* a newline */
    STRINGS = PM_LEXER_ENDS_REGION,      /* matters inside some string */
    SOFT,                                /* may delimit what a quote operator quotes */
    LETTER,                              /* the last one of a quote operator */
    BLANK,
    NAME, /* part of a word, where that is ASCII */
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

/* The letters that may be the last one of a quote operator, whose names have one or two; and blanks that look so. */
static inline uint64_t operator_ends(const uint64_t *of, const uint64_t *before) {
    const uint64_t letters = of[LETTER] & ~of[HARD], name = of[NAME], name_before = before[NAME];
    return letters & ~(name & behind(name, name_before, 1) & behind(name, name_before, 2));
}

/* The bytes of a word that may end a run of code; `before` and `next`: the classes of those around it. *operators: the
 * letters of quote operators in the word before, and then in this. */
static inline uint64_t ends_of(const uint64_t *of, const uint64_t *before, const uint64_t *next, uint64_t *operators) {
    const uint64_t hard = of[HARD], soft = of[SOFT], letter = of[LETTER], blank = of[BLANK];
    const uint64_t starts = hard & soft, less = hard & letter, dollar = hard & blank;
    const uint64_t letters_before = *operators, letters = *operators = operator_ends(of, before);
    const uint64_t blanks = blank & ~hard & ~soft, blanks_before = before[BLANK] & ~before[HARD] & ~before[SOFT];
    const uint64_t signs = (hard | soft) & ~starts, signs_next = (next[HARD] | next[SOFT]) & ~(next[HARD] & next[SOFT]);
    const uint64_t behind_letter = behind(letters, letters_before, 1), behind_blank = behind(blanks, blanks_before, 1);
    const uint64_t far = behind(letters | blanks, letters_before | blanks_before, 2);
    const uint64_t blanks_next = next[BLANK] & ~next[HARD] & ~next[SOFT];
    return (hard & ~(starts | less | dollar)) |
           (starts & (behind(of[LINES], before[LINES], 1) | (behind_blank & behind(blanks, blanks_before, 2)))) |
           (less & (behind_letter | ~(blanks >> 1 | blanks_next << 63))) | (dollar & (signs >> 1 | signs_next << 63)) |
           (soft & ~hard & ~blank & (behind_letter | (behind_blank & far)));
}

typedef struct perl_reader {
    pmi_lexer *lexer;
    const unsigned char *text;
    const pmi_lexer_masks *piece;
    size_t from, to;
    uint64_t position; /* of the piece */
    uint64_t *outside;
    uint64_t ends[PM_PIECE_WORDS];
} perl_reader;

static void ends_fill(perl_reader *reader) {
    const size_t first = reader->from / PM_WORD_BITS, words = pmi_bits_words(reader->to);
    uint64_t operators = 0; /* of what is before the first word, nothing is asked */
    for (size_t w = first; w < words; w++) {
        const uint64_t *const of = reader->piece->masks + CLASSES * w;
        reader->ends[w] =
            ends_of(of, w > 0 ? of - CLASSES : nothing, w + 1 < words ? of + CLASSES : nothing, &operators);
    }
    for (size_t i = reader->from; i < reader->to && i < reader->from + 2;
         i++) /* what is before them is not known here */
        if (reader->lexer->class_of[reader->text[i]] & (1u << HARD | 1u << SOFT))
            pmi_lexer_mark(reader->ends, i);
    if (reader->lexer->class_of[reader->text[reader->to - 1]] & 1u << HARD) /* what is behind it */
        pmi_lexer_mark(reader->ends, reader->to - 1);
}

/* Returns the next byte from i < reader->to on that may end a run of code. */
static size_t run_end(const perl_reader *reader, size_t i) {
    const bool lines = reader->lexer->heredoc_count > 0;
    size_t w = i / PM_WORD_BITS;
    uint64_t unread = pmi_bits_low(i % PM_WORD_BITS);
    for (; w * PM_WORD_BITS < reader->to; w++, unread = 0) {
        const uint64_t newlines = lines ? pmi_lexer_mask_of(reader->piece, w, LINES) : 0;
        const uint64_t ends = (reader->ends[w] | newlines) & ~unread;
        if (ends == 0)
            continue;
        const size_t found = w * PM_WORD_BITS + pmi_bits_lowest(ends);
        return found < reader->to ? found : reader->to;
    }
    return reader->to;
}

/* ---- Reading ---- */

static size_t read_alone(const perl_reader *reader, size_t i) {
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
static size_t read_comment(const perl_reader *reader, size_t i) {
    i = pmi_lexer_next_byte(reader->piece, LINES, LINES, i, reader->to);
    if (i == reader->to)
        return i;
    pmi_lexer_region_leave(reader->lexer);
    return go_on_behind_comment(reader, i);
}

/* Reads the run of code from byte i on, and what ends it. */
static size_t read_code(const perl_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const size_t end = run_end(reader, i);
    pmi_lexer_mark_run(reader->outside, i, end);
    pmi_lexer_history_extend(&lexer->history, reader->text + i, end - i);
    if (end == reader->to)
        return end;
    const unsigned char byte = reader->text[end];
    const unsigned class = lexer->class_of[byte] & (1u << HARD | 1u << SOFT);
    const unsigned region = lexer->alone[byte];
    if (byte == '=' && pmi_lexer_history_byte(&lexer->history, 0) == '\n' && !operator_before(lexer)) { /* POD? */
        const size_t taken = pmi_lexer_code_ahead(lexer, reader->text + end, reader->to - end, reader->position + end);
        return taken > 0 ? end + taken : read_alone(reader, end);
    }
    if ((region == 0 && class != 1u << SOFT) || operator_before(lexer))
        return read_alone(reader, end);
    if (region == 0) {
        pmi_lexer_mark(reader->outside, end);
        pmi_lexer_history_push(&lexer->history, byte);
        return end + 1;
    }
    lexer->start = reader->position + end;
    lexer->first = byte;
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

static size_t read_region(const perl_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    size_t taken;
    if (lexer->region->flags & PM_REGION_PAIRED)
        return read_paired(reader, i);
    if (!lexer->region->close && !(lexer->region->flags & PM_REGION_HEREDOC))
        return reader->to;
    if (lexer->region->flags & PM_REGION_FREE)
        return read_alone(reader, i);
    const unsigned class = pmi_lexer_region_class(lexer, lexer->region);
    if (pmi_lexer_region_idle(lexer) && class == STRINGS)
        return read_string(reader, i);
    if (pmi_lexer_region_idle(lexer)) {
        i = pmi_lexer_next_byte(reader->piece, class, class, i, reader->to);
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

/* Where a word behind a literal begins, as behind =cut, masks take both for one: the next bytes end runs that may. */
static void mark_ends_behind_literal(perl_reader *reader, size_t i) {
    const size_t longest = sizeof "qq " - 1;
    if (i == reader->from || !pmi_byte_in_name(reader->text[i - 1]) ||
        pmi_lexer_history_byte(&reader->lexer->history, 0) == reader->text[i - 1])
        return;
    for (size_t k = i; k < reader->to && k <= i + longest; k++)
        if (reader->lexer->class_of[reader->text[k]] & (1u << HARD | 1u << SOFT))
            pmi_lexer_mark(reader->ends, k);
}

void pmi_lexer_perl_range(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
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
    ends_fill(&reader);
    for (size_t i = from; i < to;) {
        const bool in_region = lexer->state == PM_LEXER_REGION;
        i = in_region                       ? read_region(&reader, i)
            : lexer->state == PM_LEXER_CODE ? read_code(&reader, i)
                                            : read_alone(&reader, i);
        if (in_region && lexer->state == PM_LEXER_CODE)
            mark_ends_behind_literal(&reader, i);
    }
    lexer->position = reader.position + to;
}
