/* SPDX-License-Identifier: Apache-2.0 */
/* The lexer in Perl's code: quote operators with any delimiter, regular expressions, variables named by punctuation. */
#include <string.h>

#include "broadword/text/operand_words.h"
#include "core/lexer/parts.h"

/* ---- Quote operators ---- */

/* Reads what a delimiter begins. */
static void quote_enter(pmi_lexer *lexer, unsigned char delimiter, unsigned parts) {
    const unsigned char closer = pmi_lexer_closer_of(delimiter);
    pmi_lexer_region_enter_flagged(lexer, PM_REGION_PAIRED);
    lexer->opener = closer != delimiter ? delimiter : 0;
    lexer->closer = closer;
    lexer->parts = parts;
}

void pmi_lexer_perl_part_end(pmi_lexer *lexer) {
    lexer->parts = 0;
    if (lexer->opener)
        lexer->state = PM_LEXER_SECOND_PART;
}

/* Behind the first part of s{}{}: blanks, comments, and the delimiter of the second. */
static bool second_part_byte(pmi_lexer *lexer, unsigned char byte) {
    if (byte == '#')
        lexer->state = PM_LEXER_SECOND_COMMENT;
    else if (!pmi_byte_is_space(byte))
        quote_enter(lexer, byte, 0);
    return true;
}

/* Is what stands before a word such that it is a name there: $s, ->s, sub s, -s $file? */
static bool is_name_behind(const pmi_lexer_history *history, unsigned back) {
    const unsigned char before = pmi_lexer_history_byte(history, back);
    const unsigned char first = pmi_lexer_history_byte(history, back + 1);
    switch (before) {
    case '@':
    case '%':
    case '*':
    case '-':
    case ':':
    case PM_LEXER_OPERAND: /* the s of m/x/s */
        return true;
    case '&':
        return first != '&';
    case '>':
        return first == '-';
    default:
        return pmi_byte_is_space(before) &&
               pmi_lexer_word_is(history, pmi_lexer_history_behind_blanks(history, back), "sub package");
    }
}

#define NEAR 1u  /* may delimit right behind a quote operator */
#define FAR 2u   /* and behind a blank */
#define OTHER 4u /* may mean something else */
static const unsigned char delimits[256] = {
    ['('] = NEAR | FAR, ['['] = NEAR | FAR,  ['{'] = NEAR | FAR, ['/'] = NEAR | FAR, ['!'] = NEAR | FAR,
    ['|'] = NEAR | FAR, ['\''] = NEAR | FAR, ['"'] = NEAR | FAR, ['<'] = NEAR | FAR, ['#'] = NEAR,
    [','] = NEAR,       [':'] = NEAR,        [';'] = NEAR,       ['+'] = NEAR,       ['-'] = NEAR,
    ['~'] = NEAR,       ['^'] = NEAR,        ['%'] = NEAR,       ['@'] = NEAR,       ['`'] = OTHER,
    ['$'] = OTHER,      ['='] = OTHER,       ['_'] = OTHER,      [' '] = OTHER,      ['\t'] = OTHER,
    ['\n'] = OTHER,     ['\v'] = OTHER,      ['\f'] = OTHER,     ['\r'] = OTHER,
};

/* Does the byte begin what a quote operator quotes? Behind a blank few bytes do. */
static bool quote_begins(const pmi_lexer_history *history, unsigned char byte, unsigned *parts) {
    const unsigned back = pmi_byte_is_space(pmi_lexer_history_byte(history, 0));
    const unsigned char last = pmi_lexer_history_byte(history, back), first = pmi_lexer_history_byte(history, back + 1);
    const bool alone = !pmi_byte_in_name(first);
    const bool two = alone ? last == 's' || last == 'y' : first == 't' && last == 'r'; /* parts: s, tr, y */
    const bool one =
        alone ? last == 'q' || last == 'm' : first == 'q' && (last == 'q' || last == 'w' || last == 'x' || last == 'r');
    if (!(one || two) || (!alone && pmi_byte_in_name(pmi_lexer_history_byte(history, back + 2))) ||
        !(delimits[byte] & (back ? FAR : NEAR)))
        return false;
    *parts = two;
    return !is_name_behind(history, back + (alone ? 1 : 2));
}

/* ---- Regular expressions and variables ---- */

