/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lexer in languages such as Python and TOML, where all that code contains are comments of a line, strings of one
 * and of three quotes of two sorts. Which bytes a backslash protects, and where three quotes begin, follows from masks;
 * a table goes from one quote, # or newline to the next, and asks what a byte is before it knows the state, so that
 * nothing waits for a branch.
 */
#include <string.h>

#include "broadword/text/code_masks.h"
#include "core/lexer/parts.h"

/* States; and the region of each but the first. */
enum {
    CODE = 0,
    COMMENT,
    DOUBLE, /* inside "" */
    SINGLE,
    DOUBLES, /* inside """ """ */
    SINGLES,
    STATES
};

/* What a byte is: one of these, and flags. */
enum {
    A_DOUBLE = 0,
    A_SINGLE,
    A_HASH,
    A_NEWLINE,
    ESCAPED = 4, /* behind a backslash */
    TRIPLE = 8,  /* the first of three quotes */
    SYMBOLS = 16
};

/* ---- Which languages ---- */

static unsigned state_of(const pmi_region *region) {
    static const struct {
        const char *open;
        unsigned needed, allowed; /* flags */
    } forms[STATES] = {
        [COMMENT] = {"#", PM_REGION_COMMENT | PM_REGION_LINE, PM_REGION_COMMENT | PM_REGION_LINE},
        [DOUBLE] = {"\"", PM_REGION_LINE, PM_REGION_LINE | PM_REGION_ESCAPES | PM_REGION_CONTINUED},
        [SINGLE] = {"'", PM_REGION_LINE, PM_REGION_LINE | PM_REGION_ESCAPES | PM_REGION_CONTINUED},
        [DOUBLES] = {"\"\"\"", 0, PM_REGION_ESCAPES},
        [SINGLES] = {"'''", 0, PM_REGION_ESCAPES},
    };
    for (unsigned state = COMMENT; state < STATES; state++)
        if (region->open && strcmp(region->open, forms[state].open) == 0 && !region->prefix &&
            (region->flags & forms[state].needed) == forms[state].needed && !(region->flags & ~forms[state].allowed))
            return state;
    return CODE;
}

/* Inside a string: does the byte end it? */
static bool ends_string(const pmi_region *region, unsigned quote, unsigned symbol) {
    const unsigned byte = symbol & 3;
    if (byte == A_NEWLINE)
        return region->flags & PM_REGION_LINE && !(symbol & ESCAPED && region->flags & PM_REGION_CONTINUED);
    return byte == quote && !(symbol & ESCAPED && region->flags & PM_REGION_ESCAPES) &&
           (!region->open[1] || symbol & TRIPLE);
}

static unsigned next_state(const pmi_lexer *lexer, unsigned state, unsigned symbol) {
    static const uint8_t opened[] = {[A_DOUBLE] = DOUBLE, [A_SINGLE] = SINGLE, [A_HASH] = COMMENT, [A_NEWLINE] = CODE};
    static const uint8_t opened_by_three[] = {
        [A_DOUBLE] = DOUBLES, [A_SINGLE] = SINGLES, [A_HASH] = COMMENT, [A_NEWLINE] = CODE};
    const unsigned byte = symbol & 3;
    if (state == CODE)
        return symbol & TRIPLE ? opened_by_three[byte] : opened[byte];
    if (state == COMMENT)
        return byte == A_NEWLINE ? CODE : COMMENT;
    const unsigned quote = state == DOUBLE || state == DOUBLES ? A_DOUBLE : A_SINGLE;
    return ends_string(lexer->strings.regions[state], quote, symbol) ? CODE : state;
}

