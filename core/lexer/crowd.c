/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lexer in crowded text, where every few bytes begin or end something: nothing is won there by looking for the next
 * byte that does. So each is read by itself, by what a table says of it in code and by what may end a region, with the
 * state in registers. What is rare is read as everywhere, by pmi_lexer_step().
 */
#include <string.h>

#include "core/lexer/words/table.h"

/* What a byte of code is. */
enum {
    OTHER = 0, /* something that is read as everywhere */
    PLAIN,
    BLANK,
    NEWLINE,   /* behind which a heredoc may follow */
    BRACE,     /* may nest in the code of a string, or end it */
    LESS,      /* the first byte of <<, perhaps */
    SQUARE,    /* that of [==[, perhaps */
    START,     /* begins something where a line begins */
    PROTECTS,  /* a backslash */
    OPENS_ONE, /* opens a region, whatever is around */
    OPENS,     /* perhaps opens regions */
    RAW,       /* a quote that behind some words opens another region than elsewhere */
    TICK,      /* the quote of a character, or one that belongs to a name */
    QUESTION,  /* begins a character, perhaps: in Ruby and Elixir, */
    LISP,      /* in Emacs Lisp */
    DOLLAR,    /* in Erlang */
    SIGIL,     /* Elixir's ~, before a letter */
    LITERAL    /* Ruby's / and % */
};

/* ---- The table ---- */

static unsigned kind_of_ahead(const pmi_lexer *lexer, unsigned char byte) {
    switch (lexer->ahead[byte]) {
    case PM_AHEAD_OPENS:
    case PM_AHEAD_SELDOM:
        return lexer->quick[byte] > 0 && lexer->quick[byte] < PM_QUICK_SEVERAL ? OPENS_ONE : OPENS;
    case PM_AHEAD_START:
        return START;
    case PM_AHEAD_LESS:
        return LESS;
    case PM_AHEAD_QUESTION:
        return QUESTION;
    case PM_AHEAD_SQUARE:
        return SQUARE;
    case PM_AHEAD_TICK:
        return TICK;
    case PM_AHEAD_SLASH:
    case PM_AHEAD_PERCENT:
        return LITERAL;
    default:
        return OTHER;
    }
}

static unsigned kind_of(const pmi_lexer *lexer, unsigned char byte) {
    const unsigned class = lexer->class_of[byte], code = lexer->language->code;
    const bool starts = code & PM_CODE_RUBY && class >> PM_LEXER_STARTS & 1;
    if (!(class >> PM_LEXER_ENDS_CODE & 1) && !starts) {
        if (byte == '\n')
            return NEWLINE;
        return class >> PM_LEXER_ENDS_TEMPLATE_CODE & 1 ? BRACE : pmi_byte_is_space(byte) ? BLANK : PLAIN;
    }
    if (byte == '\\' && code & PM_CODE_ESCAPES && lexer->opened_by[byte] == 0)
        return PROTECTS;
    if (byte == '?' && code & PM_CODE_CHARACTERS && lexer->opened_by[byte] == 0)
        return LISP;
    if (byte == '$' && code & PM_CODE_DOLLAR && lexer->opened_by[byte] == 0)
        return DOLLAR;
    if (byte == '~' && code & PM_CODE_SIGILS && lexer->opened_by[byte] == 0)
        return SIGIL;
    if (byte == '"' && lexer->region_flags & PM_REGION_DELIMITED && lexer->alone[byte])
        return RAW;
    return kind_of_ahead(lexer, byte);
}

/* May the region be read here, as long as no byte of it asks for more? */
static bool is_known(const pmi_region *region) {
    const unsigned unknown = PM_REGION_NOTHING | PM_REGION_NOT | PM_REGION_LONG | PM_REGION_FREE | PM_REGION_REGEX |
                             PM_REGION_HASHED | PM_REGION_DELIMITED | PM_REGION_PAIRED | PM_REGION_HEREDOC |
                             PM_REGION_YAML | PM_REGION_JSX;
    return region->close && !(region->flags & unknown);
}

void pmi_lexer_crowd_init(pmi_lexer *lexer) {
    for (unsigned byte = 0; byte < 256; byte++)
        lexer->crowd[byte] = (uint8_t)kind_of(lexer, (unsigned char)byte);
    for (size_t r = 0; r < lexer->language->region_count; r++)
        lexer->crowd_regions |= (uint32_t)is_known(&lexer->language->regions[r]) << r;
}

/* ---- The reader ---- */

