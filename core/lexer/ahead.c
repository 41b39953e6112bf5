/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lexer's most frequent bytes, read together with those behind them: what opens a string or a comment, what may
 * close one, what a backslash protects. The result is what the functions of the states find byte by byte. A byte is
 * left to them where the piece ends too early, and where it may mean something else.
 */
#include <string.h>

#include "core/lexer/parts.h"

/* Regions that are read byte by byte. */
#define BY_BYTE                                                                                                        \
    (PM_REGION_REGEX | PM_REGION_DOUBLED | PM_REGION_LEAVES | PM_REGION_HASHED | PM_REGION_DELIMITED |                 \
     PM_REGION_PAIRED | PM_REGION_HEREDOC | PM_REGION_AMPERSAND | PM_REGION_YAML | PM_REGION_JSX)

/* ---- Which bytes and regions ---- */

static bool region_known(const pmi_region *region) {
    if (region->flags & BY_BYTE || !region->close)
        return false;
    return !(region->flags & PM_REGION_TEMPLATE) || region->code[0] != ' ';
}

/* Is there no more to the region than an end and what a backslash or code hides from it? */
static bool is_quick(const pmi_region *region) {
    return (region_known(region) || (region->flags & BY_BYTE) == PM_REGION_LEAVES) && region->close &&
           !(region->flags & (PM_REGION_NESTS | PM_REGION_LONG | PM_REGION_BRACKET));
}

/* May a bracket end code in a string, or nest in it? */
static bool in_string_code(const pmi_lexer *lexer, unsigned char byte) {
    if (lexer->region_flags & PM_REGION_JSX || byte == '{' || byte == '}')
        return lexer->region_flags & (PM_REGION_TEMPLATE | PM_REGION_JSX);
    for (size_t r = 0; r < lexer->language->region_count; r++)
        if (lexer->language->regions[r].code && strchr(lexer->language->regions[r].code, '('))
            return true;
    return false;
}

/* Does the code of the language give the byte a meaning that the regions do not? */
static bool means_more(const pmi_lexer *lexer, unsigned char byte) {
    const unsigned code = lexer->language->code, regions = lexer->region_flags;
    if (byte == '\n' || code & PM_CODE_PERL || (code & PM_CODE_SHELL && strchr(" \t;()[]", byte)) ||
        (strchr("(){}", byte) && in_string_code(lexer, byte)))
        return true;
    switch (byte) {
    case '<':
        return code & PM_CODE_HEREDOCS || regions & PM_REGION_JSX;
    case '%':
        return code & PM_CODE_RUBY;
    case '~':
        return code & PM_CODE_SIGILS;
    case '?':
        return code & (PM_CODE_RUBY | PM_CODE_SIGILS | PM_CODE_CHARACTERS);
    case '$':
        return code & PM_CODE_DOLLAR;
    case '[':
        return regions & PM_REGION_LONG;
    case '\\':
        return code & PM_CODE_ESCAPES;
    case '\'':
        return code & PM_CODE_SEPARATORS || regions & (PM_REGION_TICK | PM_REGION_LIFETIME);
    case '"':
        return regions & (PM_REGION_DELIMITED | PM_REGION_HASHED);
    case '#':
        return code & PM_CODE_DIRECTIVES || regions & PM_REGION_HASHED;
    case '`':
        return code & PM_CODE_BACKTICKS;
    default:
        return false;
    }
}

/* Does the byte open regions, but where a line begins alone? */
static bool starts_line(const pmi_lexer *lexer, unsigned char byte) {
    for (uint32_t rest = lexer->opened_by[byte]; rest != 0; rest &= rest - 1)
        if (!(lexer->language->regions[pmi_bits_lowest(rest)].flags & PM_REGION_START))
            return false;
    return lexer->opened_by[byte] != 0;
}

/* Does it depend on the code before the byte whether it opens regions? */
static bool asks_history(const pmi_lexer *lexer, unsigned char byte) {
    for (uint32_t rest = lexer->opened_by[byte]; rest != 0; rest &= rest - 1) {
        const pmi_region *const region = &lexer->language->regions[pmi_bits_lowest(rest)];
        if (region->prefix || region->flags & (PM_REGION_START | PM_REGION_WORD | PM_REGION_REGEX) ||
            (region->flags & PM_REGION_NOT && region->open[0] == '/'))
            return true;
    }
    return false;
}