void pmi_lexer_strings_init(pmi_lexer *lexer) {
    const pm_language *const language = lexer->language;
    if (language->region_count != STATES - 1 || language->code != 0)
        return;
    for (size_t r = 0; r < language->region_count; r++)
        lexer->strings.regions[state_of(&language->regions[r])] = &language->regions[r];
    if (lexer->strings.regions[CODE])
        return;
    for (unsigned state = COMMENT; state < STATES; state++)
        if (!lexer->strings.regions[state])
            return;
    for (unsigned state = CODE; state < STATES; state++)
        for (unsigned symbol = 0; symbol < SYMBOLS; symbol++)
            lexer->strings.next[state][symbol] = (uint8_t)next_state(lexer, state, symbol);
    lexer->class_of['\r'] |= 1u << PM_LEXER_ENDS_TEMPLATE_CODE; /* there are none */
    lexer->strings.known = true;
}

/* ---- Words ---- */

typedef struct strings_reader {
    const pmi_lexer *lexer;
    const pmi_lexer_masks *piece;
    unsigned doubles_class, singles_class, lines_class;
    unsigned state;
    size_t start;        /* of the region in the piece; SIZE_MAX: before it */
    bool escaped;        /* the next byte, behind a backslash */
    bool escaped_return; /* the last byte was a '\r' that is */
    unsigned taken;      /* of the next bytes: quotes of three that began before */
} strings_reader;

typedef struct word_masks {
    uint64_t doubles, singles, hashes, newlines;
    uint64_t escaped, triples;
} word_masks;

/* The bytes with two more of the class behind them. */
static uint64_t triples_of(uint64_t word, uint64_t next) {
    return word & (word >> 1 | next << 63) & (word >> 2 | next << 62);
}

static word_masks masks_read(strings_reader *reader, size_t w) {
    const uint64_t *const of = reader->piece->masks + reader->piece->classes * w, *const next =
                                                                                      of + reader->piece->classes;
    const uint64_t opens = of[PM_LEXER_ENDS_CODE];
    word_masks masks;
    masks.doubles = of[reader->doubles_class] & opens;
    masks.singles = of[reader->singles_class] & opens;
    masks.hashes = opens & ~(masks.doubles | masks.singles);
    masks.newlines = of[reader->lines_class];
    masks.triples = triples_of(masks.doubles, next[reader->doubles_class] & next[PM_LEXER_ENDS_CODE]) |
                    triples_of(masks.singles, next[reader->singles_class] & next[PM_LEXER_ENDS_CODE]);
    return masks;
}

/* Sets masks->escaped, and goes on to the next word. */
static void escapes_read(strings_reader *reader, size_t w, size_t from, word_masks *masks) {
    const uint64_t *const of = reader->piece->masks + reader->piece->classes * w;
    const uint64_t read = w == from / PM_WORD_BITS ? ~pmi_bits_low(from % PM_WORD_BITS) : UINT64_MAX;
    const uint64_t backslashes = of[reader->doubles_class] & ~of[PM_LEXER_ENDS_CODE] & read;
    masks->escaped = 0;
    if (backslashes == 0 && !reader->escaped && !reader->escaped_return)
        return;
    const pmi_quotation before = {true, reader->escaped};
    const uint64_t codes = pmi_quoted_escapes(&before, backslashes);
    masks->escaped = codes ^ (backslashes | (uint64_t)reader->escaped);
    const uint64_t returns = masks->escaped & of[PM_LEXER_ENDS_TEMPLATE_CODE];
    masks->escaped |= (returns << 1 | (uint64_t)reader->escaped_return) & masks->newlines;
    reader->escaped = (codes & backslashes) >> (PM_WORD_BITS - 1);
    reader->escaped_return = returns >> (PM_WORD_BITS - 1);
}

