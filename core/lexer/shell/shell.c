/* SPDX-License-Identifier: Apache-2.0 */
/* The lexer where what was read in one place matters in another: heredocs, whose text begins at the next line, and the
 * closes of a shell's `case x in a)`. */
#include <string.h>

#include "core/lexer/parts.h"

/* ---- Heredocs: their words ---- */

typedef enum heredoc_step {
    ONE_LESS = 0, /* < */
    TWO_LESS,     /* << */
    OPTIONS,      /* <<- or PHP's <<< */
    QUOTED,
    WORD
} heredoc_step;

/* Of a word that is not empty it is not 0; NUL counts, too. */
static uint64_t hash_more(uint64_t hash, unsigned char byte) {
    return (hash ^ (byte + 256u)) * UINT64_C(0x100000001b3);
}

/* The sort of heredocs, which is the prefix of their region: "sh", "ruby", "php" or "Perl". */
static char sort_of(const pmi_lexer *lexer) {
    const unsigned r = lexer->flagged[pmi_bits_lowest(PM_REGION_HEREDOC)];
    return r > 0 ? lexer->language->regions[r - 1].prefix[0] : 0;
}

/* Begins the word of a heredoc. */
static void word_begin(pmi_lexer *lexer) {
    lexer->heredoc_hash = 0;
    lexer->heredocs[lexer->heredoc_count].length = 0;
}

static void word_more(pmi_lexer *lexer, unsigned char byte) {
    pmi_heredoc *const heredoc = &lexer->heredocs[lexer->heredoc_count];
    lexer->heredoc_hash = hash_more(lexer->heredoc_hash, byte);
    if (heredoc->length < PM_HEREDOC_WORD)
        heredoc->word[heredoc->length] = (char)byte;
    if (heredoc->length <= PM_HEREDOC_WORD)
        heredoc->length++;
}

static void word_end(pmi_lexer *lexer) {
    lexer->heredocs[lexer->heredoc_count++].hash = lexer->heredoc_hash;
    lexer->state = PM_LEXER_CODE;
    pmi_lexer_history_push(&lexer->history, PM_LEXER_OPERAND);
}

/* It is an operator. */
static bool no_heredoc(pmi_lexer *lexer) {
    pmi_lexer_history_push(&lexer->history, '<');
    lexer->state = PM_LEXER_CODE;
    return false;
}

/* Behind two of a shell: all of them are operators, as are those of <<<. */
static bool no_shell_heredoc(pmi_lexer *lexer, unsigned char byte) {
    const bool three = byte == '<';
    pmi_lexer_history_push(&lexer->history, '<');
    if (three)
        pmi_lexer_history_push(&lexer->history, '<');
    return no_heredoc(lexer) || three;
}

/* Is any of eight bytes a '('? */
static bool has_paren(uint64_t bytes) {
    const uint64_t lowest = UINT64_C(0x0101010101010101), zero_if = bytes ^ '(' * lowest;
    return (zero_if - lowest) & ~zero_if & lowest << 7;
}

bool pmi_lexer_history_has_paren(const pmi_lexer_history *history) {
    return has_paren(history->newer) || has_paren(history->older);
}

/* Is what stands here inside (( ))? Only the last bytes of code are known. */
static bool in_arithmetic(const pmi_lexer_history *history) {
    unsigned closed = 0;
    if (!pmi_lexer_history_has_paren(history)) /* as a rule */
        return false;
    for (unsigned back = 0; back + 1 < PM_HISTORY_BYTES; back++) {
        const unsigned char byte = pmi_lexer_history_byte(history, back);
        if (byte == '(' && closed == 0 && pmi_lexer_history_byte(history, back + 1) == '(')
            return true;
        closed += byte == ')';
        closed -= byte == '(' && closed > 0;
    }
    return false;
}

/* Is the word before a << no variable, number or constant: print<<EOT, print OUT<<EOT, but not MASK<<SHIFT? Of a longer
 * word than the history it is not known, and a shift taken for a heredoc would hide the rest of the text. */
