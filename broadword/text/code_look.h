/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes of code that mean something by what stands around them: the # of directives, slashes that may be of a regular
 * expression, and a < that may begin an element of JSX. See broadword/text/code_masks.h.
 */
#ifndef PM_BROADWORD_TEXT_CODE_LOOK_H
#define PM_BROADWORD_TEXT_CODE_LOOK_H

#include <string.h>

#include "broadword/text/code_types.h"
#include "broadword/text/operand_words.h"

/* ---- Directives ---- */

/* A word of 64 bytes being read: its bytes, and those behind it that are known. A bit for each byte says whether it is
 * code, or quoted. */
typedef struct pmi_code_text {
    const unsigned char *bytes;
    size_t length, w;
    uint64_t code;   /* outside comments, strings and characters */
    uint64_t quoted; /* in strings and characters */
    bool clear;      /* no comment begins with the last byte of the word before */
} pmi_code_text;

/* Is what stands right before byte `bit` of word w in a string or the like? False: or not known. */
static inline bool pmi_code_quoted_before(const pmi_code_text *text, const pmi_code_found *found, size_t w,
                                          unsigned bit) {
    if (bit == 0 && w == 0)
        return false;
    w -= bit == 0;
    return (w == text->w ? text->quoted : found->quoted[w]) >> (bit - 1) % PM_WORD_BITS & 1;
}

/* Is a # the first byte of code in its line, and does no backslash continue the line before? Where that is not known,
 * *known becomes false. */
static inline bool pmi_code_begins_line(const pmi_code_text *text, const pmi_code_found *found, unsigned bit,
                                        bool *known) {
    const unsigned char *bytes = text->bytes;
    uint64_t code = text->code & pmi_bits_low(bit);
    bool newline = false;
    for (size_t w = text->w;; w--, bytes -= PM_WORD_BITS) {
        if (w < text->w)
            code = ~(found->comments[w] | found->quoted[w]);
        while (code != 0) {
            const unsigned at = pmi_bits_highest(code);
            code ^= UINT64_C(1) << at;
            if (!pmi_byte_is_space(bytes[at]))
                return newline && bytes[at] != '\\';
            if (bytes[at] == '\n' && (newline || pmi_code_quoted_before(text, found, w, at)))
                return true; /* an empty line before it, or a string that ended with its line */
            newline |= bytes[at] == '\n';
        }
        if (w == 0 || !text->clear)
            break;
    }
    const unsigned char *const before = found->branches.before;
    const bool blank = pmi_byte_is_space(before[0]);
    const unsigned char last = before[blank];
    *known = text->clear && last != 0 && last != '\\';
    return *known && (newline || (blank && before[0] == '\n'));
}

/* What does a directive of that name do? Names of equal length are compared as numbers are. */
static inline unsigned pmi_code_branch_of(const unsigned char *name, size_t length) {
    switch (length) {
    case 2:
        return memcmp(name, "if", 2) == 0 ? PM_CODE_IF : PM_CODE_NO_BRANCH;
    case 4:
        return memcmp(name, "else", 4) == 0   ? PM_CODE_ELSE
               : memcmp(name, "elif", 4) == 0 ? PM_CODE_ELSE_IF
                                              : PM_CODE_NO_BRANCH;
    case 5:
        return memcmp(name, "endif", 5) == 0   ? PM_CODE_ENDIF
               : memcmp(name, "ifdef", 5) == 0 ? PM_CODE_IF
               : memcmp(name, "elsif", 5) == 0 ? PM_CODE_ELSE_IF
               : memcmp(name, "error", 5) == 0 ? PM_CODE_SKIPS
                                               : PM_CODE_NO_BRANCH;
    case 6:
        return memcmp(name, "ifndef", 6) == 0   ? PM_CODE_IF
               : memcmp(name, "region", 6) == 0 ? PM_CODE_SKIPS
                                                : PM_CODE_NO_BRANCH;
    case 7:
        return memcmp(name, "elifdef", 7) == 0   ? PM_CODE_ELSE_IF
               : memcmp(name, "warning", 7) == 0 ? PM_CODE_SKIPS
                                                 : PM_CODE_NO_BRANCH;
    case 8:
        return memcmp(name, "elifndef", 8) == 0 ? PM_CODE_ELSE_IF : PM_CODE_NO_BRANCH;
    case 9:
        return memcmp(name, "endregion", 9) == 0 ? PM_CODE_SKIPS : PM_CODE_NO_BRANCH;
    default:
        return PM_CODE_NO_BRANCH;
    }
}

static inline size_t pmi_code_skip_blanks(const pmi_code_text *text, size_t at) {
    while (at < text->length && (text->bytes[at] == ' ' || text->bytes[at] == '\t'))
        at++;
    return at;
}

/* May a directive's name of these bytes, which may have blanks before it, choose a branch? Most are #include or
 * #define. */
static inline bool pmi_code_may_branch(const unsigned char bytes[2]) {
    const unsigned char byte = bytes[0];
    return byte == 'e' || byte == 'w' || byte == 'r' || (byte == 'i' && bytes[1] == 'f') || byte == ' ' || byte == '\t';
}