/* May an operand begin behind the word that ends at `back`? */
static __attribute__((noinline)) bool due_behind_word(const pmi_lexer_history *history, unsigned back) {
    static const char words[][PM_HISTORY_BYTES] = {
        {"and"},    {"cmp"},   {"die"},    {"elsif"},   {"eq"},    {"ge"},   {"grep"},  {"gt"},    {"if"},
        {"join"},   {"le"},    {"lt"},     {"map"},     {"ne"},    {"not"},  {"or"},    {"print"}, {"push"},
        {"return"}, {"split"}, {"unless"}, {"unshift"}, {"until"}, {"when"}, {"while"}, {"xor"}};
#define TWO(a, b) (PM_OPERAND_LETTER(a) | PM_OPERAND_LETTER(b))
    static const uint32_t endings[26] = {['d' - 'a'] = PM_OPERAND_LETTER('n'),
                                         ['e' - 'a'] = TWO('g', 'i') | TWO('l', 'n'),
                                         ['f' - 'a'] = PM_OPERAND_LETTER('i'),
                                         ['h' - 'a'] = PM_OPERAND_LETTER('s'),
                                         ['l' - 'a'] = PM_OPERAND_LETTER('i'),
                                         ['n' - 'a'] = PM_OPERAND_LETTERS('e', 'i', 'r'),
                                         ['p' - 'a'] = PM_OPERAND_LETTERS('a', 'e', 'm'),
                                         ['q' - 'a'] = PM_OPERAND_LETTER('e'),
                                         ['r' - 'a'] = PM_OPERAND_LETTER('o'),
                                         ['s' - 'a'] = PM_OPERAND_LETTER('s'),
                                         ['t' - 'a'] =
                                             PM_OPERAND_LETTERS('f', 'g', 'i') | PM_OPERAND_LETTERS('l', 'n', 'o')};
#undef TWO
    const unsigned length = pmi_lexer_word_length(history, back);
    return ((length == 1 && pmi_lexer_history_byte(history, back) == 'x') ||
            pmi_lexer_word_in(history, back, &(pmi_lexer_words){words, sizeof words / sizeof *words, endings})) &&
           !is_name_behind(history, back + length);
}

/* May an operand begin here, and so a slash a regular expression? */
static inline bool operand_due(const pmi_lexer_history *history) {
    const unsigned char newest = pmi_lexer_history_byte(history, 0);
    const unsigned back = pmi_byte_is_space(newest);
    const unsigned char last = pmi_lexer_history_byte(history, back);
    if (pmi_byte_in_name(last))
        return due_behind_word(history, back);
    if (last == '}')
        return newest == '\n';
    if (last == '+' || last == '-')
        return pmi_lexer_history_byte(history, back + 1) != last;                                 /* a++ / b */
    return last != ')' && last != ']' && last != PM_LEXER_OPERAND && !(last == '/' && back == 0); /* a // b */
}

/* Behind a < that is none of two: does it begin a glob or the reading of a file, as <$a/x> and <STDIN> do? It ends at a
 * > or with its line. */
bool pmi_lexer_perl_glob(pmi_lexer *lexer, unsigned char byte) {
    if (!byte || pmi_lexer_is_digit(byte) || !(pmi_byte_in_name(byte) || strchr("/~*.{:>", byte)) ||
        !operand_due(&lexer->history))
        return false;
    pmi_lexer_region_enter_flagged(lexer, PM_REGION_FREE);
    return true;
}

/* Is what stands before a `$)` the beginning of a prototype: `($$;`, or the end of one with blanks, `; `? How many
 * blanks the history has of those in a row depends on how the text was read, except at its end. */
static bool in_prototype(const pmi_lexer_history *history) {
    static const bool prototypes[256] = {
        ['$'] = true,  ['@'] = true, ['%'] = true, ['&'] = true, ['*'] = true, [';'] = true,
        ['\\'] = true, ['['] = true, [']'] = true, ['+'] = true, ['_'] = true, [','] = true};
    const unsigned char newest = pmi_lexer_history_byte(history, 0), sign = pmi_lexer_history_byte(history, 1);
    unsigned back = 0;
    if (pmi_byte_is_space(newest))
        return newest != '\n' && sign && strchr("($@%*;", sign); /* behind a newline a statement begins */
    while (prototypes[pmi_lexer_history_byte(history, back)])
        back++;
    return pmi_lexer_history_byte(history, back) == '(' && pmi_lexer_history_byte(history, back + 1) != '$';
}

/* Reads the byte behind a $: a bracket or quote there is the name of a variable, as in $] and $'. Returns whether the
 * byte was taken. */
static bool variable_read(pmi_lexer_history *history, unsigned char byte) {
    const bool name = pmi_lexer_perl_names(byte) || (byte == ')' && !in_prototype(history));
    pmi_lexer_history_push(history, name ? PM_LEXER_OPERAND : '$');
    return name || byte == '$' || byte == '#'; /* $$name, $#{name} */
}

/* ---- Code ---- */

/* How many of n bytes stand from a delimiter to the end of what it quotes; 0: that is not there, or is delimited anew.
 */
