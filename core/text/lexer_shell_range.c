/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lexer in a shell's text. Which bytes may mean something follows from masks, 64 bytes at a time; a table goes from
 * one of them to the next. What else there is, the closes of `case`'s patterns and code inside strings, is read at the
 * bytes that matter to it alone. What came before a byte of code is asked for so rarely that masks note it, from which
 * the history is made when it is.
 */
#include <string.h>

#include "broadword/text/code_masks.h"
#include "core/text/lexer_parts.h"

/* ---- Classes ---- */

/* Bits of a class. X, Y and Z say, together with the others, which byte it is. */
enum {
    TOKEN = PM_LEXER_BRACKET + 1, /* may matter to strings and comments, or begin a heredoc */
    X,
    Y,
    Z,
    DUE,  /* a word may begin behind it */
    NAME, /* part of a word */
    SOFT, /* may end the word `case` or `esac`, or matter inside a `case` */
    CLASSES
};
_Static_assert(CLASSES == PM_PIECE_CLASSES, "as many as there may be");

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
        lexer->class_of[byte] = (uint8_t)((lexer->class_of[byte] & 1u << PM_LEXER_BRACKET) |
                                          (unsigned)pmi_lexer_word_due((unsigned char)byte) << DUE |
                                          (unsigned)(byte < 0x80 && pmi_byte_is_word((unsigned char)byte)) << NAME);
    for (unsigned k = 0; tokens[k]; k++)
        class_set(lexer, (const char[]){tokens[k], 0}, 1u << TOKEN | k << X);
    class_set(lexer, " \t\n;()[]", 1u << SOFT);
    class_set(lexer, "ce({", 1u << X);
    class_set(lexer, "as)}", 1u << Y);
    class_set(lexer, "n;&", 1u << Z);
    lexer->classes = CLASSES;
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

/* States of the table: a shell's regions, and: */
enum {
    CODE = PM_SHELL_REGIONS,
    STATES,
    OTHER = STATES,
    /* or what is to be done: */
    ESCAPE,     /* a backslash protects the next byte */
    BEGIN_CODE, /* perhaps code begins inside the string */
    STOP        /* the byte is read in another way */
};

#define SPECIAL 8u /* such a byte, where it is code */

/* By state, and by token. */
static const uint8_t next_states[STATES][2 * SPECIAL] = {
#define ROW(...)                                                                                                       \
    { __VA_ARGS__, __VA_ARGS__ }
    [PM_SHELL_COMMENT] = {0, 0, 0, 0, 0, 0, CODE, 0, 0, 0, 0, 0, 0, 0, CODE, STOP},
#define IN PM_SHELL_DOUBLE
    [PM_SHELL_DOUBLE] = ROW(CODE, IN, ESCAPE, BEGIN_CODE, IN, IN, IN, IN),
#undef IN
#define IN PM_SHELL_SINGLE
    [PM_SHELL_SINGLE] = ROW(IN, CODE, IN, IN, IN, IN, IN, IN),
#undef IN
#define IN PM_SHELL_DOLLAR
    [PM_SHELL_DOLLAR] = ROW(IN, CODE, ESCAPE, IN, IN, IN, IN, IN),
#undef IN
#undef ROW
    [CODE] = {PM_SHELL_DOUBLE, PM_SHELL_SINGLE, ESCAPE, CODE, PM_SHELL_COMMENT, CODE, CODE, CODE, STOP, STOP, STOP,
              STOP, STOP, STOP, STOP, STOP},
};
_Static_assert(PM_SHELL_COMMENT == 0, "as the table has it");

typedef struct shell_reader {
    pmi_lexer *lexer;
    const unsigned char *text;
    const pmi_lexer_masks *piece;
    size_t begin, to;
    uint64_t position; /* of the piece */
    uint64_t *outside;

    unsigned state;     /* OTHER: that of the lexer is none of the table's */
    size_t start;       /* of the region, in the piece; SIZE_MAX: the lexer knows it */
    size_t fresh;       /* the byte before this was read by the lexer alone, or in another piece */
    bool fresh_due;     /* a word may begin there */
    bool fresh_soft;    /* a soft byte there may mean something by what comes before */
    bool heredocs;      /* follow the line */
    unsigned char open; /* of the code in a string; 0: it is in none */
    pmi_shell_case *of; /* the innermost `case` that is not ended; NULL: none is */

    size_t noted; /* from this byte on the history is to be made from: */
    uint64_t code[PM_PIECE_WORDS];
    uint64_t operands[PM_PIECE_WORDS]; /* the last bytes of strings, and bytes behind a backslash */
    uint64_t dollars[PM_PIECE_WORDS];  /* behind which code begins inside a string */
} shell_reader;

