/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lexer in a shell's text. Which bytes may mean something follows from masks, 64 bytes at a time; a table goes from
 * one of them to the next. What else there is, the closes of `case`'s patterns and code inside strings, is read at the
 * bytes that matter to it alone. What came before a byte of code is asked for so rarely that masks note it, from which
 * the history is made when it is.
 */
#include <string.h>

#include "broadword/text/code_masks.h"
#include "core/lexer/shell/reader.h"

/* ---- Classes ---- */

/* X, Y and Z of a TOKEN as a number, and of none. */
enum {
    A_DOUBLE = 0,
    A_SINGLE,
    A_BACKSLASH,
    A_DOLLAR,
    A_HASH,
    A_LESS,
    A_NEWLINE,
    NO_TOKEN
};

static void class_set(pmi_lexer *lexer, const char *bytes, unsigned bits) {
    for (; *bytes; bytes++)
        lexer->class_of[(unsigned char)*bytes] |= (uint8_t)bits;
}

void pmi_lexer_shell_classes(pmi_lexer *lexer) {
    static const char tokens[] = "\"'\\$#<\n";
    for (unsigned byte = 0; byte < 256; byte++)
        lexer->class_of[byte] =
            (uint8_t)((lexer->class_of[byte] & 1u << PM_LEXER_BRACKET) |
                      (unsigned)pmi_lexer_word_due((unsigned char)byte) << PM_SHELL_DUE |
                      (unsigned)(byte < 0x80 && pmi_byte_is_word((unsigned char)byte)) << PM_SHELL_NAME);
    for (unsigned k = 0; tokens[k]; k++)
        class_set(lexer, (const char[]){tokens[k], 0}, 1u << PM_SHELL_TOKEN | k << PM_SHELL_X);
    class_set(lexer, " \t\n;()[]", 1u << PM_SHELL_SOFT);
    class_set(lexer, "ce({", 1u << PM_SHELL_X);
    class_set(lexer, "as)}", 1u << PM_SHELL_Y);
    class_set(lexer, "n;&", 1u << PM_SHELL_Z);
    lexer->classes = PM_SHELL_CLASSES;
    for (size_t r = 0; r < lexer->language->region_count; r++) {
        const pmi_region *const region = &lexer->language->regions[r];
        if (region->flags & PM_REGION_COMMENT)
            lexer->shell[PM_SHELL_COMMENT] = region;
        else if (region->flags & PM_REGION_TEMPLATE)
            lexer->shell[PM_SHELL_DOUBLE] = region;
        else if (region->open)
            lexer->shell[region->prefix ? PM_SHELL_DOLLAR : PM_SHELL_SINGLE] = region;
    }
}

/* What a word of 64 bytes holds, a bit a byte. */
typedef struct word_masks {
    const uint64_t *of, *before; /* the masks of its classes, and those of the word before */
    uint64_t quotes, singles, backslashes, dollars, hashes, newlines;
    uint64_t opened;   /* behind which a ( or { follows */
    uint64_t words;    /* soft ones behind the letters of `case` or `esac` */
    uint64_t specials; /* those, the first < of two, and the quote of $'' */
} word_masks;

/* ---- The reader ---- */

#define SPECIAL 8u /* such a byte, where it is code */

/* By state, and by token. */
static const uint8_t next_states[PM_SHELL_STATES][2 * SPECIAL] = {
#define ROW(...)                                                                                                       \
    { __VA_ARGS__, __VA_ARGS__ }
    [PM_SHELL_COMMENT] = {0, 0, 0, 0, 0, 0, PM_SHELL_CODE, 0, 0, 0, 0, 0, 0, 0, PM_SHELL_CODE, PM_SHELL_STOP},
#define IN PM_SHELL_DOUBLE
    [PM_SHELL_DOUBLE] = ROW(PM_SHELL_CODE, IN, PM_SHELL_ESCAPE, PM_SHELL_BEGIN_CODE, IN, IN, IN, IN),
#undef IN
#define IN PM_SHELL_SINGLE
    [PM_SHELL_SINGLE] = ROW(IN, PM_SHELL_CODE, IN, IN, IN, IN, IN, IN),
#undef IN
#define IN PM_SHELL_DOLLAR
    [PM_SHELL_DOLLAR] = ROW(IN, PM_SHELL_CODE, PM_SHELL_ESCAPE, IN, IN, IN, IN, IN),
#undef IN
#undef ROW
    [PM_SHELL_CODE] = {PM_SHELL_DOUBLE, PM_SHELL_SINGLE, PM_SHELL_ESCAPE, PM_SHELL_CODE, PM_SHELL_COMMENT,
                       PM_SHELL_CODE, PM_SHELL_CODE, PM_SHELL_CODE, PM_SHELL_STOP, PM_SHELL_STOP, PM_SHELL_STOP,
                       PM_SHELL_STOP, PM_SHELL_STOP, PM_SHELL_STOP, PM_SHELL_STOP, PM_SHELL_STOP},
};
_Static_assert(PM_SHELL_COMMENT == 0, "as the table has it");

/* ---- Words ---- */

static const uint64_t *word_at(const pmi_shell_reader *reader, size_t w) {
    return reader->piece->masks + PM_SHELL_CLASSES * w;
}

