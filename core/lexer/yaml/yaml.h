/* SPDX-License-Identifier: Apache-2.0 */
/* What the two readers of YAML share: yaml.c, byte by byte, and yaml/range.c, by masks. */
#ifndef PM_CORE_LEXER_YAML_YAML_H
#define PM_CORE_LEXER_YAML_YAML_H

#include "core/lexer/parts.h"

static inline bool pmi_yaml_is_blank(unsigned char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n' || byte == 0;
}

#define PM_YAML_REPEATS 2u       /* of a byte, behind the first one, are told apart: in --- and ... */
#define PM_YAML_MARKER_COLUMN 4u /* behind these */

/* How often the last byte of a run stands before it, in a row; so did the newest byte before the run. Where the byte
 * behind it is in a column in which that does not matter, 0. */
static inline unsigned char pmi_yaml_repeats_of(unsigned char newest, unsigned repeats, const unsigned char *run,
                                                size_t length, uint64_t column) {
    if (column > PM_YAML_MARKER_COLUMN)
        return 0;
    const unsigned char last = run[length - 1];
    unsigned count = 0;
    while (count < PM_YAML_REPEATS && count + 1 < length && run[length - 2 - count] == last)
        count++;
    if (count + 1 == length && newest == last)
        count += 1 + repeats;
    return (unsigned char)(count < PM_YAML_REPEATS ? count : PM_YAML_REPEATS);
}

/* The braces are the square brackets with one bit more. */
static inline bool pmi_yaml_is_bracket(unsigned char byte) {
    return (byte | 0x20) == '{' || (byte | 0x20) == '}';
}

/* A bracket where it counts. */
static inline void pmi_yaml_bracket(pmi_lexer *lexer, unsigned char byte) {
    pmi_yaml *const yaml = &lexer->yaml;
    const bool open = byte == '[' || byte == '{';
    lexer->verdict = PM_LEXER_COUNTED;
    yaml->flow += open ? 1 : yaml->flow > 0 ? UINT64_MAX : 0;
    yaml->state = open ? PM_YAML_VALUE : PM_YAML_AFTER;
}

/* Behind a plain scalar's byte comes a blank: was it a dash, a question mark, a colon, and so no part of one? */
static inline void pmi_yaml_sign_end(pmi_yaml *yaml) {
    const unsigned char sign = yaml->newest;
    const bool alone = yaml->key + 1 == yaml->column;
    const bool begins_document =
        (sign == '-' || sign == '.') && yaml->repeats == PM_YAML_REPEATS && yaml->column == PM_YAML_MARKER_COLUMN;
    if (sign == ':') {
        if (yaml->flow == 0 && yaml->key > 0)
            yaml->indent = yaml->key;
        yaml->state = PM_YAML_VALUE;
    } else if (begins_document) {
        yaml->indent = 0;
        yaml->state = PM_YAML_VALUE;
    } else if (alone && yaml->flow == 0 && (sign == '-' || sign == '?')) {
        yaml->indent = yaml->key;
        yaml->key = 0;
        yaml->state = PM_YAML_VALUE;
    }
}

/* ---- By masks: yaml/range.c reads everything, yaml/lines.c short lines ---- */

/* Bytes of a piece that may change a state, a bit each, and a word behind them with all bits set. Outside flow
 * collections. */
typedef struct pmi_yaml_piece {
    const unsigned char *text;
    size_t from, to;
    uint64_t begins[PM_PIECE_WORDS + 1];     /* behind blanks */
    uint64_t plain_ends[PM_PIECE_WORDS + 1]; /* inside plain scalars */
    uint64_t newlines[PM_PIECE_WORDS + 1];
    uint64_t quotes[2][PM_PIECE_WORDS + 1]; /* what matters inside "" and '' */
    uint64_t flow[PM_PIECE_WORDS + 1];      /* what does so inside flow collections */
    uint64_t position;                      /* in the text, of the piece */
    unsigned char newest, repeats;          /* before `from` */
    bool own_brackets;                      /* those that masks show are those of flow collections */
} pmi_yaml_piece;

/* The 64 bits from bit i on. */
static inline uint64_t pmi_yaml_bits_from(const uint64_t *words, size_t i) {
    const size_t w = i / PM_WORD_BITS, in_word = i % PM_WORD_BITS;
    return words[w] >> in_word | words[w + 1] << 1 << (PM_WORD_BITS - 1 - in_word);
}

/* Returns the first bit from i < end on that is set, or `end`. */
static inline size_t pmi_yaml_next_bit(const uint64_t *words, size_t i, size_t end) {
    uint64_t rest = pmi_yaml_bits_from(words, i);
    if (rest == 0) {
        size_t w = i / PM_WORD_BITS;
        while ((rest = words[++w]) == 0)
            continue;
        i = w * PM_WORD_BITS;
    }
    const size_t found = i + pmi_bits_lowest(rest);
    return found < end ? found : end;
}

/* Bytes that begin another value than a plain scalar. */
extern const bool pmi_yaml_begins_no_plain[256];

/* Reads lines of at most 63 bytes from byte `at` on, where a line begins outside flow collections, as far as they are
 * simple. Returns the byte behind the last of them. */
size_t pmi_yaml_short_lines(pmi_lexer *lexer, const pmi_yaml_piece *piece, size_t at, uint64_t *outside);

#endif
