/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lexer in code with comments and strings as most languages have them, 64 bytes at a time. A table goes from one
 * byte that may matter to the next: it asks what the byte is, together with the one behind it, before it knows the
 * state, so that nothing waits for a branch. What the table does not know is left to range.c, byte by byte. What
 * came before a byte of code is noted in masks, from which the history is made when something asks for it.
 */
#include <string.h>

#include "core/lexer/parts.h"

/* Functions that the compiler reads the two loops over words with, so that what those read is in registers. */
#define INLINED static inline __attribute__((always_inline))

#define CODE 0u /* a state; the others are 1 + the number of a region */

/* What the table holds: a state, and below ACTION what is done to get there. */
enum {
    STATE = 31,
    TOGGLES = 1 << 5, /* code begins or ends here */
    BEHIND = 1 << 6,  /* or behind this byte */
    OPERAND = 1 << 7, /* a string ends */
    ACTION = 8,       /* bits above are one of these: */
    STOP = 1,         /* the byte is read in another way */
    OPEN_ONE,         /* this byte opens a comment */
    OPEN_TWO,         /* this byte and the next open a region */
    OPEN_SEVERAL,     /* perhaps this byte and those behind it do */
    OPEN_BEHIND,      /* the same, and what stands before decides */
    OPEN_UNNAMED,     /* this byte does, but behind a name it may be something else */
    OPEN_TICK,        /* a quote that may belong to a name */
    OPEN_CHARACTER,   /* a ? that begins a character but behind a name */
    CLOSE_LINE,       /* a newline closes the comment, and is code */
    CLOSE_CUT,        /* a newline ends the string, and is code */
    CLOSE_ONE,        /* this byte closes the region */
    CLOSE_TWO,        /* this byte and the next close the region */
    NEST,             /* or open another one inside it */
    BEGIN_CODE,       /* code begins in the string */
    BRACE,            /* and goes on or ends there */
    LINE_ONE,         /* as OPEN_ONE, of table->line */
    LINE_TWO,         /* as OPEN_TWO, of it */
    LINE_UNLESS,      /* the same, unless table->unless follows; then as OPEN_SEVERAL */
    BLOCK_TWO,        /* as OPEN_TWO, of table->block */
    ESCAPE,           /* a backslash */
    QUICK = LINE_ONE  /* these and those behind it are read at once, if they end in the word */
};

/* ---- The table ---- */

static bool is_open_of(const pmi_region *region, unsigned char first, unsigned char second) {
    return (unsigned char)region->open[0] == first && (!region->open[1] || (unsigned char)region->open[1] == second);
}

/* Is the region opened by one byte, whatever stands before it, and closed by one? */
static bool is_string(const pmi_region *region) {
    const unsigned others = PM_REGION_COMMENT | PM_REGION_OUTSIDE | PM_REGION_LIFETIME;
    return !region->open[1] && !region->close[1] && !(region->flags & others);
}

/* Does the table read the region? */
static bool is_known(const pmi_lexer *lexer, size_t r) {
    const pmi_region *const region = &lexer->language->regions[r];
    const bool known = (lexer->regions_ahead | lexer->regions_quick) >> r & 1 || region->flags & PM_REGION_AMPERSAND;
    const bool nests = region->flags & PM_REGION_NESTS;
    return known && region->open && !(region->flags & (PM_REGION_NOTHING | PM_REGION_NOT | PM_REGION_LONG)) &&
           r + 1 <= STATE && (!nests || (strlen(region->open) == 2 && strlen(region->close) == 2));
}

static unsigned opened(const pmi_lexer *lexer, size_t r, unsigned action) {
    if (!is_known(lexer, r))
        return STOP << ACTION;
    if (!action && !is_string(&lexer->language->regions[r]))
        action = OPEN_ONE;
    if (r + 1 == lexer->words.line && (action == OPEN_ONE || action == OPEN_TWO))
        action = action == OPEN_ONE ? LINE_ONE : LINE_TWO;
    if (r + 1 == lexer->words.block && action == OPEN_TWO)
        action = BLOCK_TWO;
    return (unsigned)(r + 1) | (action ? action << ACTION : TOGGLES);
}

/* Does the region's open begin as that of table->line, of two bytes, and go on? */
static bool open_goes_on(const pmi_lexer *lexer, const pmi_region *region) {
    const char *const line = lexer->words.line > 0 ? lexer->language->regions[lexer->words.line - 1].open : "";
    return strlen(line) == 2 && region->open && strncmp(region->open, line, 2) == 0 && region->open[2];
}

/* Several regions may begin with the byte, whatever the code before it. */
static unsigned opened_of_several(const pmi_lexer *lexer, unsigned char byte, unsigned char next) {
    size_t one = SIZE_MAX, two = SIZE_MAX;
    bool unless = false;
    for (uint32_t rest = lexer->opened_by[byte]; rest != 0; rest &= rest - 1) {
        const size_t r = pmi_bits_lowest(rest);
        const pmi_region *const region = &lexer->language->regions[r];
        if (!is_open_of(region, byte, next))
            continue;
        if (lexer->words.unless && open_goes_on(lexer, region)) {
            unless = true;
            continue;
        }
        if (region->flags & (PM_REGION_FIRST | PM_REGION_NOTHING | PM_REGION_NOT) || strlen(region->open) > 2)
            return OPEN_SEVERAL << ACTION;
        if (!region->open[1] && one == SIZE_MAX)
            one = r;
        if (region->open[1] && two == SIZE_MAX)
            two = r;
    }
    if (unless)
        return two + 1 == lexer->words.line ? (unsigned)(two + 1) | LINE_UNLESS << ACTION : OPEN_SEVERAL << ACTION;
    return two != SIZE_MAX ? opened(lexer, two, OPEN_TWO) : one != SIZE_MAX ? opened(lexer, one, 0) : CODE;
}

/* May the bracket end the code in a string, and is it nothing else? */
static bool is_brace(const pmi_lexer *lexer, unsigned char byte) {
    const unsigned classes = lexer->class_of[byte];
    return classes >> PM_LEXER_ENDS_TEMPLATE_CODE & 1 && !(classes >> PM_LEXER_ENDS_CODE & 1);
}

/* Do regions that the byte opens depend on what stands before it, but on no more of that than PREFIX_BYTES? */
static bool asks_what_is_before(const pmi_lexer *lexer, unsigned char byte) {
    if (lexer->ahead[byte] != PM_AHEAD_OPENS)
        return false;
    for (uint32_t rest = lexer->opened_by[byte]; rest != 0; rest &= rest - 1)
        if (lexer->language->regions[pmi_bits_lowest(rest)].flags & (PM_REGION_REGEX | PM_REGION_NOT))
            return false;
    return true;
}

/* Do regions that the byte and the next one open depend on what stands before them? */
static bool asks_before_pair(const pmi_lexer *lexer, unsigned char byte, unsigned char next) {
    for (uint32_t rest = lexer->opened_by[byte]; rest != 0; rest &= rest - 1) {
        const pmi_region *const region = &lexer->language->regions[pmi_bits_lowest(rest)];
        if (is_open_of(region, byte, next) && (region->prefix || region->flags & (PM_REGION_START | PM_REGION_WORD)))
            return true;
    }
    return false;
}

