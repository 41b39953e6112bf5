/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the lexer share. lexer.c begins and ends a text. range.c reads a piece of it: by words/words.c what
 * a table knows, by crowd.c text in which much begins and ends, by code.c code and what may begin there, by region.c
 * what is inside strings and comments. close.c says what would end them. Shells, Perl and YAML have folders of their
 * own, JSX a file.
 */
#ifndef PM_CORE_LEXER_PARTS_H
#define PM_CORE_LEXER_PARTS_H

#include <string.h>

#include "base/ascii.h"
#include "core/lexer/history.h"

/* Classes of bytes, a bit each. */
#define PM_LEXER_BRACKET 0u            /* a bracket of the alphabet */
#define PM_LEXER_ENDS_CODE 1u          /* ends a run of ordinary code */
#define PM_LEXER_ENDS_TEMPLATE_CODE 2u /* ends it inside a template literal */
#define PM_LEXER_ENDS_REGION 3u        /* this bit and those above: ends a run inside a region */

/* Ruby's regions need few classes; the last ones are: */
#define PM_LEXER_BLANK 6u  /* a blank or newline */
#define PM_LEXER_STARTS 7u /* begins something where a line begins alone, and does not end runs of code elsewhere */

/* A template literal with code in it, and what to return to behind that. */
typedef struct pmi_lexer_template {
    uint64_t start;  /* of the literal */
    uint64_t braces; /* lexer->braces around it */
    const pmi_region *region;
    uint64_t depth, raw_length;          /* as in the lexer */
    unsigned char first, opener, closer; /* the same */
    unsigned char code_close;            /* the bracket that ends the code */
    bool counted;                        /* it is a bracket, as the open was */
    bool in_class;                       /* as in the lexer */
    bool loaded;                         /* it was put here as part of a saved state */
    uint64_t exit; /* bytes that lead out of this literal and those around it, without brackets that are counted; 0:
                      not known */
} pmi_lexer_template;

/* The class of the bytes that matter inside a region. */
static inline unsigned pmi_lexer_region_class(const pmi_lexer *lexer, const pmi_region *region) {
    return lexer->region_class[region - lexer->language->regions];
}

/* ---- Pieces ---- */

static inline uint64_t pmi_lexer_mask_of(const pmi_lexer_masks *piece, size_t word, unsigned class) {
    return piece->masks[piece->classes * word + class];
}

/* Returns the first byte from i <= end on whose class has bit a or bit b; end if no byte has. */
static inline size_t pmi_lexer_next_byte(const pmi_lexer_masks *piece, unsigned a, unsigned b, size_t i, size_t end) {
    if (i == end)
        return end;
    size_t w = i / PM_WORD_BITS;
    uint64_t rest = (pmi_lexer_mask_of(piece, w, a) | pmi_lexer_mask_of(piece, w, b)) & ~pmi_bits_low(i % PM_WORD_BITS);
    while (rest == 0) {
        if (++w * PM_WORD_BITS >= end)
            return end;
        rest = pmi_lexer_mask_of(piece, w, a) | pmi_lexer_mask_of(piece, w, b);
    }
    const size_t found = w * PM_WORD_BITS + pmi_bits_lowest(rest);
    return found < end ? found : end;
}

/* Sets a bit, and bits from ... to - 1. */
static inline void pmi_lexer_mark(uint64_t *words, size_t i) {
    words[i / PM_WORD_BITS] |= UINT64_C(1) << i % PM_WORD_BITS;
}

static inline void pmi_lexer_mark_run(uint64_t *words, size_t from, size_t to) {
    while (from < to) {
        const size_t w = from / PM_WORD_BITS, next = (w + 1) * PM_WORD_BITS;
        const uint64_t below = next <= to ? UINT64_MAX : pmi_bits_low(to % PM_WORD_BITS);
        words[w] |= below & ~pmi_bits_low(from % PM_WORD_BITS);
        from = next;
    }
}

