/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the bytes of a language do, as the table of words.c has it: for each state, code or a region, and each byte with
 * the one behind it, the next state or an action. A byte whose meaning more than that decides stops the table.
 */
#include "core/lexer/words/table.h"

/* ---- Regions ---- */

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
           r + 1 <= PM_ENTRY_STATE && (!nests || (strlen(region->open) == 2 && strlen(region->close) == 2));
}

static unsigned opened(const pmi_lexer *lexer, size_t r, unsigned action) {
    if (!is_known(lexer, r))
        return (unsigned)(lexer->language->regions[r].flags & PM_REGION_LONG ? PM_ENTRY_OPEN_SEVERAL : PM_ENTRY_STOP)
               << PM_ENTRY_ACTION;
    if (!action && !is_string(&lexer->language->regions[r]))
        action = PM_ENTRY_OPEN_ONE;
    if (r + 1 == lexer->words.line && (action == PM_ENTRY_OPEN_ONE || action == PM_ENTRY_OPEN_TWO))
        action = action == PM_ENTRY_OPEN_ONE ? PM_ENTRY_LINE_ONE : PM_ENTRY_LINE_TWO;
    if (r + 1 == lexer->words.block && action == PM_ENTRY_OPEN_TWO)
        action = PM_ENTRY_BLOCK_TWO;
    return (unsigned)(r + 1) | (action ? action << PM_ENTRY_ACTION : PM_ENTRY_TOGGLES);
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
        if (!pmi_words_is_open_of(region, byte, next))
            continue;
        if (lexer->words.unless && open_goes_on(lexer, region)) {
            unless = true;
            continue;
        }
        if (region->flags & (PM_REGION_FIRST | PM_REGION_NOTHING | PM_REGION_NOT) || strlen(region->open) > 2)
            return PM_ENTRY_OPEN_SEVERAL << PM_ENTRY_ACTION;
        if (!region->open[1] && one == SIZE_MAX)
            one = r;
        if (region->open[1] && two == SIZE_MAX)
            two = r;
    }
    if (unless)
        return two + 1 == lexer->words.line ? (unsigned)(two + 1) | PM_ENTRY_LINE_UNLESS << PM_ENTRY_ACTION
                                            : PM_ENTRY_OPEN_SEVERAL << PM_ENTRY_ACTION;
    return two != SIZE_MAX   ? opened(lexer, two, PM_ENTRY_OPEN_TWO)
           : one != SIZE_MAX ? opened(lexer, one, 0)
                             : PM_WORDS_CODE;
}

/* ---- Code ---- */

/* May the bracket end the code in a string, and is it nothing else? */
static bool is_brace(const pmi_lexer *lexer, unsigned char byte) {
    const unsigned classes = lexer->class_of[byte];
    return classes >> PM_LEXER_ENDS_TEMPLATE_CODE & 1 && !(classes >> PM_LEXER_ENDS_CODE & 1);
}

/* Do regions that the byte opens depend on what stands before it, but on no more of that than PM_WORDS_PREFIX_BYTES? */
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
        if (pmi_words_is_open_of(region, byte, next) &&
            (region->prefix || region->flags & (PM_REGION_START | PM_REGION_WORD)))
            return true;
    }
    return false;
}

/* The one region that the byte and the next one may open, numbered from 1, if nothing decides about it but whether a
 * word may begin; 0: that is not so. */
static unsigned opened_at_word(const pmi_lexer *lexer, unsigned char byte, unsigned char next) {
    const unsigned decided = PM_REGION_FIRST | PM_REGION_NOTHING | PM_REGION_START;
    unsigned found = 0;
    for (uint32_t rest = lexer->opened_by[byte]; rest != 0; rest &= rest - 1) {
        const size_t r = pmi_bits_lowest(rest);
        const pmi_region *const region = &lexer->language->regions[r];
        if (!pmi_words_is_open_of(region, byte, next))
            continue;
        if (found || !(region->flags & PM_REGION_WORD) || region->flags & decided || region->prefix ||
            strlen(region->open) > 2 || !is_known(lexer, r))
            return 0;
        found = (unsigned)r + 1;
    }
    return found;
}

/* May one of the byte's regions open before that byte? */
static bool opens_before(const pmi_lexer *lexer, unsigned char byte, unsigned char next) {
    for (uint32_t rest = lexer->opened_by[byte]; rest != 0; rest &= rest - 1)
        if (pmi_words_is_open_of(&lexer->language->regions[pmi_bits_lowest(rest)], byte, next))
            return true;
    return false;
}

/* Is it a quote that behind some words begins a raw string? */
static bool may_be_raw(const pmi_lexer *lexer, unsigned char byte) {
    return byte == '"' && lexer->region_flags & (PM_REGION_DELIMITED | PM_REGION_HASHED) && lexer->alone[byte] > 0;
}