typedef struct crowd_reader {
    pmi_lexer *lexer;
    const unsigned char *text;
    size_t to;
    uint64_t position; /* of the piece */
    uint64_t *outside;
    size_t word; /* the bytes of this word that are outside, and not yet noted there */
    uint64_t marks;
    pmi_lexer_history history;
    const pmi_region *region; /* NULL: in code */
    uint64_t depth;
    size_t start; /* of the region in the piece; SIZE_MAX: before it */
    bool in_string, heredocs;
} crowd_reader;

#define INLINED static inline __attribute__((always_inline))

/* Puts the reader where the lexer is. Returns false if it does not know the lexer's state. */
INLINED bool state_take(crowd_reader *reader, size_t i) {
    const pmi_lexer *const lexer = reader->lexer;
    const bool in_region = lexer->state == PM_LEXER_REGION;
    if (lexer->state != PM_LEXER_CODE &&
        !(in_region && lexer->crowd_regions >> (lexer->region - lexer->language->regions) & 1 &&
          pmi_lexer_region_idle(lexer)))
        return false;
    reader->word = i / PM_WORD_BITS;
    reader->marks = 0;
    reader->history = lexer->history;
    reader->region = in_region ? lexer->region : NULL;
    reader->depth = lexer->depth;
    reader->start = SIZE_MAX;
    reader->in_string = pmi_stack_top(&lexer->templates) != NULL;
    reader->heredocs = lexer->heredoc_count > 0;
    return true;
}

/* Puts the lexer where the reader is. */
INLINED void state_give(const crowd_reader *reader) {
    pmi_lexer *const lexer = reader->lexer;
    reader->outside[reader->word] |= reader->marks;
    lexer->history = reader->history;
    lexer->state = PM_LEXER_CODE;
    if (!reader->region)
        return;
    pmi_lexer_region_enter(lexer, reader->region);
    lexer->depth = reader->depth;
    if (reader->start != SIZE_MAX) {
        lexer->start = reader->position + reader->start;
        lexer->first = reader->text[reader->start];
    }
}

INLINED void mark(crowd_reader *reader, size_t i) {
    if (i / PM_WORD_BITS != reader->word) {
        reader->outside[reader->word] |= reader->marks;
        reader->word = i / PM_WORD_BITS;
        reader->marks = 0;
    }
    reader->marks |= UINT64_C(1) << i % PM_WORD_BITS;
}

/* ---- Code ---- */

/* Each of these returns the next byte, or i if it is to be read as everywhere. */

/* Byte i is code, and stands in the history as itself. */
INLINED size_t byte_read(crowd_reader *reader, size_t i) {
    mark(reader, i);
    pmi_lexer_history_push(&reader->history, reader->text[i]);
    return i + 1;
}

INLINED size_t blank_read(crowd_reader *reader, size_t i, bool newline) {
    mark(reader, i);
    pmi_lexer_history_push_blank(&reader->history, newline);
    return i + 1;
}

/* Byte i, which is outside, begins a literal of `length` bytes, if the piece has them all. */
INLINED size_t literal_read(crowd_reader *reader, size_t i, size_t length) {
    if (length > reader->to - i)
        return i;
    mark(reader, i);
    pmi_lexer_history_push(&reader->history, PM_LEXER_OPERAND);
    return i + length;
}

/* Byte i and those behind it open region r. */
INLINED size_t open_read(crowd_reader *reader, size_t i, size_t r, size_t length) {
    if (!(reader->lexer->crowd_regions >> r & 1))
        return i;
    mark(reader, i);
    reader->region = &reader->lexer->language->regions[r];
    reader->depth = 0;
    reader->start = i;
    return i + length;
}

/* ---- Long brackets and raw strings ---- */

/* The [ of a string in long brackets, whose first and last one count; or of code. */
INLINED size_t square_read(crowd_reader *reader, size_t i) {
    const unsigned char *const text = reader->text;
    size_t behind = i + 1;
    while (behind < reader->to && text[behind] == '=')
        behind++;
    if (behind == reader->to)
        return i;
    const size_t end = text[behind] == '[' ? pmi_lexer_long_end(text, i + 1, reader->to) : 0;
    if (text[behind] == '[' && end == 0)
        return i;
    mark(reader, i);
    pmi_lexer_history_push(&reader->history, end > 0 ? PM_LEXER_OPERAND : '[');
    if (end > 0)
        mark(reader, end - 1);
    else if (behind > i + 1)
        pmi_lexer_history_push(&reader->history, '=');
    return end > 0 ? end : behind;
}