/* Is it a quote that behind some words begins a raw string? */
static bool may_be_raw(const pmi_lexer *lexer, unsigned char byte) {
    return byte == '"' && lexer->region_flags & (PM_REGION_DELIMITED | PM_REGION_HASHED) && lexer->alone[byte] > 0;
}

static unsigned behind_code(const pmi_lexer *lexer, unsigned char byte, unsigned char next) {
    if (byte && strchr("(){}", byte) && is_brace(lexer, byte))
        return BRACE << ACTION;
    if (lexer->ahead[byte] != PM_AHEAD_START && !(lexer->class_of[byte] >> PM_LEXER_ENDS_CODE & 1))
        return CODE;
    switch (lexer->ahead[byte]) {
    case PM_AHEAD_QUESTION:
        return OPEN_CHARACTER << ACTION;
    case PM_AHEAD_LESS:
        return next == '<' ? STOP << ACTION : CODE;
    case PM_AHEAD_SQUARE:
        return next == '[' || next == '=' ? STOP << ACTION : CODE;
    case PM_AHEAD_TICK:
        return OPEN_TICK << ACTION;
    default:
        break;
    }
    const unsigned quick = lexer->quick[byte];
    if (may_be_raw(lexer, byte))
        return opened(lexer, lexer->alone[byte] - 1u, OPEN_UNNAMED);
    if (quick == 0 && asks_what_is_before(lexer, byte) && next && !asks_before_pair(lexer, byte, next))
        return opened_of_several(lexer, byte, next);
    if (quick == 0)
        return asks_what_is_before(lexer, byte) ? OPEN_BEHIND << ACTION : STOP << ACTION;
    return quick == PM_QUICK_SEVERAL ? opened_of_several(lexer, byte, next) : opened(lexer, quick - 1, 0);
}

static unsigned closed(const pmi_region *region) {
    const unsigned char second = (unsigned char)region->close[1];
    if (second == 0)
        return is_string(region) ? CODE | TOGGLES | BEHIND | OPERAND : CLOSE_ONE << ACTION;
    return region->close[2] || region->flags & PM_REGION_LEAVES ? STOP << ACTION : CODE | CLOSE_TWO << ACTION;
}

static unsigned behind_region(const pmi_lexer *lexer, unsigned state, unsigned char byte, unsigned char next) {
    const pmi_region *const region = &lexer->language->regions[state - 1];
    const unsigned flags = region->flags;
    if (!is_known(lexer, state - 1))
        return STOP << ACTION;
    if (byte == '\n' && flags & PM_REGION_LINE)
        return flags & PM_REGION_COMMENT ? CLOSE_LINE << ACTION : CLOSE_CUT << ACTION;
    if (byte == '&' && flags & PM_REGION_AMPERSAND)
        return STOP << ACTION;
    if (flags & PM_REGION_TEMPLATE && byte == (unsigned char)region->code[0] && next && strchr(region->code + 1, next))
        return BEGIN_CODE << ACTION;
    if (byte == '\\' && flags & (PM_REGION_ESCAPES | PM_REGION_CONTINUED))
        return state | ESCAPE << ACTION;
    if (flags & PM_REGION_NESTS && is_open_of(region, byte, next))
        return state | NEST << ACTION;
    if (flags & PM_REGION_TEMPLATE && byte == (unsigned char)region->code[0])
        return state;
    const bool closes =
        byte == (unsigned char)region->close[0] && (!region->close[1] || next == (unsigned char)region->close[1]);
    return closes ? closed(region) : state;
}

/* Returns the class of the byte, perhaps a new one. */
static unsigned class_with(pmi_lexer_words_table *table, unsigned char byte) {
    if (table->class_of[byte] == 0 && table->classes < PM_WORDS_CLASSES) {
        table->bytes[table->classes] = byte;
        table->class_of[byte] = (uint8_t)table->classes++;
    }
    return table->class_of[byte];
}

/* Has the language regions and no code that the table would leave at most of its bytes? */
static bool is_possible(const pmi_lexer *lexer) {
    const unsigned code = PM_CODE_PERL | PM_CODE_SHELL | PM_CODE_SEPARATORS;
    return !(lexer->language->code & code) && !(lexer->region_flags & (PM_REGION_YAML | PM_REGION_JSX)) &&
           !lexer->strings.known && lexer->language->region_count > 0;
}

/* Returns the symbol that takes every state to that of `next`, perhaps a new one. */
static unsigned symbol_with(pmi_lexer_words_table *table, const uint16_t *next, unsigned states) {
    for (unsigned symbol = 0; symbol < table->symbols; symbol++) {
        unsigned state = 0;
        while (state < states && table->next[state][symbol] == next[state])
            state++;
        if (state == states)
            return symbol;
    }
    if (table->symbols == PM_WORDS_SYMBOLS)
        return PM_WORDS_SYMBOLS;
    for (unsigned state = 0; state < states; state++)
        table->next[state][table->symbols] = next[state];
    return table->symbols++;
}

/* The symbol of a byte with that one behind it; PM_WORDS_SYMBOLS: there are too many. */
static unsigned symbol_of(pmi_lexer *lexer, unsigned char byte, unsigned char behind) {
    const unsigned states = (unsigned)lexer->language->region_count + 1;
    uint16_t next[PM_WORDS_STATES];
    for (unsigned state = 0; state < states; state++)
        next[state] =
            (uint16_t)(state == CODE ? behind_code(lexer, byte, behind) : behind_region(lexer, state, byte, behind));
    return symbol_with(&lexer->words, next, states);
}

static bool note_byte(pmi_lexer *lexer, unsigned char byte) {
    const unsigned symbol = symbol_of(lexer, byte, 0), class = class_with(&lexer->words, byte);
    memset(lexer->words.symbol_of[class], (int)symbol, sizeof lexer->words.symbol_of[class]);
    return symbol<PM_WORDS_SYMBOLS &&class> 0;
}

/* Notes what a byte means before those of a string. */
static bool note_pairs(pmi_lexer *lexer, char first, const char *seconds) {
    const unsigned char byte = (unsigned char)first;
    for (; *seconds && lexer->words.class_of[byte] > 0; seconds++) {
        const unsigned char behind = (unsigned char)*seconds;
        const unsigned symbol = symbol_of(lexer, byte, behind), class = class_with(&lexer->words, behind);
        if (symbol == PM_WORDS_SYMBOLS || class == 0)
            return false;
        lexer->words.symbol_of[lexer->words.class_of[byte]][class] = (uint8_t)symbol;
    }
    return true;
}

