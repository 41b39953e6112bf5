/* SPDX-License-Identifier: Apache-2.0 */
/* The lexer in code: the bytes that end a run of ordinary code, and what they may begin: regions, directives, raw
 * strings, lifetimes, characters. */
#include <string.h>

#include "broadword/text/operand_words.h"
#include "core/lexer/parts.h"

#define in_identifier pmi_byte_in_name
#define word_is pmi_lexer_word_is
#define word_length pmi_lexer_word_length

/* ---- The last bytes of code ---- */

unsigned pmi_lexer_word_length(const pmi_lexer_history *history, unsigned back) {
    unsigned length = 0;
    while (back + length < PM_HISTORY_BYTES && in_identifier(pmi_lexer_history_byte(history, back + length)))
        length++;
    return length;
}

bool pmi_lexer_word_is(const pmi_lexer_history *history, unsigned back, const char *list) {
    const unsigned length = pmi_lexer_word_length(history, back);
    for (const char *listed = list; *listed && length > 0;) {
        unsigned k = 0;
        while (k < length && (unsigned char)listed[k] == pmi_lexer_history_byte(history, back + length - 1 - k))
            k++;
        if (k == length && (listed[k] == ' ' || listed[k] == 0))
            return true;
        while (*listed && *listed != ' ')
            listed++;
        while (*listed == ' ')
            listed++;
    }
    return false;
}

/* Of `words`, the ordinal of the word of these bytes; their count if it is none of them. */
static size_t ordinal_of(const uint64_t halves[2], const pmi_lexer_words *words) {
    size_t w = 0;
    for (; w < words->count; w++) {
        uint64_t listed[2];
        memcpy(listed, words->words[w], sizeof listed);
        if (listed[0] == halves[0] && listed[1] == halves[1])
            break;
    }
    return w;
}

/* May a word of the list end in these bytes? */
static inline bool ends_as(const pmi_lexer_words *words, unsigned char before, unsigned char last) {
    const bool letters = before >= 'a' && before <= 'z' && last >= 'a' && last <= 'z';
    return !words->endings || (letters && words->endings[last - 'a'] >> (before - 'a') & 1);
}

/* The word of this length that ends at `back`, as two numbers. Put together in registers: bytes stored one by one are
 * slow to load at once. */
static inline void halves_of(const pmi_lexer_history *history, unsigned back, unsigned length, uint64_t halves[2]) {
    uint64_t of[2] = {0, 0};
    for (unsigned k = 0; k < length; k++)
        of[k / 8] |= (uint64_t)pmi_lexer_history_byte(history, back + length - 1 - k) << k % 8 * 8;
    memcpy(halves, of, sizeof of);
}

/* The same of the word that ends at `back`. No list has a word of one byte, the commonest in code that is dense. */
static size_t word_ordinal(const pmi_lexer_history *history, unsigned back, const pmi_lexer_words *words) {
    const unsigned length = pmi_lexer_word_length(history, back);
    if (length < 2 || !ends_as(words, pmi_lexer_history_byte(history, back + 1), pmi_lexer_history_byte(history, back)))
        return words->count;
    uint64_t halves[2];
    halves_of(history, back, length, halves);
    return ordinal_of(halves, words);
}

bool pmi_lexer_word_in(const pmi_lexer_history *history, unsigned back, const pmi_lexer_words *words) {
    return word_ordinal(history, back, words) < words->count;
}

_Static_assert(PM_HISTORY_BYTES == 16, "a word is two numbers");

/* ---- Regions ---- */

static bool begins_with(const char *open, const unsigned char *bytes, size_t length) {
    for (size_t k = 0; k < length; k++)
        if (open[k] == 0 || (unsigned char)open[k] != bytes[k])
            return false;
    return true;
}

/* May an operand begin here, and so a slash a regular expression? Behind an operator, an opening bracket or a keyword
 * it may; not behind a name, a number, a literal, a closing bracket, ++ and --, nor in JSX's closing tags. In Ruby it
 * may behind a name and a blank: `puts /x/`. */