/* The first comment that ends with its line, which is what begins where long brackets do not follow. */
static size_t line_comment(const pmi_lexer *lexer) {
    const unsigned flags = PM_REGION_COMMENT | PM_REGION_LINE;
    size_t r = 0;
    while (r + 1 < lexer->language->region_count && (lexer->language->regions[r].flags & flags) != flags)
        r++;
    return r;
}

/* A comment that begins with `length` bytes, of which the last one is the first of long brackets, perhaps. */
INLINED size_t long_comment_read(crowd_reader *reader, size_t i, size_t length) {
    size_t behind = i + length;
    while (behind < reader->to && reader->text[behind] == '=')
        behind++;
    if (behind == reader->to)
        return i;
    if (reader->text[behind] != '[')
        return open_read(reader, i, line_comment(reader->lexer), behind - i);
    const size_t end = pmi_lexer_long_end(reader->text, i + length, reader->to);
    if (end == 0)
        return i;
    mark(reader, i);
    pmi_lexer_history_push_blank(&reader->history, false);
    return end;
}

/* A quote that may begin a raw string. */
INLINED size_t raw_read(crowd_reader *reader, size_t i) {
    const pmi_lexer *const lexer = reader->lexer;
    const size_t r = lexer->flagged[pmi_bits_lowest(PM_REGION_DELIMITED)] - 1u;
    const pmi_lexer_history history = reader->history;
    if (!pmi_byte_in_name(pmi_lexer_history_byte(&history, 0)) ||
        !pmi_lexer_word_is(&history, 0, lexer->language->regions[r].prefix))
        return open_read(reader, i, lexer->alone[reader->text[i]] - 1u, 1);
    const size_t end = pmi_lexer_raw_end(reader->text, i + 1, reader->to);
    return end > 0 ? literal_read(reader, i, end - i) : i;
}

/* ---- Regions begin ---- */

/* Opens the region whose open is the longest that stands there, if one does. */
INLINED size_t longest_read(crowd_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    unsigned length;
    if (reader->to - i < PM_LEXER_OPENING)
        return i;
    lexer->history = reader->history;
    lexer->start = reader->position + i;
    const pmi_region *const region = pmi_lexer_region_ahead_of(lexer, reader->text + i, &length);
    if (!region)
        return byte_read(reader, i);
    if (region->flags & PM_REGION_LONG)
        return long_comment_read(reader, i, length);
    if (region->flags & PM_REGION_NOT) { /* the last byte is read as code */
        mark(reader, i);
        for (unsigned k = 0; k + 1 < length; k++)
            pmi_lexer_history_push(&reader->history, reader->text[i + k]);
        return i + length - 1;
    }
    if (!(region->flags & PM_REGION_NOTHING))
        return open_read(reader, i, (size_t)(region - lexer->language->regions), length);
    if (lexer->language->code & PM_CODE_RUBY)
        return literal_read(reader, i, length);
    mark(reader, i);
    return i + length;
}

/* The same, where the table of words.c tells what the byte and the next one open. */
INLINED size_t opens_read(crowd_reader *reader, size_t i) {
    const pmi_lexer_words_table *const table = &reader->lexer->words;
    const unsigned char *const bytes = reader->text + i;
    if (!table->known || reader->to - i < PM_LEXER_OPENING)
        return longest_read(reader, i);
    const unsigned symbol = table->symbol_of[table->class_of[bytes[0]]][table->class_of[bytes[1]]];
    const unsigned entry = table->next[PM_WORDS_CODE][symbol], r = (entry & PM_ENTRY_STATE) - 1;
    switch (entry >> PM_ENTRY_ACTION) {
    case 0:
        return entry == PM_WORDS_CODE ? byte_read(reader, i) : open_read(reader, i, r, 1);
    case PM_ENTRY_OPEN_ONE:
    case PM_ENTRY_LINE_ONE:
        return open_read(reader, i, r, 1);
    case PM_ENTRY_LINE_UNLESS:
        return bytes[2] == table->unless ? longest_read(reader, i) : open_read(reader, i, r, 2);
    case PM_ENTRY_OPEN_TWO:
    case PM_ENTRY_LINE_TWO:
    case PM_ENTRY_BLOCK_TWO:
        return open_read(reader, i, r, 2);
    case PM_ENTRY_OPEN_WORD:
        return !pmi_lexer_comment_due(bytes[0], pmi_lexer_history_byte(&reader->history, 0))
                   ? byte_read(reader, i)
                   : open_read(reader, i, r, reader->lexer->language->regions[r].open[1] ? 2 : 1);
    default:
        return longest_read(reader, i);
    }
}