/* Returns false if there is too much to note. */
static bool note_bytes(pmi_lexer *lexer) {
    pmi_lexer_words_table *const table = &lexer->words;
    const unsigned others = 1u << PM_LEXER_BRACKET | (lexer->language->code & PM_CODE_RUBY ? 1u << PM_LEXER_BLANK : 0);
    for (unsigned state = 0; state < PM_WORDS_STATES; state++)
        table->next[state][0] = (uint16_t)state;
    table->symbols = table->classes = 1; /* 0: of other bytes */
    for (unsigned byte = 1; byte < 256; byte++)
        if (lexer->class_of[byte] & ~others && !note_byte(lexer, (unsigned char)byte))
            return false;
    for (size_t r = 0; r < lexer->language->region_count; r++) {
        const pmi_region *const region = &lexer->language->regions[r];
        const char *const open = region->open, *const close = region->close, *const code = region->code;
        if ((open && open[1] && !note_pairs(lexer, open[0], (const char[]){open[1], 0})) ||
            (close && close[1] && !note_pairs(lexer, close[0], (const char[]){close[1], 0})) ||
            (code && !note_pairs(lexer, code[0], code + 1)))
            return false;
    }
    return note_pairs(lexer, '<', "<") && note_pairs(lexer, '[', "[=");
}

/* Does the quote of string r mean no more in code than its beginning, or that of one whose open is three such quotes,
 * or of one behind a prefix? */
static void note_quote(pmi_lexer *lexer, size_t r) {
    pmi_lexer_words_table *const table = &lexer->words;
    const pmi_region *const region = &lexer->language->regions[r];
    const unsigned char quote = (unsigned char)region->open[0];
    if ((lexer->quick[quote] == 0 && !asks_what_is_before(lexer, quote) && !may_be_raw(lexer, quote)) ||
        region->close[0] != region->open[0] || region->prefix)
        return;
    for (unsigned byte = 0; byte < 256; byte++)
        if (byte != quote &&
            lexer->class_of[byte] >> PM_LEXER_ENDS_CODE & lexer->class_of[byte] >> lexer->region_class[r] & 1)
            table->shared |= UINT32_C(1) << r;
    for (uint32_t rest = lexer->opened_by[quote]; rest != 0; rest &= rest - 1) {
        const size_t other = pmi_bits_lowest(rest);
        const pmi_region *const longer = &lexer->language->regions[other];
        if (longer->flags & (PM_REGION_START | PM_REGION_WORD))
            return;
        if (longer->prefix || may_be_raw(lexer, quote))
            table->prefixed |= UINT32_C(1) << r;
        if (other == r || !longer->open[1])
            continue;
        if (longer->open[1] != longer->open[0] || longer->open[2] != longer->open[0])
            return;
        table->triples |= UINT32_C(1) << r;
    }
    table->quote_of[table->class_of[quote]] = (uint8_t)(r + 1);
}

static inline unsigned string_of(const pmi_lexer_words_table *table, unsigned char quote) {
    return table->quote_of[table->class_of[quote]];
}

/* Many words of Ruby and of languages with quotes in names have stops other than those of strings, unless lines are. */
static void note_parity(pmi_lexer *lexer) {
    bool quotes = false, lines = !(lexer->region_flags & PM_REGION_TICK || lexer->language->code & PM_CODE_RUBY);
    for (size_t r = 0; r < lexer->language->region_count; r++)
        if (lexer->words.strings >> r & 1) {
            note_quote(lexer, r);
            quotes |= string_of(&lexer->words, (unsigned char)lexer->language->regions[r].open[0]) == r + 1;
            lines |= (lexer->language->regions[r].flags & PM_REGION_LINE) != 0;
        }
    for (size_t r = 0; r < lexer->language->region_count; r++)
        lexer->words.prefixes |= lexer->language->regions[r].prefix != NULL;
    const bool asks = lexer->words.prefixes || lexer->region_flags & PM_REGION_WORD;
    lines |= lexer->words.prefixes && !(lexer->language->code & PM_CODE_RUBY); /* only then are such strings read */
    lexer->words.by_parity = lines && (quotes || asks);
}

/* Does a backslash do no more than to protect the next byte, if that is neither a space nor a z? */
static bool escapes_plainly(const pmi_region *region) {
    return region->flags & PM_REGION_ESCAPES && !(region->code && region->code[0] == '\\');
}

/* Does a newline alone end it? */
static bool is_line(const pmi_region *region) {
    return region->flags == (PM_REGION_COMMENT | PM_REGION_LINE) && region->close && strcmp(region->close, "\n") == 0;
}

static bool is_block(const pmi_region *region) {
    return !(region->flags & ~(PM_REGION_COMMENT | PM_REGION_NESTS | PM_REGION_BRACKET)) &&
           region->flags & PM_REGION_COMMENT && region->close && strlen(region->close) == 2;
}

static void note_regions(pmi_lexer *lexer) {
    pmi_lexer_words_table *const table = &lexer->words;
    for (size_t r = 0; r < lexer->language->region_count; r++) {
        const pmi_region *const region = &lexer->language->regions[r];
        if (!is_known(lexer, r))
            continue;
        table->regions |= UINT32_C(1) << r;
        table->escapes |= (uint32_t)escapes_plainly(region) << r;
        if (table->line == 0 && is_line(region))
            table->line = (uint8_t)(r + 1);
        if (table->block == 0 && is_block(region))
            table->block = (uint8_t)(r + 1);
        if (is_string(&lexer->language->regions[r])) {
            table->strings |= UINT32_C(1) << r;
            table->string_classes |= 1u << lexer->region_class[r];
        }
    }
}

/* Notes the byte by which other opens than that of table->line go on, if they go on by one byte alone. */
static void note_unless(pmi_lexer *lexer) {
    for (size_t r = 0; r < lexer->language->region_count; r++) {
        const pmi_region *const region = &lexer->language->regions[r];
        if (!open_goes_on(lexer, region))
            continue;
        if (region->open[3] || lexer->words.unless) {
            lexer->words.unless = 0;
            return;
        }
        lexer->words.unless = (unsigned char)region->open[2];
    }
}

void pmi_lexer_words_init(pmi_lexer *lexer) {
    pmi_lexer_words_table *const table = &lexer->words;
    const size_t states = lexer->language->region_count + 1;
    if (states > PM_WORDS_STATES || !is_possible(lexer))
        return;
    note_regions(lexer);
    note_unless(lexer);
    table->known = note_bytes(lexer);
    note_parity(lexer);
    table->always = lexer->language->by_table;
}

/* ---- The history ---- */

typedef struct words_reader {
    pmi_lexer *lexer;
    const unsigned char *text;
    const pmi_lexer_masks *piece;
    size_t from;
    uint64_t position; /* of the piece */
    unsigned state;
    bool in_string; /* the code is */
    uint64_t depth;
    size_t start; /* of the region in the piece; SIZE_MAX: before it */
    size_t to;
    unsigned over;                                     /* bytes of the next word that are read */
    uint64_t over_operands, over_blanks, over_counted; /* of those: as in word_read */
    pmi_lexer_noted *noted;
} words_reader;

static bool is_blank_word(const unsigned char *word) {
    unsigned blanks = 0;
    for (unsigned k = 0; k < PM_WORD_BITS; k++)
        blanks += pmi_byte_is_space(word[k]);
    return blanks == PM_WORD_BITS;
}