/* Goes through the stops of word w; returns which bytes are not in code, and stores which are in strings of a line. */
static inline uint64_t word_read(strings_reader *reader, const word_masks *masks, uint64_t stops, size_t w,
                                 uint64_t *lined) {
    const pmi_lexer *const lexer = reader->lexer;
    unsigned state = reader->state;
    uint64_t skipped = state == CODE ? 0 : UINT64_MAX, long_ones = state < DOUBLES ? 0 : UINT64_MAX;
    size_t start = reader->start;
    while (stops != 0) {
        const unsigned bit = pmi_bits_lowest(stops);
        const unsigned byte = (unsigned)(masks->singles >> bit & 1) | (unsigned)(masks->hashes >> bit & 1) << 1 |
                              (unsigned)(masks->newlines >> bit & 1) * A_NEWLINE;
        const unsigned symbol =
            byte | (unsigned)(masks->escaped >> bit & 1) * ESCAPED | (unsigned)(masks->triples >> bit & 1) * TRIPLE;
        const unsigned next = lexer->strings.next[state][symbol];
        stops &= stops - 1;
        if (masks->triples != 0 && next != state && (next >= DOUBLES || state >= DOUBLES)) { /* both quotes behind it */
            stops &= ~(UINT64_C(6) << bit);
            reader->taken = bit > PM_WORD_BITS - 3 ? bit - (PM_WORD_BITS - 3) : 0;
        }
        start = state == CODE ? w * PM_WORD_BITS + bit : start;
        long_ones ^= (0 - (uint64_t)((state < DOUBLES) != (next < DOUBLES))) << bit;
        skipped ^= (0 - (uint64_t)((state == CODE) != (next == CODE))) << bit;
        state = next;
    }
    reader->state = state;
    reader->start = start;
    *lined = skipped & ~long_ones;
    return skipped;
}

/* From each # of `hashes` to before the next newline; what goes on goes on into the next word. */
static inline uint64_t comments_of(uint64_t hashes, uint64_t newlines, bool *open) {
    return pmi_code_spans(hashes, newlines, open) & ~newlines;
}

/* Reads a word by parities, in which no backslash protects anything and no three quotes stand in a row, and which has
 * quotes of one sort outside comments. Returns false, with nothing done, if there are others, or what ends in another
 * way than by its own quote. */
static inline bool parities_read(strings_reader *reader, const word_masks *masks, uint64_t unread, size_t w,
                                 uint64_t *skipped) {
    const uint64_t newlines = masks->newlines & ~unread, hashes = masks->hashes & ~unread;
    bool open = reader->state == COMMENT;
    const uint64_t comments = hashes || open ? comments_of(hashes, newlines, &open) : 0;
    const uint64_t doubles = masks->doubles & ~comments & ~unread, singles = masks->singles & ~comments & ~unread;
    const bool quoted = reader->state == DOUBLE || reader->state == SINGLE;
    if (reader->state >= DOUBLES || (doubles && singles) || (reader->state == DOUBLE && singles) ||
        (reader->state == SINGLE && doubles))
        return false;
    const uint64_t inside = pmi_bits_parities(doubles | singles) ^ (quoted ? UINT64_MAX : 0);
    if (inside & (newlines | hashes))
        return false;
    *skipped = inside | comments;
    if (open) {
        const size_t begin = comments == UINT64_MAX ? 0 : pmi_bits_highest(~comments) + 1;
        if (comments != UINT64_MAX || reader->state != COMMENT)
            reader->start = w * PM_WORD_BITS + begin;
        reader->state = COMMENT;
    } else {
        const uint64_t quotes = doubles | singles;
        reader->start = quotes ? w * PM_WORD_BITS + pmi_bits_highest(quotes) : reader->start;
        reader->state = !(inside >> (PM_WORD_BITS - 1)) ? CODE : quotes ? (doubles ? DOUBLE : SINGLE) : reader->state;
    }
    return true;
}

/* Can nothing begin or end in the word? */
static inline bool goes_on(const strings_reader *reader, const uint64_t *of) {
    switch (reader->state) {
    case CODE:
        return of[PM_LEXER_ENDS_CODE] == 0;
    case COMMENT:
        return of[reader->lines_class] == 0;
    case DOUBLES:
        return of[reader->doubles_class] == 0;
    case SINGLES:
        return ((of[reader->singles_class] & of[PM_LEXER_ENDS_CODE]) |
                (of[reader->doubles_class] & ~of[PM_LEXER_ENDS_CODE])) == 0;
    default:
        return false;
    }
}