static bool is_code(const shell_reader *reader, size_t i) {
    return reader->code[i / PM_WORD_BITS] >> i % PM_WORD_BITS & 1;
}

/* Gives the history what was noted before byte `to`, as far back as it remembers. */
static void history_catch_up(shell_reader *reader, size_t to) {
    if (to == reader->noted)
        return;
    unsigned char back[PM_HISTORY_BYTES + 1]; /* the last byte first; of each run of blanks one */
    unsigned count = 0;
    size_t w = (to + PM_WORD_BITS - 1) / PM_WORD_BITS;
    uint64_t below = to % PM_WORD_BITS ? pmi_bits_low(to % PM_WORD_BITS) : UINT64_MAX;
    while (w-- > reader->noted / PM_WORD_BITS && count <= PM_HISTORY_BYTES) {
        uint64_t rest = (reader->code[w] | reader->operands[w] | reader->dollars[w]) & below;
        below = UINT64_MAX;
        if (w == reader->noted / PM_WORD_BITS)
            rest &= ~pmi_bits_low(reader->noted % PM_WORD_BITS);
        while (rest != 0 && count <= PM_HISTORY_BYTES) {
            const unsigned bit = pmi_bits_highest(rest);
            const size_t at = w * PM_WORD_BITS + bit;
            unsigned char byte = reader->text[at];
            rest ^= UINT64_C(1) << bit;
            if (!(reader->code[w] >> bit & 1))
                byte = reader->operands[w] >> bit & 1 ? PM_LEXER_OPERAND : '{';
            if (pmi_byte_is_space(byte)) {
                const bool goes_on = count > 0 && pmi_byte_is_space(back[count - 1]);
                const unsigned char blank = byte == '\n' ? '\n' : ' ';
                if (!goes_on)
                    back[count++] = blank;
                else if (byte == '\n')
                    back[count - 1] = blank;
            } else {
                back[count++] = byte;
            }
        }
    }
    pmi_lexer_history history = reader->lexer->history;
    while (count-- > 0) {
        if (pmi_byte_is_space(back[count]))
            pmi_lexer_history_push_blank(&history, back[count] == '\n');
        else
            pmi_lexer_history_push(&history, back[count]);
    }
    reader->lexer->history = history;
    reader->noted = to;
}

static void look_around(shell_reader *reader) {
    const pmi_lexer *const lexer = reader->lexer;
    const pmi_lexer_template *const string = pmi_stack_top(&lexer->templates);
    reader->heredocs = lexer->heredoc_count > 0;
    reader->open = !string ? 0 : string->code_close == ')' ? '(' : '{';
    reader->of = lexer->case_count > 0 ? &reader->lexer->cases[lexer->case_count - 1] : NULL;
}

/* Takes the lexer's state. */
static void state_take(shell_reader *reader) {
    const pmi_lexer *const lexer = reader->lexer;
    reader->state = lexer->state == PM_LEXER_CODE ? CODE : OTHER;
    reader->start = SIZE_MAX;
    if (lexer->state != PM_LEXER_REGION || !pmi_lexer_region_idle(lexer))
        return;
    for (unsigned state = 0; state < PM_SHELL_REGIONS; state++)
        if (lexer->region == lexer->shell[state])
            reader->state = state;
}

/* Gives it back. */
static void state_give(const shell_reader *reader) {
    pmi_lexer *const lexer = reader->lexer;
    if (reader->state == OTHER)
        return;
    lexer->state = PM_LEXER_CODE;
    if (reader->state == CODE)
        return;
    pmi_lexer_region_enter(lexer, lexer->shell[reader->state]);
    if (reader->start != SIZE_MAX) {
        lexer->start = reader->position + reader->start;
        lexer->first = reader->text[reader->start];
    }
}