static uint8_t sort_of(const pmi_lexer *lexer, unsigned char byte) {
    if (byte == '\'' && lexer->region_flags & PM_REGION_LIFETIME && !(lexer->language->code & PM_CODE_SEPARATORS))
        return PM_AHEAD_TICK;
    if (byte == '[' && (lexer->region_flags & PM_REGION_LONG) && lexer->opened_by[byte] == 0 &&
        !(lexer->language->code & (PM_CODE_SHELL | PM_CODE_PERL)))
        return PM_AHEAD_SQUARE;
    if (byte == '<' && lexer->language->code & PM_CODE_HEREDOCS && !(lexer->language->code & PM_CODE_PERL) &&
        lexer->opened_by[byte] == 0)
        return PM_AHEAD_LESS;
    if (byte == '?' && lexer->language->code & (PM_CODE_RUBY | PM_CODE_SIGILS) && lexer->opened_by[byte] == 0)
        return PM_AHEAD_QUESTION;
    if ((byte == '=' || byte == '_') && starts_line(lexer, byte))
        return PM_AHEAD_START;
    if ((byte == '/' || byte == '%') && lexer->language->code & PM_CODE_RUBY)
        return byte == '/' ? PM_AHEAD_SLASH : PM_AHEAD_PERCENT;
    if (lexer->opened_by[byte] == 0 || means_more(lexer, byte))
        return PM_AHEAD_ALONE;
    const unsigned alone = PM_REGION_NOT | (strchr("([{'", byte) ? PM_REGION_NOTHING : 0);
    for (uint32_t rest = lexer->opened_by[byte]; rest != 0; rest &= rest - 1)
        if (lexer->language->regions[pmi_bits_lowest(rest)].flags & alone)
            return PM_AHEAD_SELDOM;
    return PM_AHEAD_OPENS;
}

/* May a byte that opens no region mean more than itself? */
static bool has_sort(unsigned byte) {
    switch (byte) {
    case '\'':
    case '[':
    case '<':
    case '?':
    case '/':
    case '%':
        return true;
    default:
        return false;
    }
}

void pmi_lexer_ahead_init(pmi_lexer *lexer) {
    for (unsigned byte = 0; byte < 256; byte++) {
        if (lexer->opened_by[byte] == 0 && !has_sort(byte))
            continue; /* PM_AHEAD_ALONE */
        lexer->ahead[byte] = sort_of(lexer, (unsigned char)byte);
        lexer->passes |= lexer->ahead[byte] >= PM_AHEAD_START && lexer->ahead[byte] <= PM_AHEAD_QUESTION;
    }
    lexer->regions_ahead = lexer->regions_quick = 0;
    for (size_t r = 0; r < lexer->language->region_count; r++) {
        const pmi_region *const region = &lexer->language->regions[r];
        lexer->regions_ahead |= (uint32_t)region_known(region) << r;
        lexer->regions_quick |= (uint32_t)(is_quick(region)) << r;
    }
    for (unsigned byte = 0; byte < 256; byte++)
        if ((lexer->ahead[byte] == PM_AHEAD_OPENS || lexer->ahead[byte] == PM_AHEAD_SELDOM) &&
            !asks_history(lexer, (unsigned char)byte))
            lexer->quick[byte] = lexer->alone[byte] ? lexer->alone[byte] : PM_QUICK_SEVERAL;
}

/* ---- Code ---- */

/* Returns how many bytes open the region, if it opens where these bytes stand, the first of which is right; 0: not. */
static inline unsigned opening_length(const pmi_region *region, const unsigned char *bytes) {
    unsigned length = 1;
    while (region->open[length] && (unsigned char)region->open[length] == bytes[length])
        length++;
    return region->open[length] ? 0 : length;
}

/* Does what stands before allow the region here? Of most of them nothing is asked. */
static inline bool is_allowed(const pmi_lexer *lexer, const pmi_region *region) {
    const unsigned asking = PM_REGION_FIRST | PM_REGION_START | PM_REGION_WORD | PM_REGION_REGEX;
    const bool divides = region->flags & PM_REGION_NOT && region->open[0] == '/';
    return !(region->flags & asking || region->prefix || divides) || pmi_lexer_region_allowed(lexer, region);
}

const pmi_region *pmi_lexer_region_ahead_of(const pmi_lexer *lexer, const unsigned char *bytes, unsigned *length) {
    const pmi_region *opened = NULL;
    *length = 0;
    for (uint32_t rest = lexer->opened_by[bytes[0]]; rest != 0; rest &= rest - 1) {
        const pmi_region *const region = &lexer->language->regions[pmi_bits_lowest(rest)];
        const unsigned longer = opening_length(region, bytes);
        if (longer > *length && is_allowed(lexer, region)) {
            opened = region;
            *length = longer;
        }
    }
    return opened;
}

/* Returns how many bytes were read. */
static size_t opens_ahead(pmi_lexer *lexer, const unsigned char *bytes, uint64_t at) {
    unsigned length;
    lexer->start = at;
    lexer->first = bytes[0];
    const pmi_region *const region = pmi_lexer_region_ahead_of(lexer, bytes, &length);
    if (region) {
        pmi_lexer_region_enter(lexer, region);
        return length;
    }
    if (lexer->remembers)
        pmi_lexer_history_push(&lexer->history, bytes[0]);
    return 1;
}