#define NO_DELIMITERS " \n" /* before them a % of Ruby is an operator, as is its ? */

static unsigned behind_code(const pmi_lexer *lexer, unsigned char byte, unsigned char next) {
    if (byte && strchr("(){}", byte) && is_brace(lexer, byte))
        return PM_ENTRY_BRACE << PM_ENTRY_ACTION;
    if (byte == '\n' && lexer->region_flags & PM_REGION_HEREDOC)
        return PM_ENTRY_LINES << PM_ENTRY_ACTION;
    if (lexer->ahead[byte] != PM_AHEAD_START && !(lexer->class_of[byte] >> PM_LEXER_ENDS_CODE & 1))
        return PM_WORDS_CODE;
    if (byte == '\\' && lexer->language->code & PM_CODE_ESCAPES && lexer->opened_by[byte] == 0)
        return PM_ENTRY_PROTECT << PM_ENTRY_ACTION;
    switch (lexer->ahead[byte]) {
    case PM_AHEAD_START:
        return opens_before(lexer, byte, next) ? PM_ENTRY_AHEAD << PM_ENTRY_ACTION : PM_WORDS_CODE;
    case PM_AHEAD_SLASH:
        return PM_ENTRY_AHEAD << PM_ENTRY_ACTION;
    case PM_AHEAD_PERCENT:
        return next && strchr(NO_DELIMITERS "=", next) ? PM_WORDS_CODE : PM_ENTRY_AHEAD << PM_ENTRY_ACTION;
    case PM_AHEAD_QUESTION:
        return next && strchr(NO_DELIMITERS, next) ? PM_WORDS_CODE : PM_ENTRY_OPEN_CHARACTER << PM_ENTRY_ACTION;
    case PM_AHEAD_LESS:
        return next == '<' ? PM_ENTRY_HEREDOC << PM_ENTRY_ACTION : PM_WORDS_CODE;
    case PM_AHEAD_SQUARE:
        return next == '[' || next == '=' ? PM_ENTRY_OPEN_LONG << PM_ENTRY_ACTION : PM_WORDS_CODE;
    case PM_AHEAD_TICK:
        return PM_ENTRY_OPEN_TICK << PM_ENTRY_ACTION;
    default:
        break;
    }
    const unsigned quick = lexer->quick[byte];
    if (may_be_raw(lexer, byte))
        return opened(lexer, lexer->alone[byte] - 1u, PM_ENTRY_OPEN_UNNAMED);
    if (quick == 0 && asks_what_is_before(lexer, byte) && !asks_before_pair(lexer, byte, next))
        return opened_of_several(lexer, byte, next);
    const unsigned at_word = quick == 0 && asks_what_is_before(lexer, byte) ? opened_at_word(lexer, byte, next) : 0;
    if (at_word)
        return at_word | PM_ENTRY_OPEN_WORD << PM_ENTRY_ACTION;
    if (quick == 0)
        return asks_what_is_before(lexer, byte) ? PM_ENTRY_OPEN_BEHIND << PM_ENTRY_ACTION
                                                : PM_ENTRY_STOP << PM_ENTRY_ACTION;
    return quick == PM_QUICK_SEVERAL ? opened_of_several(lexer, byte, next) : opened(lexer, quick - 1, 0);
}

/* ---- Inside regions ---- */

static unsigned closed(const pmi_region *region) {
    const unsigned char second = (unsigned char)region->close[1];
    if (second == 0)
        return is_string(region) ? PM_WORDS_CODE | PM_ENTRY_TOGGLES | PM_ENTRY_BEHIND | PM_ENTRY_OPERAND
                                 : PM_ENTRY_CLOSE_ONE << PM_ENTRY_ACTION;
    return region->close[2] || region->flags & PM_REGION_LEAVES ? PM_ENTRY_STOP << PM_ENTRY_ACTION
                                                                : PM_WORDS_CODE | PM_ENTRY_CLOSE_TWO << PM_ENTRY_ACTION;
}