/* ---- Records that are read as one text ---- */

/* Are records read as one text, of which the next newline of code ends none: in a string's code, in a `case` or before
 * a heredoc? */
static inline bool pmi_lexer_hides_lines(const pmi_lexer *lexer) {
    return lexer->lines && (pmi_stack_top(&lexer->templates) || lexer->heredoc_count > 0 || lexer->case_count > 0);
}

/* Takes newlines from the bytes from `from` to before `to` that are outside: none of them ends a record. */
void pmi_lexer_hide_lines(const pmi_lexer *lexer, uint64_t *outside, size_t from, size_t to);

/* ---- Instructions for bits ---- */

/*
 * Going through masks is a tenth faster with the instructions of BMI2. Each loop that does it is a function that all
 * CPUs can run, and one for those CPUs, into which the compiler takes what the first one calls.
 */
#ifdef __x86_64__
#define PM_LEXER_FOR_BITS __attribute__((target("bmi,bmi2"), flatten))
#else
#define PM_LEXER_FOR_BITS
#endif

/* Are those to be called? Elsewhere the compiler sees that they are not. */
static inline bool pmi_lexer_has_bits(const pmi_lexer *lexer) {
#ifdef __x86_64__
    return lexer->bits;
#else
    (void)lexer;
    return false;
#endif
}

/* ---- JSX ---- */

/* What the next byte of a JSX element is read as; pmi_lexer.opener holds it. */
typedef enum pmi_jsx {
    PM_JSX_TEXT = 0, /* between tags */
    PM_JSX_LESS,     /* behind a < in text */
    PM_JSX_FIRST,    /* behind the < that began all: an element, type parameters or neither */
    PM_JSX_NAME,     /* the name behind it */
    PM_JSX_WORD,     /* blanks and the word behind that */
    PM_JSX_ARROW,    /* behind <T>, which may be type parameters */
    PM_JSX_TAG,      /* inside a tag that opens */
    PM_JSX_DOUBLE,   /* inside "" there */
    PM_JSX_SINGLE,   /* inside '' */
    PM_JSX_COMMENT,  /* inside a comment there, up to its end or, the next, to the line's */
    PM_JSX_LINE,
    PM_JSX_CLOSING /* inside a tag that closes */
} pmi_jsx;

/* Does what came before in the region not matter to the next byte? */
static inline bool pmi_lexer_region_idle(const pmi_lexer *lexer) {
    if (lexer->region->flags & PM_REGION_JSX)
        return lexer->opener == PM_JSX_TEXT;
    return lexer->escape == PM_LEXER_UNESCAPED && lexer->previous == 0 && lexer->matched == 0 &&
           !(lexer->region->flags & (PM_REGION_PAIRED | PM_REGION_YAML));
}

/* Is the lexer in a quotation or regular expression, and what came right before does not matter to the next byte? */
static inline bool pmi_lexer_among_plain_bytes(const pmi_lexer *lexer) {
    return lexer->state == PM_LEXER_REGION && lexer->region->flags & (PM_REGION_PAIRED | PM_REGION_REGEX) &&
           lexer->escape == PM_LEXER_UNESCAPED && lexer->previous == 0 && lexer->matched == 0;
}

/* ---- States ---- */

/* Begins to read a region; the last one that has the flag, if one has. */
void pmi_lexer_region_enter(pmi_lexer *lexer, const pmi_region *region);
void pmi_lexer_region_enter_flagged(pmi_lexer *lexer, unsigned flag);

/* Ends the region: what follows is code. */
void pmi_lexer_region_leave(pmi_lexer *lexer);

/* Code begins inside the region, and with it the bracket `open`: it is the next byte, to be read again, and counts, or
 * it was the byte before, and neither it nor its close counts. Returns whether the byte at hand was taken. */
bool pmi_lexer_code_begin(pmi_lexer *lexer, unsigned char open, bool counted);

