/* SPDX-License-Identifier: Apache-2.0 */
/* The lexer in code: the bytes that end a run of ordinary code, and what they may begin: regions, directives, raw
 * strings, lifetimes, characters. */
#include <string.h>

#include "core/text/lexer_parts.h"

/* ---- The last bytes of code ---- */

static bool is_digit(unsigned char byte) {
    return byte >= '0' && byte <= '9';
}

/* May the byte stand in an identifier? All of UTF-8 beyond ASCII may. */
static bool in_identifier(unsigned char byte) {
    const unsigned char small = byte | 0x20;
    return (small >= 'a' && small <= 'z') || is_digit(byte) || byte == '_' || byte == '$' || byte >= 0x80;
}

/* How many bytes of a word stand there, read backwards from `back`; PM_HISTORY_BYTES - back: that many or more. */
static unsigned word_length(const pmi_lexer_history *history, unsigned back) {
    unsigned length = 0;
    while (back + length < PM_HISTORY_BYTES && in_identifier(pmi_lexer_history_byte(history, back + length)))
        length++;
    return length;
}

/* Is the word that ends at `back` one of the list, which ends in NULL? */
static bool word_is_one_of(const pmi_lexer_history *history, unsigned back, const char *const *list) {
    const unsigned length = word_length(history, back);
    for (; *list; list++) {
        unsigned same = 0;
        while (same < length && (*list)[same] &&
               (unsigned char)(*list)[same] == pmi_lexer_history_byte(history, back + length - 1 - same))
            same++;
        if (length > 0 && same == length && !(*list)[same])
            return true;
    }
    return false;
}

/* ---- Regions ---- */

static bool begins_with(const char *open, const unsigned char *bytes, size_t length) {
    for (size_t k = 0; k < length; k++)
        if (open[k] == 0 || (unsigned char)open[k] != bytes[k])
            return false;
    return true;
}

/* The region that exactly those bytes open, or NULL; and may more bytes behind them open another? */
static const pmi_region *region_opened(const pmi_lexer *lexer, const unsigned char *opening, size_t length,
                                       bool *longer) {
    const pmi_region *opened = NULL;
    *longer = false;
    for (size_t r = 0; r < lexer->language->region_count; r++) {
        const pmi_region *region = &lexer->language->regions[r];
        if (!region->open || ((region->flags & PM_REGION_FIRST) && lexer->start > 0))
            continue;
        if (!begins_with(region->open, opening, length))
            continue;
        if (region->open[length] == 0)
            opened = region;
        else
            *longer = true;
    }
    return opened;
}

/* Does a slash here begin a regular expression? It does where an operand is due: behind an operator, an opening bracket
 * or a keyword; not behind a name, a number, a literal, a closing bracket, ++ and --, nor in JSX's closing tags. */
static bool regex_due(const pmi_lexer_history *history) {
    static const char *const keywords[] = {"await",  "case",       "delete", "do", "else",   "extends",
                                           "in",     "instanceof", "new",    "of", "return", "throw",
                                           "typeof", "void",       "yield",  NULL};
    const unsigned back = pmi_byte_is_space(pmi_lexer_history_byte(history, 0));
    const unsigned char last = pmi_lexer_history_byte(history, back),
                        before = pmi_lexer_history_byte(history, back + 1);
    if (in_identifier(last))
        return word_is_one_of(history, back, keywords) &&
               pmi_lexer_history_byte(history, back + word_length(history, back)) != '.';
    switch (last) {
    case ')':
    case ']':
    case '}':
    case '<':
    case PM_LEXER_OPERAND:
        return false;
    case '+':
    case '-':
        return before != last;
    case '.':
        return before == '.'; /* the spread operator, not 1. */
    default:
        return true;
    }
}