static bool bare_word_before(const pmi_lexer_history *history) {
    const unsigned length = pmi_lexer_word_length(history, 0);
    const unsigned char first = pmi_lexer_history_byte(history, length - 1);
    const unsigned char before = pmi_lexer_history_byte(history, length);
    const bool capital = first >= 'A' && first <= 'Z';
    const unsigned back = pmi_byte_is_space(before) ? pmi_lexer_history_behind_blanks(history, length) : length + 1;
    return length < PM_HISTORY_BYTES && !pmi_lexer_is_digit(first) && !(before && strchr("$@%&>*:{", before)) &&
           (!capital || pmi_lexer_word_is(history, back, "print printf say"));
}

/* Does the byte begin the word of a heredoc? In Ruby a capital or _ does, so that `list <<item` is not a heredoc. In
 * Perl a letter does, and behind a name a capital. */
static bool word_begins(const pmi_lexer *lexer, char sort, unsigned char byte) {
    if (!pmi_byte_in_name(byte) || pmi_lexer_is_digit(byte))
        return sort == 's' && byte == '!';
    if ((sort != 'r' && sort != 'P') || lexer->heredocs[lexer->heredoc_count].indented)
        return true;
    const unsigned char newest = pmi_lexer_history_byte(&lexer->history, 0);
    if (sort == 'P' && (lexer->heredoc_quote == ' ' || byte == '$')) /* a shift */
        return false;
    const bool capital = byte >= 'A' && byte <= 'Z';
    if (sort == 'r' && pmi_lexer_word_is(&lexer->history, pmi_byte_is_space(newest), "class")) /* of an object */
        return false;
    if (pmi_byte_in_name(newest))
        return sort == 'P' && capital && bare_word_before(&lexer->history);
    return sort == 'P' || capital || byte == '_';
}

static bool options_byte(pmi_lexer *lexer, char sort, unsigned char byte) {
    word_begin(lexer);
    if ((byte == ' ' || byte == '\t') && sort != 'r') {
        lexer->heredoc_quote = ' ';
        return true;
    }
    if (byte == '"' || byte == '\'' || (byte == '`' && sort == 'r')) {
        lexer->heredoc_quote = byte;
        lexer->heredoc_step = QUOTED;
        return true;
    }
    if (byte == '\\' && sort == 's') {
        lexer->heredoc_step = WORD;
        return true;
    }
    if (!word_begins(lexer, sort, byte))
        return no_heredoc(lexer);
    lexer->heredoc_step = WORD;
    word_more(lexer, byte);
    return true;
}

static inline bool heredoc_byte(pmi_lexer *lexer, char sort, unsigned char byte) {
    pmi_heredoc *const heredoc = &lexer->heredocs[lexer->heredoc_count];
    switch ((heredoc_step)lexer->heredoc_step) {
    case ONE_LESS:
        if (sort == 'P' && byte != '<' && pmi_lexer_perl_glob(lexer, byte))
            return false;
        if (byte != '<' || lexer->heredoc_count == PM_HEREDOCS_MAX)
            return no_heredoc(lexer);
        heredoc->indented = sort == 'p';
        lexer->heredoc_step = TWO_LESS;
        return true;
    case TWO_LESS:
        if (sort == 's' && byte == '<') /* <<<, before a string */
            return no_shell_heredoc(lexer, byte);
        if (sort == 's' && in_arithmetic(&lexer->history)) { /* a shift */
            lexer->unclear = true;
            return no_shell_heredoc(lexer, byte);
        }
        lexer->heredoc_step = OPTIONS;
        lexer->heredoc_quote = 0;
        if (sort == 'p' ? byte == '<' : byte == '-' || (byte == '~' && (sort == 'r' || sort == 'P'))) {
            heredoc->indented = true;
            return true;
        }
        return sort == 'p' ? no_heredoc(lexer) : options_byte(lexer, sort, byte);
    case OPTIONS:
        return options_byte(lexer, sort, byte);
    case QUOTED:
        if (byte == '\n') /* not quoted after all */
            return no_heredoc(lexer);
        if (byte == lexer->heredoc_quote)
            word_end(lexer);
        else
            word_more(lexer, byte);
        return true;
    case WORD:
        break;
    }
    if (pmi_byte_in_name(byte) || (sort == 's' && (byte == '-' || byte == '.' || byte == '!' || byte == '+'))) {
        word_more(lexer, byte);
        return true;
    }
    word_end(lexer);
    return false;
}