/* A byte of code inside a template literal: returns true if it is a bracket of those that end the code. */
bool pmi_lexer_template_brace(pmi_lexer *lexer, unsigned char byte);

/* The same two where the caller sees to the history: of the first, that it is given a {, false if there is no memory;
 * of the second, the byte. */
bool pmi_lexer_template_push(pmi_lexer *lexer, unsigned char open, bool counted);
bool pmi_lexer_template_counts(pmi_lexer *lexer, unsigned char byte);

/* The code inside the literal has ended: goes on in that. */
void pmi_lexer_template_pop(pmi_lexer *lexer);

/* A byte of a PAIRED region that no backslash protects. */
void pmi_lexer_paired_byte(pmi_lexer *lexer, unsigned char byte);

typedef enum pmi_bytes_end {
    PM_BYTES_OTHER = 0, /* what is to be read in another way */
    PM_BYTES_CODE,      /* the first of two bytes that begin code in the region */
    PM_BYTES_CLOSED     /* the byte that closes it */
} pmi_bytes_end;

/* In a region whose bytes are read one by one, and between two that mean something together: reads bytes i ... to - 1.
 * Returns the one that ends them, and stores which it is. */
size_t pmi_lexer_bytes_end(pmi_lexer *lexer, const unsigned char *text, size_t i, size_t to, pmi_bytes_end *ended);

/* ---- Words of code ---- */

static inline bool pmi_lexer_is_digit(unsigned char byte) {
    return byte >= '0' && byte <= '9';
}

/* How many bytes of a word stand there, read backwards from `back`; PM_HISTORY_BYTES - back: that many or more. */
unsigned pmi_lexer_word_length(const pmi_lexer_history *history, unsigned back);

/* Many words of two bytes or more, each with zeros behind it, so that one is compared as a whole. */
typedef struct pmi_lexer_words {
    const char (*words)[PM_HISTORY_BYTES];
    size_t count;
    const uint32_t *endings; /* by the last letter, from a to z: a bit for each letter before it; NULL: of any */
} pmi_lexer_words;

/* Is the word that ends at `back` one of them? */
bool pmi_lexer_word_in(const pmi_lexer_history *history, unsigned back, const pmi_lexer_words *words);

/* Reads the name of a directive that begins with a # in C's way; `at` is behind the name. Returns whether the rest of
 * the line is no code. */
bool pmi_lexer_hash_name(pmi_lexer *lexer, const unsigned char *name, size_t length, uint64_t at);

/* The same of what follows the name of an #if, to where it is known whether it is an #if 0. */
bool pmi_lexer_condition(pmi_lexer *lexer, bool zero, uint64_t at);

/* Enters such a rest, which begins at `at`. */
void pmi_lexer_skip_rest(pmi_lexer *lexer, uint64_t at);

/* Reads the name of a directive that begins with a backtick; `at` is behind it. */
void pmi_lexer_backtick_name(pmi_lexer *lexer, const unsigned char *name, size_t length, uint64_t at);

/* Is the word that ends at `back` one of the list, which blanks separate? For short lists. */
bool pmi_lexer_word_is(const pmi_lexer_history *history, unsigned back, const char *list);

/* Does what stands before allow the region here? */
bool pmi_lexer_region_allowed(const pmi_lexer *lexer, const pmi_region *region);

/* May a word begin behind that byte, as the # of a shell's comment must? */
static inline bool pmi_lexer_word_due(unsigned char newest) {
    switch (newest) {
    case ';':
    case '&':
    case '|':
    case '(':
    case ')':
    case '`':
    case '}':
        return true;
    default:
        return pmi_byte_is_space(newest);
    }
}

/* May a comment whose open begins with that byte begin behind the newest one? Not in CSS's url(//a/b); in assembly (!
 * a) is an expression, and in a macro's 4(a1); lw a0, (a1) code goes on. */