/* How many bytes before byte `to`, of up to 64 from byte `from` on, were noted as code. */
static inline unsigned code_before(const pmi_lexer_noted *noted, size_t from, size_t to) {
    const size_t w = to / PM_WORD_BITS, bit = to % PM_WORD_BITS;
    uint64_t code = bit > 0 ? noted->code[w] << (PM_WORD_BITS - bit) : 0;
    if (w > from / PM_WORD_BITS)
        code |= noted->code[w - 1] >> bit;
    const size_t run = code == UINT64_MAX ? PM_WORD_BITS : PM_WORD_BITS - 1 - pmi_bits_highest(~code);
    return (unsigned)(run < to - from ? run : to - from);
}

__attribute__((noinline)) pmi_lexer_history pmi_lexer_history_before(const pmi_lexer *lexer,
                                                                     const pmi_lexer_noted *noted,
                                                                     const unsigned char *text, size_t from, size_t to,
                                                                     unsigned count) {
    pmi_lexer_back back = {.count = 0};
    pmi_lexer_history history = lexer->history;
    const size_t first = from / PM_WORD_BITS;
    const unsigned run = code_before(noted, from, to);
    if (run > PM_HISTORY_BYTES &&
        !(pmi_byte_is_space(text[to - 1]) && pmi_byte_is_space(text[to - 2]))) { /* as a rule */
        pmi_lexer_history_extend(&history, text + to - run, run);
        return history;
    }
    size_t w = (to + PM_WORD_BITS - 1) / PM_WORD_BITS;
    uint64_t below = to % PM_WORD_BITS ? pmi_bits_low(to % PM_WORD_BITS) : UINT64_MAX;
    while (w-- > first && back.count <= count) {
        uint64_t rest = (noted->code[w] | noted->operands[w] | noted->blanks[w]) & below;
        below = UINT64_MAX;
        if (noted->code[w] == UINT64_MAX && rest == UINT64_MAX && pmi_lexer_back_ends_in_line(&back) &&
            is_blank_word(text + w * PM_WORD_BITS))
            continue;
        while (rest != 0 && back.count <= count) {
            const unsigned bit = pmi_bits_highest(rest);
            unsigned char byte = text[w * PM_WORD_BITS + bit];
            rest ^= UINT64_C(1) << bit;
            if (!(noted->code[w] >> bit & 1))
                byte = !(noted->operands[w] >> bit & 1) ? ' ' : noted->blanks[w] >> bit & 1 ? '{' : PM_LEXER_OPERAND;
            pmi_lexer_back_add(&back, byte);
        }
    }
    pmi_lexer_history_push_back(&history, &back);
    return history;
}

/* Gives the history what was noted before byte `to`, as far back as it remembers. */
INLINED void history_make(const words_reader *reader, size_t to) {
    if (to > reader->from && reader->lexer->remembers)
        reader->lexer->history =
            pmi_lexer_history_before(reader->lexer, reader->noted, reader->text, reader->from, to, PM_HISTORY_BYTES);
}

/* ---- Words ---- */

/* What of a word is read. */
typedef struct word_read {
    uint64_t code, operands, blanks;
    uint64_t counted;   /* brackets that begin and end comments */
    uint64_t uncounted; /* code's, that are none */
    uint64_t strings;   /* the bytes that may matter in code and in strings */
} word_read;

/* The bytes of word w that may matter in a state that is entered at a byte before `bit`. */
INLINED uint64_t stops_from(const words_reader *reader, const word_read *read, size_t w, unsigned bit) {
    const pmi_lexer *const lexer = reader->lexer;
    const uint64_t behind = bit < PM_WORD_BITS ? UINT64_MAX << bit : 0;
    if (reader->state == CODE || lexer->words.strings >> (reader->state - 1) & 1)
        return read->strings & behind;
    return pmi_lexer_mask_of(reader->piece, w, lexer->region_class[reader->state - 1]) & behind;
}

/* Does a quote here, at a bit of a word, belong to what is before it? */
INLINED bool is_tick(const words_reader *reader, const word_read *read, size_t i) {
    if (i == reader->from)
        return pmi_lexer_is_tick(&reader->lexer->history);
    const size_t before = i - 1, w = before / PM_WORD_BITS;
    const bool here = w == i / PM_WORD_BITS;
    const uint64_t operands = here ? read->operands : reader->noted->operands[w],
                   code = here ? read->code : reader->noted->code[w];
    if (operands >> before % PM_WORD_BITS & 1)
        return true;
    if (!(code >> before % PM_WORD_BITS & 1))
        return false; /* a comment */
    return pmi_lexer_is_tick(&(pmi_lexer_history){reader->text[before], 0});
}

INLINED uint64_t bits_between(unsigned from, unsigned to) {
    return (to < PM_WORD_BITS ? pmi_bits_low(to) : UINT64_MAX) & ~pmi_bits_low(from);
}

/* Reads what a quote begins. Returns false if that is to be read in another way. */
INLINED bool tick_read(words_reader *reader, word_read *read, size_t w, unsigned bit, uint64_t *stops) {
    const unsigned char *const word = reader->text + w * PM_WORD_BITS;
    unsigned end = bit + 1;
    if (is_tick(reader, read, w * PM_WORD_BITS + bit))
        return true;
    while (end < PM_WORD_BITS && pmi_byte_in_name(word[end]))
        end++;
    if (end >= PM_WORD_BITS)
        return false;
    if (end == bit + 1) { /* no letter is a character */
        if (word[end] == ':' || word[end] == '[' || word[end] == '\n')
            return false;
        for (size_t r = 0; r < reader->lexer->language->region_count; r++)
            if (reader->lexer->language->regions[r].flags & PM_REGION_LIFETIME)
                reader->state = (unsigned)r + 1;
        read->code &= pmi_bits_low(bit);
        reader->start = w * PM_WORD_BITS + bit;
        *stops = stops_from(reader, read, w, bit + 1);
        return true;
    }
    end += word[end] == '\'';
    const uint64_t skipped = bits_between(bit, end);
    read->code &= ~skipped;
    read->operands |= UINT64_C(1) << (end - 1);
    *stops &= ~skipped;
    return true;
}

/* A word was read up to that bit, which may be one of the next word. */
INLINED void passed_to(words_reader *reader, unsigned bit) {
    reader->over = bit > PM_WORD_BITS ? bit - PM_WORD_BITS : 0;
    reader->over_operands = reader->over_blanks = reader->over_counted = 0;
}

/* Opens the region of a state by `length` bytes. */
INLINED bool open_read(words_reader *reader, word_read *read, unsigned state, unsigned length, size_t w, unsigned bit,
                       uint64_t *stops) {
    read->counted |= UINT64_C(1) << bit;
    read->code &= pmi_bits_low(bit);
    reader->state = state;
    reader->start = w * PM_WORD_BITS + bit;
    reader->depth = 0;
    passed_to(reader, bit + length);
    *stops = stops_from(reader, read, w, bit + length);
    return true;
}

