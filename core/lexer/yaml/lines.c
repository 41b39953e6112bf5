/* SPDX-License-Identifier: Apache-2.0 */
/* The lexer in YAML's short lines, which masks of 64 bits hold as a whole. */
#include "core/lexer/yaml/yaml.h"

const bool pmi_yaml_begins_no_plain[256] = {
    ['"'] = true, ['\''] = true, ['['] = true, [']'] = true, ['{'] = true, ['}'] = true,
    ['#'] = true, ['|'] = true,  ['>'] = true, ['&'] = true, ['*'] = true, ['!'] = true};

/* What a line leaves for the next one. */
typedef struct line_end {
    uint64_t indent;
    bool continues;
    size_t quote; /* where in the piece the last scalar in quotes began; SIZE_MAX: none has */
    bool block;   /* a block scalar goes on */
} line_end;

/* A line of at most 63 bytes: its bytes, a bit each. */
typedef struct line_bits {
    const pmi_yaml_piece *piece;
    size_t begin; /* in the piece */
    uint64_t begins, plain_ends;
    unsigned newline;
} line_bits;

/* Returns the bit behind a scalar in quotes that begins at bit `at` and ends in the line; 0: it does not. */
static inline unsigned quoted_end(const line_bits *bits, unsigned at) {
    const unsigned char *const line = bits->piece->text + bits->begin;
    const bool single = line[at] == '\'';
    uint64_t rest = pmi_yaml_bits_from(bits->piece->quotes[single], bits->begin) & ~UINT64_C(1) << at;
    for (;;) {
        const unsigned end = pmi_bits_lowest(rest | UINT64_C(1) << (PM_WORD_BITS - 1));
        if (end >= bits->newline)
            return 0;
        if (line[end] != '\\' && !(single && line[end + 1] == '\''))
            return end + 1;
        rest &= ~(UINT64_C(3) << end);
    }
}

/* May the quote at a bit of a flow collection begin a scalar, and so nothing else? */
static inline bool quotes_value(const unsigned char *line, unsigned at) {
    unsigned before = at - 1;
    while (line[before] == ' ')
        before--;
    return line[before] == ',' || line[before] == '[' || line[before] == '{' ||
           (line[before] == ':' && before < at - 1);
}

/* Reads a flow collection that begins at bit `at` and ends in the line, without comments in it. *quote: where in the
 * piece the last scalar in quotes began. Returns the bit behind it; 0: it is another one. */
static inline unsigned flow_end(const line_bits *bits, unsigned at, size_t *quote, uint64_t *outside) {
    const pmi_yaml_piece *const piece = bits->piece;
    const unsigned char *const line = piece->text + bits->begin;
    uint64_t depth = 0;
    uint64_t rest = (pmi_yaml_bits_from(piece->flow, bits->begin) | pmi_yaml_bits_from(piece->quotes[0], bits->begin) |
                     pmi_yaml_bits_from(piece->quotes[1], bits->begin) |
                     (bits->plain_ends & bits->begins)) & /* newlines and comments */
                    ~UINT64_C(0) << at;
    while (rest != 0) {
        const unsigned bit = pmi_bits_lowest(rest);
        const unsigned char byte = line[bit];
        rest &= rest - 1;
        if (pmi_yaml_is_bracket(byte)) {
            depth += (uint64_t)(byte & 2) - 1; /* an open has that bit, a close has not */
            pmi_lexer_mark(outside, bits->begin + bit);
            if (depth == 0)
                return bit + 1;
        } else if (byte != ',') {
            const unsigned end = (byte == '"' || byte == '\'') && quotes_value(line, bit) ? quoted_end(bits, bit) : 0;
            if (end == 0)
                return 0;
            *quote = bits->begin + bit;
            rest &= ~UINT64_C(0) << end;
        }
    }
    return 0;
}

/* Returns the next bit behind a value from bit `at` on, if that ends there: a colon, the newline or a comment; 0: it
 * goes on. */
static inline unsigned behind_value(const line_bits *bits, unsigned at) {
    const unsigned char *const line = bits->piece->text + bits->begin;
    if (at == bits->newline || (line[at] == ':' && pmi_yaml_is_blank(line[at + 1])))
        return at;
    const unsigned next = pmi_bits_lowest(bits->begins & ~UINT64_C(0) << at);
    return next == bits->newline || (next > at && line[next] == '#') ? next : 0;
}

/* Reads a value that begins at bit `at` and is no plain scalar. Returns a bit behind it: a colon, a blank before
 * another value, a comment or the newline; 0: there is something else. */
static __attribute__((noinline)) unsigned other_end(const line_bits *bits, unsigned at, size_t *quote,
                                                    uint64_t *outside) {
    const unsigned char first = bits->piece->text[bits->begin + at];
    unsigned end = 0;
    if (first == '&' || first == '*' || first == '!')
        return pmi_bits_lowest((~bits->begins | UINT64_C(1) << bits->newline) & ~UINT64_C(1) << at);
    if (first == '"' || first == '\'') {
        *quote = bits->begin + at;
        end = quoted_end(bits, at);
    } else if (first == '[' || first == '{') {
        end = flow_end(bits, at, quote, outside);
    }
    return end > 0 ? behind_value(bits, end) : 0;
}

