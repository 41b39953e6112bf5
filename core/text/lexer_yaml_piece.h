/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of YAML by masks share: lexer_yaml_range.c reads everything, lexer_yaml_lines.c short lines. */
#ifndef PM_CORE_TEXT_LEXER_YAML_PIECE_H
#define PM_CORE_TEXT_LEXER_YAML_PIECE_H

#include "core/text/lexer_yaml.h"

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