/* Opens the region whose open is the longest that stands there, if one does. */
INLINED bool longest_read(words_reader *reader, word_read *read, size_t w, unsigned bit, uint64_t *stops) {
    pmi_lexer *const lexer = reader->lexer;
    const size_t i = w * PM_WORD_BITS + bit;
    unsigned length;
    if (i + PM_LEXER_OPENING > reader->to)
        return false;
    lexer->start = reader->position + i;
    const pmi_region *const region = pmi_lexer_region_ahead_of(lexer, reader->text + i, &length);
    if (!region)
        return true;
    const size_t r = (size_t)(region - lexer->language->regions);
    return lexer->words.regions >> r & 1 && open_read(reader, read, (unsigned)r + 1, length, w, bit, stops);
}

#define PREFIX_BYTES 8u /* the longest of a region's prefixes, what is before it, and some to spare */

/* What stands in the history for byte i, which was noted. */
INLINED unsigned char noted_byte(const words_reader *reader, size_t i) {
    const size_t w = i / PM_WORD_BITS, bit = i % PM_WORD_BITS;
    return reader->noted->code[w] >> bit & 1       ? reader->text[i]
           : reader->noted->operands[w] >> bit & 1 ? PM_LEXER_OPERAND
                                                   : ' ';
}

/* What the blanks before byte `at` are in the history: a newline, or a blank; 0: that is not known. */
INLINED unsigned char last_blank(const words_reader *reader, size_t at) {
    while (at-- > reader->from) {
        const unsigned char byte = noted_byte(reader, at);
        if (byte == '\n' || !pmi_byte_is_space(byte))
            return byte == '\n' ? '\n' : ' ';
    }
    return 0;
}

/* The history at byte `at`, as far as regions ask for it, of bytes that were noted: a word, or what it is behind. */
INLINED pmi_lexer_history recent_history(const words_reader *reader, size_t at) {
    const pmi_lexer *const lexer = reader->lexer;
    const unsigned char byte = noted_byte(reader, at - 1);
    pmi_lexer_history history = {byte, 0};
    if (lexer->region_flags & PM_REGION_START && pmi_byte_is_space(byte)) {
        history.newer = last_blank(reader, at);
        return history.newer
                   ? history
                   : pmi_lexer_history_before(lexer, reader->noted, reader->text, reader->from, at, PREFIX_BYTES);
    }
    if (!lexer->words.prefixes || !pmi_byte_in_name(byte))
        return history;
    for (unsigned k = 1; k < PREFIX_BYTES; k++) {
        if (at - k == reader->from)
            return pmi_lexer_history_before(lexer, reader->noted, reader->text, reader->from, at, PREFIX_BYTES);
        const unsigned char before = noted_byte(reader, at - k - 1);
        history.newer |= (uint64_t)before << 8 * k;
        if (!pmi_byte_in_name(before))
            break;
    }
    return history;
}

/* The same where what stands before decides. */
INLINED bool behind_read(words_reader *reader, word_read *read, size_t w, unsigned bit, uint64_t *stops) {
    pmi_lexer *const lexer = reader->lexer;
    const pmi_lexer_history history = lexer->history;
    reader->noted->code[w] = read->code;
    reader->noted->operands[w] = read->operands;
    reader->noted->blanks[w] = read->blanks;
    if (w * PM_WORD_BITS + bit > reader->from)
        lexer->history = recent_history(reader, w * PM_WORD_BITS + bit);
    const bool known = longest_read(reader, read, w, bit, stops);
    lexer->history = history;
    return known;
}

/* Passes a backslash and what it protects. */
INLINED bool escape_read(words_reader *reader, size_t w, unsigned bit, uint64_t *stops) {
    const unsigned flags = reader->lexer->language->regions[reader->state - 1].flags;
    const unsigned char byte = reader->text[w * PM_WORD_BITS + bit + 1];
    if (!(flags & PM_REGION_ESCAPES) || pmi_byte_is_space(byte) || byte == 'z')
        return false;
    passed_to(reader, bit + 2);
    *stops &= ~(UINT64_C(2) << bit);
    return true;
}

/* Closes the region with the last one of `length` bytes. */
INLINED bool close_read(words_reader *reader, word_read *read, unsigned length, size_t w, unsigned bit,
                        uint64_t *stops) {
    const unsigned flags = reader->lexer->language->regions[reader->state - 1].flags, end = bit + length;
    const bool over = end > PM_WORD_BITS, blank = flags & (PM_REGION_COMMENT | PM_REGION_OUTSIDE);
    const uint64_t last = UINT64_C(1) << (end - 1) % PM_WORD_BITS;
    reader->state = CODE;
    read->code |= ~bits_between(0, end);
    passed_to(reader, end);
    *(blank ? over ? &reader->over_blanks : &read->blanks : over ? &reader->over_operands : &read->operands) |= last;
    if (flags & PM_REGION_BRACKET)
        *(over ? &reader->over_counted : &read->counted) |= last;
    *stops = stops_from(reader, read, w, end);
    return true;
}

/* Ends a string with its line. What the history is given of it stands at its last byte, if that is known. */
INLINED bool cut_read(words_reader *reader, word_read *read, size_t w, unsigned bit, uint64_t *stops) {
    const uint64_t last = (UINT64_C(1) << bit) >> 1;
    if (last == 0 || w * PM_WORD_BITS + bit == reader->from || read->code & last)
        return false;
    reader->state = CODE;
    read->code |= UINT64_MAX << bit;
    read->operands |= last;
    *stops = stops_from(reader, read, w, bit + 1);
    return true;
}

INLINED void state_give(const words_reader *reader) {
    pmi_lexer *const lexer = reader->lexer;
    lexer->state = PM_LEXER_CODE;
    if (reader->state == CODE)
        return;
    pmi_lexer_region_enter(lexer, &lexer->language->regions[reader->state - 1]);
    lexer->depth = reader->depth;
    if (reader->start != SIZE_MAX) {
        lexer->start = reader->position + reader->start;
        lexer->first = reader->text[reader->start];
    }
}

/* The bit of the } that ends the code of a string whose #{ stands at `bit`, if the word has it and nothing that matters
 * before; 0: that is not so. */
INLINED unsigned code_end(const words_reader *reader, const word_read *read, size_t w, unsigned bit) {
    const unsigned char *const word = reader->text + w * PM_WORD_BITS;
    if (bit > PM_WORD_BITS - 3 || word[bit + 1] != '{')
        return 0;
    const uint64_t stops =
        (read->strings | pmi_lexer_mask_of(reader->piece, w, PM_LEXER_ENDS_TEMPLATE_CODE)) & UINT64_MAX << bit << 2;
    const unsigned end = pmi_bits_lowest(stops | UINT64_C(1) << (PM_WORD_BITS - 1));
    return word[end] == '}' ? end : 0;
}