static inline bool pmi_lexer_comment_due(unsigned char first, unsigned char newest) {
    const bool goes_on = newest == '(' ? first == '/' || first == '!' : newest == ')' && first == ';';
    return pmi_lexer_word_due(newest) && !goes_on;
}

/* Does a quote belong to what is before it: x', 'a'', f(x)'? */
static inline bool pmi_lexer_is_tick(unsigned char newest) {
    switch (newest) {
    case ')':
    case ']':
    case '}':
    case '\'':
    case '"':
        return true;
    default:
        return pmi_byte_in_name(newest);
    }
}

/* Does a ? begin a character behind that byte, as in Ruby and Elixir? */
bool pmi_lexer_character_due(unsigned char newest);

/* Reads Ruby's % at offset `at`, with the letter and the delimiter behind it that begin a string. Returns how many of
 * n > 2 bytes were read. */
size_t pmi_lexer_ruby_percent(pmi_lexer *lexer, const unsigned char *bytes, size_t n, uint64_t at);

/* What closes what a delimiter of Ruby or Perl opens. */
static inline unsigned char pmi_lexer_closer_of(unsigned char delimiter) {
    switch (delimiter) {
    case '(':
        return ')';
    case '[':
        return ']';
    case '{':
        return '}';
    case '<':
        return '>';
    default:
        return delimiter;
    }
}

/* May Ruby's % begin a string, and its / before that byte a regular expression? */
bool pmi_lexer_ruby_percent_due(const pmi_lexer_history *history);
bool pmi_lexer_ruby_slash_due(const pmi_lexer_history *history, unsigned char next);

/* ---- Several bytes at once (ahead.c) ---- */

/* What a byte that ends a run of code may be; pmi_lexer.ahead holds it. */
enum {
    PM_AHEAD_ALONE = 0, /* something that is read byte by byte */
    PM_AHEAD_OPENS,     /* the first byte of regions, and nothing else */
    PM_AHEAD_SELDOM,    /* the same, but some are no regions: it is read alone where one stands */
    PM_AHEAD_START,     /* the first byte of regions that open where a line begins alone */
    PM_AHEAD_LESS,      /* the < of <<, which begins a heredoc */
    PM_AHEAD_QUESTION,  /* the ? of a character, but behind a name */
    PM_AHEAD_SQUARE,    /* the [ of [==[ */
    PM_AHEAD_TICK,      /* the quote of a character, or one that belongs to a name */
    PM_AHEAD_SLASH,     /* Ruby's / */
    PM_AHEAD_PERCENT    /* Ruby's % */
};

/* Notes which bytes and regions of the language may be read so. */
void pmi_lexer_ahead_init(pmi_lexer *lexer);

/* In code: the region with the longest open that stands at these bytes, PM_LEXER_OPENING or more, and of equal ones the
 * first; NULL: code goes on. */
const pmi_region *pmi_lexer_region_ahead_of(const pmi_lexer *lexer, const unsigned char *bytes, unsigned *length);

/* Reads a byte that ends a run of code, at offset `at`, with what it begins, of which n bytes are there. Returns how
 * many were read; 0: the byte is to be read alone. All but the first are outside of code. */
size_t pmi_lexer_code_ahead(pmi_lexer *lexer, const unsigned char *bytes, size_t n, uint64_t at);

/* How many of n bytes the literal has that Ruby's / or % begins; 1: it is an operator; 0: that is not sure, or code is
 * in the literal. */
size_t pmi_lexer_ruby_literal(const pmi_lexer_history *history, const unsigned char *bytes, size_t n);

/* Returns the offset behind the ]==] that belongs to the [==[ of which byte `from` is the second; 0: the piece does not
 * have both. */
size_t pmi_lexer_long_end(const unsigned char *text, size_t from, size_t to);

/* Returns the offset behind the )x" that belongs to the R"x( of which byte `from` is behind the quote; 0: the piece
 * does not have both. */
