/* SPDX-License-Identifier: Apache-2.0 */
/* The lexer in YAML's short lines, which masks of 64 bits hold as a whole. */
#include "core/text/lexer_yaml.h"

const bool pmi_yaml_begins_no_plain[256] = {
    ['"'] = true, ['\''] = true, ['['] = true, [']'] = true, ['{'] = true, ['}'] = true,
    ['#'] = true, ['|'] = true,  ['>'] = true, ['&'] = true, ['*'] = true, ['!'] = true};

/* What a line leaves for the next one. */
typedef struct line_end {
    uint64_t indent;
    bool continues;
    size_t quote; /* where in the piece the last scalar in quotes began; SIZE_MAX: none has */
} line_end;

/* A line of at most 63 bytes: its bytes, a bit each. */
typedef struct line_bits {
    const pmi_yaml_piece *piece;
    size_t begin; /* in the piece */
    uint64_t begins, plain_ends;
    unsigned newline;
} line_bits;

/* Returns the bit behind a scalar in quotes that begins at bit `at`; 0: that is hard to say. */
static inline unsigned quoted_end(const line_bits *bits, unsigned at) {
    const unsigned char *const line = bits->piece->text + bits->begin;
    const bool single = line[at] == '\'';
    const uint64_t rest = pmi_yaml_bits_from(bits->piece->quotes[single], bits->begin) & ~UINT64_C(1) << at;
    const unsigned end = pmi_bits_lowest(rest | UINT64_C(1) << (PM_WORD_BITS - 1));
    return end >= bits->newline || line[end] != line[at] || (single && line[end + 1] == '\'') ? 0 : end + 1;
}

/* Reads a flow collection that begins at bit `at` and ends in the line, with neither quotes nor comments in it. Returns
 * the bit behind it; 0: it is another one. */
static inline unsigned flow_end(const line_bits *bits, unsigned at, uint64_t *outside) {
    const pmi_yaml_piece *const piece = bits->piece;
    const unsigned char *const line = piece->text + bits->begin;
    const uint64_t behind = ~UINT64_C(0) << at;
    const uint64_t others =
        (pmi_yaml_bits_from(piece->quotes[0], bits->begin) | pmi_yaml_bits_from(piece->quotes[1], bits->begin) |
         (bits->plain_ends & bits->begins)) & /* newlines and comments */
        behind;
    uint64_t depth = 0;
    for (uint64_t rest = pmi_yaml_bits_from(piece->flow, bits->begin) & behind & ((others & (0 - others)) - 1);
         rest != 0; rest &= rest - 1) {
        const unsigned bit = pmi_bits_lowest(rest);
        if (line[bit] == ',')
            continue;
        depth += (uint64_t)(line[bit] & 2) - 1; /* an open has that bit, a close has not */
        pmi_lexer_mark(outside, bits->begin + bit);
        if (depth == 0)
            return bit + 1;
    }
    return 0;
}

/*
 * Reads a line: keys, dashes, scalars, comments and simple flow collections. Returns false if there is something else,
 * or a document may begin.
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
        if (first == '"' || first == '\'' || first == '[' || first == '{') {
            quote = first < '[' ? bits->begin + at : quote;
            at = key == 0 ? 0 : first < '[' ? quoted_end(bits, at) : flow_end(bits, at, outside);
            if (at == 0 || (at < newline && (line[at] != ':' || !pmi_yaml_is_blank(line[at + 1]))))
                return false;
            if (at < newline) {
                indent = key;
                at++;
            }
            value = true;
        } else if (pmi_yaml_begins_no_plain[first]) {
            return false;
        }
        while (!value && at < newline) {
            at = pmi_bits_lowest(bits->plain_ends & ~UINT64_C(1) << at);
            const unsigned char sign = line[at - 1];
            const bool alone = key == at;
            if (at == 3 && (sign == '-' || sign == '.'))
                return false;
            if (line[at] == '#') {
                *end = (line_end){indent, false, quote};
                return true;
            }
            if (sign == ':') {
                indent = key > 0 ? key : indent;
                value = true;
            } else if (alone && (sign == '-' || sign == '?')) {
                indent = key;
                key = 0;
                value = true;
            }
        }
        if (at < newline)
            at = pmi_bits_lowest(bits->begins & ~UINT64_C(0) << at);
        if (at == newline || line[at] == '#') {
            *end = (line_end){indent, !value, quote};
            return true;
        }
        key = key == 0 ? at + 1 : key;
    }
}

/* None of the lines waits for more of the line before than its length. */
size_t pmi_yaml_short_lines(pmi_lexer *lexer, const pmi_yaml_piece *piece, size_t at, uint64_t *outside) {
    line_end end = {lexer->yaml.indent, lexer->yaml.continues, SIZE_MAX};
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
    }
    lexer->yaml.indent = end.indent;
    lexer->yaml.continues = end.continues;
    if (end.quote != SIZE_MAX) {
        lexer->start = piece->position + end.quote;
        lexer->first = piece->text[end.quote];
    }
    return at;
}