/* What comes before byte i is known to the lexer alone. */
static void refresh(shell_reader *reader, size_t i) {
    reader->fresh = reader->noted = i;
    const unsigned char newest = pmi_lexer_history_byte(&reader->lexer->history, 0);
    reader->fresh_due = reader->lexer->class_of[newest] >> DUE & 1;
    reader->fresh_soft =
        newest == 'c' || newest == 'e' || newest == ';' || newest == '&' || newest == 'n' || newest == '(';
}

/* Has the lexer read byte i, and those behind it that belong to the word of a heredoc. Returns the next one. */
static size_t read_alone(shell_reader *reader, size_t i) {
    history_catch_up(reader, i);
    state_give(reader);
    do
        i = pmi_lexer_step(reader->lexer, reader->text, i, reader->position, reader->outside);
    while (reader->lexer->state == PM_LEXER_HEREDOC && i < reader->to);
    state_take(reader);
    look_around(reader);
    refresh(reader, i);
    return i;
}

/* ---- Special bytes of code ---- */

/* Was what comes right before byte i, four bytes of it, read as code that follows each other? */
static bool is_plain_behind(const shell_reader *reader, size_t i) {
    return i >= reader->fresh + 4 || i < reader->fresh;
}

static inline bool ends_with(const unsigned char *end, size_t n, const char *word, size_t length) {
    return n > length && memcmp(end - length, word, length) == 0 && !pmi_byte_in_name(end[-1 - (ptrdiff_t)length]);
}

/* May a command stand behind the n bytes of code that end there, and not with a blank? */
static bool command_follows(const unsigned char *end, size_t n) {
    switch (end[-1]) {
    case ';':
    case '&':
    case '|':
    case '(':
    case ')':
    case '{':
    case '!':
    case '`':
        return true;
    case 'n':
        return ends_with(end, n, "then", 4) || ends_with(end, n, "in", 2);
    case 'o':
        return ends_with(end, n, "do", 2);
    case 'e':
        return ends_with(end, n, "else", 4) || ends_with(end, n, "while", 5);
    case 'f':
        return ends_with(end, n, "if", 2) || ends_with(end, n, "elif", 4);
    case 'l':
        return ends_with(end, n, "until", 5);
    default:
        return false;
    }
}

typedef enum answer {
    NO = 0,
    YES,
    UNSURE
} answer;

/* Does the word `case` or `esac` before byte i stand where a command does? */
static answer is_command(const shell_reader *reader, size_t i) {
    const unsigned char *const text = reader->text;
    const size_t word = i - 4, longest = sizeof "until";
    size_t at = word, from;
    while (at > reader->begin && is_code(reader, at - 1) && pmi_byte_is_space(text[at - 1])) {
        if (text[--at] == '\n')
            return YES;
    }
    for (from = at; from > reader->begin && at - from < longest && is_code(reader, from - 1);)
        from--;
    if (at == from || text[at - 1] == 0 || (pmi_byte_in_name(text[at - 1]) && at - from < longest))
        return UNSURE;
    return command_follows(text + at, at - from) && (at < word || !pmi_byte_in_name(text[at - 1])) ? YES : NO;
}

static bool ends_in(const shell_reader *reader, size_t i, const char word[5]) {
    return memcmp(reader->text + i - 4, word, 4) == 0;
}

/* What a byte behind `case` or `esac` does. */
static void read_behind_word(shell_reader *reader, size_t i) {
    const unsigned char byte = reader->text[i];
    const bool begins = ends_in(reader, i, "case");
    const answer command = is_code(reader, i - 4) ? is_command(reader, i) : UNSURE;
    if (command != UNSURE) {
        if (command == YES)
            pmi_lexer_shell_word(reader->lexer, begins);
        look_around(reader);
        if (reader->of && byte == '(')
            reader->of->parens++;
        if (reader->of && byte == ')' && !pmi_lexer_shell_close(reader->of))
            reader->lexer->verdict = PM_LEXER_UNCOUNTED;
        return;
    }
    history_catch_up(reader, i);
    pmi_lexer_shell_byte(reader->lexer, byte);
    look_around(reader);
}

typedef enum soft_effect {
    COUNTS = 0,
    COUNTS_NOT, /* as a bracket */
    UNKNOWN     /* without the history */
} soft_effect;

/* Of the bytes before byte i, is the k-th code? Bit 64 - k says so. */
static inline bool is_code_before(uint64_t code, unsigned k) {
    return code >> (PM_WORD_BITS - k) & 1;
}