bool pmi_lexer_heredoc_byte(pmi_lexer *lexer, unsigned char byte) {
    return heredoc_byte(lexer, sort_of(lexer), byte);
}

size_t pmi_lexer_heredoc_word(pmi_lexer *lexer, const unsigned char *bytes, size_t n) {
    const char sort = lexer->state == PM_LEXER_HEREDOC ? sort_of(lexer) : 0;
    size_t k = 0;
    while (k < n && lexer->state == PM_LEXER_HEREDOC)
        k += heredoc_byte(lexer, sort, bytes[k]);
    return k;
}

/* ---- Heredocs: their lines ---- */

/* What of a line is read. */
#define LINE_BEGINS 1u
#define LINE_WORD 2u

void pmi_lexer_heredocs_enter(pmi_lexer *lexer) {
    pmi_lexer_region_enter_flagged(lexer, PM_REGION_HEREDOC);
    lexer->heredoc_hash = 0;
    lexer->previous = LINE_BEGINS;
}

/* The line was the word: the next heredoc follows, or code. */
static void heredoc_end(pmi_lexer *lexer) {
    lexer->heredoc_count--;
    if (lexer->heredoc_count > 0) {
        memmove(lexer->heredocs, lexer->heredocs + 1, lexer->heredoc_count * sizeof *lexer->heredocs);
        pmi_lexer_heredocs_enter(lexer);
        return;
    }
    lexer->state = PM_LEXER_CODE;
    pmi_lexer_history_push(&lexer->history, PM_LEXER_OPERAND);
}

bool pmi_lexer_heredoc_ended(const pmi_lexer *lexer) {
    const pmi_heredoc *const heredoc = &lexer->heredocs[0];
    return lexer->heredoc_hash == heredoc->hash && lexer->previous == (heredoc->hash != 0 ? LINE_WORD : LINE_BEGINS);
}

/* Does the word of a heredoc end before that byte of a line? */
static bool word_ends(const pmi_lexer *lexer, unsigned char byte) {
    return byte == '\n' || (sort_of(lexer) == 'p' && !pmi_byte_in_name(byte));
}

/* A byte of the line before its end. Returns whether the line is longer now. */
static bool heredoc_line_more(pmi_lexer *lexer, unsigned char byte) {
    if (byte == '\r' && lexer->previous == LINE_WORD)
        return false;
    if ((byte == ' ' || byte == '\t') && lexer->previous == LINE_BEGINS && lexer->heredocs[0].indented)
        return false;
    lexer->previous = LINE_WORD;
    lexer->heredoc_hash = hash_more(lexer->heredoc_hash, byte);
    return true;
}

bool pmi_lexer_heredoc_line(pmi_lexer *lexer, unsigned char byte) {
    const bool fits = pmi_lexer_heredoc_ended(lexer);
    if (fits && word_ends(lexer, byte)) {
        heredoc_end(lexer);
        if (lexer->state == PM_LEXER_CODE)
            return false;
        return byte == '\n';
    }
    if (byte == '\n') {
        lexer->heredoc_hash = 0;
        lexer->previous = LINE_BEGINS;
    } else {
        heredoc_line_more(lexer, byte);
    }
    return true;
}

/* What a line has behind as many bytes as a word may have does not make it the word. */
size_t pmi_lexer_heredoc_rest(pmi_lexer *lexer, const unsigned char *bytes, size_t n) {
    const unsigned char *const newline = memchr(bytes, '\n', n);
    const size_t end = newline ? (size_t)(newline - bytes) : n;
    const unsigned known = lexer->heredocs[0].length;
    unsigned more = 0;
    for (size_t k = 0; k < end && (more <= PM_HEREDOC_WORD || known == 0 || known > PM_HEREDOC_WORD); k++)
        more += heredoc_line_more(lexer, bytes[k]);
    return end;
}

/* How many bytes of the word, as far as it is kept, a line of n bytes begins with. */
static size_t word_bytes(const pmi_heredoc *heredoc, const unsigned char *line, size_t n) {
    const size_t known = heredoc->length <= PM_HEREDOC_WORD ? heredoc->length : PM_HEREDOC_WORD;
    size_t k = 0;
    while (k < known && k < n && line[k] == (unsigned char)heredoc->word[k])
        k++;
    return k;
}