/* Begins to read code in a string. */
INLINED bool code_begin(words_reader *reader, word_read *read, size_t w, unsigned bit, uint64_t *stops) {
    pmi_lexer *const lexer = reader->lexer;
    const unsigned char byte = reader->text[w * PM_WORD_BITS + bit + 1];
    const unsigned end = code_end(reader, read, w, bit);
    if (end > 0) {
        read->operands |= UINT64_C(1) << bit;
        read->blanks |= UINT64_C(1) << bit;
        read->code |= bits_between(bit + 1, end + 1);
        *stops = stops_from(reader, read, w, end + 1);
        return true;
    }
    state_give(reader);
    if (!pmi_lexer_template_push(lexer, byte == '(' ? '(' : '{', byte == '(' || byte == '{'))
        return false;
    reader->state = CODE;
    reader->in_string = true;
    read->operands |= UINT64_C(1) << bit;
    read->blanks |= UINT64_C(1) << bit;
    read->code |= UINT64_MAX << bit << 1;
    read->strings |= pmi_lexer_mask_of(reader->piece, w, PM_LEXER_ENDS_TEMPLATE_CODE);
    *stops = stops_from(reader, read, w, bit + 1);
    return true;
}

/* A bracket in code, which may be in a string. */
INLINED bool brace_read(words_reader *reader, word_read *read, size_t w, unsigned bit, uint64_t *stops) {
    pmi_lexer *const lexer = reader->lexer;
    const unsigned char byte = reader->text[w * PM_WORD_BITS + bit];
    if (!reader->in_string)
        return true;
    const pmi_lexer_template *const string = pmi_stack_top(&lexer->templates);
    const size_t r = (size_t)(string->region - lexer->language->regions);
    if (byte == string->code_close && lexer->braces == 1 && !(lexer->words.regions >> r & 1))
        return false;
    lexer->state = PM_LEXER_CODE; /* as the reader's is */
    if (!pmi_lexer_template_counts(lexer, byte))
        return true;
    if (lexer->verdict == PM_LEXER_UNCOUNTED)
        read->uncounted |= UINT64_C(1) << bit;
    lexer->verdict = PM_LEXER_AS_READ;
    if (lexer->state == PM_LEXER_CODE)
        return true;
    reader->state = (unsigned)r + 1;
    reader->depth = lexer->depth;
    reader->start = SIZE_MAX;
    reader->in_string = pmi_stack_top(&lexer->templates) != NULL;
    read->code &= bits_between(0, bit + 1);
    *stops = stops_from(reader, read, w, bit + 1);
    return true;
}

/* Is the byte before a bit of a word one of a name? */
INLINED bool behind_name(const words_reader *reader, const word_read *read, size_t w, unsigned bit) {
    const size_t at = w * PM_WORD_BITS + bit;
    if (at == reader->from)
        return pmi_byte_in_name(pmi_lexer_history_byte(&reader->lexer->history, 0));
    const bool code = bit > 0 ? read->code >> (bit - 1) & 1 : reader->noted->code[w - 1] >> (PM_WORD_BITS - 1);
    return code && pmi_byte_in_name(reader->text[at - 1]);
}

/* Is it the first < of a shift, whose blank no heredoc's word follows? */
INLINED bool is_shift(const words_reader *reader, size_t w, unsigned bit) {
    const unsigned char *const bytes = reader->text + w * PM_WORD_BITS + bit;
    return reader->state == CODE && bit < PM_WORD_BITS - 1 && bytes[0] == '<' && bytes[1] == '<' && bytes[2] == ' ';
}

/* Reads what more than a table is needed for. Returns false if it is to be read in another way. */
INLINED bool action_read(words_reader *reader, word_read *read, unsigned entry, size_t w, unsigned bit, uint64_t *stops,
                         bool by_parity) {
    switch (entry >> ACTION) {
    case STOP:
        return is_shift(reader, w, bit);
    case OPEN_ONE:
    case LINE_ONE:
        return open_read(reader, read, entry & STATE, 1, w, bit, stops);
    case OPEN_TWO:
    case LINE_TWO:
    case BLOCK_TWO:
        return open_read(reader, read, entry & STATE, 2, w, bit, stops);
    case OPEN_SEVERAL:
    case LINE_UNLESS:
        return longest_read(reader, read, w, bit, stops);
    case OPEN_UNNAMED:
        return by_parity && !behind_name(reader, read, w, bit) &&
               open_read(reader, read, entry & STATE, 1, w, bit, stops);
    case OPEN_BEHIND:
        return by_parity && behind_read(reader, read, w, bit, stops);
    case OPEN_CHARACTER:
        return w * PM_WORD_BITS + bit > reader->from && pmi_byte_in_name(reader->text[w * PM_WORD_BITS + bit - 1]);
    case OPEN_TICK:
        return tick_read(reader, read, w, bit, stops);
    case NEST:
        passed_to(reader, bit + 2);
        *stops &= ~bits_between(bit, bit + 2);
        reader->depth++;
        return true;
    case CLOSE_LINE:
        reader->state = CODE;
        read->code |= UINT64_MAX << bit;
        *stops = stops_from(reader, read, w, bit + 1);
        return true;
    case CLOSE_CUT:
        return cut_read(reader, read, w, bit, stops);
    case CLOSE_ONE:
        return close_read(reader, read, 1, w, bit, stops);
    case CLOSE_TWO:
        passed_to(reader, bit + 2);
        *stops &= ~bits_between(bit, bit + 2);
        if (reader->depth > 0) {
            reader->depth--;
            return true;
        }
        return close_read(reader, read, 2, w, bit, stops);
    case ESCAPE:
        return escape_read(reader, w, bit, stops);
    case BEGIN_CODE:
        return code_begin(reader, read, w, bit, stops);
    case BRACE:
        return brace_read(reader, read, w, bit, stops);
    default:
        return false;
    }
}

/* Where a comment that begins at a bit ends in its word with its line; PM_WORD_BITS: it does not. `ends`: the bytes
 * that may end it. */
INLINED unsigned line_end(const unsigned char *word, uint64_t ends, unsigned bit) {
    const uint64_t rest = ends & (UINT64_MAX << bit << 1);
    const unsigned end = rest != 0 ? pmi_bits_lowest(rest) : 0;
    return word[end] == '\n' ? end : 0;
}

/* The bit behind a comment that ends with two bytes; 0: it does not end in its word, or another one begins in it. */
INLINED unsigned block_end(const unsigned char *word, const pmi_region *region, uint64_t ends, unsigned bit) {
    for (uint64_t rest = ends & (UINT64_MAX << bit << 2); rest != 0; rest &= rest - 1) {
        const unsigned at = pmi_bits_lowest(rest);
        if (word[at] == (unsigned char)region->close[0] && word[at + 1] == (unsigned char)region->close[1])
            return at + 2 <= PM_WORD_BITS ? at + 2 : 0;
        if (region->flags & PM_REGION_NESTS && is_open_of(region, word[at], word[at + 1]))
            return 0;
    }
    return 0;
}

/* Reads what the table opens if it is a comment that ends in its word: no step waits for the one before to know the
 * state. Returns false if it is not. */