/* What another byte does to the `case` around it, behind four bytes of plain code. */
static inline soft_effect soft_read(const shell_reader *reader, size_t i, uint64_t code) {
    const unsigned char byte = reader->text[i];
    const unsigned char before = is_code_before(code, 1) ? reader->text[i - 1] : 0;
    pmi_shell_case *const of = reader->of;
    switch (byte) {
    case '(':
        if (of->part == PM_CASE_PATTERN && of->parens == 0)
            return UNKNOWN;
        if (before == '(' && of->parens > 0 && of->arithmetic == UINT64_MAX)
            of->arithmetic = of->parens - 1;
        of->parens++;
        return COUNTS;
    case ')':
        return pmi_lexer_shell_close(of) ? COUNTS : COUNTS_NOT;
    case ';':
        if (before == ';')
            pmi_lexer_shell_semicolons(of);
        return COUNTS;
    case '[':
    case ']':
        return pmi_lexer_shell_in_pattern(of) ? COUNTS_NOT : COUNTS;
    default:
        if (before == '&' && !is_code_before(code, 2))
            return UNKNOWN;
        if (before == '&' && reader->text[i - 2] == ';')
            pmi_lexer_shell_semicolons(of);
        if (before == 'n' && of->part == PM_CASE_WORD && of->parens == 0 && reader->text[i - 2] == 'i') {
            if (!is_code_before(code, 2) || !is_code_before(code, 3))
                return UNKNOWN;
            if (!pmi_byte_in_name(reader->text[i - 3]))
                pmi_lexer_shell_in(of);
        }
        return COUNTS;
    }
}

/* What a soft byte does to `case`s. */
static void read_soft(shell_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const unsigned char byte = reader->text[i];
    const bool plain = is_plain_behind(reader, i), square = byte == '[' || byte == ']';
    if (plain && !square && (ends_in(reader, i, "case") || ends_in(reader, i, "esac"))) {
        read_behind_word(reader, i);
        return;
    }
    soft_effect effect = plain ? COUNTS : UNKNOWN;
    if (plain && reader->of) {
        uint64_t code = 0;
        for (unsigned k = 1; k <= 3; k++)
            code |= (uint64_t)is_code(reader, i - k) << (PM_WORD_BITS - k);
        effect = soft_read(reader, i, code);
    }
    if (effect == COUNTS_NOT)
        lexer->verdict = PM_LEXER_UNCOUNTED;
    if (effect != UNKNOWN)
        return;
    history_catch_up(reader, i);
    if (square)
        pmi_lexer_shell_square(lexer);
    else
        pmi_lexer_shell_byte(lexer, byte);
    look_around(reader);
}

/* Reads the quote at byte i, behind a $ that may make it another one. Returns the next byte. */
static size_t read_quote(shell_reader *reader, size_t i) {
    if (!is_plain_behind(reader, i) || !is_code(reader, i - 1) || !is_code(reader, i - 2))
        return read_alone(reader, i);
    const bool dollar = reader->text[i - 1] == '$' && !pmi_byte_in_name(reader->text[i - 2]);
    reader->state = dollar ? PM_SHELL_DOLLAR : PM_SHELL_SINGLE;
    reader->start = i;
    return i + 1;
}

/* Is byte i of code a parenthesis of a ${ } that is no bracket? */
static bool is_literal(shell_reader *reader, size_t i) {
    const unsigned char byte = reader->text[i];
    if (reader->open != '{' || (byte != '(' && byte != ')'))
        return false;
    history_catch_up(reader, i);
    return pmi_lexer_shell_literal(reader->lexer, byte);
}

/* Reads byte i of code. Returns the next one. */
static size_t read_special(shell_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    const unsigned char byte = reader->text[i];
    if (reader->state != CODE || byte == '<' || (byte == '\n' && reader->heredocs))
        return read_alone(reader, i);
    if (byte == '\'')
        return read_quote(reader, i);
    if (is_literal(reader, i))
        lexer->verdict = PM_LEXER_UNCOUNTED;
    else if (byte != '{' && byte != '}')
        read_soft(reader, i);
    if (lexer->verdict == PM_LEXER_AS_READ) {
        pmi_lexer_mark(reader->outside, i);
        lexer->state = PM_LEXER_CODE;
        if (reader->open && pmi_lexer_template_counts(lexer, byte)) {
            state_take(reader);
            look_around(reader);
        }
    }
    lexer->verdict = PM_LEXER_AS_READ;
    pmi_lexer_mark(reader->code, i);
    return i + 1;
}