size_t pmi_lexer_raw_end(const unsigned char *text, size_t from, size_t to);

/* Inside an idle region: as pmi_lexer_code_ahead(), where *taken is 0 if the region ended before the byte. Returns
 * false if the byte is to be read alone. */
bool pmi_lexer_region_ahead(pmi_lexer *lexer, const unsigned char *bytes, size_t n, size_t *taken);

/* ---- Words of 64 bytes (strings.c) ---- */

/* Sets lexer->strings. */
void pmi_lexer_strings_init(pmi_lexer *lexer);

/* In code, or in an idle region: reads most of the bytes from ... to - 1 of a piece at that position. Returns the first
 * byte that was not read. */
size_t pmi_lexer_strings_range(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
                               size_t to, uint64_t position, uint64_t *outside);

/* ---- Words of 64 bytes, by a table (words/words.c) ---- */

/* In code, but in none in a string and before no heredoc, or in an idle region, with a history that is up to date:
 * reads bytes from ... to - 1 of a piece up to one that is to be read in another way. ends[apart * w]: those of word w
 * that may end a run of code. Returns that byte. */
size_t pmi_lexer_words_range(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
                             size_t to, uint64_t position, const uint64_t *ends, size_t apart, uint64_t *outside);

/* ---- Crowded text (crowd.c) ---- */

/* Sets lexer->crowd and lexer->crowd_regions. */
void pmi_lexer_crowd_init(pmi_lexer *lexer);

/* With a history that is up to date: reads bytes i ... end - 1 of a piece at that position, and perhaps more, up to
 * `to`, each by itself. Returns the next byte. */
size_t pmi_lexer_crowd_range(pmi_lexer *lexer, const unsigned char *text, size_t i, size_t end, size_t to,
                             uint64_t position, uint64_t *outside);

/* ---- Heredocs and shells (shell/shell.c) ---- */

/* A byte behind <, which may begin a heredoc. */
bool pmi_lexer_heredoc_byte(pmi_lexer *lexer, unsigned char byte);

/* Behind a <: reads those of n bytes that belong to what begins a heredoc, with its word. Returns how many. */
size_t pmi_lexer_heredoc_word(pmi_lexer *lexer, const unsigned char *bytes, size_t n);

/* Does the history have a ( in it? */
bool pmi_lexer_history_has_paren(const pmi_lexer_history *history);

/* Enters the heredocs of the line that ended. */
void pmi_lexer_heredocs_enter(pmi_lexer *lexer);

/* Where a line of a heredoc begins: reads whole lines up to the newline behind the heredoc's word, which ends it, or
 * the line of which it is not known whether it is that. Returns how many bytes that are. */
size_t pmi_lexer_heredoc_ahead(pmi_lexer *lexer, const unsigned char *bytes, size_t n);

/* Reads what is there of a line of a heredoc, but not its newline. Returns how many bytes that are. */
size_t pmi_lexer_heredoc_rest(pmi_lexer *lexer, const unsigned char *bytes, size_t n);

/* A byte of a heredoc. */
bool pmi_lexer_heredoc_line(pmi_lexer *lexer, unsigned char byte);

/* Is the line that was read so far, of a heredoc, what ends it? */
bool pmi_lexer_heredoc_ended(const pmi_lexer *lexer);

/* A blank, semicolon or parenthesis of a shell's code. */
void pmi_lexer_shell_byte(pmi_lexer *lexer, unsigned char byte);

/* Is what is read, in a shell's text, the code in the ${ } of a string? */
bool pmi_lexer_shell_in_braces(const pmi_lexer *lexer);

/* Is this parenthesis there, behind that byte of code, one of a pattern or the like, and so no bracket? Those of $( )
 * are. */
bool pmi_lexer_shell_literal(const pmi_lexer *lexer, unsigned char byte, unsigned char newest);