/* Bit 63: does a word that follows begin with one of these? */
static uint64_t masks_next(const pmi_shell_reader *reader, size_t w, uint64_t (*of)(const uint64_t *)) {
    return (w + 1) * PM_WORD_BITS < reader->to ? of(word_at(reader, w + 1)) << (PM_WORD_BITS - 1) : 0;
}

static inline uint64_t openers(const uint64_t *of) {
    return ~(of[PM_SHELL_TOKEN] | of[PM_SHELL_NAME]) & of[PM_SHELL_X];
}

static inline uint64_t lesses(const uint64_t *of) {
    return of[PM_SHELL_TOKEN] & of[PM_SHELL_X] & of[PM_SHELL_Z];
}

/* Of the signs < of word w those that stand before another, without the first two of <<<, which is no heredoc. Where a
 * backslash stands before it, it may be; what stands before what is read may belong to another record. */
static inline uint64_t less_specials(const pmi_shell_reader *reader, size_t w, uint64_t less, uint64_t backslashes) {
    const size_t there = reader->to - w * PM_WORD_BITS;
    const uint64_t known = there < PM_WORD_BITS ? pmi_bits_low((unsigned)there) : UINT64_MAX;
    const uint64_t before =
        reader->begin > w * PM_WORD_BITS ? pmi_bits_low((unsigned)(reader->begin - w * PM_WORD_BITS)) : 0;
    less &= ~before;
    const uint64_t first = less & ~((less | backslashes) << 1 | (before + 1));
    const uint64_t three = first & less >> 1 & less >> 2 & ~(less >> 3) & known >> 3;
    return less & (less >> 1 | masks_next(reader, w, lesses)) & ~(three | three << 1);
}

static inline uint64_t behind(uint64_t mask, uint64_t before, unsigned k) {
    return mask << k | before >> (PM_WORD_BITS - k);
}

static const uint64_t no_word[PM_SHELL_CLASSES];

/* The soft bytes of a word behind the letters of `case` or `esac`: c or e around a and s. Few have two of them. */
static inline uint64_t words_of(const uint64_t *of, const uint64_t *before) {
    const uint64_t outer = of[PM_SHELL_NAME] & of[PM_SHELL_X], inner = of[PM_SHELL_NAME] & of[PM_SHELL_Y];
    const uint64_t outer_before = before[PM_SHELL_NAME] & before[PM_SHELL_X],
                   inner_before = before[PM_SHELL_NAME] & before[PM_SHELL_Y];
    const uint64_t two = of[PM_SHELL_SOFT] & behind(outer, outer_before, 1) & behind(inner, inner_before, 2);
    return two == 0 ? 0 : two & behind(inner, inner_before, 3) & behind(outer, outer_before, 4);
}

static inline word_masks masks_read(const pmi_shell_reader *reader, size_t w) {
    const uint64_t *const of = word_at(reader, w), *const before = w > 0 ? of - PM_SHELL_CLASSES : no_word;
    const uint64_t token = of[PM_SHELL_TOKEN], x = of[PM_SHELL_X], y = of[PM_SHELL_Y], z = of[PM_SHELL_Z];
    const uint64_t less = lesses(of);
    word_masks masks = {.of = of,
                        .before = before,
                        .quotes = token & ~(y | z),
                        .backslashes = token & y & ~(x | z),
                        .dollars = token & x & y,
                        .hashes = token & z & ~(x | y),
                        .newlines = token & y & z,
                        .opened = openers(of) >> 1 | masks_next(reader, w, openers)};
    masks.singles = masks.quotes & x;
    masks.words = masks.specials = words_of(of, before);
    if (masks.singles)
        masks.specials |=
            masks.singles & behind(masks.dollars, before[PM_SHELL_TOKEN] & before[PM_SHELL_X] & before[PM_SHELL_Y], 1);
    if (less)
        masks.specials |= less_specials(reader, w, less, masks.backslashes);
    return masks;
}

/* Soft bytes, and signs before them, that mean something inside a `case`. */
static inline uint64_t case_specials(const pmi_shell_reader *reader, const word_masks *masks) {
    const uint64_t *const of = masks->of, *const before = masks->before;
    const uint64_t other = ~(of[PM_SHELL_TOKEN] | of[PM_SHELL_NAME]), soft = of[PM_SHELL_SOFT],
                   ends = other & of[PM_SHELL_Z];
    const uint64_t ends_before = ~(before[PM_SHELL_TOKEN] | before[PM_SHELL_NAME]) & before[PM_SHELL_Z];
    const uint64_t sides = other & soft & (of[PM_SHELL_X] | of[PM_SHELL_Y]), semicolons = ends & soft;
    uint64_t blanks = behind(ends & ~soft, ends_before & ~before[PM_SHELL_SOFT], 1); /* behind & */
    if (reader->of->part == PM_CASE_WORD)
        blanks |=
            behind(of[PM_SHELL_NAME] & of[PM_SHELL_Z], before[PM_SHELL_NAME] & before[PM_SHELL_Z], 1); /* behind n */
    return sides | (other & soft & ~of[PM_SHELL_DUE]) |
           (semicolons & behind(semicolons, ends_before & before[PM_SHELL_SOFT], 1)) |
           (soft & of[PM_SHELL_DUE] & ~(sides | semicolons) & blanks);
}

/* Round brackets and braces. */
static inline uint64_t masks_sides(const word_masks *masks) {
    const uint64_t *const of = masks->of;
    return ~(of[PM_SHELL_TOKEN] | of[PM_SHELL_NAME]) & (of[PM_SHELL_X] | of[PM_SHELL_Y]);
}