/* The bytes of `opening` open no more than a region of one byte, or none. */
static void opening_ends(pmi_lexer *lexer) {
    bool longer;
    const pmi_region *region = region_opened(lexer, lexer->opening, 1, &longer);
    if (region && (region->flags & PM_REGION_REGEX) && !regex_due(&lexer->history))
        region = NULL;
    if (region) {
        pmi_lexer_region_enter(lexer, region);
        for (unsigned k = 1; k < lexer->opening_length; k++)
            pmi_lexer_region_byte(lexer, lexer->opening[k]);
        return;
    }
    lexer->state = PM_LEXER_CODE;
    for (unsigned k = 0; k < lexer->opening_length; k++)
        pmi_lexer_history_push(&lexer->history, lexer->opening[k]);
}

/* A byte that with those before it may open a region. The longest open wins, as """ does over ". */
static bool opening_byte(pmi_lexer *lexer, unsigned char byte) {
    const unsigned length = lexer->opening_length + 1;
    bool longer;
    lexer->opening[length - 1] = byte;
    const pmi_region *region = region_opened(lexer, lexer->opening, length, &longer);
    if (longer) {
        lexer->state = PM_LEXER_OPENING_REGION;
        lexer->opening_length = length;
    } else if (region) {
        pmi_lexer_region_enter(lexer, region);
    } else if (length == 1) {
        pmi_lexer_history_push(&lexer->history, byte);
    } else {
        opening_ends(lexer);
        return false;
    }
    return true;
}

/* ---- Code ---- */

/* Is a quote here a digit separator? It is in a number, whose parts are word bytes, points and separators. Where so
 * many of them come together that their beginning is forgotten, no valid text has anything else. */
static bool number_before(const pmi_lexer_history *history) {
    unsigned length = 0;
    unsigned char first = 0, second = 0;
    for (; length < PM_HISTORY_BYTES; length++) {
        const unsigned char byte = pmi_lexer_history_byte(history, length);
        if (!in_identifier(byte) && byte != '.' && byte != '\'')
            break;
        second = first;
        first = byte;
    }
    return length == PM_HISTORY_BYTES || is_digit(first) || (first == '.' && is_digit(second));
}

/* A byte that ends a run of ordinary code. First the bytes whose meaning the table of regions cannot tell. */
static bool code_byte(pmi_lexer *lexer, unsigned char byte, uint64_t at) {
    static const char *const cpp_raw[] = {"R", "LR", "uR", "UR", "u8R", NULL};
    static const char *const rust_raw[] = {"r", "br", "cr", NULL};
    const unsigned code = lexer->language->code, regions = lexer->region_flags;
    pmi_lexer_history *history = &lexer->history;
    const unsigned char newest = pmi_lexer_history_byte(history, 0);
    lexer->start = at;
    lexer->opening_length = 0;
    switch (byte) {
    case '{':
    case '}':
        pmi_lexer_template_brace(lexer, byte);
        return true;
    case '\\':
        lexer->state = PM_LEXER_PROTECTED;
        return true;
    case '?':
        if (!in_identifier(newest) && !(newest && strchr("-_*+/<=>!?&%", newest)))
            lexer->state = PM_LEXER_CHARACTER;
        else
            pmi_lexer_history_push(history, byte);
        return true;
    case '\'':
        if (regions & PM_REGION_LIFETIME) {
            lexer->state = PM_LEXER_QUOTE;
            return true;
        }
        if ((code & PM_CODE_SEPARATORS) && number_before(history)) {
            pmi_lexer_history_push(history, byte);
            return true;
        }
        break;
    case '"':
        if ((regions & PM_REGION_DELIMITED) && word_is_one_of(history, 0, cpp_raw)) {
            lexer->raw_length = 0;
            lexer->state = PM_LEXER_RAW_DELIMITER;
            return true;
        }
        if ((regions & PM_REGION_HASHED) && word_is_one_of(history, 0, rust_raw)) {
            lexer->raw_length = 0;
            pmi_lexer_region_enter_flagged(lexer, PM_REGION_HASHED);
            return true;
        }
        break;
    case '#':
        if ((code & PM_CODE_DIRECTIVES) && newest == '\n' && pmi_lexer_history_byte(history, 1) != '\\') {
            pmi_lexer_history_push(history, byte);
            lexer->state = PM_LEXER_DIRECTIVE;
            return true;
        }
        if ((regions & PM_REGION_HASHED) && word_is_one_of(history, 0, rust_raw)) {
            pmi_lexer_history_push(history, byte);
            lexer->raw_length = 1;
            lexer->state = PM_LEXER_RAW_HASHES;
            return true;
        }
        break;
    default:
        break;
    }
    return opening_byte(lexer, byte);
}