/* A quote, and a character of letters or a name behind it. */
INLINED size_t tick_read(crowd_reader *reader, size_t i) {
    const pmi_lexer *const lexer = reader->lexer;
    const unsigned char *const text = reader->text;
    const bool ticks = lexer->region_flags & PM_REGION_TICK;
    size_t end = i + 1;
    if (ticks && pmi_lexer_is_tick(pmi_lexer_history_byte(&reader->history, 0)))
        return byte_read(reader, i);
    while (end < reader->to && pmi_byte_in_name(text[end]))
        end++;
    if (end == reader->to)
        return i;
    if (end > i + 1)
        return literal_read(reader, i, end - i + (text[end] == '\''));
    if (ticks && (text[end] == ':' || text[end] == '['))
        return longest_read(reader, i);
    return open_read(reader, i, lexer->flagged[pmi_bits_lowest(PM_REGION_LIFETIME)] - 1u, 1);
}

/* A sign and the character behind it, if one may stand there. */
INLINED size_t character_read(crowd_reader *reader, size_t i, bool due, bool modifiers, bool lisp) {
    const unsigned char *const bytes = reader->text + i;
    if (!due)
        return byte_read(reader, i);
    if (reader->to - i >= 3 && pmi_byte_is_space(bytes[1])) { /* an operator */
        mark(reader, i);
        pmi_lexer_history_push(&reader->history, '?');
        return i + 1 + lisp;
    }
    if (reader->to - i < 3 || (bytes[1] == '\\' && modifiers && (pmi_byte_is_letter(bytes[2]) || bytes[2] == '^')))
        return i;
    return literal_read(reader, i, bytes[1] == '\\' ? 3 : 2);
}

/* May a ? begin a character of Emacs Lisp behind that byte? */
INLINED bool lisp_character_due(unsigned char newest) {
    return !pmi_byte_in_name(newest) && !(newest && strchr("-_*+/<=>!?&%", newest));
}

/* Does an operand of Ruby end in that byte, behind the one before it? No word of one letter is a keyword. */
INLINED bool ends_operand(unsigned char newest, unsigned char before) {
    return newest == PM_LEXER_OPERAND || newest == ')' || newest == ']' || newest == '}' ||
           (pmi_byte_in_name(newest) && !pmi_byte_in_name(before));
}

/* Ruby's / or %, and all of the literal that it may begin. */
INLINED size_t ruby_read(crowd_reader *reader, size_t i) {
    const pmi_lexer_history history = reader->history;
    if (ends_operand(pmi_lexer_history_byte(&history, 0), pmi_lexer_history_byte(&history, 1)))
        return byte_read(reader, i);
    const size_t length = pmi_lexer_ruby_literal(&history, reader->text + i, reader->to - i);
    return length == 0 ? i : length == 1 ? byte_read(reader, i) : literal_read(reader, i, length);
}

/* ---- Code in strings ---- */

/* Begins to read the code in the lexer's region. Returns false if there is no memory. */
static inline bool code_push(pmi_lexer *lexer, unsigned char open) {
    if (!pmi_lexer_template_push(lexer, open == '(' ? '(' : '{', open == '(' || open == '{'))
        return false;
    pmi_lexer_history_push(&lexer->history, '{');
    return true;
}

/* Code begins in the string behind byte i; `open`: what code_push() is to be told. */
INLINED size_t code_begin(crowd_reader *reader, size_t i, unsigned char open) {
    state_give(reader);
    if (!code_push(reader->lexer, open))
        return i;
    reader->history = reader->lexer->history;
    reader->region = NULL;
    reader->in_string = true;
    return i + 1;
}

/* A bracket of such code, which may end it. */
INLINED size_t brace_read(crowd_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const unsigned char byte = reader->text[i];
    const pmi_lexer_template *const string = pmi_stack_top(&lexer->templates);
    if (!(lexer->crowd_regions >> (string->region - lexer->language->regions) & 1))
        return i;
    lexer->state = PM_LEXER_CODE; /* as the reader's is */
    if (!pmi_lexer_template_counts(lexer, byte))
        return byte_read(reader, i);
    if (lexer->verdict == PM_LEXER_AS_READ)
        mark(reader, i);
    lexer->verdict = PM_LEXER_AS_READ;
    pmi_lexer_history_push(&reader->history, byte);
    if (lexer->state == PM_LEXER_REGION) {
        reader->region = lexer->region;
        reader->depth = lexer->depth;
        reader->start = SIZE_MAX;
        reader->in_string = pmi_stack_top(&lexer->templates) != NULL;
    }
    return i + 1;
}