/* A regular expression of Ruby, or a division. */
static size_t slash_ahead(pmi_lexer *lexer, const unsigned char *bytes, uint64_t at) {
    unsigned length;
    lexer->start = at;
    lexer->first = bytes[0];
    const pmi_region *const region = pmi_lexer_region_ahead_of(lexer, bytes, &length);
    if (region && !(region->flags & PM_REGION_NOT))
        pmi_lexer_region_enter(lexer, region);
    else
        pmi_lexer_history_push(&lexer->history, bytes[0]);
    return 1;
}

/* Where no region opens, code goes on. */
static size_t opens_nothing_ahead(pmi_lexer *lexer, const unsigned char *bytes) {
    unsigned length;
    if (pmi_lexer_region_ahead_of(lexer, bytes, &length))
        return 0;
    if (lexer->remembers)
        pmi_lexer_history_push(&lexer->history, bytes[0]);
    return 1;
}

/* A quote of Haskell, Rust and the like, and a character of letters or a name behind it. */
static size_t tick_ahead(pmi_lexer *lexer, const unsigned char *bytes, size_t n) {
    size_t end = 1;
    if (lexer->region_flags & PM_REGION_TICK && pmi_lexer_is_tick(pmi_lexer_history_byte(&lexer->history, 0))) {
        pmi_lexer_history_push(&lexer->history, bytes[0]);
        return 1;
    }
    while (end < n && pmi_byte_in_name(bytes[end]))
        end++;
    if (end == 1 || end == n)
        return 0;
    pmi_lexer_history_push(&lexer->history, PM_LEXER_OPERAND);
    return end + (bytes[end] == '\'');
}

/* Where the delimiter stands behind Ruby's %; 0: it is to be read in another way. */
static size_t delimiter_behind(const unsigned char *bytes) {
    const size_t at = bytes[1] && strchr("qQwWiIrsx", bytes[1]) ? 2 : 1;
    const unsigned char byte = bytes[at];
    const bool delimits = byte > ' ' && byte < 0x7f && !pmi_byte_in_name(byte) && byte != '#' && byte != '\\';
    return delimits && (byte != '=' || at > 1) ? at : 0;
}

size_t pmi_lexer_ruby_literal(const pmi_lexer_history *history, const unsigned char *bytes, size_t n) {
    const bool slash = bytes[0] == '/';
    if (n < PM_LEXER_OPENING)
        return 0;
    if (slash ? !pmi_lexer_ruby_slash_due(history, bytes[1]) : !pmi_lexer_ruby_percent_due(history))
        return 1;
    size_t k = slash ? 0 : delimiter_behind(bytes), depth = 0;
    bool in_class = false;
    if (k == 0 && !slash)
        return 0;
    const unsigned char opener = bytes[k], closer = pmi_lexer_closer_of(opener);
    for (k++; k + 1 < n; k++) {
        const unsigned char byte = bytes[k];
        if (byte == '\\')
            k++;
        else if (byte == '#' && bytes[k + 1] == '{')
            return 0;
        else if (byte == closer && depth == 0 && !in_class)
            return k + 1;
        else if (slash && (byte == '[' || byte == ']'))
            in_class = byte == '[';
        else if (!slash && (byte == closer || byte == opener))
            depth += byte == closer ? SIZE_MAX : 1;
    }
    return 0;
}

size_t pmi_lexer_long_end(const unsigned char *text, size_t from, size_t to) {
    size_t at = from;
    while (at < to && text[at] == '=')
        at++;
    const size_t equals = at - from;
    if (at == to || text[at] != '[')
        return 0;
    while (to - at > equals + 2) {
        const unsigned char *const close = memchr(text + at + 1, ']', to - at - equals - 2);
        if (!close)
            return 0;
        size_t same = 1;
        while (same <= equals && close[same] == '=')
            same++;
        at = (size_t)(close - text);
        if (same > equals && close[same] == ']')
            return at + equals + 2;
    }
    return 0;
}

/* Where the x of R"x( ends, if it begins there; `to`: it does not. */
static size_t delimiter_end(const unsigned char *text, size_t from, size_t to) {
    for (size_t i = from; i < to && i - from <= PM_RAW_DELIMITER; i++) {
        if (text[i] == '(')
            return i;
        if (text[i] == ')' || text[i] == '\\' || text[i] == 0 || pmi_byte_is_space(text[i]))
            break;
    }
    return to;
}