/* ---- Constructs of some languages ---- */

static void note_directive(pmi_lexer *lexer, pmi_directive directive, uint64_t at) {
    pmi_directives *const noted = lexer->directives;
    noted->list[noted->count++] = (uint16_t)((at - noted->base) << 3 | directive);
}

/* The directives that choose branches; #if needs another look. */
static const struct {
    pmi_directive directive;
    const char *names[4];
} branches[] = {
    {PM_DIRECTIVE_IF, {"ifdef", "ifndef"}},
    {PM_DIRECTIVE_ELSE_IF, {"elif", "elifdef", "elifndef"}},
    {PM_DIRECTIVE_ELSE, {"else"}},
    {PM_DIRECTIVE_END, {"endif"}},
};
#define COUNT_OF_BRANCHES (sizeof branches / sizeof *branches)

/* The name of a directive, behind its #, which begins a line. */
static bool directive_byte(pmi_lexer *lexer, unsigned char byte, uint64_t at) {
    static const char *const free_text[] = {"error", "warning", NULL};
    pmi_lexer_history *history = &lexer->history;
    const bool begun = in_identifier(pmi_lexer_history_byte(history, 0));
    if (in_identifier(byte)) {
        pmi_lexer_history_push(history, byte);
        return true;
    }
    if (!begun && (byte == ' ' || byte == '\t')) {
        pmi_lexer_history_push_blank(history, false);
        return true;
    }
    lexer->state = PM_LEXER_CODE;
    if (word_is_one_of(history, 0, free_text)) {
        lexer->start = at;
        pmi_lexer_region_enter_flagged(lexer, PM_REGION_FREE);
    } else if (lexer->directives) {
        if (word_is_one_of(history, 0, (const char *const[]){"if", NULL}))
            lexer->state = PM_LEXER_CONDITION;
        for (unsigned k = 0; k < COUNT_OF_BRANCHES; k++)
            if (word_is_one_of(history, 0, branches[k].names))
                note_directive(lexer, branches[k].directive, at);
    }
    return false;
}

/* Behind #if. A 0 alone makes the branch one that is never taken. */
static bool condition_byte(pmi_lexer *lexer, unsigned char byte, uint64_t at) {
    const bool zero = lexer->state == PM_LEXER_CONDITION_ZERO;
    if (!zero && (byte == ' ' || byte == '\t')) {
        pmi_lexer_history_push_blank(&lexer->history, false);
        return true;
    }
    if (!zero && byte == '0') {
        pmi_lexer_history_push(&lexer->history, byte);
        lexer->state = PM_LEXER_CONDITION_ZERO;
        return true;
    }
    lexer->state = PM_LEXER_CODE;
    note_directive(lexer, zero && !in_identifier(byte) ? PM_DIRECTIVE_IF_ZERO : PM_DIRECTIVE_IF, at);
    return false;
}

/* The x of C++'s R"x(...)x". What cannot stand in it makes the literal an ordinary string from there. */
static bool raw_delimiter_byte(pmi_lexer *lexer, unsigned char byte) {
    if (byte == '(') {
        pmi_lexer_region_enter_flagged(lexer, PM_REGION_DELIMITED);
        return true;
    }
    if (lexer->raw_length == PM_RAW_DELIMITER || byte == ')' || byte == '\\' || byte == 0 || pmi_byte_is_space(byte)) {
        lexer->opening[0] = '"';
        lexer->opening_length = 1;
        opening_ends(lexer);
        return false;
    }
    lexer->raw_delimiter[lexer->raw_length++] = byte;
    return true;
}