/* The bytes of word w that are special by the bytes before the fresh one, with which words and signs may have begun. */
static uint64_t fresh_specials(const pmi_shell_reader *reader, const word_masks *masks, size_t w) {
    const uint64_t *const of = masks->of, *const before = masks->before;
    const uint64_t behind_outer =
        behind(of[PM_SHELL_NAME] & of[PM_SHELL_X], before[PM_SHELL_NAME] & before[PM_SHELL_X], 1);
    const bool here = reader->fresh / PM_WORD_BITS == w;
    const uint64_t first = here ? UINT64_C(1) << reader->fresh % PM_WORD_BITS : 0, near = here ? first * 15 : 7;
    return (of[PM_SHELL_SOFT] & near & behind_outer & ~first) | (masks->singles & first) |
           (reader->fresh_soft ? of[PM_SHELL_SOFT] & first : 0);
}

/* The bytes of word w that are special where they are code. */
static inline uint64_t specials_of(const pmi_shell_reader *reader, const word_masks *masks, size_t w) {
    uint64_t specials = masks->specials;
    if ((reader->fresh + 3) / PM_WORD_BITS >= w)
        specials |= fresh_specials(reader, masks, w);
    if (!reader->surrounded) /* as a rule */
        return specials;
    specials |= reader->heredocs ? masks->newlines : 0;
    return reader->of ? specials | case_specials(reader, masks) : specials;
}

/* Where the } of a ${name} or ${name#word}, or the ) of a $(command), stands in the word, whose $ is at `bit`; 0:
 * something that matters stands before it, or it stands elsewhere. */
static inline unsigned substitution_end(const pmi_shell_reader *reader, const word_masks *masks, unsigned bit) {
    const uint64_t *const of = masks->of;
    const uint64_t soft = of[PM_SHELL_SOFT], due = of[PM_SHELL_DUE], other = ~(of[PM_SHELL_TOKEN] | of[PM_SHELL_NAME]),
                   sides = other & (of[PM_SHELL_X] | of[PM_SHELL_Y]);
    if (bit > PM_WORD_BITS - 4 || !(sides >> (bit + 1) & 1))
        return 0;
    const bool command = soft >> (bit + 1) & 1;
    const uint64_t plain = masks->dollars | (masks->hashes & ~(due << 1));
    const uint64_t in_command = masks->specials | (reader->of ? other & (of[PM_SHELL_Z] | (soft & ~due)) : 0);
    const uint64_t matters =
        (of[PM_SHELL_TOKEN] & ~plain) | sides | (command ? in_command : soft & (reader->of ? soft : due));
    const uint64_t ends = matters >> (bit + 2) << (bit + 2), end = ends & (0 - ends);
    return sides & (command ? soft & ~masks->specials : ~soft) & of[PM_SHELL_Y] & end ? pmi_bits_lowest(end) : 0;
}

/* What of a word was read: bytes of code, the brackets of it that do not count, and what else the history is made
 * from. */
typedef struct word_read {
    uint64_t code, uncounted, operands, dollars;
    bool protects; /* its last byte is a backslash that protects the next */
} word_read;

/* Reads a special byte if the `case` around it is all that it matters to. Returns false if the byte is to be read in
 * another way. */
static inline bool case_read(const pmi_shell_reader *reader, const word_masks *masks, unsigned bit, size_t w,
                             word_read *read) {
    const uint64_t tokens = masks->of[PM_SHELL_TOKEN] & ~(reader->heredocs ? 0 : masks->newlines);
    const uint64_t others = tokens | masks->words;
    const size_t i = w * PM_WORD_BITS + bit;
    if (!reader->of || others >> bit & 1 || !pmi_shell_is_plain_behind(reader, i))
        return false;
    const uint64_t last = bit < 3 ? reader->code[w - 1] : 0;
    const uint64_t code = bit == 0 ? last : read->code << (PM_WORD_BITS - bit) | last >> bit;
    const pmi_shell_effect effect = pmi_shell_soft_read(reader, i, code);
    read->uncounted |= (uint64_t)(effect == PM_SHELL_COUNTS_NOT) << bit;
    return effect != PM_SHELL_UNKNOWN;
}

/* The bytes of a word that the table is asked about. */
static inline uint64_t stops_of(const pmi_shell_reader *reader, const word_masks *masks, uint64_t specials,
                                uint64_t hashes, uint64_t of) {
    const uint64_t stops = masks->quotes | masks->backslashes | (masks->dollars & masks->opened) | specials;
    const uint64_t lines = hashes || reader->state == PM_SHELL_COMMENT ? hashes | masks->newlines : 0;
    return (stops | lines) & of;
}

/* What goes on from one stop of a word to the next. */
typedef struct word_steps {
    word_read read;
    uint64_t stops;
    uint64_t nested; /* bytes of code in strings, and of what is in that code */
    unsigned state;
    size_t start;
} word_steps;

/* What lies behind a bit of a word is code, or is no longer. */
static inline void code_turns(const pmi_shell_reader *reader, word_steps *steps, uint64_t behind, unsigned char open) {
    steps->read.code ^= behind;
    steps->nested ^= (reader->open != 0) != (open != 0) ? behind : 0;
}

