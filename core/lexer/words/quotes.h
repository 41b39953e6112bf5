/* SPDX-License-Identifier: Apache-2.0 */
/* Strings of one sort: which bytes of a word are inside them follows from the parity of their quotes. */
#ifndef PM_CORE_LEXER_WORDS_QUOTES_H
#define PM_CORE_LEXER_WORDS_QUOTES_H

#include "core/lexer/words/reader.h"

/* ---- Masks of a word ---- */

/* Those of some bytes of a word that are equal to one. */
PM_WORDS_INLINED uint64_t pmi_words_bytes_equal(const unsigned char *word, uint64_t bits, unsigned char byte) {
    uint64_t found = 0;
    for (uint64_t rest = bits; rest != 0; rest &= rest - 1)
        found |= (uint64_t)(word[pmi_bits_lowest(rest)] == byte) << pmi_bits_lowest(rest);
    return found;
}

/* The bits of some bytes of a word that are behind a name; `known`: so is the byte before the word. */
PM_WORDS_INLINED uint64_t pmi_words_behind_names(const unsigned char *word, bool known, uint64_t bits) {
    uint64_t found = 0;
    for (uint64_t rest = bits; rest != 0; rest &= rest - 1) {
        const unsigned bit = pmi_bits_lowest(rest);
        if (bit == 0 && !known ? true : pmi_byte_in_name(word[(int)bit - 1]))
            found |= rest & (0 - rest);
    }
    return found;
}

/* Bytes that mean nothing in a string: backslashes and what each protects. Of some bytes of a word, the first of which
 * is a backslash; without those to be read in another way. */
PM_WORDS_INLINED uint64_t pmi_words_escapes_find(const unsigned char *word, uint64_t bits) {
    const uint64_t even = UINT64_C(0x5555555555555555), backslashes = pmi_words_bytes_equal(word, bits, '\\');
    const uint64_t behind = backslashes << 1, odd_begins = backslashes & ~even & ~behind;
    const uint64_t escaped = (even ^ (odd_begins + backslashes) << 1) & behind; /* behind runs of an odd length */
    uint64_t found = backslashes | escaped;
    for (uint64_t rest = escaped; rest != 0; rest &= rest - 1) {
        const unsigned at = pmi_bits_lowest(rest);
        if (pmi_byte_is_space(word[at]) || word[at] == 'z')
            found ^= UINT64_C(1) << (at - 1);
    }
    return found & ~(backslashes & ~escaped & UINT64_C(1) << (PM_WORD_BITS - 1));
}

/* ---- Strings ---- */

/* The string that the text is in, or the first one that begins in the word; 0: it is not one by parity. */
PM_WORDS_INLINED unsigned pmi_words_string_at(const pmi_words_reader *reader, const unsigned char *word,
                                              uint64_t ends) {
    const pmi_lexer *const lexer = reader->lexer;
    const pmi_lexer_words_table *const table = &lexer->words;
    if (reader->state == PM_WORDS_CODE)
        return pmi_words_string_of(table, word[pmi_bits_lowest(ends)]);
    const unsigned of = pmi_words_string_of(table, (unsigned char)lexer->language->regions[reader->state - 1].open[0]);
    return of == reader->state ? of : 0;
}

/* A word's strings of one sort by the parity of their quotes. */
typedef struct pmi_quoted_word {
    uint64_t quotes, inside, opening;
    uint64_t others; /* bytes that are not read so */
} pmi_quoted_word;

/* Finds strings of one sort, as table->quote_of numbers them. `ends`: the bytes that may end a run of code; `class`:
 * those that matter in the string; `escapes`: those of them that mean nothing. */