bool pmi_lexer_operand_due(const pmi_lexer_history *history, const pmi_lexer_words *keywords, bool ruby) {
    const unsigned back = pmi_byte_is_space(pmi_lexer_history_byte(history, 0));
    const unsigned char last = pmi_lexer_history_byte(history, back),
                        before = pmi_lexer_history_byte(history, back + 1);
    if (ruby && last == ':' && back == 0)
        return false; /* the name of an operator */
    if (in_identifier(last)) {
        const unsigned length = word_length(history, back);
        if (ruby && length == 3 && word_is(history, back, "def"))
            return false; /* the same */
        const unsigned char first = pmi_lexer_history_byte(history, back + length - 1);
        if (ruby && pmi_lexer_history_byte(history, 0) == '\n')
            return true;
        if (pmi_lexer_history_byte(history, back + length) == '.')
            return false;
        return (ruby && back > 0 && first >= 'a' && first <= 'z') || pmi_lexer_word_in(history, back, keywords);
    }
    switch (last) {
    case ')':
    case ']':
    case '}':
    case PM_LEXER_OPERAND:
        return ruby && pmi_lexer_history_byte(history, 0) == '\n';
    case '<':
        return ruby;
    case '+':
    case '-':
        return before != last;
    case '.':
        return before == '.'; /* the spread operator, not 1. */
    default:
        return true;
    }
}

#define LISTED_WORD(word) {word},
static const char operand_words[][PM_HISTORY_BYTES] = {
    /* clang-format off */
    PM_OPERAND_WORDS_2(LISTED_WORD) PM_OPERAND_WORDS_3(LISTED_WORD) PM_OPERAND_WORDS_4(LISTED_WORD)
    PM_OPERAND_WORDS_5(LISTED_WORD) PM_OPERAND_WORDS_6(LISTED_WORD) PM_OPERAND_WORDS_7(LISTED_WORD)
    PM_OPERAND_WORDS_10(LISTED_WORD)
    PM_OPERAND_WORDS_RUBY_2(LISTED_WORD) PM_OPERAND_WORDS_RUBY_3(LISTED_WORD) PM_OPERAND_WORDS_RUBY_4(LISTED_WORD)
    PM_OPERAND_WORDS_RUBY_5(LISTED_WORD) PM_OPERAND_WORDS_RUBY_6(LISTED_WORD)
    /* clang-format on */
};
#undef LISTED_WORD
static const uint32_t operand_endings[] = PM_OPERAND_ENDINGS;
static const pmi_lexer_words operand_keywords = {operand_words, sizeof operand_words / sizeof *operand_words,
                                                 operand_endings};

static bool operand_due(const pmi_lexer_history *history, bool ruby) {
    enum {
        OF_JAVASCRIPT = 15 /* the first ones; Ruby's others may be names there */
    };
    const pmi_lexer_words of_javascript = {operand_words, OF_JAVASCRIPT, operand_endings};
    return pmi_lexer_operand_due(history, ruby ? &operand_keywords : &of_javascript, ruby);
}

/* Is the word before a blank a name, and no keyword that an operand follows? */
static bool name_before(const pmi_lexer_history *history) {
    return in_identifier(pmi_lexer_history_byte(history, 1)) &&
           (pmi_lexer_history_byte(history, 1 + word_length(history, 1)) == '.' ||
            !pmi_lexer_word_in(history, 1, &operand_keywords));
}

bool pmi_lexer_region_allowed(const pmi_lexer *lexer, const pmi_region *region) {
    const pmi_lexer_history *const history = &lexer->history;
    const unsigned flags = region->flags;
    if (region->prefix && !in_identifier(pmi_lexer_history_byte(history, 0)))
        return false;
    if ((flags & PM_REGION_FIRST) && lexer->start > lexer->begin)
        return false;
    if ((flags & PM_REGION_START) &&
        (pmi_lexer_history_byte(history, 0) != '\n' || /* assembly's | may be an operator in a line that goes on */
         (region->open[0] == '|' && pmi_lexer_history_byte(history, 1) == '\\')))
        return false;
    if ((flags & PM_REGION_WORD) &&
        !pmi_lexer_comment_due((unsigned char)region->open[0], pmi_lexer_history_byte(history, 0)))
        return false;
    if ((flags & PM_REGION_NOT) && region->open[0] == '/') /* `a / b`, where a may be a function */
        return pmi_lexer_history_byte(history, 0) == ' ' && name_before(history);
    if ((flags & PM_REGION_REGEX) && !operand_due(history, lexer->language->code & PM_CODE_RUBY))
        return false;
    return !region->prefix || word_is(history, 0, region->prefix);
}