static unsigned behind_region(const pmi_lexer *lexer, unsigned state, unsigned char byte, unsigned char next) {
    const pmi_region *const region = &lexer->language->regions[state - 1];
    const unsigned flags = region->flags;
    if (!is_known(lexer, state - 1))
        return PM_ENTRY_STOP << PM_ENTRY_ACTION;
    if (byte == '\n' && flags & PM_REGION_LINE)
        return flags & PM_REGION_COMMENT ? PM_ENTRY_CLOSE_LINE << PM_ENTRY_ACTION
                                         : PM_ENTRY_CLOSE_CUT << PM_ENTRY_ACTION;
    if (byte == '&' && flags & PM_REGION_AMPERSAND)
        return PM_ENTRY_STOP << PM_ENTRY_ACTION;
    if (flags & PM_REGION_TEMPLATE && byte == (unsigned char)region->code[0] && next && strchr(region->code + 1, next))
        return PM_ENTRY_BEGIN_CODE << PM_ENTRY_ACTION;
    if (byte == '\\' && flags & (PM_REGION_ESCAPES | PM_REGION_CONTINUED))
        return state | PM_ENTRY_ESCAPE << PM_ENTRY_ACTION;
    if (flags & PM_REGION_NESTS && pmi_words_is_open_of(region, byte, next))
        return state | PM_ENTRY_NEST << PM_ENTRY_ACTION;
    if (flags & PM_REGION_TEMPLATE && byte == (unsigned char)region->code[0])
        return state;
    const bool closes =
        byte == (unsigned char)region->close[0] && (!region->close[1] || next == (unsigned char)region->close[1]);
    return closes ? closed(region) : state;
}

/* ---- Classes and symbols ---- */

/* Returns the class of the byte, perhaps a new one. */
static unsigned class_with(pmi_lexer_words_table *table, unsigned char byte) {
    if (table->class_of[byte] == 0 && table->classes < PM_WORDS_CLASSES) {
        table->bytes[table->classes] = byte;
        table->class_of[byte] = (uint8_t)table->classes++;
    }
    return table->class_of[byte];
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
        next[state] = (uint16_t)(state == PM_WORDS_CODE ? behind_code(lexer, byte, behind)
                                                        : behind_region(lexer, state, byte, behind));
    return symbol_with(&lexer->words, next, states);
}

static bool note_byte(pmi_lexer *lexer, unsigned char byte) {
    const unsigned symbol = symbol_of(lexer, byte, 0), class = class_with(&lexer->words, byte);
    memset(lexer->words.symbol_of[class], (int)symbol, sizeof lexer->words.symbol_of[class]);
    return class > 0 && symbol < PM_WORDS_SYMBOLS;
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
    return note_pairs(lexer, '<', "<") && note_pairs(lexer, '[', "[=") &&
           (lexer->ahead['%'] != PM_AHEAD_PERCENT || note_pairs(lexer, '%', NO_DELIMITERS "=")) &&
           (lexer->ahead['?'] != PM_AHEAD_QUESTION || note_pairs(lexer, '?', NO_DELIMITERS));
}

/* ---- Strings by parity ---- */

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

/* Many words of Ruby and of languages with quotes in names have stops other than those of strings, unless lines are. */
static void note_parity(pmi_lexer *lexer) {
    bool quotes = false, lines = !(lexer->region_flags & PM_REGION_TICK || lexer->language->code & PM_CODE_RUBY);
    for (size_t r = 0; r < lexer->language->region_count; r++)
        if (lexer->words.strings >> r & 1) {
            note_quote(lexer, r);
            quotes |= pmi_words_string_of(&lexer->words, (unsigned char)lexer->language->regions[r].open[0]) == r + 1;
            lines |= (lexer->language->regions[r].flags & PM_REGION_LINE) != 0;
        }
    for (size_t r = 0; r < lexer->language->region_count; r++)
        lexer->words.prefixes |= lexer->language->regions[r].prefix != NULL;
    const bool asks = lexer->words.prefixes || lexer->region_flags & PM_REGION_WORD;
    lines |= lexer->words.prefixes && !(lexer->language->code & PM_CODE_RUBY); /* only then are such strings read */
    lexer->words.by_parity = lines && (quotes || asks);
}

/* ---- The whole table ---- */

/* Does a backslash do no more than to protect the next byte, if that is neither a space nor a z? */
static bool escapes_plainly(const pmi_region *region) {
    return region->flags & PM_REGION_ESCAPES && !(region->code && region->code[0] == '\\');
}

/* Does a newline alone end it, or what closes the code around it, too? */
static bool is_line(const pmi_region *region) {
    const unsigned flags = region->flags & ~PM_REGION_LEAVES;
    return flags == (PM_REGION_COMMENT | PM_REGION_LINE) && region->close &&
           (flags != region->flags || strcmp(region->close, "\n") == 0);
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

/* Has the language regions and no code that the table would leave at most of its bytes? */
static bool is_possible(const pmi_lexer *lexer) {
    const unsigned code = PM_CODE_PERL | PM_CODE_SHELL | PM_CODE_SEPARATORS;
    return !(lexer->language->code & code) && !(lexer->region_flags & (PM_REGION_YAML | PM_REGION_JSX)) &&
           !lexer->strings.known && lexer->language->region_count > 0;
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
    pmi_lexer_crowd_init(lexer);
}
