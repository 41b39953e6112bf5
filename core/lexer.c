/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lexer: a state machine that looks only at bytes which may matter.
 *
 * A table gives every byte its class, one bit for each question: is it a bracket? may it end a run of ordinary code?
 * may it matter inside a region of this sort? For 64 bytes the answers to one question are one word, so a run is passed
 * over by finding the next bit that is set. The byte found there is read by the function of the state; it
 * returns true if it took the byte, false if the byte is to be read again in the state that it changed to.
 */
#include "core/lexer.h"

#include <string.h>

/* ---- Classes of bytes ---- */

#define CLASS_BRACKET 0u /* a bracket of the alphabet */
#define CLASS_CODE 1u    /* ends a run of ordinary code */
#define CLASS_BRACE 2u   /* ends it inside a template literal */
#define CLASS_REGION 3u  /* this bit and those above: ends a run inside a region */

/* Languages may have more regions than there are bits left. Those that share one stop at each other's bytes too: that
 * costs time, nothing else. */
static unsigned region_class(const pm_language *language, const pm_region *region) {
    return CLASS_REGION + (unsigned)(region - language->regions) % (PM_PIECE_CLASSES - CLASS_REGION);
}

static void class_add(pm_lexer *lexer, const char *bytes, unsigned class) {
    for (; *bytes; bytes++)
        lexer->class_of[(unsigned char)*bytes] |= (uint8_t)(1u << class);
}

static void class_add_region(pm_lexer *lexer, const pm_region *region) {
    const unsigned class = region_class(lexer->language, region);
    if (region->open)
        class_add(lexer, (const char[]){region->open[0], 0}, CLASS_CODE);
    if (region->close)
        class_add(lexer, (const char[]){region->close[0], 0}, class);
    if (region->flags & PM_REGION_NESTS)
        class_add(lexer, (const char[]){region->open[0], 0}, class);
    if (region->flags & PM_REGION_LINE)
        class_add(lexer, "\n", class);
    if (region->flags & (PM_REGION_ESCAPES | PM_REGION_CONTINUED))
        class_add(lexer, "\\", class);
    if (region->flags & PM_REGION_REGEX)
        class_add(lexer, "[]", class);
    if (region->flags & PM_REGION_TEMPLATE) {
        class_add(lexer, "$", class);
        class_add(lexer, "{}", CLASS_BRACE);
    }
    if (region->flags & PM_REGION_HASHED)
        class_add(lexer, "#", CLASS_CODE);
}

/* ---- Entering and leaving regions ---- */

static bool begins_with(const char *open, const unsigned char *bytes, size_t length) {
    for (size_t k = 0; k < length; k++)
        if (open[k] == 0 || (unsigned char)open[k] != bytes[k])
            return false;
    return true;
}