/* Counts a parenthesis that was read, if it is in such a ${ } and a bracket: it does not end a pattern of `case`. */
void pmi_lexer_shell_count(pmi_lexer *lexer, unsigned char byte);

/* The word `case`, or the word `esac`, which stands where a command does, has ended. */
void pmi_lexer_shell_word(pmi_lexer *lexer, bool begins);

/* As pmi_lexer_scan_range(), and the classes that it wants. */
void pmi_lexer_shell_range(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
                           size_t to, uint64_t *outside);
void pmi_lexer_shell_classes(pmi_lexer *lexer);

/* What moves the parts of a `case`: `in`; a ), which returns whether it is a bracket; a ; behind another. */
void pmi_lexer_shell_in(pmi_shell_case *of);
bool pmi_lexer_shell_close(pmi_shell_case *of);
void pmi_lexer_shell_semicolons(pmi_shell_case *of);

bool pmi_lexer_shell_in_pattern(const pmi_shell_case *of);

/* A square bracket of it, which in a pattern of `case` is no bracket: *] is one. */
void pmi_lexer_shell_square(pmi_lexer *lexer);

/* ---- Perl (perl/perl.c) ---- */

/* Is the byte behind a $, whatever stands before, the name of a variable? A ) may be, too. */
static inline bool pmi_lexer_perl_names(unsigned char byte) {
    switch (byte) {
    case '(':
    case '[':
    case ']':
    case '"':
    case '\'':
    case '`':
    case '/':
    case '<':
    case ',':
    case '!':
    case '|':
    case '~':
    case '^':
    case '%':
    case '@':
    case '?':
    case '.':
        return true;
    default:
        return false;
    }
}

/* A byte that ends a run of Perl's code. Returns true if it was taken. */
bool pmi_lexer_perl_byte(pmi_lexer *lexer, unsigned char byte);

/* Reads a quotation that the first of n bytes delimits, or only that byte if its end is not there. Returns how many
 * bytes were read; 0: it delimits none. */
size_t pmi_lexer_perl_quote(pmi_lexer *lexer, const unsigned char *bytes, size_t n);

/* Reads code from byte i to before byte `to` as long as quote operators, regular expressions and divisions stand close
 * together, up to what is none of these or does not end there. Returns the next byte. */
size_t pmi_lexer_perl_signs(pmi_lexer *lexer, const unsigned char *text, size_t i, size_t to, uint64_t *outside);

/* The byte behind a single < of Perl. Returns true if a region has begun, and that byte is in it. */
bool pmi_lexer_perl_glob(pmi_lexer *lexer, unsigned char byte);

/* A byte in one of Perl's states. */
bool pmi_lexer_perl_state_byte(pmi_lexer *lexer, unsigned char byte);

/* As pmi_lexer_scan_range(), and the classes that it wants. */
void pmi_lexer_perl_range(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
                          size_t to, uint64_t *outside);
void pmi_lexer_perl_classes(pmi_lexer *lexer);

/* A part of s/// or tr/// has ended, and another follows. */
void pmi_lexer_perl_part_end(pmi_lexer *lexer);

/* ---- YAML (yaml/yaml.c, yaml/range.c) ---- */

void pmi_lexer_yaml_byte(pmi_lexer *lexer, unsigned char byte, uint64_t at);

/* As pmi_lexer_scan_range(). */
void pmi_lexer_yaml_range(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
                          size_t to, uint64_t *outside);

/* Reads all records of a piece; see pmi_lexer_scan_records(). */
void pmi_lexer_yaml_records(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece,
                            const pmi_text_records *records, uint64_t *outside, size_t *cut);

/* Gives the bytes the classes that pmi_lexer_yaml_range() wants. */
void pmi_lexer_yaml_classes(pmi_lexer *lexer);

/* Does the text, as read so far, end inside a quoted scalar, or perhaps behind one? */
bool pmi_lexer_yaml_inside(const pmi_yaml *yaml, bool perhaps);

/* ---- JSX (jsx.c) ---- */