/* What does the directive behind a # at `bit` do? *end: the byte behind its name, and of an #if behind what tells that
 * it is an #if 0. */
static inline unsigned pmi_code_directive(const pmi_code_text *text, unsigned bit, size_t *end) {
    const size_t first = pmi_code_skip_blanks(text, (size_t)bit + 1);
    size_t at = first;
    if (first + 1 < text->length && !pmi_code_may_branch(text->bytes + first))
        return PM_CODE_NO_BRANCH;
    while (at < text->length && pmi_byte_in_name(text->bytes[at]))
        at++;
    *end = at;
    const unsigned branch = pmi_code_branch_of(text->bytes + first, at - first);
    if (at == text->length)
        return PM_CODE_UNCLEAR; /* its end is elsewhere */
    if (branch != PM_CODE_IF || at - first > 2)
        return branch;
    at = pmi_code_skip_blanks(text, at);
    const bool zero = at < text->length && text->bytes[at] == '0';
    *end = at + zero;
    if (*end >= text->length)
        return PM_CODE_UNCLEAR;
    return zero && !pmi_byte_in_name(text->bytes[*end]) ? PM_CODE_IF_ZERO : PM_CODE_IF;
}

#define PM_CODE_NAME_2(a, b) ((uint64_t)(a) | (uint64_t)(b) << 8)
#define PM_CODE_NAME_4(a, b, c, d) (PM_CODE_NAME_2(a, b) | PM_CODE_NAME_2(c, d) << 16)

/* Of the commonest names that choose a branch: which one do these eight bytes begin with, and how long is it? 0:
 * perhaps another one, which is to be read byte by byte. */
static inline size_t pmi_code_common_name(uint64_t bytes, unsigned *branch) {
    const uint64_t else_name = PM_CODE_NAME_4('e', 'l', 's', 'e'), elif = PM_CODE_NAME_4('e', 'l', 'i', 'f'),
                   endif = PM_CODE_NAME_4('e', 'n', 'd', 'i') | (uint64_t)'f' << 32,
                   ifdef = PM_CODE_NAME_4('i', 'f', 'd', 'e') | (uint64_t)'f' << 32,
                   ifndef = PM_CODE_NAME_4('i', 'f', 'n', 'd') | PM_CODE_NAME_2('e', 'f') << 32;
    const uint64_t four = bytes & UINT32_MAX, five = bytes & ~(UINT64_MAX << 40);
    *branch = five == endif       ? PM_CODE_ENDIF
              : four == else_name ? PM_CODE_ELSE
              : four == elif      ? PM_CODE_ELSE_IF
                                  : PM_CODE_IF;
    if (five == endif || five == ifdef)
        return 5;
    if (four == else_name || four == elif)
        return 4;
    if ((bytes & ~(UINT64_MAX << 48)) == ifndef)
        return 6;
    return (bytes & UINT16_MAX) == PM_CODE_NAME_2('i', 'f') ? 2 : 0;
}

/* As pmi_code_directive(), of the commonest directives. Returns PM_CODE_UNCLEAR if it is perhaps another. */
static inline unsigned pmi_code_common_directive(const pmi_code_text *text, unsigned bit, size_t *end) {
    const size_t first = pmi_code_skip_blanks(text, (size_t)bit + 1);
    const size_t looked = sizeof(uint64_t) + 2; /* bytes: behind an #if two more are asked for */
    uint64_t bytes;
    unsigned branch;
    if (first + looked > text->length)
        return PM_CODE_UNCLEAR;
    memcpy(&bytes, text->bytes + first, sizeof bytes);
    const size_t length = pmi_code_common_name(bytes, &branch);
    const unsigned char *const next = text->bytes + first + length;
    if (length == 0 || pmi_byte_in_name(*next))
        return PM_CODE_UNCLEAR;
    const bool blank = length == 2 && *next == ' ';
    const unsigned char asked = next[blank];
    *end = first + length + blank;
    if (length > 2)
        return branch;
    return asked == '0' || asked == ' ' || asked == '\t' ? (unsigned)PM_CODE_UNCLEAR : branch;
}

/* Do the bytes of code right before it in this word say that a # is the first one in its line, as mostly? */
static inline bool pmi_code_begins_line_here(const pmi_code_text *text, unsigned bit) {
    if (bit < 2 || (text->code >> (bit - 2) & 3) != 3 || text->bytes[bit - 1] != '\n')
        return false;
    const unsigned char byte = text->bytes[bit - 2];
    return byte == '\n' || (byte > ' ' && byte != '\\');
}