static size_t quoted_length(const unsigned char *bytes, size_t n, unsigned parts) {
    const unsigned char opener = bytes[0], closer = pmi_lexer_closer_of(opener);
    size_t depth = 0;
    if (parts > 0 && opener != closer)
        return 0;
    for (size_t k = 1; k < n; k++) {
        if (bytes[k] == '\\')
            k++;
        else if (bytes[k] == closer && depth > 0)
            depth--;
        else if (bytes[k] == closer && parts-- == 0)
            return k + 1;
        else if (bytes[k] == opener && opener != closer)
            depth++;
    }
    return 0;
}

size_t pmi_lexer_perl_quote(pmi_lexer *lexer, const unsigned char *bytes, size_t n) {
    unsigned parts = 0;
    if (!quote_begins(&lexer->history, bytes[0], &parts) && !(bytes[0] == '/' && operand_due(&lexer->history)))
        return 0;
    const size_t length = quoted_length(bytes, n, parts);
    if (length > 0)
        pmi_lexer_history_push(&lexer->history, PM_LEXER_OPERAND);
    else
        quote_enter(lexer, bytes[0], parts);
    return length > 0 ? length : 1;
}

/* May the byte be the last one of a quote operator's name? */
static inline bool ends_operator(unsigned char byte) {
    return byte == 'q' || byte == 'm' || byte == 's' || byte == 'y' || byte == 'w' || byte == 'x' || byte == 'r';
}

#define CLOSE 8u /* bytes within which another sign may follow */

/* Does a byte of code matter to what pmi_lexer_perl_signs() does not know: strings, comments, heredocs and what begins
 * a line? */
static inline bool is_foreign(const pmi_lexer *lexer, const pmi_lexer_history *history, unsigned char byte) {
    switch (byte) {
    case '"':
    case '\'':
    case '`':
    case '#':
    case '<':
        return true;
    case '=':
    case '_':
        return pmi_lexer_history_byte(history, 0) == '\n';
    default:
        return byte == '\n' && lexer->heredoc_count > 0;
    }
}

/* Reads the sign at n bytes of code. Returns how many bytes it has with what it begins; 0: that is to be read in
 * another way, 1: code goes on. */
static inline size_t sign_read(pmi_lexer_history *history, const unsigned char *bytes, size_t n) {
    const unsigned back = pmi_byte_is_space(pmi_lexer_history_byte(history, 0));
    unsigned parts = 0;
    if (bytes[0] == '$') {
        const unsigned char next = n > 1 ? bytes[1] : 0;
        return n > 1 ? 1 + variable_read(history, next) : 0;
    }
    if (pmi_byte_is_space(bytes[0])) {
        pmi_lexer_history_push_blank(history, bytes[0] == '\n');
        return 1;
    }
    const bool quotes = ends_operator(pmi_lexer_history_byte(history, back)) && quote_begins(history, bytes[0], &parts);
    const size_t length = quotes || (bytes[0] == '/' && operand_due(history)) ? quoted_length(bytes, n, parts) : 1;
    if (length > 0)
        pmi_lexer_history_push(history, length > 1 ? PM_LEXER_OPERAND : bytes[0]);
    return length;
}

size_t pmi_lexer_perl_signs(pmi_lexer *lexer, const unsigned char *text, size_t i, size_t to, uint64_t *outside) {
    pmi_lexer_history history = lexer->history;
    size_t run = i, far = i + CLOSE;
    while (i < to && i < far) {
        if (!delimits[text[i]]) {
            pmi_lexer_history_push(&history, text[i++]);
            continue;
        }
        const size_t length = is_foreign(lexer, &history, text[i]) ? 0 : sign_read(&history, text + i, to - i);
        if (length == 0)
            break;
        if (text[i] == '/' || length > 1)
            far = i + length + CLOSE;
        if (length > 1) {
            pmi_lexer_mark_run(outside, run, i);
            run = i + length;
        }
        i += length;
    }
    pmi_lexer_mark_run(outside, run, i);
    lexer->history = history;
    return i;
}

bool pmi_lexer_perl_byte(pmi_lexer *lexer, unsigned char byte) {
    if (byte == '$') {
        lexer->state = PM_LEXER_VARIABLE;
        return true;
    }
    if (pmi_lexer_perl_quote(lexer, &byte, 1) == 0)
        return false;
    lexer->verdict = PM_LEXER_UNCOUNTED;
    return true;
}

bool pmi_lexer_perl_state_byte(pmi_lexer *lexer, unsigned char byte) {
    if (lexer->state == PM_LEXER_VARIABLE) {
        lexer->state = PM_LEXER_CODE;
        return variable_read(&lexer->history, byte);
    }
    if (lexer->state == PM_LEXER_SECOND_PART)
        return second_part_byte(lexer, byte);
    if (byte == '\n')
        lexer->state = PM_LEXER_SECOND_PART;
    return true;
}