/* Reads a word; `from` is the first byte of all. */
static uint64_t skipped_of(strings_reader *reader, size_t w, size_t from) {
    if (reader->taken == 0 && w > from / PM_WORD_BITS &&
        goes_on(reader, reader->piece->masks + reader->piece->classes * w)) {
        reader->escaped = reader->escaped_return = false;
        return reader->state == CODE ? 0 : UINT64_MAX;
    }
    word_masks masks = masks_read(reader, w);
    escapes_read(reader, w, from, &masks);
    uint64_t skipped, lined, unread = pmi_bits_low(reader->taken);
    if (w == from / PM_WORD_BITS)
        unread |= pmi_bits_low(from % PM_WORD_BITS);
    reader->taken = 0;
    const uint64_t quotes = (masks.doubles | masks.singles | masks.hashes) & ~unread;
    const uint64_t newlines = masks.newlines & ~unread;
    if ((masks.triples | masks.escaped) == 0 && parities_read(reader, &masks, unread, w, &skipped))
        return skipped;
    const bool lines = reader->state == COMMENT || (quotes & masks.hashes) != 0;
    if (!lines) { /* few lines end in a string */
        const strings_reader before = *reader;
        skipped = word_read(reader, &masks, quotes, w, &lined);
        if ((lined & newlines) == 0)
            return skipped;
        *reader = before;
    }
    return word_read(reader, &masks, quotes | newlines, w, &lined);
}

/* ---- Pieces ---- */

static unsigned state_taken(const pmi_lexer *lexer) {
    if (lexer->state == PM_LEXER_CODE)
        return CODE;
    for (unsigned state = COMMENT; state < STATES; state++)
        if (lexer->region == lexer->strings.regions[state])
            return state;
    return CODE;
}

static void state_left(const strings_reader *reader, pmi_lexer *lexer, const unsigned char *text, uint64_t position) {
    const unsigned escapes = PM_REGION_ESCAPES | PM_REGION_CONTINUED;
    lexer->state = PM_LEXER_CODE;
    if (reader->state == CODE)
        return;
    pmi_lexer_region_enter(lexer, lexer->strings.regions[reader->state]);
    if (reader->start != SIZE_MAX) {
        lexer->start = position + reader->start;
        lexer->first = text[reader->start];
    }
    if (lexer->region->flags & escapes && reader->escaped)
        lexer->escape = PM_LEXER_ESCAPE;
    if (lexer->region->flags & PM_REGION_CONTINUED && reader->escaped_return)
        lexer->escape = PM_LEXER_ESCAPE_RETURN;
}

size_t pmi_lexer_strings_range(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
                               size_t to, uint64_t position, uint64_t *outside) {
    strings_reader reader = {.lexer = lexer,
                             .piece = piece,
                             .doubles_class = pmi_lexer_region_class(lexer, lexer->strings.regions[DOUBLES]),
                             .singles_class = pmi_lexer_region_class(lexer, lexer->strings.regions[SINGLES]),
                             .lines_class = pmi_lexer_region_class(lexer, lexer->strings.regions[COMMENT]),
                             .state = state_taken(lexer),
                             .start = SIZE_MAX};
    size_t w = from / PM_WORD_BITS;
    for (; (w + 1) * PM_WORD_BITS + PM_LEXER_OPENING <= to; w++) {
        const uint64_t skipped = skipped_of(&reader, w, from);
        const uint64_t read = w == from / PM_WORD_BITS ? ~pmi_bits_low(from % PM_WORD_BITS) : UINT64_MAX;
        outside[w] |= ~skipped & read;
    }
    state_left(&reader, lexer, text, position);
    return w * PM_WORD_BITS + reader.taken;
}