/* Is what ends at bit `at` a line's --- or ...? */
static inline bool begins_document(const unsigned char *line, unsigned at) {
    return at + 1 == PM_YAML_MARKER_COLUMN && (line[0] == '-' || line[0] == '.') && line[0] == line[1] &&
           line[1] == line[2];
}

/*
 * Reads a line: keys, dashes, scalars, anchors and the like, comments, documents' beginnings, and flow collections that
 * end in it. Returns false if there is something else.
 */
static bool short_line(const line_bits *bits, uint64_t *outside, line_end *end) {
    const unsigned char *const line = bits->piece->text + bits->begin;
    const unsigned newline = bits->newline;
    unsigned at = pmi_bits_lowest(bits->begins);
    uint64_t key = end->continues && at + 1 > end->indent ? 0 : at + 1, indent = end->indent;
    size_t quote = end->quote;
    if (at == newline)
        return true;
    if (line[at] == '#') {
        end->continues = false;
        return true;
    }
    for (;;) {
        bool value = false;
        const unsigned char first = line[at];
        if (pmi_yaml_begins_no_plain[first]) { /* seldom */
            if ((first == '|' || first == '>') && key > 0) {
                *end = (line_end){indent, false, quote, true};
                return true;
            }
            at = key > 0 ? other_end(bits, at, &quote, outside) : 0;
            if (at == 0)
                return false;
            if (line[at] == ':') {
                indent = key;
                at++;
            }
            value = true;
        }
        while (!value && at < newline) {
            at = pmi_bits_lowest(bits->plain_ends & ~UINT64_C(1) << at);
            const unsigned char sign = line[at - 1];
            const bool alone = key == at;
            if (line[at] == '#') {
                *end = (line_end){indent, false, quote, false};
                return true;
            }
            if (sign == ':') {
                indent = key > 0 ? key : indent;
                value = true;
            } else if (alone && (sign == '-' || sign == '?')) {
                indent = key;
                key = 0;
                value = true;
            } else if (begins_document(line, at)) {
                indent = 0;
                value = true;
            }
        }
        if (at < newline)
            at = pmi_bits_lowest(bits->begins & ~UINT64_C(0) << at);
        if (at == newline || line[at] == '#') {
            *end = (line_end){indent, !value, quote, false};
            return true;
        }
        key = key == 0 ? at + 1 : key;
    }
}

/* Passes over lines of a block scalar, from byte `at` on. Returns where a line begins that is none of them, which end
 * it, or that is not as simple; *ended: whether it does. Documents may begin in a scalar of none. */
static size_t block_end(const pmi_yaml_piece *piece, size_t at, uint64_t indent, bool *ended) {
    *ended = false;
    while (at < piece->to && indent > 0) {
        const unsigned first =
            pmi_bits_lowest(pmi_yaml_bits_from(piece->begins, at) | UINT64_C(1) << (PM_WORD_BITS - 1));
        const uint64_t newlines = pmi_yaml_bits_from(piece->newlines, at);
        const unsigned newline = pmi_bits_lowest(newlines | UINT64_C(1) << (PM_WORD_BITS - 1));
        if (newlines == 0 || newline >= piece->to - at)
            break;
        *ended = first < newline && first < indent;
        if (*ended)
            break;
        at += newline + 1;
    }
    return at;
}

/* None of the lines waits for more of the line before than its length. */
size_t pmi_yaml_short_lines(pmi_lexer *lexer, const pmi_yaml_piece *piece, size_t at, uint64_t *outside) {
    line_end end = {lexer->yaml.indent, lexer->yaml.continues, SIZE_MAX, false};
    while (at < piece->to) {
        const uint64_t newlines = pmi_yaml_bits_from(piece->newlines, at);
        const unsigned newline = pmi_bits_lowest(newlines | UINT64_C(1) << (PM_WORD_BITS - 1));
        if (newlines == 0 || newline >= piece->to - at)
            break;
        const line_bits bits = {piece, at, pmi_yaml_bits_from(piece->begins, at),
                                pmi_yaml_bits_from(piece->plain_ends, at), newline};
        if (!short_line(&bits, outside, &end))
            break;
        at += newline + 1;
        if (end.block) {
            bool ended;
            at = block_end(piece, at, end.indent, &ended);
            end.block = !ended;
            if (!ended)
                break;
        }
    }
    if (end.block)
        lexer->yaml.state = PM_YAML_BLOCK_BLANK;
    lexer->yaml.indent = end.indent;
    lexer->yaml.continues = end.continues;
    if (end.quote != SIZE_MAX) {
        lexer->start = piece->position + end.quote;
        lexer->first = piece->text[end.quote];
    }
    return at;
}