/* Begins the code behind the $ at `bit`, of which the next byte is the first. */
static inline void code_begins(pmi_shell_reader *reader, const word_masks *masks, unsigned bit, size_t w, uint64_t of,
                               word_steps *steps) {
    const uint64_t behind = ~UINT64_C(1) << bit;
    const unsigned char around = reader->open;
    pmi_shell_code_begin(reader, reader->text[w * PM_WORD_BITS + bit + 1], steps->start);
    steps->read.dollars |= UINT64_C(1) << bit;
    steps->stops |= masks_sides(masks) & of & behind;
    steps->state = PM_SHELL_CODE;
    code_turns(reader, steps, behind, around);
    if (behind != 0 && !reader->of) { /* reads it, too */
        reader->lexer->braces = 1;
        steps->stops &= ~(behind & (0 - behind));
    }
}

/* Reads the bracket at `bit` of code in a string. Returns false if it is to be read in another way. */
static inline bool bracket_read(pmi_shell_reader *reader, const word_masks *masks, uint64_t specials, unsigned bit,
                                size_t w, word_steps *steps) {
    pmi_lexer *const lexer = reader->lexer;
    const size_t i = w * PM_WORD_BITS + bit;
    const unsigned char byte = reader->text[i], open = reader->open;
    const bool code = bit > 0 ? steps->read.code >> (bit - 1) & 1 : w > 0 && reader->code[w - 1] >> (PM_WORD_BITS - 1);
    const bool round = byte == '(' || byte == ')', ends = round == (open == '(');
    if (pmi_shell_is_literal(reader, i, code))
        steps->read.uncounted |= UINT64_C(1) << bit;
    else if (specials >> bit & 1 && !case_read(reader, masks, bit, w, &steps->read))
        return false;
    if (steps->read.uncounted >> bit & 1 || !(ends || round))
        return true;
    uint64_t *const count = ends ? &lexer->braces : &lexer->raw_length;
    *count += byte == '(' || byte == '{' ? 1 : UINT64_MAX;
    if (ends && *count == 0) {
        steps->start = pmi_shell_code_end(reader);
        steps->state = PM_SHELL_DOUBLE;
        code_turns(reader, steps, ~UINT64_C(1) << bit, open);
    }
    return true;
}

/* Passes the backslash at `bit`, and what it protects. */
static inline void escape_read(const word_masks *masks, unsigned bit, word_steps *steps) {
    const uint64_t protects = UINT64_C(2) << bit;
    steps->stops &= ~protects;
    steps->read.protects |= protects == 0;
    if (steps->state != PM_SHELL_CODE)
        return;
    steps->read.code &= ~(protects | UINT64_C(1) << bit);
    steps->read.operands |= protects;
    steps->stops &= ~(protects << 1 & masks->hashes);
}

/* Goes to another state of the table at `bit`, or stays in one. */
static inline void state_turns(unsigned next, unsigned bit, size_t w, word_steps *steps) {
    const uint64_t opens = steps->state == PM_SHELL_CODE && next != PM_SHELL_CODE,
                   closes = steps->state != PM_SHELL_CODE && next == PM_SHELL_CODE;
    const uint64_t quote = steps->state != PM_SHELL_COMMENT, from = UINT64_MAX << bit;
    steps->read.code ^= ((0 - opens) & from) | ((0 - closes) & from << quote);
    steps->read.operands |= (closes & quote) << bit;
    steps->start = opens ? w * PM_WORD_BITS + bit : steps->start;
    steps->state = next;
}

/* Reads the $ at `bit` of a string, behind which code begins. */
static inline void dollar_read(pmi_shell_reader *reader, const word_masks *masks, unsigned bit, size_t w, uint64_t of,
                               word_steps *steps) {
    const unsigned end = substitution_end(reader, masks, bit);
    const uint64_t code = (pmi_bits_low(end) & ~pmi_bits_low(bit + 1)) | UINT64_C(1) << end;
    if (end == 0) {
        code_begins(reader, masks, bit, w, of, steps);
        return;
    }
    steps->read.dollars |= UINT64_C(1) << bit;
    steps->read.code |= code;
    steps->stops &= ~code;
}

/* Reads the stop at `bit`, for which the table has that state or act. Returns false if it is to be read in another
 * way. */
static inline bool stop_read(pmi_shell_reader *reader, const word_masks *masks, unsigned next, unsigned bit, size_t w,
                             uint64_t of, word_steps *steps) {
    switch (next) {
    case PM_SHELL_ESCAPE:
        escape_read(masks, bit, steps);
        return true;
    case PM_SHELL_BEGIN_CODE:
        dollar_read(reader, masks, bit, w, of, steps);
        return true;
    case PM_SHELL_STOP:
        return steps->state == PM_SHELL_CODE && case_read(reader, masks, bit, w, &steps->read);
    default:
        state_turns(next, bit, w, steps);
        return true;
    }
}

/*
 * Goes through those stops of word w, up to one that is to be read in another way; *end: its bit, or the number of bits
 * if it is none. Where the word begins with code in strings it may be the bit behind all that, too: other strings may
 * be simple.
 */