/* Reads a directive that may choose a branch. Returns false if the lexer must. */
static __attribute__((noinline, unused)) bool
pmi_code_read_branch(const pmi_code_text *text, const pmi_code_found *found, unsigned bit, size_t *count) {
    size_t end;
    bool known = true;
    unsigned branch = pmi_code_common_directive(text, bit, &end);
    if (branch == PM_CODE_UNCLEAR)
        branch = pmi_code_directive(text, bit, &end);
    if (branch == PM_CODE_NO_BRANCH)
        return true;
    if (branch == PM_CODE_UNCLEAR || branch == PM_CODE_SKIPS || found->branches.what == PM_BRANCHES_READ)
        return false;
    if (found->branches.what == PM_BRANCHES_NOTED &&
        (pmi_code_begins_line_here(text, bit) || pmi_code_begins_line(text, found, bit, &known)))
        found->branches.list[(*count)++] =
            (uint16_t)((found->branches.base + text->w * PM_WORD_BITS + end) << 3 | branch);
    return known;
}

/* Reads a directive behind a # at `bit`. Returns false if the lexer must. */
static inline bool pmi_code_read_directive(const pmi_code_text *text, const pmi_code_found *found, unsigned bit,
                                           size_t *count) {
    const size_t next = (size_t)bit + 1;
    if (next + 1 < text->length && !pmi_code_may_branch(text->bytes + next))
        return true;
    return pmi_code_read_branch(text, found, bit, count);
}

/* Is the end of the line that byte `at` is in known, and does no backslash continue it? */
static inline bool pmi_code_line_ends(const pmi_code_text *text, size_t at) {
    const unsigned char *const end = (const unsigned char *)memchr(text->bytes + at, '\n', text->length - at);
    return end && end[-1] != '\\' && !(end[-1] == '\r' && end[-2] == '\\');
}

/* ---- Operands ---- */

/* The bytes of code before byte `bit` of a word, from the last one back, and then those before the first word. */
typedef struct pmi_code_back {
    const pmi_code_text *text;
    const pmi_code_found *found;
    size_t w;
    uint64_t code;           /* of word w, before what was taken */
    const unsigned char *at; /* last taken of the words */
    unsigned bit;            /* its place in word w */
    unsigned before;         /* how many were taken of those before the first word */
    unsigned char byte;      /* last taken */
    bool joined;             /* to the one taken before it */
} pmi_code_back;

/* Takes a byte of code from before the first word. */
static inline bool pmi_code_back_remember(pmi_code_back *back) {
    const unsigned char *const first = back->text->bytes - back->text->w * PM_WORD_BITS;
    back->joined = back->before > 0 || back->at == first;
    if (back->before == PM_CODE_BEFORE)
        return false;
    back->byte = back->found->branches.before[back->before++];
    return back->byte != 0;
}

/* Takes the next byte of code; false: it is not known. */
static inline bool pmi_code_back_take(pmi_code_back *back) {
    while (back->code == 0) {
        if (!back->text->clear)
            return false;
        if (back->w == 0)
            return pmi_code_back_remember(back);
        back->w--;
        back->code = ~(back->found->comments[back->w] | back->found->quoted[back->w]);
    }
    back->bit = pmi_bits_highest(back->code);
    back->code ^= UINT64_C(1) << back->bit;
    const unsigned char *const at = back->text->bytes + back->bit - (back->text->w - back->w) * PM_WORD_BITS;
    back->joined = at + 1 == back->at;
    back->at = at;
    back->byte = *at;
    return true;
}

/* Is what stands right before the byte last taken in a string or the like? False: or not known. */
static inline bool pmi_code_back_quoted(const pmi_code_back *back) {
    return back->before == 0 && pmi_code_quoted_before(back->text, back->found, back->w, back->bit);
}

/* Goes back from `bit` to the last byte of code that is no blank; a string or the like that ended with its line, or an
 * element, stands as ". Returns false if that is not known. */
static inline bool pmi_code_back_begin(pmi_code_back *back, const pmi_code_text *text, const pmi_code_found *found,
                                       unsigned bit) {
    *back = (pmi_code_back){
        .text = text, .found = found, .w = text->w, .code = text->code & pmi_bits_low(bit), .at = text->bytes + bit};
    if (found->branches.what == PM_BRANCHES_READ)
        return false;
    do {
        if (!pmi_code_back_take(back)) /* of what is remembered, 0 is before the text, or a byte of it */
            return text->clear && back->before > 0 && back->before < PM_CODE_BEFORE;
        if ((back->byte == '\n' || back->byte == '>') && pmi_code_back_quoted(back))
            back->byte = '"';
        if (back->byte == '>' && back->before == 0 && back->w == 0 && back->bit == 0)
            return false; /* perhaps it ends what was before */
    } while (pmi_byte_is_space(back->byte));
    return true;
}

/* Is that word in the list of those of its length? */
static inline bool pmi_code_is_listed(const char *listed, const char *word, size_t length) {
    while (*listed && (*listed != *word || memcmp(listed, word, length) != 0)) /* the first letter tells most */
        listed += length + 1;
    return *listed;
}

#define LISTED_WORD(word) word " "