/* The hashes of Rust's r##"..."##, or of a raw identifier. */
static bool raw_hashes_byte(pmi_lexer *lexer, unsigned char byte, uint64_t at) {
    if (byte == '#') {
        lexer->raw_length++;
        return true;
    }
    lexer->state = PM_LEXER_CODE;
    if (byte != '"')
        return false;
    lexer->start = at;
    pmi_lexer_region_enter_flagged(lexer, PM_REGION_HASHED);
    return true;
}

/* Behind Rust's quote: 'a is a lifetime, 'a' a character, and what is no identifier can only be a character. */
static bool quote_byte(pmi_lexer *lexer, unsigned char byte) {
    if (in_identifier(byte)) {
        lexer->state = PM_LEXER_QUOTE_WORD;
        return true;
    }
    pmi_lexer_region_enter_flagged(lexer, PM_REGION_LIFETIME);
    return false;
}

static bool quote_word_byte(pmi_lexer *lexer, unsigned char byte) {
    if (in_identifier(byte))
        return true;
    lexer->state = PM_LEXER_CODE;
    pmi_lexer_history_push(&lexer->history, PM_LEXER_OPERAND);
    return byte == '\'';
}

/* An Emacs Lisp character behind its ?: one byte, or a backslash and one, or modifiers such as \C- before either. */
static bool character_byte(pmi_lexer *lexer, unsigned char byte) {
    switch (lexer->state) {
    case PM_LEXER_CHARACTER:
        lexer->state = byte == '\\' ? PM_LEXER_CHARACTER_ESCAPE : PM_LEXER_CODE;
        break;
    case PM_LEXER_CHARACTER_ESCAPE:
        lexer->state = byte == '^'                      ? PM_LEXER_CHARACTER
                       : byte && strchr("ACHMSs", byte) ? PM_LEXER_CHARACTER_MODIFIER
                                                        : PM_LEXER_CODE;
        break;
    default:
        lexer->state = byte == '-' ? PM_LEXER_CHARACTER : PM_LEXER_CODE;
        return byte == '-';
    }
    if (lexer->state == PM_LEXER_CODE)
        pmi_lexer_history_push(&lexer->history, PM_LEXER_OPERAND);
    return true;
}

/* ---- Any state ---- */

bool pmi_lexer_read_byte(pmi_lexer *lexer, unsigned char byte, uint64_t at) {
    switch (lexer->state) {
    case PM_LEXER_CODE:
        return code_byte(lexer, byte, at);
    case PM_LEXER_REGION:
        return pmi_lexer_region_byte(lexer, byte);
    case PM_LEXER_OPENING_REGION:
        return opening_byte(lexer, byte);
    case PM_LEXER_PROTECTED:
        pmi_lexer_history_push(&lexer->history, PM_LEXER_OPERAND);
        lexer->state = PM_LEXER_CODE;
        return true;
    case PM_LEXER_DIRECTIVE:
        return directive_byte(lexer, byte, at);
    case PM_LEXER_CONDITION:
    case PM_LEXER_CONDITION_ZERO:
        return condition_byte(lexer, byte, at);
    case PM_LEXER_RAW_DELIMITER:
        return raw_delimiter_byte(lexer, byte);
    case PM_LEXER_RAW_HASHES:
        return raw_hashes_byte(lexer, byte, at);
    case PM_LEXER_QUOTE:
        return quote_byte(lexer, byte);
    case PM_LEXER_QUOTE_WORD:
        return quote_word_byte(lexer, byte);
    case PM_LEXER_CHARACTER:
    case PM_LEXER_CHARACTER_ESCAPE:
    case PM_LEXER_CHARACTER_MODIFIER:
        return character_byte(lexer, byte);
    }
    return true;
}