/* ---- Any byte of code ---- */

INLINED size_t code_read(crowd_reader *reader, size_t i) {
    const pmi_lexer *const lexer = reader->lexer;
    const unsigned char byte = reader->text[i], newest = pmi_lexer_history_byte(&reader->history, 0);
    const unsigned char next = i + 1 < reader->to ? reader->text[i + 1] : 0;
    switch (lexer->crowd[byte]) {
    case PLAIN:
        return byte_read(reader, i);
    case BLANK:
        return blank_read(reader, i, false);
    case NEWLINE:
        return reader->heredocs ? i : blank_read(reader, i, true);
    case BRACE:
        return reader->in_string ? brace_read(reader, i) : byte_read(reader, i);
    case LESS:
        return next == 0 || next == '<' ? i : byte_read(reader, i);
    case SQUARE:
        return next == '[' || next == '=' ? square_read(reader, i) : next == 0 ? i : byte_read(reader, i);
    case START:
        return newest == '\n' ? i : byte_read(reader, i);
    case PROTECTS:
        return literal_read(reader, i, 2);
    case OPENS_ONE:
        return open_read(reader, i, lexer->quick[byte] - 1u, 1);
    case OPENS:
        return opens_read(reader, i);
    case RAW:
        return raw_read(reader, i);
    case TICK:
        return tick_read(reader, i);
    case QUESTION:
        return character_read(reader, i, pmi_lexer_character_due(newest), false, false);
    case LISP:
        return character_read(reader, i, lisp_character_due(newest), true, true);
    case DOLLAR:
        return character_read(reader, i, true, true, false);
    case SIGIL:
        return next == 0 || pmi_byte_is_letter(next) ? i : byte_read(reader, i);
    case LITERAL:
        return ruby_read(reader, i);
    default:
        return i;
    }
}

/* ---- Regions ---- */

INLINED void region_leave(crowd_reader *reader) {
    if (reader->region->flags & (PM_REGION_COMMENT | PM_REGION_OUTSIDE))
        pmi_lexer_history_push_blank(&reader->history, false);
    else
        pmi_lexer_history_push(&reader->history, PM_LEXER_OPERAND);
    reader->region = NULL;
}

/* Leaves a region that doubled closers do not end, behind a closer whose end is byte i. Returns the next byte, or
 * `from` if that is not known. */
INLINED size_t doubled_read(crowd_reader *reader, size_t from, size_t i) {
    const char *const close = reader->region->close;
    const unsigned char quote = (unsigned char)close[0];
    const bool of_three = close[1] && close[2];
    while (of_three && i < reader->to && reader->text[i] == quote)
        i++;
    if (i == reader->to)
        return from;
    const unsigned char next = reader->text[i];
    if (next == quote || (close[1] && !of_three && (next == '$' || next == '\\')))
        return i + 1;
    region_leave(reader);
    return i;
}

/* Reads what may close the region. */
INLINED size_t close_read(crowd_reader *reader, size_t i) {
    const pmi_region *const region = reader->region;
    size_t length = 0;
    while (region->close[length] && i + length < reader->to &&
           reader->text[i + length] == (unsigned char)region->close[length])
        length++;
    if (region->close[length])
        return i + length == reader->to ? i : i + 1;
    if (region->flags & PM_REGION_LEAVES) {
        const pmi_lexer *const lexer = reader->lexer;
        reader->region = &lexer->language->regions[lexer->flagged[pmi_bits_lowest(PM_REGION_OUTSIDE)] - 1];
        return i + length;
    }
    if (region->flags & PM_REGION_DOUBLED)
        return doubled_read(reader, i, i + length);
    if (reader->depth > 0) {
        reader->depth--;
        return i + length;
    }
    if (region->flags & PM_REGION_BRACKET)
        mark(reader, i + length - 1);
    region_leave(reader);
    return i + length;
}