/* May an operand follow that word of a to z? In some language; see pmi_lexer_operand_due(). */
static inline bool pmi_code_operand_follows(const char *word, size_t length) {
    static const char *const words[] = {"",
                                        "",
                                        PM_OPERAND_WORDS_2(LISTED_WORD) PM_OPERAND_WORDS_RUBY_2(LISTED_WORD),
                                        PM_OPERAND_WORDS_3(LISTED_WORD) PM_OPERAND_WORDS_RUBY_3(LISTED_WORD),
                                        PM_OPERAND_WORDS_4(LISTED_WORD) PM_OPERAND_WORDS_RUBY_4(LISTED_WORD),
                                        PM_OPERAND_WORDS_5(LISTED_WORD) PM_OPERAND_WORDS_RUBY_5(LISTED_WORD),
                                        PM_OPERAND_WORDS_6(LISTED_WORD) PM_OPERAND_WORDS_RUBY_6(LISTED_WORD),
                                        PM_OPERAND_WORDS_7(LISTED_WORD) "default ", /* an element of JSX */
                                        "",
                                        "",
                                        PM_OPERAND_WORDS_10(LISTED_WORD)};
    return pmi_code_is_listed(words[length], word, length);
}

/* May a regular expression follow that word of a to z? An element of JSX may follow fewer. */
static inline bool pmi_code_expression_follows(const char *word, size_t length) {
    static const char *const words[] = {"",
                                        "",
                                        PM_OPERAND_WORDS_2(LISTED_WORD),
                                        PM_OPERAND_WORDS_3(LISTED_WORD),
                                        PM_OPERAND_WORDS_4(LISTED_WORD),
                                        PM_OPERAND_WORDS_5(LISTED_WORD),
                                        PM_OPERAND_WORDS_6(LISTED_WORD),
                                        PM_OPERAND_WORDS_7(LISTED_WORD),
                                        "",
                                        "",
                                        PM_OPERAND_WORDS_10(LISTED_WORD)};
    return pmi_code_is_listed(words[length], word, length);
}

#undef LISTED_WORD

#define PM_CODE_KEYWORD 10u /* letters of the longest */

static inline bool pmi_code_is_small(unsigned char byte) {
    return byte >= 'a' && byte <= 'z';
}

/* Does code that ends with these two bytes end with a name that is no word which an operand follows? False: perhaps. */
static inline bool pmi_code_ends_name(unsigned char before, unsigned char last) {
    static const uint32_t endings[26] = PM_OPERAND_ENDINGS;
    return pmi_byte_in_name(last) &&
           !(pmi_code_is_small(last) && pmi_code_is_small(before) && (endings[last - 'a'] >> (before - 'a') & 1));
}

/* Blanks aside, is the last byte of code before `bit` in a name of this word, and the name no keyword? False: perhaps.
 */
static inline bool pmi_code_name_ends(const pmi_code_text *text, unsigned bit) {
    const uint64_t other = ~text->code & pmi_bits_low(bit);
    const unsigned first = other ? pmi_bits_highest(other) + 1 : 0; /* the code from there on is in one piece */
    unsigned end = bit;
    while (end > first && pmi_byte_is_space(text->bytes[end - 1]))
        end--;
    if (end > first + 1 && pmi_code_ends_name(text->bytes[end - 2], text->bytes[end - 1]))
        return true;
    unsigned at = end;
    while (at > first && text->bytes[at - 1] >= 'a' && text->bytes[at - 1] <= 'z')
        at--;
    if (at == first)
        return false;
    if (pmi_byte_in_name(text->bytes[at - 1]) || end - at > PM_CODE_KEYWORD)
        return true;
    return at < end && !pmi_code_operand_follows((const char *)text->bytes + at, end - at);
}

/* Is a byte in a set of ASCII's? Bits of `low` stand for bytes below 64, those of `high` for the others. */
static inline bool pmi_code_in_set(unsigned char byte, uint64_t low, uint64_t high) {
    return byte < 128 && (byte < 64 ? low : high) >> byte % 64 & 1;
}

#define PM_CODE_SIGN(byte) (UINT64_C(1) << (byte) % 64)

/* Signs behind which an operand may begin, and those that end one. */
#define PM_CODE_OPENS_LOW                                                                                              \
    (PM_CODE_SIGN('=') | PM_CODE_SIGN('(') | PM_CODE_SIGN(',') | PM_CODE_SIGN(':') | PM_CODE_SIGN('!') |               \
     PM_CODE_SIGN('&') | PM_CODE_SIGN('?') | PM_CODE_SIGN(';') | PM_CODE_SIGN('%') | PM_CODE_SIGN('*'))
#define PM_CODE_OPENS_HIGH                                                                                             \
    (PM_CODE_SIGN('[') | PM_CODE_SIGN('|') | PM_CODE_SIGN('{') | PM_CODE_SIGN('~') | PM_CODE_SIGN('^'))
#define PM_CODE_ENDS_LOW (PM_CODE_SIGN(')') | PM_CODE_SIGN('"') | PM_CODE_SIGN('\'') | PM_CODE_SIGN('<'))
#define PM_CODE_ENDS_HIGH (PM_CODE_SIGN(']') | PM_CODE_SIGN('}') | PM_CODE_SIGN('`'))