PM_WORDS_INLINED pmi_quoted_word pmi_words_quotes_find(const pmi_words_reader *reader, unsigned of, uint64_t ends,
                                                       uint64_t class, size_t w, uint64_t escapes) {
    const pmi_lexer *const lexer = reader->lexer;
    const unsigned char *const word = reader->text + w * PM_WORD_BITS;
    pmi_quoted_word found = {.quotes = ends & class & ~escapes};
    if (lexer->words.shared >> (of - 1) & 1)
        found.quotes =
            pmi_words_bytes_equal(word, found.quotes, (unsigned char)lexer->language->regions[of - 1].open[0]);
    const uint64_t quotes = found.quotes;
    found.inside = pmi_bits_parities(quotes) ^ (reader->state == PM_WORDS_CODE ? 0 : UINT64_MAX);
    found.opening = quotes & found.inside;
    found.others = ((ends & ~found.inside) | (class & found.inside & ~escapes)) & ~quotes;
    if (lexer->words.triples >> (of - 1) & 1)
        found.others |= found.opening & (quotes >> 1 | UINT64_C(1) << 63) & (quotes >> 2 | UINT64_C(3) << 62);
    if (lexer->words.prefixed >> (of - 1) & 1)
        found.others |= pmi_words_behind_names(word, w * PM_WORD_BITS > reader->from, found.opening);
    return found;
}

/* The same of a word whose first byte that is not read so is a backslash in a string. */
static __attribute__((noinline)) pmi_quoted_word pmi_words_quotes_find_escaped(const pmi_words_reader *reader,
                                                                               unsigned of, uint64_t ends,
                                                                               uint64_t class, size_t w,
                                                                               uint64_t first) {
    const unsigned char *const word = reader->text + w * PM_WORD_BITS;
    return pmi_words_quotes_find(reader, of, ends, class, w, pmi_words_escapes_find(word, class & (0 - first)));
}

/* Reads the first bytes of word w, which is in code or in a string, as far as strings of one sort go there. Returns the
 * bits that are read. `ends`: the bytes that may end a run of code. */
PM_WORDS_INLINED uint64_t pmi_words_quotes_read(pmi_words_reader *reader, uint64_t ends, size_t w, uint64_t *outside) {
    const pmi_lexer *const lexer = reader->lexer;
    const unsigned char *const word = reader->text + w * PM_WORD_BITS;
    reader->noted->code[w] = UINT64_MAX;
    reader->noted->operands[w] = reader->noted->blanks[w] = 0;
    outside[w] = UINT64_MAX;
    if (reader->state == PM_WORDS_CODE && ends == 0)
        return UINT64_MAX;
    const unsigned of = pmi_words_string_at(reader, word, ends);
    if (of == 0)
        return reader->noted->code[w] = outside[w] = 0;
    const uint64_t class = pmi_lexer_mask_of(reader->piece, w, lexer->region_class[of - 1]);
    pmi_quoted_word found = pmi_words_quotes_find(reader, of, ends, class, w, 0);
    uint64_t first = found.others & (0 - found.others);
    if (first & found.inside && lexer->words.escapes >> (of - 1) & 1 && word[pmi_bits_lowest(first)] == '\\') {
        found = pmi_words_quotes_find_escaped(reader, of, ends, class, w, first);
        first = found.others & (0 - found.others);
    }
    const uint64_t inside = found.inside, quotes = found.quotes, before = first - 1, opened = found.opening & before;
    const bool in_string = first != 0 ? (inside & ~quotes & first) != 0 : inside >> 63;
    outside[w] = reader->noted->code[w] = ~(inside | quotes) & before;
    reader->noted->operands[w] = quotes & ~inside & before;
    if (opened != 0)
        reader->start = w * PM_WORD_BITS + pmi_bits_highest(opened);
    reader->state = in_string ? of : PM_WORDS_CODE;
    return before;
}

PM_WORDS_INLINED bool pmi_words_in_code_or_string(const pmi_words_reader *reader) {
    return reader->state == PM_WORDS_CODE || reader->lexer->words.strings >> (reader->state - 1) & 1;
}

#endif