/* Passes over the lines that do not begin with the first byte of the word, from byte `begin` on, where a line begins.
 * Returns the beginning of another line, or of one that is not there as a whole. */
static size_t lines_passed(const unsigned char *bytes, size_t begin, size_t n, unsigned char first) {
    size_t at = begin;
    while (at < n && bytes[at] != first) {
        const unsigned char *const found = memchr(bytes + at, first, n - at);
        at = found ? (size_t)(found - bytes) : n;
        if (at < n && bytes[at - 1] != '\n')
            at++;
        else if (at < n)
            return at;
    }
    while (at > begin && bytes[at - 1] != '\n')
        at--;
    return at;
}

/* A '\r' that may stand behind the word is read byte by byte. */
size_t pmi_lexer_heredoc_ahead(pmi_lexer *lexer, const unsigned char *bytes, size_t n) {
    const pmi_heredoc *const heredoc = &lexer->heredocs[0];
    size_t begin = 0;
    while (begin < n && lexer->previous == LINE_BEGINS && heredoc->length > 0) {
        size_t first = begin;
        if (!heredoc->indented)
            begin = first = lines_passed(bytes, begin, n, (unsigned char)heredoc->word[0]);
        while (heredoc->indented && first < n && (bytes[first] == ' ' || bytes[first] == '\t'))
            first++;
        const size_t matched = word_bytes(heredoc, bytes + first, n - first), at = first + matched;
        if (at == n)
            break;
        const bool whole = matched == heredoc->length;
        if (whole && matched <= PM_HEREDOC_WORD && word_ends(lexer, bytes[at])) {
            heredoc_end(lexer);
            if (lexer->state == PM_LEXER_CODE)
                return at;
            begin = at + (bytes[at] == '\n');
            continue;
        }
        const unsigned char *const newline = memchr(bytes + at, '\n', n - at);
        if (!newline || whole || matched == PM_HEREDOC_WORD || bytes[at] == '\r')
            break;
        begin = (size_t)(newline - bytes) + 1;
    }
    return begin;
}

/* ---- Shells ---- */

/* Does the word that was just read stand where a command does? */
static bool command_before(const pmi_lexer_history *history, unsigned length) {
    const unsigned blank = pmi_byte_is_space(pmi_lexer_history_byte(history, length));
    const unsigned back = length + blank;
    const unsigned char before = pmi_lexer_history_byte(history, back);
    return pmi_lexer_history_byte(history, length) == '\n' || before == 0 || strchr("\n;&|(){!`", before) ||
           pmi_lexer_word_is(history, back, "then do else in if while until elif");
}

static void part_begin(pmi_shell_case *of, pmi_shell_part part) {
    of->part = part;
    of->parens = 0;
    of->arithmetic = UINT64_MAX;
    of->unclosed = false;
}

/* Does a pattern begin here? */
static bool pattern_begins(const pmi_lexer_history *history) {
    const unsigned back = pmi_byte_is_space(pmi_lexer_history_byte(history, 0));
    const unsigned char before = pmi_lexer_history_byte(history, back);
    return before == ';' || before == '&' || pmi_lexer_word_is(history, back, "in");
}

/* The close of a pattern is no bracket, unless the pattern began with its open; but if a pattern had none, the next one
 * counts, and so is reported. */
bool pmi_lexer_shell_close(pmi_shell_case *of) {
    bool counts = true;
    if (of->parens > 0) {
        of->parens--;
        if (of->arithmetic == of->parens)
            of->arithmetic = UINT64_MAX;
        if (of->parens == 0 && of->part == PM_CASE_PATTERN_PARENS)
            part_begin(of, PM_CASE_COMMANDS);
    } else if (of->part == PM_CASE_PATTERN) {
        counts = of->unclosed;
        part_begin(of, PM_CASE_COMMANDS);
    }
    return counts;
}

static void case_open(const pmi_lexer_history *history, pmi_shell_case *of) {
    if (of->part == PM_CASE_PATTERN && of->parens == 0 && pattern_begins(history))
        of->part = PM_CASE_PATTERN_PARENS;
    if (pmi_lexer_history_byte(history, 0) == '(' && of->parens > 0 && of->arithmetic == UINT64_MAX)
        of->arithmetic = of->parens - 1;
    of->parens++;
}