/* Where the blanks of code before `bit` of a word begin. Most of a long run are of an indented line. */
static inline unsigned pmi_code_blanks_begin(const unsigned char *bytes, uint64_t code, unsigned bit) {
    while (bit > 0 && (code >> (bit - 1) & 1) && pmi_byte_is_space(bytes[bit - 1])) {
        bit--;
        while (bit >= 8 && memcmp(bytes + bit - 8, "        ", 8) == 0 && (code >> (bit - 8) & 0xff) == 0xff)
            bit -= 8;
    }
    return bit;
}

/* Blanks aside, is the last byte of code before `bit`, in this word or the one before, a sign that says whether an
 * operand may begin? 1: one may; -1: none; 0: it does not say. By sets, because what it is is hard to foretell. */
static inline int pmi_code_sign_before(const pmi_code_text *text, const pmi_code_found *found, unsigned bit) {
    const uint64_t opens[2] = {PM_CODE_OPENS_LOW, PM_CODE_OPENS_HIGH}, ends[2] = {PM_CODE_ENDS_LOW, PM_CODE_ENDS_HIGH};
    const unsigned char *bytes = text->bytes;
    uint64_t code = text->code, quoted = text->quoted;
    bit = pmi_code_blanks_begin(bytes, code, bit);
    if (bit == 0 && text->w > 0 && text->clear) {
        quoted = found->quoted[text->w - 1];
        code = ~(found->comments[text->w - 1] | quoted);
        bytes -= PM_WORD_BITS;
        bit = pmi_code_blanks_begin(bytes, code, PM_WORD_BITS);
    }
    if (bit < 2 || !(code >> (bit - 1) & 1))
        return 0;
    const unsigned char byte = bytes[bit - 1];
    if (byte == '>') /* perhaps of an element */
        return quoted >> (bit - 2) & 1 ? -1 : 1;
    if (byte == '+' || byte == '-')
        return bytes[bit - 2] != byte;
    return pmi_code_in_set(byte, opens[0], opens[1]) - pmi_code_in_set(byte, ends[0], ends[1]);
}

/* Is it certain that no operand may begin at `bit`? As pmi_lexer_operand_due() finds, but where the answer would need
 * words before the first one, or more than a name can tell, it is not. */
static inline bool pmi_code_operand_ends(const pmi_code_text *text, const pmi_code_found *found, unsigned bit) {
    pmi_code_back back;
    if (found->branches.what != PM_BRANCHES_READ && pmi_code_name_ends(text, bit))
        return true;
    if (!pmi_code_back_begin(&back, text, found, bit))
        return false;
    const unsigned char last = back.byte;
    if (last == ')' || last == ']' || last == '}' || last == '"' || last == '\'' || last == '`' || last == '<')
        return true;
    if (last == '/') /* behind what is quoted it ends a regular expression */
        return pmi_code_back_quoted(&back);
    if (last == '+' || last == '-')
        return pmi_code_back_take(&back) && back.joined && back.byte == last;
    if (last == '.')
        return pmi_code_back_take(&back) && !(back.joined && back.byte == last);
    if (!pmi_byte_in_name(last))
        return false;
    char word[PM_CODE_KEYWORD]; /* from its end back */
    size_t length = 0;
    for (; (length == 0 || back.joined) && pmi_byte_in_name(back.byte); length++) {
        if (back.byte < 'a' || back.byte > 'z' || length == PM_CODE_KEYWORD)
            return true;
        word[PM_CODE_KEYWORD - 1 - length] = (char)back.byte;
        if (!pmi_code_back_take(&back))
            return false;
    }
    return !pmi_code_operand_follows(word + PM_CODE_KEYWORD - length, length);
}

/* Is it certain that an operand may begin there? */
static inline bool pmi_code_operand_begins(const pmi_code_text *text, const pmi_code_found *found, unsigned bit) {
    pmi_code_back back;
    if (!pmi_code_back_begin(&back, text, found, bit))
        return false;
    const unsigned char last = back.byte;
    switch (last) {
    case '+':
    case '-':
        return pmi_code_back_take(&back) && !(back.joined && back.byte == last);
    case '.':
        return pmi_code_back_take(&back) && back.joined && back.byte == last;
    case '/': /* a division, unless it ends a regular expression */
        return back.before > 0 || ((back.w > 0 || back.bit > 0) && !pmi_code_back_quoted(&back));
    default:
        return !pmi_byte_in_name(last) && !(last && strchr(")]}\"'`<", last));
    }
}

/* Is that one of the words in a list? */
static inline bool pmi_code_word_is_listed(const unsigned char *word, size_t length, const char *list) {
    while (*list) {
        size_t k = 0;
        while (k < length && list[k] == (char)word[k])
            k++;
        if (k == length && (list[k] == ' ' || list[k] == 0))
            return true;
        while (*list && *list++ != ' ') {
        }
    }
    return false;
}

/* The words that an element of JSX may follow. */
#define PM_CODE_ELEMENT_WORDS "await case default do else return yield"