/* Code begins behind the $ at i, which is in a string. */
static size_t begin_code(shell_reader *reader, size_t i) {
    state_give(reader);
    if (!pmi_lexer_template_push(reader->lexer, reader->text[i + 1], true))
        return i + 2;
    pmi_lexer_mark(reader->dollars, i);
    reader->state = CODE;
    look_around(reader);
    return read_special(reader, i + 1);
}

/* ---- Words ---- */

static const uint64_t *word_at(const shell_reader *reader, size_t w) {
    return reader->piece->masks + CLASSES * w;
}

/* Bit 63: does a word that follows begin with one of these? */
static uint64_t masks_next(const shell_reader *reader, size_t w, uint64_t (*of)(const uint64_t *)) {
    return (w + 1) * PM_WORD_BITS < reader->to ? of(word_at(reader, w + 1)) << (PM_WORD_BITS - 1) : 0;
}

static inline uint64_t openers(const uint64_t *of) {
    return ~(of[TOKEN] | of[NAME]) & of[X];
}

static inline uint64_t lesses(const uint64_t *of) {
    return of[TOKEN] & of[X] & of[Z];
}

static inline uint64_t behind(uint64_t mask, uint64_t before, unsigned k) {
    return mask << k | before >> (PM_WORD_BITS - k);
}

static const uint64_t no_word[CLASSES];

static inline word_masks masks_read(const shell_reader *reader, size_t w) {
    const uint64_t *const of = word_at(reader, w), *const before = w > 0 ? of - CLASSES : no_word;
    const uint64_t token = of[TOKEN], x = of[X], y = of[Y], z = of[Z];
    const uint64_t outer = of[NAME] & x, inner = of[NAME] & y, less = lesses(of);
    const uint64_t outer_before = before[NAME] & before[X], inner_before = before[NAME] & before[Y];
    word_masks masks = {.of = of,
                        .before = before,
                        .quotes = token & ~(y | z),
                        .backslashes = token & y & ~(x | z),
                        .dollars = token & x & y,
                        .hashes = token & z & ~(x | y),
                        .newlines = token & y & z,
                        .opened = openers(of) >> 1 | masks_next(reader, w, openers)};
    masks.singles = masks.quotes & x;
    masks.words = of[SOFT] & behind(outer, outer_before, 1) & behind(inner, inner_before, 2) &
                  behind(inner, inner_before, 3) & behind(outer, outer_before, 4);
    masks.specials = masks.words;
    if (masks.singles)
        masks.specials |= masks.singles & behind(masks.dollars, before[TOKEN] & before[X] & before[Y], 1);
    if (less)
        masks.specials |= less & (less >> 1 | masks_next(reader, w, lesses));
    return masks;
}

/* Soft bytes, and signs before them, that mean something inside a `case`. */
static inline uint64_t case_specials(const shell_reader *reader, const word_masks *masks) {
    const uint64_t *const of = masks->of, *const before = masks->before;
    const uint64_t other = ~(of[TOKEN] | of[NAME]), soft = of[SOFT], ends = other & of[Z];
    const uint64_t ends_before = ~(before[TOKEN] | before[NAME]) & before[Z];
    const uint64_t sides = other & soft & (of[X] | of[Y]), semicolons = ends & soft;
    uint64_t blanks = behind(ends & ~soft, ends_before & ~before[SOFT], 1); /* behind & */
    if (reader->of->part == PM_CASE_WORD)
        blanks |= behind(of[NAME] & of[Z], before[NAME] & before[Z], 1); /* behind n */
    return sides | (other & soft & ~of[DUE]) | (semicolons & behind(semicolons, ends_before & before[SOFT], 1)) |
           (soft & of[DUE] & ~(sides | semicolons) & blanks);
}

/* The brackets that may end the code in a string, or may be none there. */
static inline uint64_t string_specials(const shell_reader *reader, const word_masks *masks) {
    const uint64_t *const of = masks->of;
    const uint64_t sides = ~(of[TOKEN] | of[NAME]) & (of[X] | of[Y]);
    return reader->open == 0 ? 0 : reader->open == '(' ? sides & of[SOFT] : sides;
}