/* The region that exactly those bytes open, or NULL; and may more bytes behind them open another? */
static const pm_region *region_opened(const pm_lexer *lexer, const unsigned char *opening, size_t length,
                                      bool *longer) {
    const pm_region *opened = NULL;
    *longer = false;
    for (size_t r = 0; r < lexer->language->region_count; r++) {
        const pm_region *region = &lexer->language->regions[r];
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

static void region_enter(pm_lexer *lexer, const pm_region *region) {
    lexer->state = region->flags & PM_REGION_NOTHING ? PM_LEXER_CODE : PM_LEXER_REGION;
    lexer->region = region;
    lexer->escape = PM_LEXER_UNESCAPED;
    lexer->previous = 0;
    lexer->matched = 0;
    lexer->depth = 0;
    lexer->in_class = false;
}

/* Enters the region that has that flag. */
static void region_enter_flagged(pm_lexer *lexer, unsigned flag) {
    for (size_t r = 0; r < lexer->language->region_count; r++)
        if (lexer->language->regions[r].flags & flag)
            region_enter(lexer, &lexer->language->regions[r]);
}

#define OPERAND '"' /* stands in the history for a string, a character, a regular expression */

static void region_leave(pm_lexer *lexer) {
    lexer->state = PM_LEXER_CODE;
    if (lexer->region->flags & PM_REGION_COMMENT)
        pm_history_push_blank(&lexer->history, false);
    else
        pm_history_push(&lexer->history, OPERAND);
}

/* ---- Inside a region ---- */

/* Byte k of what closes the region, 0 past its end. */
static unsigned char region_closer(const pm_lexer *lexer, uint64_t k) {
    const unsigned flags = lexer->region->flags;
    if (k > 0 && (flags & PM_REGION_HASHED))
        return k <= lexer->raw_length ? '#' : 0;
    if (k > 0 && (flags & PM_REGION_DELIMITED))
        return k <= lexer->raw_length ? lexer->raw_delimiter[k - 1] : k == lexer->raw_length + 1 ? '"' : 0;
    return (unsigned char)lexer->region->close[k];
}

static bool closing_byte(pm_lexer *lexer, unsigned char byte) {
    if (byte == region_closer(lexer, lexer->matched)) {
        lexer->matched++;
        if (region_closer(lexer, lexer->matched) == 0)
            region_leave(lexer);
    } else {
        lexer->matched = byte == region_closer(lexer, 0); /* which stands nowhere else in a closer that mismatches */
    }
    return true;
}

/* The byte behind a backslash. Where it protects line ends alone, backslashes in a row are as good as one. */
static bool escaped_byte(pm_lexer *lexer, unsigned char byte) {
    const unsigned flags = lexer->region->flags;
    const bool returned = lexer->escape == PM_LEXER_ESCAPE_RETURN;
    lexer->escape = PM_LEXER_UNESCAPED;
    if (returned)
        return byte == '\n';
    if (byte == '\n')
        return !(flags & PM_REGION_LINE) || (flags & PM_REGION_CONTINUED);
    if (byte == '\r' && (flags & PM_REGION_CONTINUED)) {
        lexer->escape = PM_LEXER_ESCAPE_RETURN;
        return true;
    }
    return flags & PM_REGION_ESCAPES;
}

static bool nested_byte(pm_lexer *lexer, unsigned char byte) {
    const char *open = lexer->region->open, *close = lexer->region->close;
    const char first = (char)lexer->previous, second = (char)byte;
    lexer->previous = 0;
    if (first == open[0] && second == open[1])
        lexer->depth++;
    else if (first == close[0] && second == close[1] && lexer->depth > 0)
        lexer->depth--;
    else if (first == close[0] && second == close[1])
        region_leave(lexer);
    else if (second == open[0] || second == close[0])
        lexer->previous = byte;
    return true;
}

static bool regex_byte(pm_lexer *lexer, unsigned char byte) {
    if (byte == '[' || byte == ']')
        lexer->in_class = byte == '[';
    return lexer->in_class || closing_byte(lexer, byte);
}

/* A template literal with code in it, and what to return to behind that. */
typedef struct template_entry {
    uint64_t start;  /* of the literal */
    uint64_t braces; /* lexer->braces around it */
} template_entry;

/* Code begins at the { of ${, which so is the first of its braces. */
static bool template_byte(pm_lexer *lexer, unsigned char byte) {
    if (lexer->previous == '$' && byte == '{') {
        template_entry *entry = pm_stack_push(&lexer->templates);
        if (!entry) {
            lexer->out_of_memory = true;
            return true;
        }
        *entry = (template_entry){lexer->start, lexer->braces};
        lexer->braces = 0;
        lexer->state = PM_LEXER_CODE;
        return false;
    }
    lexer->previous = byte == '$' ? byte : 0;
    return closing_byte(lexer, byte);
}

/* A brace of code inside a template literal. */
static void template_brace(pm_lexer *lexer, unsigned char byte) {
    pm_history_push(&lexer->history, byte);
    lexer->braces += byte == '{' ? 1 : UINT64_MAX;
    if (lexer->braces > 0)
        return;
    const template_entry *entry = pm_stack_top(&lexer->templates);
    lexer->start = entry->start;
    lexer->braces = entry->braces;
    pm_stack_pop(&lexer->templates);
    region_enter_flagged(lexer, PM_REGION_TEMPLATE);
}

/* Does what came before in the region not matter to the next byte? */
static bool region_idle(const pm_lexer *lexer) {
    return lexer->escape == PM_LEXER_UNESCAPED && lexer->previous == 0 && lexer->matched == 0;
}

static bool region_byte(pm_lexer *lexer, unsigned char byte) {
    const unsigned flags = lexer->region->flags;
    if (lexer->escape != PM_LEXER_UNESCAPED && escaped_byte(lexer, byte))
        return true;
    if (byte == '\n' && (flags & PM_REGION_LINE)) {
        region_leave(lexer);
        return false;
    }
    if (byte == '\\' && (flags & (PM_REGION_ESCAPES | PM_REGION_CONTINUED))) {
        lexer->escape = PM_LEXER_ESCAPE;
        lexer->previous = 0;
        lexer->matched = 0;
        return true;
    }
    if (flags & PM_REGION_NESTS)
        return nested_byte(lexer, byte);
    if (flags & PM_REGION_REGEX)
        return regex_byte(lexer, byte);
    if (flags & PM_REGION_TEMPLATE)
        return template_byte(lexer, byte);
    return closing_byte(lexer, byte);
}

/* ---- Questions to the history ---- */

/* Is a quote here a digit separator? It is in a number, whose parts are word bytes, points and separators. Where so
 * many of them come together that their beginning is forgotten, no valid text has anything else. */
static bool number_before(const pm_history *history) {
    unsigned length = 0;
    unsigned char first = 0, second = 0;
    for (; length < PM_HISTORY_BYTES; length++) {
        const unsigned char byte = pm_history_byte(history, length);
        if (!pm_byte_is_word(byte) && byte != '.' && byte != '\'')
            break;
        second = first;
        first = byte;
    }
    return length == PM_HISTORY_BYTES || pm_byte_is_digit(first) || (first == '.' && pm_byte_is_digit(second));
}

/* Does a slash here begin a regular expression? It does where an operand is due: behind an operator, an opening bracket
 * or a keyword; not behind a name, a number, a literal, a closing bracket, ++ and --, nor in JSX's closing tags. */
static bool regex_due(const pm_history *history) {
    static const char *const keywords[] = {"await",  "case",       "delete", "do", "else",   "extends",
                                           "in",     "instanceof", "new",    "of", "return", "throw",
                                           "typeof", "void",       "yield",  NULL};
    const unsigned back = pm_byte_is_blank(pm_history_byte(history, 0));
    const unsigned char last = pm_history_byte(history, back), before = pm_history_byte(history, back + 1);
    if (pm_byte_is_word(last))
        return pm_history_word_in(history, back, keywords) &&
               pm_history_byte(history, back + pm_history_word(history, back)) != '.';
    switch (last) {
    case ')':
    case ']':
    case '}':
    case '<':
    case OPERAND:
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

/* ---- What may begin in code ---- */

/* The bytes of `opening` open no more than a region of one byte, or none. */
static void opening_ends(pm_lexer *lexer) {
    bool longer;
    const pm_region *region = region_opened(lexer, lexer->opening, 1, &longer);
    if (region && (region->flags & PM_REGION_REGEX) && !regex_due(&lexer->history))
        region = NULL;
    if (region) {
        region_enter(lexer, region);
        for (unsigned k = 1; k < lexer->opening_length; k++)
            region_byte(lexer, lexer->opening[k]);
        return;
    }
    lexer->state = PM_LEXER_CODE;
    for (unsigned k = 0; k < lexer->opening_length; k++)
        pm_history_push(&lexer->history, lexer->opening[k]);
}

/* A byte that with those before it may open a region. The longest open wins, as """ does over ". */
static bool opening_byte(pm_lexer *lexer, unsigned char byte) {
    const unsigned length = lexer->opening_length + 1;
    bool longer;
    lexer->opening[length - 1] = byte;
    const pm_region *region = region_opened(lexer, lexer->opening, length, &longer);
    if (longer) {
        lexer->state = PM_LEXER_OPENING_REGION;
        lexer->opening_length = length;
    } else if (region) {
        region_enter(lexer, region);
    } else if (length == 1) {
        pm_history_push(&lexer->history, byte);
    } else {
        opening_ends(lexer);
        return false;
    }
    return true;
}

/* The name of a directive, behind its #, which begins a line. */
static bool directive_byte(pm_lexer *lexer, unsigned char byte, uint64_t at) {
    static const char *const free_text[] = {"error", "warning", NULL};
    pm_history *history = &lexer->history;
    const bool begun = pm_byte_is_word(pm_history_byte(history, 0));
    if (pm_byte_is_word(byte)) {
        pm_history_push(history, byte);
        return true;
    }
    if (!begun && (byte == ' ' || byte == '\t')) {
        pm_history_push_blank(history, false);
        return true;
    }
    lexer->state = PM_LEXER_CODE;
    if (pm_history_word_in(history, 0, free_text)) {
        lexer->start = at;
        region_enter_flagged(lexer, PM_REGION_FREE);
    }
    return false;
}

/* The x of C++'s R"x(...)x". What cannot stand in it makes the literal an ordinary string from there. */
static bool raw_delimiter_byte(pm_lexer *lexer, unsigned char byte) {
    if (byte == '(') {
        region_enter_flagged(lexer, PM_REGION_DELIMITED);
        return true;
    }
    if (lexer->raw_length == PM_RAW_DELIMITER || byte == ')' || byte == '\\' || byte == 0 || pm_byte_is_blank(byte)) {
        lexer->opening[0] = '"';
        lexer->opening_length = 1;
        opening_ends(lexer);
        return false;
    }
    lexer->raw_delimiter[lexer->raw_length++] = byte;
    return true;
}

/* The hashes of Rust's r##"..."##, or of a raw identifier. */
static bool raw_hashes_byte(pm_lexer *lexer, unsigned char byte, uint64_t at) {
    if (byte == '#') {
        lexer->raw_length++;
        return true;
    }
    lexer->state = PM_LEXER_CODE;
    if (byte != '"')
        return false;
    lexer->start = at;
    region_enter_flagged(lexer, PM_REGION_HASHED);
    return true;
}

/* Behind Rust's quote: 'a is a lifetime, 'a' a character, and what is no identifier can only be a character. */
static bool quote_byte(pm_lexer *lexer, unsigned char byte) {
    if (pm_byte_is_word(byte)) {
        lexer->state = PM_LEXER_QUOTE_WORD;
        return true;
    }
    region_enter_flagged(lexer, PM_REGION_LIFETIME);
    return false;
}

static bool quote_word_byte(pm_lexer *lexer, unsigned char byte) {
    if (pm_byte_is_word(byte))
        return true;
    lexer->state = PM_LEXER_CODE;
    pm_history_push(&lexer->history, OPERAND);
    return byte == '\'';
}

/* An Emacs Lisp character behind its ?: one byte, or a backslash and one, or modifiers such as \C- before either. */
static bool character_byte(pm_lexer *lexer, unsigned char byte) {
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
        pm_history_push(&lexer->history, OPERAND);
    return true;
}

/* ---- Code ---- */

/* A byte that ends a run of ordinary code. First the bytes whose meaning the table of regions cannot tell. */
static bool code_byte(pm_lexer *lexer, unsigned char byte, uint64_t at) {
    static const char *const cpp_raw[] = {"R", "LR", "uR", "UR", "u8R", NULL};
    static const char *const rust_raw[] = {"r", "br", "cr", NULL};
    const unsigned code = lexer->language->code, regions = lexer->region_flags;
    pm_history *history = &lexer->history;
    const unsigned char newest = pm_history_byte(history, 0);
    lexer->start = at;
    lexer->opening_length = 0;
    switch (byte) {
    case '{':
    case '}':
        template_brace(lexer, byte);
        return true;
    case '\\':
        lexer->state = PM_LEXER_PROTECTED;
        return true;
    case '?':
        if (!pm_byte_is_word(newest) && !(newest && strchr("-_*+/<=>!?&%", newest)))
            lexer->state = PM_LEXER_CHARACTER;
        else
            pm_history_push(history, byte);
        return true;
    case '\'':
        if (regions & PM_REGION_LIFETIME) {
            lexer->state = PM_LEXER_QUOTE;
            return true;
        }
        if ((code & PM_CODE_SEPARATORS) && number_before(history)) {
            pm_history_push(history, byte);
            return true;
        }
        break;
    case '"':
        if ((regions & PM_REGION_DELIMITED) && pm_history_word_in(history, 0, cpp_raw)) {
            lexer->raw_length = 0;
            lexer->state = PM_LEXER_RAW_DELIMITER;
            return true;
        }
        if ((regions & PM_REGION_HASHED) && pm_history_word_in(history, 0, rust_raw)) {
            lexer->raw_length = 0;
            region_enter_flagged(lexer, PM_REGION_HASHED);
            return true;
        }
        break;
    case '#':
        if ((code & PM_CODE_DIRECTIVES) && newest == '\n' && pm_history_byte(history, 1) != '\\') {
            pm_history_push(history, byte);
            lexer->state = PM_LEXER_DIRECTIVE;
            return true;
        }
        if ((regions & PM_REGION_HASHED) && pm_history_word_in(history, 0, rust_raw)) {
            pm_history_push(history, byte);
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

static bool byte_read(pm_lexer *lexer, unsigned char byte, uint64_t at) {
    switch (lexer->state) {
    case PM_LEXER_CODE:
        return code_byte(lexer, byte, at);
    case PM_LEXER_REGION:
        return region_byte(lexer, byte);
    case PM_LEXER_OPENING_REGION:
        return opening_byte(lexer, byte);
    case PM_LEXER_PROTECTED:
        pm_history_push(&lexer->history, OPERAND);
        lexer->state = PM_LEXER_CODE;
        return true;
    case PM_LEXER_DIRECTIVE:
        return directive_byte(lexer, byte, at);
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

/* ---- The interface ---- */

static void lexer_reset(pm_lexer *lexer) {
    lexer->out_of_memory = false;
    lexer->position = 0;
    lexer->state = PM_LEXER_CODE;
    pm_history_init(&lexer->history);
    lexer->braces = 0;
}

void pm_lexer_init(pm_lexer *lexer, const pm_language *language, const pm_alphabet *alphabet,
                   const pm_allocator *allocator) {
    memset(lexer, 0, sizeof *lexer);
    lexer->language = language;
    for (size_t r = 0; r < language->region_count; r++) {
        class_add_region(lexer, &language->regions[r]);
        lexer->region_flags |= language->regions[r].flags;
    }
    if (language->code & PM_CODE_DIRECTIVES)
        class_add(lexer, "#", CLASS_CODE);
    if (language->code & PM_CODE_ESCAPES)
        class_add(lexer, "\\", CLASS_CODE);
    if (language->code & PM_CODE_CHARACTERS)
        class_add(lexer, "?", CLASS_CODE);
    for (unsigned byte = 0; byte < 256; byte++)
        if (alphabet->role[byte] != PM_ROLE_NEUTRAL && !(lexer->class_of[byte] >> CLASS_CODE & 1))
            lexer->class_of[byte] |= 1u << CLASS_BRACKET;
    lexer->remembers = language->code & (PM_CODE_SEPARATORS | PM_CODE_DIRECTIVES | PM_CODE_CHARACTERS) ||
                       lexer->region_flags & (PM_REGION_REGEX | PM_REGION_DELIMITED | PM_REGION_HASHED);
    lexer->classes = CLASS_REGION + (unsigned)language->region_count;
    if (lexer->classes > PM_PIECE_CLASSES)
        lexer->classes = PM_PIECE_CLASSES;
    pm_stack_init(&lexer->templates, allocator, sizeof(template_entry));
    lexer_reset(lexer);
}

void pm_lexer_clear(pm_lexer *lexer) {
    pm_stack_clear(&lexer->templates);
    lexer_reset(lexer);
}

/* Sets bits from ... to - 1. */
static void bits_set_range(uint64_t *words, size_t from, size_t to) {
    while (from < to) {
        const size_t w = from / PM_WORD_BITS, next = (w + 1) * PM_WORD_BITS;
        const uint64_t below = next <= to ? UINT64_MAX : pm_bits_low(to % PM_WORD_BITS);
        words[w] |= below & ~pm_bits_low(from % PM_WORD_BITS);
        from = next;
    }
}

pm_status pm_lexer_scan_piece(pm_lexer *lexer, const unsigned char *text, const pm_piece *piece, uint64_t *brackets) {
    const size_t n = piece->n, words = pm_bits_words(n);
    uint64_t *outside = brackets; /* bytes outside strings and comments, first of all */
    for (size_t w = 0; w < words; w++)
        outside[w] = 0;
    for (size_t i = 0; i < n;) {
        if (lexer->state == PM_LEXER_CODE) {
            const bool braces = pm_stack_top(&lexer->templates) != NULL;
            const size_t stop = pm_piece_next(piece, CLASS_CODE, braces ? CLASS_BRACE : CLASS_CODE, i);
            bits_set_range(outside, i, stop);
            if (lexer->remembers)
                pm_history_extend(&lexer->history, text + i, stop - i);
            i = stop;
        } else if (lexer->state == PM_LEXER_REGION && region_idle(lexer)) {
            const unsigned class = region_class(lexer->language, lexer->region);
            i = pm_piece_next(piece, class, class, i);
        }
        if (i == n)
            break;
        if (lexer->state == PM_LEXER_CODE || lexer->state == PM_LEXER_DIRECTIVE)
            outside[i / PM_WORD_BITS] |= UINT64_C(1) << i % PM_WORD_BITS;
        i += byte_read(lexer, text[i], lexer->position + i);
    }
    lexer->position += n;
    for (size_t w = 0; w < words; w++)
        brackets[w] = outside[w] & pm_piece_mask(piece, w, CLASS_BRACKET);
    return lexer->out_of_memory ? PM_OUT_OF_MEMORY : PM_OK;
}

pm_status pm_lexer_scan(pm_lexer *lexer, const unsigned char *text, size_t n, uint64_t *brackets) {
    uint64_t masks[PM_PIECE_CLASSES];
    *brackets = 0;
    pm_classify_bytes(masks, lexer->classes, lexer->class_of, text, n);
    return pm_lexer_scan_piece(lexer, text, &(pm_piece){masks, lexer->classes, n}, brackets);
}

bool pm_lexer_quotes(const pm_lexer *lexer, unsigned char *quote) {
    const pm_language *language = lexer->language;
    if (language->region_count != 1 || language->code != 0)
        return false;
    const pm_region *region = &language->regions[0];
    if (region->flags != PM_REGION_ESCAPES || strlen(region->open) != 1 || strcmp(region->open, region->close) != 0)
        return false;
    *quote = (unsigned char)region->open[0];
    return true;
}

void pm_lexer_quoted(pm_lexer *lexer, size_t n, bool inside, bool escaped, uint64_t start) {
    lexer->position += n;
    lexer->state = PM_LEXER_CODE;
    if (!inside)
        return;
    lexer->start = start;
    region_enter(lexer, &lexer->language->regions[0]);
    lexer->escape = escaped ? PM_LEXER_ESCAPE : PM_LEXER_UNESCAPED;
}

bool pm_lexer_inside(const pm_lexer *lexer, uint64_t *offset, char *byte) {
    const template_entry *outermost = pm_stack_bottom(&lexer->templates);
    const bool in_region = lexer->state == PM_LEXER_REGION && !(lexer->region->flags & PM_REGION_LINE);
    if (!outermost && !in_region && lexer->state != PM_LEXER_RAW_DELIMITER)
        return false;
    *offset = outermost ? outermost->start : lexer->start;
    *byte = outermost ? '`' : in_region && lexer->region->open ? lexer->region->open[0] : '"';
    return true;
}