/* Is it certain that a regular expression may begin there; or, unless `words` is NULL, what may follow these words, and
 * signs? */
static inline bool pmi_code_begins_behind(const pmi_code_text *text, const pmi_code_found *found, unsigned bit,
                                          const char *words) {
    pmi_code_back back;
    if (!pmi_code_back_begin(&back, text, found, bit))
        return false;
    if (!pmi_byte_in_name(back.byte))
        return pmi_code_operand_begins(text, found, bit);
    unsigned char word[PM_CODE_KEYWORD]; /* from its end back */
    size_t length = 0;
    for (; (length == 0 || back.joined) && pmi_byte_in_name(back.byte); length++) {
        if (length == PM_CODE_KEYWORD)
            return false;
        word[PM_CODE_KEYWORD - 1 - length] = back.byte;
        if (!pmi_code_back_take(&back))
            return false;
    }
    const unsigned char *const first = word + PM_CODE_KEYWORD - length;
    return !(back.joined && back.byte == '.') && (words ? pmi_code_word_is_listed(first, length, words)
                                                        : pmi_code_expression_follows((const char *)first, length));
}

/* Does a word before `bit` say that a regular expression may begin there? False: perhaps; it is looked for in these 64
 * bytes of text alone, in which a byte of code has to stand before it. */
static inline bool pmi_code_behind_word(const pmi_code_text *text, unsigned bit) {
    const unsigned char *const bytes = text->bytes;
    const unsigned end = pmi_code_blanks_begin(bytes, text->code, bit);
    if (end < 2 || pmi_code_ends_name(bytes[end - 2], bytes[end - 1]))
        return false;
    unsigned at = end;
    while (at > 0 && pmi_code_is_small(bytes[at - 1]))
        at--;
    if (at == 0 || at == end || end - at > PM_CODE_KEYWORD || bytes[at - 1] == '.' || pmi_byte_in_name(bytes[at - 1]))
        return false;
    return !(~text->code & pmi_bits_low(end) & ~pmi_bits_low(at - 1)) &&
           pmi_code_expression_follows((const char *)bytes + at, end - at);
}

/* What a slash is that begins no comment. */
typedef enum pmi_code_slash {
    PM_SLASH_DIVISION,
    PM_SLASH_EXPRESSION, /* the beginning of a regular expression */
    PM_SLASH_UNKNOWN
} pmi_code_slash;

static inline pmi_code_slash pmi_code_look_slash(const pmi_code_text *text, const pmi_code_found *found, unsigned bit) {
    if (found->branches.what == PM_BRANCHES_READ)
        return pmi_code_operand_ends(text, found, bit) ? PM_SLASH_DIVISION : PM_SLASH_UNKNOWN;
    const int sign = pmi_code_sign_before(text, found, bit);
    if (sign < 0 || (sign == 0 && pmi_code_name_ends(text, bit)))
        return PM_SLASH_DIVISION;
    if (sign > 0 || pmi_code_behind_word(text, bit))
        return PM_SLASH_EXPRESSION;
    if (pmi_code_operand_ends(text, found, bit))
        return PM_SLASH_DIVISION;
    return pmi_code_begins_behind(text, found, bit, NULL) ? PM_SLASH_EXPRESSION : PM_SLASH_UNKNOWN;
}

/* Returns the bit of the slash that ends the regular expression which begins at `bit`, if it is in this word and not
 * its last byte, and if all before it seems to be code; else PM_WORD_BITS. */
static inline unsigned pmi_code_expression_end(const pmi_code_text *text, unsigned bit) {
    bool in_class = false;
    for (unsigned at = bit + 1; at + 1 < PM_WORD_BITS; at++) {
        const unsigned char byte = text->bytes[at];
        if (byte == '/' && !in_class)
            return ~text->code & pmi_bits_low(at + 1) & ~pmi_bits_low(bit) ? PM_WORD_BITS : at;
        if (byte == '[' || byte == ']')
            in_class = byte == '[';
        at += byte == '\\';
        if (text->bytes[at] == '\n' || (byte == '\\' && text->bytes[at] == '\r'))
            break;
    }
    return PM_WORD_BITS;
}

/* Reads the slashes of a word that begin no comment in it: moves regular expressions that end in it from text->code to
 * text->quoted, and takes what is in them from `others`. Returns false if the word must be read in another way. */
static inline bool pmi_code_read_slashes(pmi_code_text *text, const pmi_code_found *found, uint64_t slashes,
                                         uint64_t *others) {
    while (slashes != 0) {
        const unsigned bit = pmi_bits_lowest(slashes);
        slashes &= slashes - 1;
        if (bit == PM_WORD_BITS - 1 && text->length == PM_WORD_BITS)
            return false;
        if (bit == PM_WORD_BITS - 1 && (text->bytes[PM_WORD_BITS] == '/' || text->bytes[PM_WORD_BITS] == '*'))
            continue;
        const pmi_code_slash slash = pmi_code_look_slash(text, found, bit);
        if (slash == PM_SLASH_DIVISION)
            continue;
        const unsigned end = slash == PM_SLASH_EXPRESSION ? pmi_code_expression_end(text, bit) : PM_WORD_BITS;
        if (end == PM_WORD_BITS)
            return false;
        const uint64_t expression = pmi_bits_low(end) & ~pmi_bits_low(bit);
        text->code &= ~expression;
        text->quoted |= expression;
        *others &= ~expression;
        slashes &= ~pmi_bits_low(end + 1);
    }
    return true;
}