/* The bytes of word w that are special where they are code. Words and signs of two bytes may have begun before the
 * fresh byte. */
static inline uint64_t specials_of(const shell_reader *reader, const word_masks *masks, size_t w) {
    uint64_t specials = masks->specials | string_specials(reader, masks);
    const uint64_t *const of = masks->of, *const before = masks->before;
    if ((reader->fresh + 3) / PM_WORD_BITS == w || reader->fresh / PM_WORD_BITS == w) {
        const uint64_t behind_outer = behind(of[NAME] & of[X], before[NAME] & before[X], 1);
        const bool here = reader->fresh / PM_WORD_BITS == w;
        const uint64_t first = here ? UINT64_C(1) << reader->fresh % PM_WORD_BITS : 0, near = here ? first * 15 : 7;
        specials |= (of[SOFT] & near & behind_outer & ~first) | (masks->singles & first) |
                    (reader->fresh_soft ? of[SOFT] & first : 0);
    }
    if (reader->heredocs)
        specials |= masks->newlines;
    return reader->of ? specials | case_specials(reader, masks) : specials;
}

/* Where the } of a ${name} stands in the word, whose $ is at `bit`; 0: it is another thing, or stands elsewhere. */
static inline unsigned variable_end(const word_masks *masks, unsigned bit) {
    const uint64_t *const of = masks->of;
    const uint64_t curly = ~(of[TOKEN] | of[NAME] | of[SOFT]);
    if (bit > PM_WORD_BITS - 4 || !((curly & of[X]) >> (bit + 1) & 1))
        return 0;
    const uint64_t end = ~of[NAME] >> (bit + 2) << (bit + 2);
    return curly & of[Y] & end & (~end + 1) ? pmi_bits_lowest(end) : 0;
}

/* What of a word was read: bytes of code, the brackets of it that do not count, and what else the history is made
 * from. */
typedef struct word_read {
    uint64_t code, uncounted, operands, dollars;
    bool protects; /* its last byte is a backslash that protects the next */
} word_read;

/* Reads a special byte if the `case` around it is all that it matters to. Returns false if the byte is to be read in
 * another way. */
static inline bool case_read(const shell_reader *reader, const word_masks *masks, unsigned bit, size_t w,
                             word_read *read) {
    const uint64_t tokens = masks->of[TOKEN] & ~(reader->heredocs ? 0 : masks->newlines);
    const uint64_t others = tokens | masks->words | string_specials(reader, masks);
    const size_t i = w * PM_WORD_BITS + bit;
    if (!reader->of || others >> bit & 1 || bit < 3 || !is_plain_behind(reader, i))
        return false;
    const soft_effect effect = soft_read(reader, i, read->code << (PM_WORD_BITS - bit));
    read->uncounted |= (uint64_t)(effect == COUNTS_NOT) << bit;
    return effect != UNKNOWN;
}

/* Goes through the stops of word w, up to one that is to be read in another way. Returns its bit, or the number of bits
 * if it is none. */