/* The region that exactly those bytes open, or NULL; and may more bytes behind them open another? */
static const pmi_region *region_opened(const pmi_lexer *lexer, const unsigned char *opening, size_t length,
                                       bool *longer) {
    const pmi_region *opened = NULL;
    *longer = false;
    for (uint32_t rest = lexer->opened_by[opening[0]]; rest != 0; rest &= rest - 1) {
        const pmi_region *region = &lexer->language->regions[pmi_bits_lowest(rest)];
        if (!begins_with(region->open, opening, length) || !pmi_lexer_region_allowed(lexer, region))
            continue;
        if (region->open[length] != 0)
            *longer = true;
        else if (!opened)
            opened = region;
    }
    return opened;
}

const pmi_region *pmi_lexer_region_begun(const pmi_lexer *lexer, size_t length) {
    bool longer;
    return region_opened(lexer, lexer->opening, length, &longer);
}

/* The bytes of `opening` open no more than a region of fewer bytes, or none. */
static void opening_ends(pmi_lexer *lexer) {
    bool longer;
    for (unsigned length = lexer->opening_length; length > 0; length--) {
        const pmi_region *region = region_opened(lexer, lexer->opening, length, &longer);
        if (!region)
            continue;
        pmi_lexer_region_enter(lexer, region);
        for (unsigned k = length; k < lexer->opening_length; k++)
            pmi_lexer_region_byte(lexer, lexer->opening[k]);
        return;
    }
    lexer->state = PM_LEXER_CODE;
    pmi_lexer_history_push(&lexer->history, lexer->opening[0]);
    for (unsigned k = 1; k < lexer->opening_length; k++) {
        const unsigned char byte = lexer->opening[k];
        if (k + 1 == lexer->opening_length && !region_opened(lexer, &byte, 1, &longer) && longer) { /* C#'s $@$" */
            lexer->state = PM_LEXER_OPENING_REGION;
            lexer->start += k;
            lexer->first = lexer->opening[0] = byte;
            lexer->opening_length = 1;
            return;
        }
        pmi_lexer_history_push(&lexer->history, byte);
    }
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
    } else if (region && (region->flags & PM_REGION_NOT)) {
        lexer->state = PM_LEXER_CODE;
        for (unsigned k = 0; k + 1 < length; k++)
            pmi_lexer_history_push(&lexer->history, lexer->opening[k]);
        return false;
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

void pmi_lexer_opening_settle(pmi_lexer *lexer, unsigned char next) {
    if (lexer->state != PM_LEXER_OPENING_REGION || lexer->opening_length != 1)
        return;
    for (uint32_t rest = lexer->opened_by[lexer->opening[0]]; rest != 0; rest &= rest - 1)
        if ((unsigned char)lexer->language->regions[pmi_bits_lowest(rest)].open[1] == next)
            return;
    opening_ends(lexer);
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
    return length == PM_HISTORY_BYTES || pmi_lexer_is_digit(first) || (first == '.' && pmi_lexer_is_digit(second));
}

bool pmi_lexer_character_due(unsigned char newest) {
    return !in_identifier(newest) && !(newest && strchr(")]}\"?!", newest));
}

/* Is what stands before, perhaps, a method's name and a blank, as in `log.warn %(x)`? */
static bool method_before(const pmi_lexer_history *history) {
    const unsigned length = word_length(history, 1);
    return pmi_lexer_history_byte(history, 0) == ' ' && length > 0 &&
           pmi_lexer_history_byte(history, 1 + length) == '.';
}

bool pmi_lexer_ruby_percent_due(const pmi_lexer_history *history) {
    return operand_due(history, true) || method_before(history);
}

bool pmi_lexer_ruby_slash_due(const pmi_lexer_history *history, unsigned char next) {
    const bool divides = (next == ' ' || next == '=') && pmi_lexer_history_byte(history, 0) == ' ';
    return operand_due(history, true) && !(divides && name_before(history));
}

/* Begins to read what Ruby's % or Elixir's ~ begins. */
static void paired_begin(pmi_lexer *lexer, unsigned char byte) {
    lexer->raw_length = 0;
    lexer->opening[0] = byte;
    lexer->state = PM_LEXER_PAIRED;
}

/* The prefixes of raw strings, of which a language has one sort. */
static const char *raw_prefixes(const pmi_lexer *lexer) {
    for (size_t r = 0; r < lexer->language->region_count; r++)
        if (lexer->language->regions[r].flags & (PM_REGION_DELIMITED | PM_REGION_HASHED))
            return lexer->language->regions[r].prefix;
    return "";
}

/* The constructs of a few languages; *taken: whether the byte was. Returns false if the byte belongs to none. */
static bool special_byte(pmi_lexer *lexer, unsigned char byte, bool *taken) {
    const unsigned code = lexer->language->code;
    const pmi_lexer_history *const history = &lexer->history;
    *taken = true;
    if ((code & PM_CODE_PERL) && pmi_lexer_perl_byte(lexer, byte))
        return true;
    if (byte == '\n' && lexer->heredoc_count > 0) {
        pmi_lexer_heredocs_enter(lexer);
        return true;
    }
    if ((code & PM_CODE_SHELL) && (byte == '(' || byte == ')') && pmi_lexer_shell_in_braces(lexer) &&
        pmi_lexer_shell_literal(lexer, byte, pmi_lexer_history_byte(history, 0))) {
        pmi_lexer_history_push(&lexer->history, byte);
        lexer->verdict = PM_LEXER_UNCOUNTED;
        return true;
    }
    if ((code & PM_CODE_SHELL) && (pmi_byte_is_space(byte) || byte == ';' || byte == '(' || byte == ')'))
        pmi_lexer_shell_byte(lexer, byte);
    if ((code & PM_CODE_SHELL) && (byte == '(' || byte == ')'))
        pmi_lexer_shell_count(lexer, byte);
    if ((code & PM_CODE_SHELL) && pmi_byte_is_space(byte)) {
        pmi_lexer_history_push_blank(&lexer->history, byte == '\n');
        return true;
    }
    if (lexer->verdict != PM_LEXER_UNCOUNTED && pmi_stack_top(&lexer->templates) &&
        pmi_lexer_template_brace(lexer, byte))
        return true;
    if ((code & PM_CODE_HEREDOCS) && byte == '<') {
        lexer->heredoc_step = 0;
        lexer->state = PM_LEXER_HEREDOC;
        return true;
    }
    if (((code & PM_CODE_RUBY) && byte == '%' && pmi_lexer_ruby_percent_due(history)) ||
        ((code & PM_CODE_SIGILS) && byte == '~')) {
        paired_begin(lexer, byte);
        return true;
    }
    if (((code & (PM_CODE_RUBY | PM_CODE_SIGILS)) && byte == '?' &&
         pmi_lexer_character_due(pmi_lexer_history_byte(history, 0))) ||
        ((code & PM_CODE_DOLLAR) && byte == '$')) {
        lexer->state = PM_LEXER_CHARACTER;
        return true;
    }
    if (byte == '<' && (lexer->region_flags & PM_REGION_JSX) && pmi_lexer_jsx_due(history)) {
        pmi_lexer_jsx_enter(lexer);
        return true;
    }
    if (byte == '[' && (lexer->region_flags & PM_REGION_LONG)) {
        lexer->region = NULL;
        lexer->raw_length = 0;
        lexer->state = PM_LEXER_LONG;
        return true;
    }
    return false;
}

/* A byte that ends a run of ordinary code. First the bytes whose meaning the table of regions cannot tell. */
static bool code_byte(pmi_lexer *lexer, unsigned char byte, uint64_t at) {
    bool taken;
    const unsigned code = lexer->language->code, regions = lexer->region_flags;
    pmi_lexer_history *history = &lexer->history;
    const unsigned char newest = pmi_lexer_history_byte(history, 0);
    lexer->start = at;
    lexer->first = byte;
    lexer->opening_length = 0;
    if (lexer->special && special_byte(lexer, byte, &taken))
        return taken;
    switch (byte) {
    case '\\':
        if (!(code & PM_CODE_ESCAPES))
            break;
        lexer->state = PM_LEXER_PROTECTED;
        return true;
    case '?':
        if (!(code & PM_CODE_CHARACTERS))
            break;
        if (!in_identifier(newest) && !(newest && strchr("-_*+/<=>!?&%", newest)))
            lexer->state = PM_LEXER_CHARACTER;
        else
            pmi_lexer_history_push(history, byte);
        return true;
    case '\'':
        if ((regions & PM_REGION_TICK) && pmi_lexer_is_tick(newest)) {
            pmi_lexer_history_push(history, byte);
            return true;
        }
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
        if ((regions & PM_REGION_DELIMITED) && word_is(history, 0, raw_prefixes(lexer))) {
            lexer->raw_length = 0;
            lexer->state = PM_LEXER_RAW_DELIMITER;
            return true;
        }
        if ((regions & PM_REGION_HASHED) && word_is(history, 0, raw_prefixes(lexer))) {
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
        if ((regions & PM_REGION_HASHED) && word_is(history, 0, raw_prefixes(lexer))) {
            pmi_lexer_history_push(history, byte);
            lexer->raw_length = 1;
            lexer->state = PM_LEXER_RAW_HASHES;
            return true;
        }
        break;
    case '[':
    case ']':
        if (code & PM_CODE_SHELL)
            pmi_lexer_shell_square(lexer);
        break;
    case '`':
        if (!(code & PM_CODE_BACKTICKS))
            break;
        pmi_lexer_history_push(history, byte);
        lexer->state = PM_LEXER_DIRECTIVE;
        return true;
    default:
        break;
    }
    if (lexer->alone[byte]) {
        pmi_lexer_region_enter(lexer, &lexer->language->regions[lexer->alone[byte] - 1]);
        return true;
    }
    if (lexer->opened_by[byte] == 0) {
        if (byte == '\n') /* it ends runs of code in strings where heredocs may be */
            pmi_lexer_history_push_blank(history, true);
        else
            pmi_lexer_history_push(history, byte);
        return true;
    }
    return opening_byte(lexer, byte);
}

/* ---- Constructs of some languages ---- */

static void note_directive(pmi_lexer *lexer, pmi_directive directive, uint64_t at) {
    pmi_directives *const noted = lexer->directives;
    noted->list[noted->count++] = (uint16_t)((at - noted->base) << 3 | directive);
    lexer->mixed |= pmi_stack_top(&lexer->templates) != NULL;
}

#define DIRECTIVE_TEXT (1u << 0)      /* C's: the rest of its line is text */
#define DIRECTIVE_CONDITION (1u << 1) /* C's: it needs another look */
#define DIRECTIVE_BRANCH (1u << 2)    /* it chooses branches: */
#define DIRECTIVE_OF_C (1u << 3)      /* in assembly other names are words of a comment */

typedef struct directive_role {
    char name[PM_HISTORY_BYTES];
    unsigned flags;
    pmi_directive branch;
} directive_role;

/* Each where a multiplication of its first eight bytes puts it. */
#define DIRECTIVE_PLACE(eight) ((eight)*UINT64_C(0x2179573dd29c0433) >> 59)
static const directive_role directives[1u << 5] = {
    [1] = {"warning", DIRECTIVE_TEXT, PM_DIRECTIVE_IF},
    [2] = {"if", DIRECTIVE_OF_C | DIRECTIVE_CONDITION, PM_DIRECTIVE_IF},
    [3] = {"define", DIRECTIVE_OF_C, PM_DIRECTIVE_IF},
    [7] = {"elifndef", DIRECTIVE_BRANCH, PM_DIRECTIVE_ELSE_IF},
    [9] = {"elifdef", DIRECTIVE_BRANCH, PM_DIRECTIVE_ELSE_IF},
    [12] = {"pragma", DIRECTIVE_OF_C, PM_DIRECTIVE_IF},
    [14] = {"ifdef", DIRECTIVE_OF_C | DIRECTIVE_BRANCH, PM_DIRECTIVE_IF},
    [17] = {"include", DIRECTIVE_OF_C, PM_DIRECTIVE_IF},
    [19] = {"region", DIRECTIVE_TEXT, PM_DIRECTIVE_IF},
    [20] = {"endregion", DIRECTIVE_TEXT, PM_DIRECTIVE_IF},
    [21] = {"error", DIRECTIVE_TEXT, PM_DIRECTIVE_IF},
    [22] = {"endif", DIRECTIVE_OF_C | DIRECTIVE_BRANCH, PM_DIRECTIVE_END},
    [25] = {"elif", DIRECTIVE_OF_C | DIRECTIVE_BRANCH, PM_DIRECTIVE_ELSE_IF},
    [26] = {"undef", DIRECTIVE_OF_C, PM_DIRECTIVE_IF},
    [27] = {"elsif", DIRECTIVE_BRANCH, PM_DIRECTIVE_ELSE_IF},
    [30] = {"ifndef", DIRECTIVE_OF_C | DIRECTIVE_BRANCH, PM_DIRECTIVE_IF},
    [31] = {"else", DIRECTIVE_OF_C | DIRECTIVE_BRANCH, PM_DIRECTIVE_ELSE},
};

/* What a directive of that name does. */
static const directive_role *role_of(const uint64_t name[2]) {
    static const directive_role other = {.flags = 0};
    const directive_role *const role = &directives[DIRECTIVE_PLACE(name[0])];
    return memcmp(role->name, name, sizeof role->name) == 0 ? role : &other;
}

/* The rest of a directive's line is no code. */
static void skip_rest(pmi_lexer *lexer, uint64_t at) {
    lexer->start = at;
    lexer->verdict = PM_LEXER_UNCOUNTED; /* a bracket behind the name */
    pmi_lexer_region_enter_flagged(lexer, PM_REGION_FREE);
}

/* Behind the name of a directive. Returns whether the rest of its line is to be skipped. */
static bool directive_end(pmi_lexer *lexer, const directive_role *role, uint64_t at) {
    const bool c_like = lexer->language->code & PM_CODE_DIRECTIVES;
    const unsigned flags = role->flags;
    const bool comment = (lexer->language->code & PM_CODE_ASSEMBLY) && !(flags & DIRECTIVE_OF_C);
    lexer->state = PM_LEXER_CODE;
    if (comment || (c_like && flags & DIRECTIVE_TEXT))
        return true;
    if (lexer->directives && c_like && flags & DIRECTIVE_CONDITION)
        lexer->state = PM_LEXER_CONDITION;
    else if (lexer->directives && flags & DIRECTIVE_BRANCH)
        note_directive(lexer, role->branch, at);
    return (lexer->language->code & PM_CODE_REST) && lexer->state == PM_LEXER_CODE;
}

/* The name of a directive, behind its #, which begins a line. */
static bool directive_byte(pmi_lexer *lexer, unsigned char byte, uint64_t at) {
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
    uint64_t name[2];
    halves_of(history, 0, word_length(history, 0), name);
    if (directive_end(lexer, role_of(name), at))
        skip_rest(lexer, at);
    return false;
}

static const directive_role *role_of_bytes(const unsigned char *bytes, size_t length) {
    uint64_t name[2] = {0, 0};
    for (size_t k = 0; k < length && length <= sizeof name; k++)
        name[k / 8] |= (uint64_t)bytes[k] << k % 8 * 8;
    return role_of(name);
}

bool pmi_lexer_hash_name(pmi_lexer *lexer, const unsigned char *name, size_t length, uint64_t at) {
    return directive_end(lexer, role_of_bytes(name, length), at);
}

void pmi_lexer_skip_rest(pmi_lexer *lexer, uint64_t at) {
    skip_rest(lexer, at);
    lexer->verdict = PM_LEXER_AS_READ; /* the byte behind the name is not marked yet */
}

void pmi_lexer_backtick_name(pmi_lexer *lexer, const unsigned char *name, size_t length, uint64_t at) {
    const directive_role *const role = role_of_bytes(name, length);
    if (lexer->directives && role->flags & DIRECTIVE_BRANCH)
        note_directive(lexer, role->branch, at);
}

bool pmi_lexer_condition(pmi_lexer *lexer, bool zero, uint64_t at) {
    lexer->state = PM_LEXER_CODE;
    note_directive(lexer, zero ? PM_DIRECTIVE_IF_ZERO : PM_DIRECTIVE_IF, at);
    return lexer->language->code & PM_CODE_REST;
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
    if (pmi_lexer_condition(lexer, zero && !in_identifier(byte), at))
        skip_rest(lexer, at);
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
    lexer->first = byte;
    pmi_lexer_region_enter_flagged(lexer, PM_REGION_HASHED);
    return true;
}

/* Behind a [, or what begins a comment and a [: equals signs and another [. If they do not come, what began may be a
 * comment of one line. */
static bool long_byte(pmi_lexer *lexer, unsigned char byte) {
    const bool comment = lexer->region != NULL;
    if (byte == '=') {
        lexer->raw_length++;
        return true;
    }
    lexer->state = PM_LEXER_CODE;
    for (size_t r = 0; r < lexer->language->region_count; r++) {
        const pmi_region *const region = &lexer->language->regions[r];
        const unsigned wanted = byte == '[' ? PM_REGION_LONG : PM_REGION_LINE;
        if (lexer->state == PM_LEXER_CODE && (region->flags & wanted) &&
            comment == ((region->flags & PM_REGION_COMMENT) != 0) && (byte == '[' || comment)) {
            const uint64_t raw_length = lexer->raw_length;
            pmi_lexer_region_enter(lexer, region);
            lexer->raw_length = raw_length;
            lexer->state = PM_LEXER_REGION;
        }
    }
    if (lexer->state == PM_LEXER_CODE) {
        pmi_lexer_history_push(&lexer->history, '[');
        if (lexer->raw_length > 0)
            pmi_lexer_history_push(&lexer->history, '=');
    }
    return byte == '[';
}

#define CAPITALS 2 /* what raw_length is behind such letters */

/* Enters the paired region that holds code, or the one that holds none, if the language has it. */
static void paired_enter(pmi_lexer *lexer, bool code) {
    pmi_lexer_region_enter_flagged(lexer, PM_REGION_PAIRED);
    for (size_t r = 0; r < lexer->language->region_count && !code; r++) {
        const pmi_region *const region = &lexer->language->regions[r];
        if ((region->flags & (PM_REGION_PAIRED | PM_REGION_TEMPLATE)) == PM_REGION_PAIRED)
            pmi_lexer_region_enter(lexer, region);
    }
}

/* Behind Ruby's % or Elixir's ~: letters and then a delimiter. In Elixir nothing nests, and where the letters are
 * capitals #{ is text. */
static bool paired_byte(pmi_lexer *lexer, unsigned char byte) {
    const bool ruby = lexer->language->code & PM_CODE_RUBY;
    if (ruby ? lexer->raw_length == 0 && byte && strchr("qQwWiIrsx", byte) : pmi_byte_is_letter(byte)) {
        lexer->raw_length = !ruby && byte >= 'A' && byte <= 'Z' ? CAPITALS : 1;
        return true;
    }
    pmi_lexer_history_push(&lexer->history, lexer->opening[0]);
    lexer->state = PM_LEXER_CODE;
    const bool delimits =
        ruby ? byte > ' ' && byte < 0x7f && !in_identifier(byte) && (byte != '=' || lexer->raw_length > 0)
             : lexer->raw_length > 0 && byte && strchr("([{</|\"'", byte);
    if (!delimits || (!ruby && (byte == '"' || byte == '\''))) /* such a sigil is read like a string */
        return false;
    paired_enter(lexer, lexer->raw_length != CAPITALS);
    lexer->closer = pmi_lexer_closer_of(byte);
    lexer->opener = ruby && lexer->closer != byte ? byte : 0;
    return true;
}

size_t pmi_lexer_ruby_percent(pmi_lexer *lexer, const unsigned char *bytes, size_t n, uint64_t at) {
    size_t k = 1;
    lexer->start = at;
    lexer->first = bytes[0];
    if (!pmi_lexer_ruby_percent_due(&lexer->history)) {
        pmi_lexer_history_push(&lexer->history, bytes[0]);
        return k;
    }
    paired_begin(lexer, bytes[0]);
    while (k < n && lexer->state == PM_LEXER_PAIRED)
        k += paired_byte(lexer, bytes[k]);
    return k;
}

/* Behind Rust's quote: 'a is a lifetime, 'a' a character, and what is no identifier can only be a character. */
static bool quote_byte(pmi_lexer *lexer, unsigned char byte) {
    if (in_identifier(byte)) {
        lexer->state = PM_LEXER_QUOTE_WORD;
        return true;
    }
    if ((byte == ':' || byte == '[') && (lexer->region_flags & PM_REGION_TICK)) { /* Haskell's a ': '[], or ':' */
        lexer->opening[0] = '\'';
        lexer->opening_length = 1;
        lexer->state = PM_LEXER_OPENING_REGION;
        return false;
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

/* An Emacs Lisp character behind its ?: one byte, or a backslash and one, or modifiers such as \C- before either. In
 * Erlang a byte behind \^ is one, too. */
static bool character_byte(pmi_lexer *lexer, unsigned char byte) {
    const bool lisp = lexer->language->code & PM_CODE_CHARACTERS, control = lexer->language->code & PM_CODE_DOLLAR;
    switch (lexer->state) {
    case PM_LEXER_CHARACTER:
        lexer->state = byte == '\\' ? PM_LEXER_CHARACTER_ESCAPE : PM_LEXER_CODE;
        if (pmi_byte_is_space(byte)) { /* an operator */
            pmi_lexer_history_push(&lexer->history, '?');
            lexer->state = PM_LEXER_CODE;
            return lexer->language->code & PM_CODE_CHARACTERS;
        }
        break;
    case PM_LEXER_CHARACTER_ESCAPE:
        lexer->state = control && byte == '^'           ? PM_LEXER_CHARACTER_MODIFIER
                       : !lisp                          ? PM_LEXER_CODE
                       : byte == '^'                    ? PM_LEXER_CHARACTER
                       : byte && strchr("ACHMSs", byte) ? PM_LEXER_CHARACTER_MODIFIER
                                                        : PM_LEXER_CODE;
        break;
    default:
        lexer->state = lisp && byte == '-' ? PM_LEXER_CHARACTER : PM_LEXER_CODE;
        if (lisp)
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
        if (lexer->region->flags & PM_REGION_YAML) {
            pmi_lexer_yaml_byte(lexer, byte, at);
            return true;
        }
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
    case PM_LEXER_CLOSED:
        return pmi_lexer_closed_byte(lexer, byte);
    case PM_LEXER_LONG:
        return long_byte(lexer, byte);
    case PM_LEXER_PAIRED:
        return paired_byte(lexer, byte);
    case PM_LEXER_HEREDOC:
        return pmi_lexer_heredoc_byte(lexer, byte);
    case PM_LEXER_VARIABLE:
    case PM_LEXER_SECOND_PART:
    case PM_LEXER_SECOND_COMMENT:
        return pmi_lexer_perl_state_byte(lexer, byte);
    }
    return true;
}