/* What a < of code is. */
typedef enum pmi_code_less {
    PM_LESS_PLAIN,
    PM_LESS_ELEMENT, /* the beginning of an element of JSX */
    PM_LESS_UNKNOWN
} pmi_code_less;

static inline bool pmi_code_begins_tag(unsigned char byte) {
    return byte == '>' || byte >= 0x80 || (pmi_byte_in_name(byte) && !(byte >= '0' && byte <= '9'));
}

/* The first byte from `at` on that a mask of the word has not; behind the word: `at` or its end. */
static inline size_t pmi_code_skip_mask(uint64_t mask, size_t at) {
    const uint64_t rest = at < PM_WORD_BITS ? ~mask & ~pmi_bits_low((unsigned)at) : 0;
    return rest != 0 ? pmi_bits_lowest(rest) : at < PM_WORD_BITS ? PM_WORD_BITS : at;
}

/* The first byte from `at` on that is not of a name. */
static inline size_t pmi_code_skip_name(const pmi_code_text *text, const pmi_code_signs *signs, size_t at) {
    at = pmi_code_skip_mask(signs->names, at);
    while (at >= PM_WORD_BITS && at < text->length && pmi_byte_in_name(text->bytes[at]))
        at++;
    return at;
}

/* The first byte from `at` on that is no blank, nor a newline. */
static inline size_t pmi_code_skip_spaces(const pmi_code_text *text, const pmi_code_signs *signs, size_t at) {
    at = pmi_code_skip_mask(signs->blanks, at);
    while (at >= PM_WORD_BITS && at < text->length && pmi_byte_is_space(text->bytes[at]))
        at++;
    return at;
}

static inline bool pmi_code_is_capital(unsigned char byte) {
    return byte >= 'A' && byte <= 'Z';
}

/* Is the name one that a > behind it makes a type parameter, perhaps? */
static inline bool pmi_code_names_parameter(const unsigned char *name, size_t length) {
    const unsigned char last = length > 0 ? name[length - 1] : 0;
    return (length == 1 ||
            (length == 2 && ((last >= '0' && last <= '9') || (name[0] == 'T' && pmi_code_is_capital(last))))) &&
           pmi_code_is_capital(name[0]);
}

/* Do type parameters begin behind a < where an element may, or does an element? As core/lexer/jsx.c finds. */
PM_CODE_INLINE pmi_code_less pmi_code_look_tag(const pmi_code_text *text, const pmi_code_signs *signs, size_t at) {
    const unsigned char *const bytes = text->bytes;
    const size_t end = bytes[at] < 0x80 ? pmi_code_skip_name(text, signs, at) : at;
    if (end == at)
        return PM_LESS_ELEMENT;
    if (end + 1 >= text->length)
        return PM_LESS_UNKNOWN;
    const unsigned char byte = bytes[end];
    if (byte == ',' || byte == '=')
        return PM_LESS_PLAIN;
    if (byte == '>' && pmi_code_names_parameter(bytes + at, end - at))
        return bytes[end + 1] == '(' ? PM_LESS_PLAIN : PM_LESS_ELEMENT;
    if (!pmi_byte_is_space(byte))
        return PM_LESS_ELEMENT;
    if (end - at == 5 && memcmp(bytes + at, "const", 5) == 0)
        return PM_LESS_PLAIN;
    const size_t word = pmi_code_skip_spaces(text, signs, end), word_end = pmi_code_skip_name(text, signs, word);
    if (word_end == text->length)
        return PM_LESS_UNKNOWN;
    const unsigned char behind = bytes[word_end];
    if (word_end == word)
        return behind == ',' || behind == '=' ? PM_LESS_PLAIN : PM_LESS_ELEMENT;
    const bool extends = word_end - word == 7 && memcmp(bytes + word, "extends", 7) == 0;
    return extends && pmi_byte_is_space(behind) ? PM_LESS_PLAIN : PM_LESS_ELEMENT;
}

/* Do the bytes around a < say that it begins no element? */
static inline bool pmi_code_less_plain(const pmi_code_text *text, const pmi_code_found *found, unsigned bit) {
    if (found->branches.what == PM_BRANCHES_READ)
        return false;
    if (bit + 1 < text->length && !pmi_code_begins_tag(text->bytes[bit + 1]))
        return true;
    if (bit > 1 && (text->code >> (bit - 2) & 3) == 3) {
        const unsigned char last = text->bytes[bit - 1];
        if (last == ')' || last == ']' || last == '<' || pmi_code_ends_name(text->bytes[bit - 2], last))
            return true; /* most, in types */
        if (!pmi_byte_in_name(last))
            return false;
    }
    return pmi_code_operand_ends(text, found, bit);
}