static __attribute__((noinline)) word_read stops_read(pmi_shell_reader *reader, const word_masks *masks,
                                                      uint64_t specials, uint64_t hashes, uint64_t of, size_t w,
                                                      unsigned *end) {
    const uint64_t sides = masks_sides(masks), tokens = masks->of[PM_SHELL_TOKEN];
    const uint64_t others = sides | (specials & (~tokens | (reader->heredocs ? masks->newlines : 0)));
    const uint64_t x = masks->of[PM_SHELL_X] | others, y = masks->of[PM_SHELL_Y] | others,
                   z = masks->of[PM_SHELL_Z] | others;
    const uint64_t first = of & (0 - of);
    const bool nested = reader->open != 0;
    word_steps steps = {.read = {.code = (reader->state == PM_SHELL_CODE ? 0 - first : 0) | reader->code[w]},
                        .stops = stops_of(reader, masks, specials, hashes, of) | (nested ? sides & of : 0),
                        .nested = nested ? UINT64_MAX : 0,
                        .state = reader->state,
                        .start = reader->start};
    *end = PM_WORD_BITS;
    for (; steps.stops != 0 && *end == PM_WORD_BITS; steps.stops &= steps.stops - 1) {
        const unsigned bit = pmi_bits_lowest(steps.stops);
        const unsigned token = (unsigned)(x >> bit & 1) | (unsigned)(y >> bit & 1) << 1 |
                               (unsigned)(z >> bit & 1) << 2 | (unsigned)(specials >> bit & 1) << 3;
        const bool bracket = steps.state == PM_SHELL_CODE && reader->open && sides >> bit & 1;
        if (!(bracket ? bracket_read(reader, masks, specials, bit, w, &steps)
                      : stop_read(reader, masks, next_states[steps.state][token], bit, w, of, &steps))) {
            *end = bit;
            steps.read.code &= pmi_bits_low(bit);
        } else if (nested && !reader->open) {
            *end = bit + 1;
            steps.stops = 0;
        }
    }
    if (reader->lexer->lines) /* of those in a string none ends a record */
        steps.read.uncounted |= reader->lexer->lines[w] & steps.nested;
    reader->state = steps.state;
    reader->start = steps.start;
    return steps.read;
}

/* The strings of a word: their bytes with the opening quotes, without the closing ones. */
typedef struct word_strings {
    uint64_t inside, opens;
    uint64_t singles; /* inside '' */
    unsigned state;   /* behind the word */
} word_strings;

/* One string after another, where one sort may stand in the other. */
static inline word_strings strings_by_steps(unsigned state, uint64_t doubles, uint64_t singles) {
    word_strings strings = {0, 0, 0, state};
    uint64_t begin = 1, unread = UINT64_MAX;
    for (;;) {
        if (strings.state == PM_SHELL_CODE) {
            const uint64_t quotes = (doubles | singles) & unread;
            if (quotes == 0)
                return strings;
            begin = quotes & (0 - quotes);
            strings.opens |= begin;
            strings.state = singles & begin ? PM_SHELL_SINGLE : PM_SHELL_DOUBLE;
            unread = 0 - (begin << 1);
        }
        const bool single = strings.state == PM_SHELL_SINGLE;
        const uint64_t closers = (single ? singles : doubles) & unread, end = closers & (0 - closers);
        strings.inside |= end - begin;
        strings.singles |= single ? end - begin : 0;
        if (end == 0)
            return strings;
        strings.state = PM_SHELL_CODE;
        unread = 0 - (end << 1);
    }
}

static inline word_strings strings_of(unsigned state, uint64_t doubles, uint64_t singles) {
    const bool in_string = state == PM_SHELL_DOUBLE || state == PM_SHELL_SINGLE;
    const unsigned string = singles || state == PM_SHELL_SINGLE ? PM_SHELL_SINGLE : PM_SHELL_DOUBLE;
    const uint64_t quotes = doubles | singles;
    if (quotes != (string == PM_SHELL_SINGLE ? singles : doubles) || (in_string && state != string))
        return strings_by_steps(in_string ? state : PM_SHELL_CODE, doubles, singles);
    const uint64_t inside = pmi_bits_parities(quotes) ^ (in_string ? UINT64_MAX : 0);
    return (word_strings){inside, quotes & inside, string == PM_SHELL_SINGLE ? inside : 0,
                          inside >> (PM_WORD_BITS - 1) ? string : PM_SHELL_CODE};
}

/* Notes the simple ${ } and $( ) of strings. Returns the first $ that begins other code there, or 0. */
static inline uint64_t variables_read(const pmi_shell_reader *reader, const word_masks *masks, uint64_t dollars,
                                      word_read *read) {
    for (; dollars != 0; dollars &= dollars - 1) {
        const unsigned bit = pmi_bits_lowest(dollars), end = substitution_end(reader, masks, bit);
        if (end == 0)
            return dollars & (0 - dollars);
        read->dollars |= UINT64_C(1) << bit;
        read->code |= (pmi_bits_low(end) & ~pmi_bits_low(bit + 1)) | UINT64_C(1) << end;
    }
    return 0;
}

/* Reads the blank or ; at bit `first` of word w, behind what may be `case` or `esac`. Returns the bytes that are
 * special from then on. */
static __attribute__((noinline)) uint64_t read_behind_word(pmi_shell_reader *reader, const word_masks *masks, size_t w,
                                                           uint64_t first, word_read read) {
    reader->code[w] |= read.code & (first - 1);
    reader->operands[w] |= read.operands & (first - 1);
    reader->dollars[w] |= read.dollars & (first - 1);
    pmi_shell_read_soft(reader, w * PM_WORD_BITS + pmi_bits_lowest(first));
    return specials_of(reader, masks, w);
}