INLINED bool comment_read(const words_reader *reader, word_read *of, unsigned action, size_t w, unsigned bit,
                          uint64_t *stops) {
    const pmi_lexer *const lexer = reader->lexer;
    const unsigned char *const word = reader->text + w * PM_WORD_BITS;
    const bool block = action == BLOCK_TWO;
    const size_t r = (block ? lexer->words.block : lexer->words.line) - 1u;
    const pmi_region *const region = &lexer->language->regions[r];
    const uint64_t ends = pmi_lexer_mask_of(reader->piece, w, lexer->region_class[r]);
    const unsigned end = block ? block_end(word, region, ends, bit) : line_end(word, ends, bit);
    if (end == 0 || (action == LINE_UNLESS && word[bit + 2] == lexer->words.unless))
        return false;
    const uint64_t last = UINT64_C(1) << (end - 1);
    of->counted |= UINT64_C(1) << bit | (block && region->flags & PM_REGION_BRACKET ? last : 0);
    of->blanks |= block ? last : 0;
    of->code = (of->code & pmi_bits_low(bit)) | ~bits_between(0, end);
    *stops = of->strings & ~bits_between(0, end) & ~(block ? 0 : last << 1);
    return true;
}

/* Reads what the table says at once if that is known by the word alone. Returns false if it is not. */
INLINED bool quick_read(const words_reader *reader, word_read *of, unsigned action, unsigned state, size_t w,
                        unsigned bit, uint64_t *stops) {
    const pmi_lexer *const lexer = reader->lexer;
    const unsigned char *const at = reader->text + w * PM_WORD_BITS + bit;
    if (action != ESCAPE)
        return comment_read(reader, of, action, w, bit, stops);
    if (bit + 1 == PM_WORD_BITS || !(lexer->words.escapes >> (state - 1) & 1) || pmi_byte_is_space(at[1]) ||
        at[1] == 'z')
        return false;
    *stops &= ~(UINT64_C(2) << bit);
    return true;
}

/* Goes through the stops of word w. Returns the bit of one that is to be read in another way, or the number of bits. */
INLINED unsigned stops_read(words_reader *reader, uint64_t done, size_t w, bool by_parity, word_read *read) {
    const pmi_lexer_words_table *const table = &reader->lexer->words;
    const unsigned char *const word = reader->text + w * PM_WORD_BITS;
    unsigned state = reader->state;
    size_t start = reader->start;
    word_read of = *read;
    unsigned bit = PM_WORD_BITS;
    uint64_t stops = stops_from(reader, &of, w, 0) & ~done;
    while (stops != 0) {
        bit = pmi_bits_lowest(stops);
        const unsigned symbol = table->symbol_of[table->class_of[word[bit]]][table->class_of[word[bit + 1]]];
        const unsigned entry = table->next[state][symbol];
        stops &= stops - 1;
        if (entry >> ACTION) {
            if (entry >> ACTION >= QUICK && quick_read(reader, &of, entry >> ACTION, state, w, bit, &stops))
                continue;
            *read = of;
            reader->state = state;
            reader->start = start;
            if (!action_read(reader, read, entry, w, bit, &stops, by_parity)) {
                read->code &= pmi_bits_low(bit);
                return bit;
            }
            of = *read;
            state = reader->state;
            start = reader->start;
            continue;
        }
        const uint64_t toggled = (UINT64_MAX << bit) << (entry / BEHIND & 1);
        of.code ^= (0 - (uint64_t)(entry / TOGGLES & 1)) & toggled;
        of.operands |= (uint64_t)(entry / OPERAND & 1) << bit;
        start = state == CODE ? w * PM_WORD_BITS + bit : start;
        state = entry & STATE;
    }
    reader->state = state;
    reader->start = start;
    *read = of;
    return PM_WORD_BITS;
}

/* Is the word, with those masks, one of a comment that does not end there? */
INLINED bool is_passed(const words_reader *reader, const uint64_t *of) {
    const pmi_lexer *const lexer = reader->lexer;
    return reader->state != CODE && of[lexer->region_class[reader->state - 1]] == 0;
}

/* ---- Strings of one sort ---- */