/* Is what stands before `bit` "return", blanks aside? False: perhaps. */
static inline bool pmi_code_behind_return(const pmi_code_text *text, unsigned bit) {
    enum {
        LENGTH = 6
    };
    const unsigned end = pmi_code_blanks_begin(text->bytes, text->code, bit);
    if (end <= LENGTH || memcmp(text->bytes + end - LENGTH, "return", LENGTH) != 0)
        return false;
    const unsigned char before = text->bytes[end - LENGTH - 1];
    const uint64_t code = text->code >> (end - LENGTH - 1) | ~pmi_bits_low(LENGTH + 1);
    return code == UINT64_MAX && before != '.' && !pmi_byte_in_name(before);
}

/* What is a < at `bit`? */
PM_CODE_INLINE pmi_code_less pmi_code_look_less(const pmi_code_text *text, const pmi_code_signs *signs,
                                                const pmi_code_found *found, unsigned bit) {
    const bool known = bit + 1 < text->length;
    if (pmi_code_less_plain(text, found, bit))
        return PM_LESS_PLAIN;
    if (found->branches.what == PM_BRANCHES_READ)
        return PM_LESS_UNKNOWN;
    int sign = pmi_code_sign_before(text, found, bit);
    if (sign == 0 && pmi_code_behind_return(text, bit))
        sign = 1;
    if (sign < 0 || (sign == 0 && pmi_code_operand_ends(text, found, bit)))
        return PM_LESS_PLAIN;
    if (!known || (sign == 0 && !pmi_code_begins_behind(text, found, bit, PM_CODE_ELEMENT_WORDS)))
        return PM_LESS_UNKNOWN;
    return pmi_code_look_tag(text, signs, (size_t)bit + 1);
}

/* ---- Other bytes ---- */

/* Is one of the bytes behind backslashes a return, which together with a newline may mean one thing? */
static inline bool pmi_code_returns(const unsigned char *text, uint64_t after_backslash) {
    for (; after_backslash != 0; after_backslash &= after_backslash - 1)
        if (text[pmi_bits_lowest(after_backslash)] == '\r')
            return true;
    return false;
}

/* May a quote behind that byte begin a raw string, if the language has them? */
static inline bool pmi_code_perhaps_raw(const pmi_code_rules *rules, unsigned char before) {
    return before == rules->raw_after || (before == '#' && rules->hashes);
}

/* Does an apostrophe at `bit` begin the name of a lifetime, and no character? *known: it can be told. */
static inline bool pmi_code_is_lifetime(const unsigned char *text, size_t length, unsigned bit, bool *known) {
    const size_t first = (size_t)bit + 1, most = length < 2 * PM_WORD_BITS ? length : 2 * PM_WORD_BITS;
    size_t at = first;
    while (at < most && pmi_byte_in_name(text[at]))
        at++;
    *known = at < most;
    return *known && at > first && text[at] != '\'';
}

/* May a number end with that byte, and an apostrophe behind it be part of it? */
static inline bool pmi_code_number_ends(unsigned char byte) {
    return pmi_byte_in_name(byte) || byte == '.' || byte == '\'';
}

/* Is no apostrophe that opens a character, of word w, behind a name or number? One behind another apostrophe of the
 * word, which then closes a character, is not. */
static inline bool pmi_code_characters_plain(const pmi_code_state *state, const unsigned char *text,
                                             const pmi_code_found *found, size_t w, uint64_t opening) {
    for (; opening != 0; opening &= opening - 1) {
        const unsigned bit = pmi_bits_lowest(opening);
        const unsigned char before = pmi_code_before(state, text, bit);
        const bool closes = before == '\'' && (bit > 0 || (w > 0 && found->quoted[w - 1] >> (PM_WORD_BITS - 2) & 1));
        if (pmi_code_number_ends(before) && !closes)
            return false;
    }
    return true;
}

/* Does a # begin nothing, as in a private name of JavaScript? False: perhaps. */
static inline bool pmi_code_hash_plain(const pmi_code_rules *rules, const unsigned char *text, size_t length,
                                       size_t at) {
    return rules->bang && at + 1 < length && text[at + 1] != '!';
}

/* Reads the other bytes of a word's code, and counts the directives that are noted. Returns false if the lexer must. */
static inline bool pmi_code_others_plain(const pmi_code_rules *rules, const pmi_code_text *text,
                                         const pmi_code_found *found, uint64_t others, size_t *directives) {
    for (; others != 0; others &= others - 1) {
        const unsigned bit = pmi_bits_lowest(others);
        const unsigned char byte = text->bytes[bit];
        if (byte == '<' && rules->elements && pmi_code_less_plain(text, found, bit))
            continue;
        if (byte == '#' && pmi_code_hash_plain(rules, text->bytes, text->length, bit))
            continue;
        if (byte != '#' || !rules->directives || !pmi_code_read_directive(text, found, bit, directives))
            return false;
    }
    return true;
}

#endif