/* May a < here begin an element? */
bool pmi_lexer_jsx_due(const pmi_lexer_history *history);

/* Begins to read one, behind its <. */
void pmi_lexer_jsx_enter(pmi_lexer *lexer);

/* A byte of an element: true if it was taken. */
bool pmi_lexer_jsx_byte(pmi_lexer *lexer, unsigned char byte);

/* Does the next byte of an element depend on the history, or change it? */
bool pmi_lexer_jsx_remembers(const pmi_lexer *lexer);

/* In an element: reads bytes i ... to - 1 of a piece, up to where code begins or behind the element. Returns the first
 * byte that was not read; *after: what the history is to be given before it, or 0. */
size_t pmi_lexer_jsx_range(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t i,
                           size_t to, uint64_t *outside, unsigned char *after);

/* The bytes that bring an element nearer to its end; a tag </> ends an element of any name. */
const char *pmi_lexer_jsx_closer(const pmi_lexer *lexer);

/* May an operand begin here, and so a slash a regular expression? */
bool pmi_lexer_operand_due(const pmi_lexer_history *history, const pmi_lexer_words *keywords, bool ruby);

/* Reads the byte at `at` in any state, or in a region: true if it was taken, false if it is to be read again in the
 * state that the lexer changed to. */
bool pmi_lexer_read_byte(pmi_lexer *lexer, unsigned char byte, uint64_t at);
bool pmi_lexer_region_byte(pmi_lexer *lexer, unsigned char byte);

/* range.c: reads byte i of a piece, which begins at that position, by its state alone. Returns the byte to be
 * read next: this one again, or the one behind it. */
size_t pmi_lexer_step(pmi_lexer *lexer, const unsigned char *text, size_t i, uint64_t position, uint64_t *outside);

/* Byte k of what closes the region, 0 past its end. */
unsigned char pmi_lexer_region_closer(const pmi_lexer *lexer, uint64_t k);

/* In state OPENING_REGION: the region that the first bytes of what may be an open begin, if no more of an open follows
 * them; NULL: none. */
const pmi_region *pmi_lexer_region_begun(const pmi_lexer *lexer, size_t length);

/* The same state behind one byte: if no region's open goes on with the next byte, as which it is not read here, leaves
 * the state for that of the region that began, or for code. */
void pmi_lexer_opening_settle(pmi_lexer *lexer, unsigned char next);

/* Reads the byte behind a closer that may be doubled. */
bool pmi_lexer_closed_byte(pmi_lexer *lexer, unsigned char byte);

/* ---- The bytes that lead out of a string or comment, all of them ---- */

#define PM_EXIT_PIECES 6u

/* Pieces, each repeated. */
typedef struct pmi_region_exit {
    struct {
        const unsigned char *bytes;
        size_t length;
        uint64_t times;
    } pieces[PM_EXIT_PIECES];
    unsigned count;
    bool newline; /* one is among the bytes */
    bool bracket; /* the last byte is a bracket, as the region's first one was */
} pmi_region_exit;

/* In state REGION: stores what leads out of it; no pieces if it may stay. If no brackets follow, what the text's end
 * may cut off stays. False: it does not follow; *exit is undefined. Borrows the lexer's bytes. */
bool pmi_lexer_region_exit(const pmi_lexer *lexer, bool brackets_follow, pmi_region_exit *exit);

/* The same in state OPENING_REGION. */
bool pmi_lexer_opening_exit(const pmi_lexer *lexer, bool brackets_follow, pmi_region_exit *exit);

/* The same out of a literal whose code has ended, without the bracket that ends the code. */
void pmi_lexer_literal_exit(const pmi_lexer_template *literal, pmi_region_exit *exit);

/* The number of those bytes, and the bracket if it is not counted; 0: nothing ends the literal. */
uint64_t pmi_lexer_literal_exit_length(const pmi_lexer_template *literal);

#endif