/* Reads the special bytes of code among those bits. Returns the first one that is to be read in another way, or 0. */
static inline __attribute__((always_inline)) uint64_t specials_read(pmi_shell_reader *reader, const word_masks *masks,
                                                                    uint64_t specials, uint64_t among, size_t w,
                                                                    word_read *read) {
    for (specials &= among; specials != 0;) {
        const uint64_t first = specials & (0 - specials);
        specials ^= first;
        if (case_read(reader, masks, pmi_bits_lowest(first), w, read))
            continue;
        if (!(masks->words & masks->of[PM_SHELL_DUE] & ~masks_sides(masks) & first) ||
            (reader->heredocs && masks->newlines & first) ||
            masks->dollars & masks->opened || /* which depend on the `case` around them */
            reader->lexer->lines)             /* so do newlines */
            return first;
        const word_masks seldom = *masks; /* so that the masks themselves stay in registers */
        specials = read_behind_word(reader, &seldom, w, first, *read) & among & ~(first | (first - 1));
    }
    return 0;
}

/* The comments of a word, from each # of `hashes` to before the next newline; *open: whether one goes on across its
 * borders. */
static inline uint64_t comments_of(const word_masks *masks, uint64_t hashes, uint64_t of, bool *open) {
    const uint64_t newlines = masks->newlines & of, before = *open ? ~of & (of - 1) : 0;
    return hashes || *open ? pmi_code_spans(hashes, newlines, open) & ~newlines & ~before : 0;
}

/* The first bit of the last run of bits. */
static inline unsigned first_of_last(uint64_t runs) {
    return pmi_bits_highest(runs & ~(runs << 1));
}

/* Reads a word of code and comments at once, in which there are no strings and no backslashes. Returns the bit of the
 * first byte that is to be read in another way, or the number of bits. */
static inline unsigned plain_word_read(pmi_shell_reader *reader, const word_masks *masks, uint64_t specials,
                                       uint64_t hashes, uint64_t of, size_t w, word_read *read) {
    bool open = reader->state == PM_SHELL_COMMENT;
    const uint64_t comments = comments_of(masks, hashes, of, &open);
    read->code = (~comments & of) | reader->code[w];
    const uint64_t special = specials_read(reader, masks, specials, of & ~comments, w, read);
    reader->state = open && !special ? PM_SHELL_COMMENT : PM_SHELL_CODE;
    if (special) {
        read->code &= special - 1;
        return pmi_bits_lowest(special);
    }
    if (open && hashes)
        reader->start = w * PM_WORD_BITS + first_of_last(comments);
    return PM_WORD_BITS;
}

/*
 * Reads a word at once: comments from each # of `hashes` to the next newline, what backslashes protect, strings, and
 * the variables in them. Returns the bit of the first byte that is to be read in another way, or the number of bits;
 * more than that: where these interfere with each other, with nothing done. `of`: the bytes to be read.
 */
static inline unsigned word_read_at_once(pmi_shell_reader *reader, const word_masks *masks, uint64_t specials,
                                         uint64_t hashes, uint64_t of, size_t w, word_read *read) {
    bool open = reader->state == PM_SHELL_COMMENT;
    const uint64_t comments = comments_of(masks, hashes, of, &open);
    const uint64_t backslashes = masks->backslashes & of;
    const uint64_t codes = backslashes ? pmi_quoted_escapes(&(pmi_quotation){true, false}, backslashes) : 0;
    const uint64_t escaped = (codes ^ backslashes) & ~(comments << 1);
    const uint64_t quotes = masks->quotes & of & ~(comments | escaped);
    const word_strings strings = strings_of(reader->state, quotes & ~masks->singles, quotes & masks->singles);
    if (reader->state == PM_SHELL_DOLLAR || (strings.inside | escaped << 1) & hashes || strings.singles & backslashes)
        return PM_WORD_BITS + 1;
    const uint64_t skipped = strings.inside | quotes | comments, behind = escaped & ~skipped;
    read->code = (~(skipped | behind | behind >> 1) & of) | reader->code[w];
    read->operands = (quotes & ~strings.inside) | behind;
    const uint64_t dollars = masks->dollars & masks->opened & strings.inside & ~(strings.singles | escaped) & of;
    const uint64_t first = variables_read(reader, masks, dollars, read);
    const uint64_t code = ~(skipped | behind) | strings.opens; /* and the quotes behind it, which may be special */
    const uint64_t special = specials_read(reader, masks, specials, of & code & (first - 1), w, read);
    const uint64_t stop = special ? special : first;
    const uint64_t opens = strings.opens & (stop - 1);
    if (opens)
        reader->start = w * PM_WORD_BITS + pmi_bits_highest(opens);
    if (stop) {
        reader->state = special ? PM_SHELL_CODE : PM_SHELL_DOUBLE;
        read->code &= stop - 1;
        read->operands &= stop - 1;
        read->dollars &= stop - 1;
        return pmi_bits_lowest(stop);
    }
    if (open && hashes)
        reader->start = w * PM_WORD_BITS + first_of_last(comments);
    reader->state = open ? PM_SHELL_COMMENT : strings.state;
    read->protects = !open && (codes & backslashes) >> (PM_WORD_BITS - 1);
    read->code &= ~((uint64_t)read->protects << (PM_WORD_BITS - 1));
    return PM_WORD_BITS;
}