static inline unsigned stops_read(shell_reader *reader, const word_masks *masks, uint64_t stops, uint64_t specials,
                                  size_t w, word_read *read) {
    const uint64_t others = specials & (~masks->of[TOKEN] | (reader->heredocs ? masks->newlines : 0));
    const uint64_t x = masks->of[X] | others, y = masks->of[Y] | others, z = masks->of[Z] | others;
    unsigned state = reader->state, end = PM_WORD_BITS;
    size_t start = reader->start;
    *read = (word_read){.code = state == CODE ? UINT64_MAX : 0};
    for (; stops != 0; stops &= stops - 1) {
        const unsigned bit = pmi_bits_lowest(stops);
        const unsigned token = (unsigned)(x >> bit & 1) | (unsigned)(y >> bit & 1) << 1 |
                               (unsigned)(z >> bit & 1) << 2 | (unsigned)(specials >> bit & 1) << 3;
        const unsigned next = next_states[state][token];
        const uint64_t from = ~UINT64_C(0) << bit;
        if (next == ESCAPE) {
            const uint64_t protects = UINT64_C(2) << bit;
            stops &= ~protects;
            read->protects |= protects == 0;
            if (state == CODE) {
                read->code &= ~(protects | protects >> 1);
                read->operands |= protects;
                stops &= ~(protects << 1 & masks->hashes);
            }
        } else if (next >= STATES) {
            const unsigned curly = next == BEGIN_CODE ? variable_end(masks, bit) : 0;
            if (curly != 0) {
                read->dollars |= UINT64_C(1) << bit;
                read->code |= (pmi_bits_low(curly) & ~pmi_bits_low(bit + 1)) | UINT64_C(1) << curly;
            } else if (state != CODE || !case_read(reader, masks, bit, w, read)) {
                end = bit;
                read->code &= ~from;
                break;
            }
        } else {
            const uint64_t opens = state == CODE && next != CODE, closes = state != CODE && next == CODE;
            const uint64_t quote = state != PM_SHELL_COMMENT;
            read->code ^= ((0 - opens) & from) | ((0 - closes) & from << quote);
            read->operands |= (closes & quote) << bit;
            start = opens ? w * PM_WORD_BITS + bit : start;
            state = next;
        }
    }
    reader->state = state;
    reader->start = start;
    return end;
}

/* Of each bit, the parity of the bits up to and with it. */
static inline uint64_t parity_up_to(uint64_t x) {
    for (unsigned shift = 1; shift < PM_WORD_BITS; shift *= 2)
        x ^= x << shift;
    return x;
}

/* Reads a word at once: comments from each # of `hashes` to the next newline, and strings by the parity of their
 * quotes. Returns false, with nothing done, if that is not all, or not right. `of`: the bytes to be read. */
static inline bool word_read_at_once(shell_reader *reader, const word_masks *masks, uint64_t stops, uint64_t specials,
                                     uint64_t hashes, uint64_t of, size_t w, word_read *read) {
    const unsigned state = reader->state;
    bool open = state == PM_SHELL_COMMENT;
    const uint64_t newlines = masks->newlines & of, before = open ? ~of & (of - 1) : 0;
    const uint64_t comments = hashes || open ? pmi_code_spans(hashes, newlines, &open) & ~newlines & ~before : 0;
    const uint64_t rest = stops & ~(comments | (newlines & ~specials));
    const uint64_t quotes = masks->quotes & rest, singles = masks->singles & rest;
    const unsigned string = singles ? PM_SHELL_SINGLE : PM_SHELL_DOUBLE;
    const bool in_string = state == PM_SHELL_DOUBLE || state == PM_SHELL_SINGLE;
    if (state == PM_SHELL_DOLLAR || quotes != rest || rest & specials || (singles && singles != quotes) ||
        (in_string && state != string))
        return false;
    const uint64_t inside = parity_up_to(quotes) ^ (in_string ? UINT64_MAX : 0);
    if (inside & hashes)
        return false;
    *read = (word_read){.code = ~(inside | quotes | comments), .operands = quotes & ~inside};
    if (open) {
        if (hashes)
            reader->start = w * PM_WORD_BITS + pmi_bits_highest(comments & ~(comments << 1));
        reader->state = PM_SHELL_COMMENT;
    } else {
        if (quotes)
            reader->start = w * PM_WORD_BITS + pmi_bits_highest(quotes);
        reader->state = inside >> (PM_WORD_BITS - 1) ? string : CODE;
    }
    return true;
}

/* What is known of the byte before a word. */
typedef struct word_before {
    bool due;      /* a word may begin behind it */
    bool protects; /* it is a backslash that protects the next byte */
} word_before;

/* The bytes behind which a word may begin, one byte on. */
static inline uint64_t due_behind(const shell_reader *reader, const word_masks *masks, size_t w,
                                  const word_before *before) {
    const uint64_t due = masks->of[DUE] << 1 | before->due;
    if (reader->fresh / PM_WORD_BITS != w)
        return due;
    const uint64_t fresh = UINT64_C(1) << reader->fresh % PM_WORD_BITS;
    return (due & ~fresh) | (reader->fresh_due ? fresh : 0);
}