/* Behind `in`, and behind ;; or ;& that are not in (( )), patterns begin; the ;; of ;;& was seen. */
static void case_blank(pmi_shell_case *of, const pmi_lexer_history *history) {
    if (of->part != PM_CASE_WORD) {
        if (pmi_lexer_history_byte(history, 0) == '&' && pmi_lexer_history_byte(history, 1) == ';' &&
            pmi_lexer_history_byte(history, 2) != ';')
            pmi_lexer_shell_semicolons(of);
    } else if (of->parens == 0 && pmi_lexer_word_is(history, 0, "in")) {
        part_begin(of, PM_CASE_PATTERN);
    }
}

void pmi_lexer_shell_in(pmi_shell_case *of) {
    part_begin(of, PM_CASE_PATTERN);
}

void pmi_lexer_shell_semicolons(pmi_shell_case *of) {
    const bool unclosed = of->part == PM_CASE_PATTERN;
    if (of->part == PM_CASE_WORD || of->arithmetic != UINT64_MAX)
        return;
    part_begin(of, PM_CASE_PATTERN);
    of->unclosed = unclosed;
}

/* Is the last word of code that one of four letters? */
static bool ends_in(const pmi_lexer_history *history, const char word[5]) {
    const uint32_t last = (uint32_t)(unsigned char)word[0] << 24 | (uint32_t)(unsigned char)word[1] << 16 |
                          (uint32_t)(unsigned char)word[2] << 8 | (unsigned char)word[3];
    return (uint32_t)history->newer == last && !pmi_byte_in_name(pmi_lexer_history_byte(history, 4));
}

void pmi_lexer_shell_word(pmi_lexer *lexer, bool begins) {
    if (begins && lexer->case_count < PM_CASES_MAX)
        part_begin(&lexer->cases[lexer->case_count++], PM_CASE_WORD);
    else if (!begins && lexer->case_count > 0)
        lexer->case_count--;
}

void pmi_lexer_shell_byte(pmi_lexer *lexer, unsigned char byte) {
    const pmi_lexer_history *const history = &lexer->history;
    const bool begins = ends_in(history, "case");
    if ((begins || ends_in(history, "esac")) && command_before(history, 4))
        pmi_lexer_shell_word(lexer, begins);
    if (lexer->case_count == 0)
        return;
    pmi_shell_case *const innermost = &lexer->cases[lexer->case_count - 1];
    if (byte == '(')
        case_open(history, innermost);
    else if (byte == ')' && !pmi_lexer_shell_close(innermost))
        lexer->verdict = PM_LEXER_UNCOUNTED;
    else if (byte == ';' && pmi_lexer_history_byte(history, 0) == ';')
        pmi_lexer_shell_semicolons(innermost);
    else if (pmi_byte_is_space(byte))
        case_blank(innermost, history);
}

bool pmi_lexer_shell_in_pattern(const pmi_shell_case *of) {
    return of->part == PM_CASE_PATTERN || of->part == PM_CASE_PATTERN_PARENS;
}

bool pmi_lexer_shell_in_braces(const pmi_lexer *lexer) {
    const pmi_lexer_template *const string = pmi_stack_top(&lexer->templates);
    return string && string->code_close == '}';
}

bool pmi_lexer_shell_literal(const pmi_lexer *lexer, unsigned char byte, unsigned char newest) {
    return lexer->raw_length == 0 && !(byte == '(' && newest == '$');
}

void pmi_lexer_shell_count(pmi_lexer *lexer, unsigned char byte) {
    if (lexer->verdict == PM_LEXER_AS_READ && pmi_lexer_shell_in_braces(lexer))
        lexer->raw_length += byte == '(' ? 1 : UINT64_MAX;
}

void pmi_lexer_shell_square(pmi_lexer *lexer) {
    if (lexer->case_count > 0 && pmi_lexer_shell_in_pattern(&lexer->cases[lexer->case_count - 1]))
        lexer->verdict = PM_LEXER_UNCOUNTED;
}