/* What is known of the byte before a word. */
typedef struct word_before {
    bool due;      /* a word may begin behind it */
    bool protects; /* it is a backslash that protects the next byte */
} word_before;

/* The bytes behind which a word may begin, one byte on. */
static inline uint64_t due_behind(const pmi_shell_reader *reader, const word_masks *masks, size_t w,
                                  const word_before *before) {
    const uint64_t due = masks->of[PM_SHELL_DUE] << 1 | before->due;
    if (reader->fresh / PM_WORD_BITS != w)
        return due;
    const uint64_t fresh = UINT64_C(1) << reader->fresh % PM_WORD_BITS;
    return (due & ~fresh) | (reader->fresh_due ? fresh : 0);
}

/* Notes what was read of word w, of the bytes `of`. */
static inline void word_note(pmi_shell_reader *reader, size_t w, const word_read *read, uint64_t of) {
    reader->code[w] |= read->code & of;
    reader->outside[w] |= read->code & of & ~read->uncounted;
    reader->operands[w] |= read->operands;
    reader->dollars[w] |= read->dollars;
}

/* Returns the byte behind the ${name} or $(command) whose $ is at byte i, if nothing but blanks matters in it, in this
 * word or the next ones; 0: something else may, or it does not end. */
static size_t plain_code_end(const pmi_shell_reader *reader, size_t i) {
    const unsigned char *const text = reader->text;
    const unsigned char close = text[i + 1] == '(' ? ')' : '}';
    const unsigned stops = 1u << PM_SHELL_TOKEN | 1u << PM_SHELL_SOFT | 1u << PM_SHELL_DUE; /* but for { */
    if (reader->of && close == ')')
        return 0;
    for (i += 2; i < reader->to; i++) {
        const bool word = text[i - 1] == 'c' || text[i - 1] == 'e'; /* perhaps `case` or `esac` */
        if (text[i] == close)
            return word && close == ')' ? 0 : i + 1;
        if ((reader->lexer->class_of[text[i]] & stops || text[i] == '{') && (text[i] != ' ' || word || reader->of))
            return 0;
    }
    return 0;
}

/* Notes the code in a string whose $ is at byte i, to before byte `end`. Returns that byte. */
static size_t plain_code_note(pmi_shell_reader *reader, size_t i, size_t end) {
    pmi_lexer_mark(reader->dollars, i);
    pmi_lexer_mark_run(reader->code, i + 1, end);
    pmi_lexer_mark_run(reader->outside, i + 1, end);
    return end;
}

/* Reads word w from `bit` on, to before bit `end` of it. Returns the byte behind what was read. */
static inline size_t read_word(pmi_shell_reader *reader, const word_masks *masks, size_t w, unsigned bit, unsigned end,
                               word_before *before) {
    const size_t base = w * PM_WORD_BITS;
    uint64_t due = due_behind(reader, masks, w, before), unread = pmi_bits_low(bit);
    if (reader->state == PM_SHELL_COMMENT) {
        const uint64_t ends = masks->newlines & ~unread;
        if (ends == 0 || pmi_bits_lowest(ends) >= end) {
            *before = (word_before){false, false};
            return base + end;
        }
        unread = pmi_bits_low(pmi_bits_lowest(ends));
    }
    if (before->protects && bit == 0) {
        unread = 1;
        due &= ~UINT64_C(2);
        if (reader->state == PM_SHELL_CODE)
            reader->operands[w] |= 1;
    }
    uint64_t of = (end < PM_WORD_BITS ? pmi_bits_low(end) : UINT64_MAX) & ~unread;
    const uint64_t specials = specials_of(reader, masks, w) & of;
    const uint64_t hashes = masks->hashes & due & of;
    word_read read = {.code = 0};
    const bool in_string = reader->state != PM_SHELL_CODE && reader->state != PM_SHELL_COMMENT;
    const bool plain = !in_string && ((masks->quotes | masks->backslashes) & of) == 0;
    unsigned stop = reader->open ? PM_WORD_BITS + 1
                    : plain      ? plain_word_read(reader, masks, specials, hashes, of, w, &read)
                                 : word_read_at_once(reader, masks, specials, hashes, of, w, &read);
    const bool begins_code = stop < PM_WORD_BITS && reader->state == PM_SHELL_DOUBLE;
    if (begins_code) {
        const size_t behind = plain_code_end(reader, base + stop);
        word_note(reader, w, &read, of);
        if (behind >= base + PM_WORD_BITS)
            *before = (word_before){false, false};
        if (behind > 0)
            return plain_code_note(reader, base + stop, behind);
        of &= ~pmi_bits_low(stop);
    }
    if (stop > PM_WORD_BITS || begins_code) {
        const word_masks seldom = *masks; /* so that the masks themselves stay in registers */
        unsigned stop_by_steps;
        read = stops_read(reader, &seldom, specials, hashes, of, w, &stop_by_steps);
        stop = stop_by_steps;
    }
    word_note(reader, w, &read, of);
    if (stop < PM_WORD_BITS) {
        const size_t next =
            reader->state == PM_SHELL_DOUBLE ? base + stop : pmi_shell_read_special(reader, base + stop);
        if (next >= base + PM_WORD_BITS)
            *before = (word_before){reader->lexer->class_of[reader->text[next - 1]] >> PM_SHELL_DUE & 1, false};
        return next;
    }
    *before = (word_before){(masks->of[PM_SHELL_DUE] & ~read.operands) >> (PM_WORD_BITS - 1), read.protects};
    return base + end;
}