/* Reads word w from `bit` on, to before bit `end` of it. Returns the byte behind what was read. */
static inline size_t read_word(shell_reader *reader, const word_masks *masks, size_t w, unsigned bit, unsigned end,
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
        if (reader->state == CODE)
            reader->operands[w] |= 1;
    }
    const uint64_t of = (end < PM_WORD_BITS ? pmi_bits_low(end) : UINT64_MAX) & ~unread;
    const uint64_t specials = specials_of(reader, masks, w) & of;
    const uint64_t hashes = masks->hashes & due & of;
    uint64_t stops = (masks->quotes | masks->backslashes | (masks->dollars & masks->opened) | specials) & of;
    if (hashes || reader->state == PM_SHELL_COMMENT)
        stops |= hashes | (masks->newlines & of);
    word_read read;
    const unsigned stop = word_read_at_once(reader, masks, stops, specials, hashes, of, w, &read)
                              ? PM_WORD_BITS
                              : stops_read(reader, masks, stops, specials, w, &read);
    reader->code[w] |= read.code & of;
    reader->outside[w] |= read.code & of & ~read.uncounted;
    reader->operands[w] |= read.operands;
    reader->dollars[w] |= read.dollars;
    if (stop < PM_WORD_BITS) {
        const size_t next =
            reader->state == PM_SHELL_DOUBLE ? begin_code(reader, base + stop) : read_special(reader, base + stop);
        if (next >= base + PM_WORD_BITS)
            *before = (word_before){reader->lexer->class_of[reader->text[next - 1]] >> DUE & 1, false};
        return next;
    }
    *before = (word_before){(masks->of[DUE] & ~read.operands) >> (PM_WORD_BITS - 1), read.protects};
    return base + end;
}

/* Reads from byte i, in a state of the table, to before byte `to`, or up to where the state is another. Returns the
 * next byte. */
static size_t read_words(shell_reader *reader, size_t i, size_t to) {
    word_before before = {false, false};
    while (i < to && reader->state != OTHER) {
        const size_t w = i / PM_WORD_BITS, next = (w + 1) * PM_WORD_BITS;
        const unsigned end = to < next ? to % PM_WORD_BITS : PM_WORD_BITS;
        const word_masks masks = masks_read(reader, w);
        do
            i = read_word(reader, &masks, w, i % PM_WORD_BITS, end, &before);
        while (i < next && i < to && reader->state != OTHER);
    }
    return i;
}

/* ---- Pieces ---- */

/* The byte before which words may be read: what the last bytes mean may depend on what follows. */
static size_t words_end(const unsigned char *text, size_t from, size_t to) {
    if (from == to || !text[to - 1] || !strchr("\\$<", text[to - 1]))
        return to;
    for (to--; to > from && text[to - 1] == '\\';)
        to--;
    return to;
}

/* Reads byte i where the state is none of the table's. */
static size_t read_other(shell_reader *reader, size_t i) {
    pmi_lexer *const lexer = reader->lexer;
    if (lexer->state == PM_LEXER_REGION && (lexer->region->flags & PM_REGION_HEREDOC)) {
        const size_t line = pmi_lexer_heredoc_ahead(lexer, reader->text + i, reader->to - i);
        if (line > 0) {
            reader->noted = i + line;
            return i + line;
        }
        i += pmi_lexer_heredoc_rest(lexer, reader->text + i, reader->to - i);
        reader->noted = i;
        if (i == reader->to)
            return i;
    }
    return read_alone(reader, i);
}

void pmi_lexer_shell_range(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
                           size_t to, uint64_t *outside) {
    shell_reader reader;
    const size_t end = words_end(text, from, to);
    reader.lexer = lexer;
    reader.text = text;
    reader.piece = piece;
    reader.begin = from;
    reader.to = to;
    reader.position = lexer->position - from;
    reader.outside = outside;
    const size_t first = from / PM_WORD_BITS, count = pmi_bits_words(to) - first;
    memset(reader.code + first, 0, count * sizeof *reader.code);
    memset(reader.operands + first, 0, count * sizeof *reader.operands);
    memset(reader.dollars + first, 0, count * sizeof *reader.dollars);
    state_take(&reader);
    look_around(&reader);
    refresh(&reader, from);
    for (size_t i = from; i < to;)
        i = reader.state == OTHER ? read_other(&reader, i)
            : i < end             ? read_words(&reader, i, end)
                                  : read_alone(&reader, i);
    state_give(&reader);
    history_catch_up(&reader, to);
    lexer->position = reader.position + to;
}