/* A backslash and what it protects before byte `next`. */
INLINED size_t escape_read(unsigned flags, unsigned char next, size_t i) {
    if ((flags & PM_REGION_GAPS && pmi_byte_is_space(next)) || (flags & PM_REGION_ZAPS && next == 'z') ||
        (flags & PM_REGION_CONTINUED && next == '\r'))
        return i;
    const bool protects =
        next == '\n' ? !(flags & PM_REGION_LINE) || flags & PM_REGION_CONTINUED : (flags & PM_REGION_ESCAPES) != 0;
    return i + 1 + protects;
}

INLINED size_t region_read(crowd_reader *reader, size_t i) {
    const pmi_lexer *const lexer = reader->lexer;
    const pmi_region *const region = reader->region;
    const unsigned flags = region->flags, escaping = PM_REGION_ESCAPES | PM_REGION_CONTINUED;
    const unsigned char byte = reader->text[i];
    if (!(lexer->class_of[byte] >> pmi_lexer_region_class(lexer, region) & 1))
        return i + 1;
    if (byte == '\n' && flags & PM_REGION_LINE) {
        region_leave(reader);
        return code_read(reader, i);
    }
    if (!(flags & (escaping | PM_REGION_TEMPLATE | PM_REGION_NESTS)))
        return close_read(reader, i);
    if (i + 1 == reader->to)
        return i;
    const unsigned char next = reader->text[i + 1];
    if (flags & PM_REGION_TEMPLATE && byte == (unsigned char)region->code[0] && next && strchr(region->code + 1, next))
        return code_begin(reader, i, next);
    if (flags & PM_REGION_TEMPLATE && region->code[0] == ' ' && byte == '{')
        return next == '{' ? i + 2 : next == '\\' || next == '\n' ? i : code_begin(reader, i, 0);
    if (byte == '&' && flags & PM_REGION_AMPERSAND)
        return i;
    if (byte == '\\' && flags & escaping && !(flags & PM_REGION_AMPERSAND))
        return escape_read(flags, next, i);
    if (flags & PM_REGION_NESTS && byte == (unsigned char)region->open[0] && next == (unsigned char)region->open[1]) {
        reader->depth++;
        return i + 2;
    }
    return close_read(reader, i);
}

/* ---- Pieces ---- */

/* Is the lexer in a region that is read faster in another way? */
static bool is_elsewhere(const pmi_lexer *lexer) {
    const unsigned others = PM_REGION_HEREDOC | PM_REGION_JSX | PM_REGION_LONG;
    return lexer->state == PM_LEXER_REGION && lexer->region->flags & others;
}

/* Reads byte i as everywhere, with those behind it that it decides about. Returns the next one. */
INLINED size_t other_read(const crowd_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const unsigned char *const bytes = reader->text + i;
    const bool ahead = lexer->state == PM_LEXER_CODE && lexer->ahead[bytes[0]];
    const size_t taken = ahead ? pmi_lexer_code_ahead(lexer, bytes, reader->to - i, reader->position + i) : 0;
    if (taken == 0)
        return pmi_lexer_step(lexer, reader->text, i, reader->position, reader->outside);
    pmi_lexer_mark(reader->outside, i);
    return i + taken;
}

/* Inside quotations of Ruby and the like: reads up to code in them, behind their end, or behind a byte that is read as
 * everywhere. Returns the next byte. */
INLINED size_t quotation_read(crowd_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    pmi_bytes_end ended;
    i = pmi_lexer_bytes_end(lexer, reader->text, i, reader->to, &ended);
    if (ended == PM_BYTES_CODE && code_push(lexer, reader->text[i + 1]))
        return i + 1;
    if (ended != PM_BYTES_CLOSED)
        return i < reader->to ? other_read(reader, i) : i;
    pmi_lexer_region_leave(lexer);
    return i + 1;
}

size_t pmi_lexer_crowd_range(pmi_lexer *lexer, const unsigned char *text, size_t i, size_t end, size_t to,
                             uint64_t position, uint64_t *outside) {
    crowd_reader reader;
    reader.lexer = lexer;
    reader.text = text;
    reader.to = to;
    reader.position = position;
    reader.outside = outside;
    while (i < end && !is_elsewhere(lexer)) {
        if (!state_take(&reader, i)) {
            i = pmi_lexer_among_plain_bytes(lexer) ? quotation_read(&reader, i) : other_read(&reader, i);
            continue;
        }
        for (size_t next; i < end; i = next) {
            next = reader.region ? region_read(&reader, i) : code_read(&reader, i);
            if (next == i)
                break;
        }
        state_give(&reader);
        if (i < end)
            i = other_read(&reader, i);
    }
    return i;
}