/* Is word w, without tokens, so plain that nothing but its bytes of code is to be noted? */
static bool is_plain(const pmi_shell_reader *reader, size_t w) {
    const uint64_t *const of = word_at(reader, w), *const before = w > 0 ? of - PM_SHELL_CLASSES : no_word;
    return reader->state != PM_SHELL_CODE ||
           (words_of(of, before) == 0 && !reader->surrounded && w > (reader->fresh + 3) / PM_WORD_BITS);
}

/* Reads from byte i, in a state of the table, to before byte `to`, or up to where the state is another. Returns the
 * next byte. */
static size_t read_words(pmi_shell_reader *reader, size_t i, size_t to) {
    word_before before = {false, false};
    while (i < to && reader->state != PM_SHELL_OTHER) {
        const size_t w = i / PM_WORD_BITS, next = (w + 1) * PM_WORD_BITS;
        const unsigned end = to < next ? to % PM_WORD_BITS : PM_WORD_BITS;
        if (i % PM_WORD_BITS == 0 && end == PM_WORD_BITS && !before.protects &&
            word_at(reader, w)[PM_SHELL_TOKEN] == 0 && is_plain(reader, w)) {
            const uint64_t code = reader->state == PM_SHELL_CODE ? UINT64_MAX : 0;
            const bool comment = reader->state == PM_SHELL_COMMENT;
            reader->code[w] = code;
            reader->outside[w] |= code;
            before.due = !comment && word_at(reader, w)[PM_SHELL_DUE] >> (PM_WORD_BITS - 1);
            i = next;
            continue;
        }
        const word_masks masks = masks_read(reader, w);
        do {
            const size_t from = i;
            const bool hides = reader->surrounded && reader->lexer->lines;
            i = read_word(reader, &masks, w, i % PM_WORD_BITS, end, &before);
            if (hides)
                pmi_lexer_hide_lines(reader->lexer, reader->outside, from, i);
        } while (i < next && i < to && reader->state != PM_SHELL_OTHER);
    }
    return i;
}

/* ---- Pieces ---- */

/* The byte before which words may be read: what the last bytes mean may depend on what follows. */
static size_t words_end(const unsigned char *text, size_t from, size_t to) {
    const unsigned char last = from < to ? text[to - 1] : 0;
    if (last != '\\' && last != '$' && last != '<')
        return to;
    for (to--; to > from && text[to - 1] == '\\';)
        to--;
    return to;
}

/* Reads byte i where the state is none of the table's. */
static size_t read_other(pmi_shell_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    if (lexer->state == PM_LEXER_REGION && (lexer->region->flags & PM_REGION_HEREDOC)) {
        const size_t line = pmi_lexer_heredoc_ahead(lexer, reader->text + i, reader->to - i);
        if (line > 0) {
            pmi_shell_state_take(reader);
            pmi_shell_look_around(reader);
            pmi_shell_refresh(reader, i + line);
            return i + line;
        }
        i += pmi_lexer_heredoc_rest(lexer, reader->text + i, reader->to - i);
        reader->noted = i;
        if (i == reader->to)
            return i;
    }
    return pmi_shell_read_alone(reader, i);
}

static void range_read(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
                       size_t to, uint64_t *outside) {
    pmi_shell_reader reader;
    const size_t end = words_end(text, from, to);
    reader.lexer = lexer;
    reader.text = text;
    reader.piece = piece;
    reader.begin = from;
    reader.to = to;
    reader.position = lexer->position - from;
    reader.outside = outside;
    reader.nest_count = 0;
    const size_t first = from / PM_WORD_BITS, count = pmi_bits_words(to) - first;
    memset(reader.code + first, 0, count * sizeof *reader.code);
    memset(reader.operands + first, 0, count * sizeof *reader.operands);
    memset(reader.dollars + first, 0, count * sizeof *reader.dollars);
    pmi_shell_state_take(&reader);
    pmi_shell_look_around(&reader);
    pmi_shell_refresh(&reader, from);
    for (size_t i = from; i < to;) {
        const size_t at = i;
        const bool alone = reader.state == PM_SHELL_OTHER || i >= end, hides = alone && pmi_lexer_hides_lines(lexer);
        i = reader.state == PM_SHELL_OTHER ? read_other(&reader, i)
            : i < end                      ? read_words(&reader, i, end)
                                           : pmi_shell_read_alone(&reader, i);
        if (hides)
            pmi_lexer_hide_lines(lexer, outside, at, i);
    }
    pmi_shell_nests_give(&reader);
    pmi_shell_state_give(&reader);
    if (!lexer->ends)
        pmi_shell_catch_up(&reader, to);
    lexer->position = reader.position + to;
}

PM_LEXER_FOR_BITS static void range_read_by_bits(pmi_lexer *lexer, const unsigned char *text,
                                                 const pmi_lexer_masks *piece, size_t from, size_t to,
                                                 uint64_t *outside) {
    range_read(lexer, text, piece, from, to, outside);
}

void pmi_lexer_shell_range(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
                           size_t to, uint64_t *outside) {
    if (pmi_lexer_has_bits(lexer))
        range_read_by_bits(lexer, text, piece, from, to, outside);
    else
        range_read(lexer, text, piece, from, to, outside);
}