/* Bit i of the result: the parity of the bits up to and with bit i. */
INLINED uint64_t parity_of(uint64_t bits) {
    for (unsigned shift = 1; shift < PM_WORD_BITS; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

/* The string that the text is in, or the first one that begins in the word; 0: it is not one by parity. */
INLINED unsigned string_at(const words_reader *reader, const unsigned char *word, uint64_t ends) {
    const pmi_lexer *const lexer = reader->lexer;
    const pmi_lexer_words_table *const table = &lexer->words;
    if (reader->state == CODE)
        return string_of(table, word[pmi_bits_lowest(ends)]);
    const unsigned of = string_of(table, (unsigned char)lexer->language->regions[reader->state - 1].open[0]);
    return of == reader->state ? of : 0;
}

/* Those of some bytes of a word that are equal to one. */
INLINED uint64_t bytes_equal(const unsigned char *word, uint64_t bits, unsigned char byte) {
    uint64_t found = 0;
    for (uint64_t rest = bits; rest != 0; rest &= rest - 1)
        found |= (uint64_t)(word[pmi_bits_lowest(rest)] == byte) << pmi_bits_lowest(rest);
    return found;
}

/* The bits of some bytes of a word that are behind a name; `known`: so is the byte before the word. */
INLINED uint64_t behind_names(const unsigned char *word, bool known, uint64_t bits) {
    uint64_t found = 0;
    for (uint64_t rest = bits; rest != 0; rest &= rest - 1) {
        const unsigned bit = pmi_bits_lowest(rest);
        if (bit == 0 && !known ? true : pmi_byte_in_name(word[(int)bit - 1]))
            found |= rest & (0 - rest);
    }
    return found;
}

/* Bytes that mean nothing in a string: backslashes and what each protects. Of some bytes of a word, the first of which
 * is a backslash; without those to be read in another way. */
INLINED uint64_t escapes_find(const unsigned char *word, uint64_t bits) {
    const uint64_t even = UINT64_C(0x5555555555555555), backslashes = bytes_equal(word, bits, '\\');
    const uint64_t behind = backslashes << 1, odd_begins = backslashes & ~even & ~behind;
    const uint64_t escaped = (even ^ (odd_begins + backslashes) << 1) & behind; /* behind runs of an odd length */
    uint64_t found = backslashes | escaped;
    for (uint64_t rest = escaped; rest != 0; rest &= rest - 1) {
        const unsigned at = pmi_bits_lowest(rest);
        if (pmi_byte_is_space(word[at]) || word[at] == 'z')
            found ^= UINT64_C(1) << (at - 1);
    }
    return found & ~(backslashes & ~escaped & UINT64_C(1) << (PM_WORD_BITS - 1));
}

/* A word's strings of one sort by the parity of their quotes. */
typedef struct quoted_word {
    uint64_t quotes, inside, opening;
    uint64_t others; /* bytes that are not read so */
} quoted_word;

INLINED quoted_word quotes_find(const words_reader *reader, unsigned of, uint64_t ends, uint64_t class, size_t w,
                                uint64_t escapes) {
    const pmi_lexer *const lexer = reader->lexer;
    const unsigned char *const word = reader->text + w * PM_WORD_BITS;
    quoted_word found = {.quotes = ends & class & ~escapes};
    if (lexer->words.shared >> (of - 1) & 1)
        found.quotes = bytes_equal(word, found.quotes, (unsigned char)lexer->language->regions[of - 1].open[0]);
    const uint64_t quotes = found.quotes;
    found.inside = parity_of(quotes) ^ (reader->state == CODE ? 0 : UINT64_MAX);
    found.opening = quotes & found.inside;
    found.others = ((ends & ~found.inside) | (class & found.inside & ~escapes)) & ~quotes;
    if (lexer->words.triples >> (of - 1) & 1)
        found.others |= found.opening & (quotes >> 1 | UINT64_C(1) << 63) & (quotes >> 2 | UINT64_C(3) << 62);
    if (lexer->words.prefixed >> (of - 1) & 1)
        found.others |= behind_names(word, w * PM_WORD_BITS > reader->from, found.opening);
    return found;
}

/* The same of a word whose first byte that is not read so is a backslash in a string. */
static __attribute__((noinline)) quoted_word quotes_find_escaped(const words_reader *reader, unsigned of, uint64_t ends,
                                                                 uint64_t class, size_t w, uint64_t first) {
    const unsigned char *const word = reader->text + w * PM_WORD_BITS;
    return quotes_find(reader, of, ends, class, w, escapes_find(word, class & (0 - first)));
}

/* Reads the first bytes of word w, which is in code or in a string, as far as strings of one sort go there. Returns the
 * bits that are read. `ends`: the bytes that may end a run of code. */
INLINED uint64_t quotes_read(words_reader *reader, uint64_t ends, size_t w, uint64_t *outside) {
    const pmi_lexer *const lexer = reader->lexer;
    const unsigned char *const word = reader->text + w * PM_WORD_BITS;
    reader->noted->code[w] = UINT64_MAX;
    reader->noted->operands[w] = reader->noted->blanks[w] = 0;
    outside[w] = UINT64_MAX;
    if (reader->state == CODE && ends == 0)
        return UINT64_MAX;
    const unsigned of = string_at(reader, word, ends);
    if (of == 0)
        return reader->noted->code[w] = outside[w] = 0;
    const uint64_t class = pmi_lexer_mask_of(reader->piece, w, lexer->region_class[of - 1]);
    quoted_word found = quotes_find(reader, of, ends, class, w, 0);
    uint64_t first = found.others & (0 - found.others);
    if (first & found.inside && lexer->words.escapes >> (of - 1) & 1 && word[pmi_bits_lowest(first)] == '\\') {
        found = quotes_find_escaped(reader, of, ends, class, w, first);
        first = found.others & (0 - found.others);
    }
    const uint64_t inside = found.inside, quotes = found.quotes, before = first - 1, opened = found.opening & before;
    const bool in_string = first != 0 ? (inside & ~quotes & first) != 0 : inside >> 63;
    outside[w] = reader->noted->code[w] = ~(inside | quotes) & before;
    reader->noted->operands[w] = quotes & ~inside & before;
    if (opened != 0)
        reader->start = w * PM_WORD_BITS + pmi_bits_highest(opened);
    reader->state = in_string ? of : CODE;
    return before;
}

INLINED bool in_code_or_string(const words_reader *reader) {
    return reader->state == CODE || reader->lexer->words.strings >> (reader->state - 1) & 1;
}

/* ---- Pieces ---- */

/* Returns false if the table does not know the lexer's state. */
INLINED bool state_take(const pmi_lexer *lexer, words_reader *reader) {
    reader->state = CODE;
    reader->in_string = pmi_stack_top(&lexer->templates) != NULL;
    reader->depth = 0;
    reader->start = SIZE_MAX;
    if (lexer->state == PM_LEXER_CODE)
        return true;
    const size_t r = (size_t)(lexer->region - lexer->language->regions);
    reader->state = (unsigned)r + 1;
    reader->depth = lexer->depth;
    return lexer->words.regions >> r & 1;
}

/* As pmi_lexer_words_range(); by_parity: as in the table, and known to the compiler. */
INLINED size_t words_read(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
                          size_t to, uint64_t position, const uint64_t *ends, size_t apart, bool by_parity,
                          uint64_t *outside) {
    pmi_lexer_noted noted;
    words_reader reader;
    reader.noted = &noted;
    reader.lexer = lexer;
    reader.text = text;
    reader.piece = piece;
    reader.from = from;
    reader.to = to;
    reader.position = position;
    if (!state_take(lexer, &reader))
        return from;
    size_t i = from, w = from / PM_WORD_BITS;
    uint64_t done = pmi_bits_low(from % PM_WORD_BITS); /* bytes of the word that are read */
    passed_to(&reader, 0);
    noted.operands[w] = noted.blanks[w] = 0;
    for (; (w + 1) * PM_WORD_BITS < to; w++) {
        const uint64_t *const of = piece->masks + piece->classes * w;
        if (done == 0 && is_passed(&reader, of)) {
            noted.code[w] = noted.operands[w] = noted.blanks[w] = 0;
            i = (w + 1) * PM_WORD_BITS;
            continue;
        }
        word_read read = {.code = 0};
        if (done != 0) {
            read.operands = noted.operands[w];
            read.blanks = noted.blanks[w];
        } else if (by_parity && !reader.in_string && in_code_or_string(&reader)) {
            done = quotes_read(&reader, ends[apart * w], w, outside);
            if (done == UINT64_MAX) {
                i = (w + 1) * PM_WORD_BITS;
                done = 0;
                continue;
            }
            read.code = noted.code[w];
            read.operands = noted.operands[w];
        }
        read.code |= reader.state == CODE ? ~done : 0;
        read.strings = ends[apart * w] | (reader.in_string ? of[PM_LEXER_ENDS_TEMPLATE_CODE] : 0);
        for (unsigned classes = lexer->words.string_classes; classes != 0; classes &= classes - 1)
            read.strings |= of[pmi_bits_lowest(classes)];
        const unsigned end = stops_read(&reader, done, w, by_parity, &read);
        noted.code[w] = read.code;
        noted.operands[w] = read.operands;
        noted.blanks[w] = read.blanks;
        outside[w] |= (read.code & ~read.uncounted) | read.counted;
        i = w * PM_WORD_BITS + end;
        if (end < PM_WORD_BITS)
            break;
        done = pmi_bits_low(reader.over);
        if (done != 0) {
            noted.code[w + 1] = 0;
            noted.operands[w + 1] = reader.over_operands;
            noted.blanks[w + 1] = reader.over_blanks;
            outside[w + 1] |= reader.over_counted;
            i += reader.over;
            reader.over = 0;
        }
    }
    history_make(&reader, i);
    state_give(&reader);
    return i;
}

size_t pmi_lexer_words_range(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
                             size_t to, uint64_t position, const uint64_t *ends, size_t apart, uint64_t *outside) {
    return lexer->words.by_parity ? words_read(lexer, text, piece, from, to, position, ends, apart, true, outside)
                                  : words_read(lexer, text, piece, from, to, position, ends, apart, false, outside);
}