size_t pmi_lexer_raw_end(const unsigned char *text, size_t from, size_t to) {
    const size_t open = delimiter_end(text, from, to), length = open - from;
    for (size_t at = open; to - at > length + 2;) {
        const unsigned char *const close = memchr(text + at + 1, ')', to - at - length - 2);
        if (!close)
            return 0;
        if (memcmp(close + 1, text + from, length) == 0 && close[length + 1] == '"')
            return (size_t)(close - text) + length + 2;
        at = (size_t)(close - text);
    }
    return 0;
}

size_t pmi_lexer_code_ahead(pmi_lexer *lexer, const unsigned char *bytes, size_t n, uint64_t at) {
    switch (lexer->ahead[bytes[0]]) {
    case PM_AHEAD_OPENS:
    case PM_AHEAD_START:
        return n < PM_LEXER_OPENING ? 0 : opens_ahead(lexer, bytes, at);
    case PM_AHEAD_SELDOM:
        return n < PM_LEXER_OPENING ? 0 : opens_nothing_ahead(lexer, bytes);
    case PM_AHEAD_SQUARE:
        if (n < 2 || bytes[1] == '[' || bytes[1] == '=')
            return 0;
        pmi_lexer_history_push(&lexer->history, '[');
        return 1;
    case PM_AHEAD_TICK:
        return tick_ahead(lexer, bytes, n);
    case PM_AHEAD_SLASH:
        return n < PM_LEXER_OPENING ? 0 : slash_ahead(lexer, bytes, at);
    case PM_AHEAD_PERCENT:
        return n < 3 ? 0 : pmi_lexer_ruby_percent(lexer, bytes, n, at);
    default:
        return 0;
    }
}

/* ---- Regions ---- */

/* A backslash inside a region and what it protects. */
static size_t escape_ahead(unsigned flags, const unsigned char *bytes, size_t n) {
    if (n < 2 || !(flags & PM_REGION_ESCAPES) || bytes[1] == '\r' || (bytes[1] == 'z' && flags & PM_REGION_ZAPS) ||
        (flags & PM_REGION_GAPS && pmi_byte_is_space(bytes[1])))
        return 0;
    return bytes[1] == '\n' && (flags & PM_REGION_LINE) && !(flags & PM_REGION_CONTINUED) ? 1 : 2;
}

/* What may open or close a region inside one that nests. */
static size_t nested_ahead(pmi_lexer *lexer, const unsigned char *bytes, size_t n) {
    const char *const open = lexer->region->open, *const close = lexer->region->close;
    if (n < 2)
        return 0;
    if (bytes[0] == (unsigned char)open[0] && bytes[1] == (unsigned char)open[1])
        lexer->depth++;
    else if (bytes[0] != (unsigned char)close[0] || bytes[1] != (unsigned char)close[1])
        return 1;
    else if (lexer->depth > 0)
        lexer->depth--;
    else
        pmi_lexer_region_leave(lexer);
    return 2;
}

/* What may close a region. */
static size_t close_ahead(pmi_lexer *lexer, const unsigned char *bytes, size_t n) {
    unsigned char closer;
    for (size_t k = 0; (closer = pmi_lexer_region_closer(lexer, k)) != 0; k++) {
        if (k == n)
            return 0;
        if (bytes[k] != closer)
            return 1;
        if (pmi_lexer_region_closer(lexer, k + 1) == 0) {
            pmi_lexer_region_leave(lexer);
            return k + 1;
        }
    }
    return 0;
}

bool pmi_lexer_region_ahead(pmi_lexer *lexer, const unsigned char *bytes, size_t n, size_t *taken) {
    const pmi_region *const region = lexer->region;
    const unsigned flags = region->flags;
    if (flags & PM_REGION_HEREDOC) {
        *taken = pmi_lexer_heredoc_ahead(lexer, bytes, n);
        return *taken > 0;
    }
    if (!(lexer->regions_ahead >> (region - lexer->language->regions) & 1))
        return false;
    *taken = 0;
    if (bytes[0] == '\n' && (flags & PM_REGION_LINE)) {
        pmi_lexer_region_leave(lexer);
        return true;
    }
    const bool code = flags & PM_REGION_TEMPLATE && bytes[0] == (unsigned char)region->code[0];
    if (code && (n < 2 || (bytes[1] && strchr(region->code + 1, bytes[1]))))
        return false;
    if (bytes[0] == '\\' && (flags & (PM_REGION_ESCAPES | PM_REGION_CONTINUED)))
        *taken = escape_ahead(flags, bytes, n);
    else if (flags & PM_REGION_NESTS)
        *taken = nested_ahead(lexer, bytes, n);
    else if (code)
        *taken = 1;
    else
        *taken = close_ahead(lexer, bytes, n);
    return *taken > 0;
}
