/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of brackets in a row, packed: 32 to a word, that of rank r in bits 2 * (r % 32) and up of word r / 32. */
#ifndef PM_CORE_DOCUMENT_KINDS_H
#define PM_CORE_DOCUMENT_KINDS_H

#include <string.h>

#include "core/text/open_bracket_stack.h"

#define PM_KINDS_OF_WORD 32u
_Static_assert(PM_OPEN_KINDS == 4, "a kind has two bits");

/* Returns the words that hold that many kinds. */
static inline size_t pmi_kinds_words(size_t count) {
    return (count + PM_KINDS_OF_WORD - 1) / PM_KINDS_OF_WORD;
}

static inline unsigned pmi_kinds_at(const uint64_t *row, size_t rank) {
    return row[rank / PM_KINDS_OF_WORD] >> 2 * (rank % PM_KINDS_OF_WORD) & 3;
}

/* Returns 1 to 32 kinds from a rank on. */
static inline uint64_t pmi_kinds_get(const uint64_t *row, size_t rank, size_t n) {
    const size_t shift = rank % PM_KINDS_OF_WORD;
    uint64_t kinds = row[rank / PM_KINDS_OF_WORD] >> 2 * shift;
    if (shift + n > PM_KINDS_OF_WORD)
        kinds |= row[rank / PM_KINDS_OF_WORD + 1] << 2 * (PM_KINDS_OF_WORD - shift);
    return kinds & UINT64_MAX >> 2 * (PM_KINDS_OF_WORD - n);
}

/* Copies words of 32 kinds each, from a rank on. */
static inline void pmi_kinds_copy_words(const uint64_t *row, size_t from, size_t words, uint64_t *to) {
    const uint64_t *const first = row + from / PM_KINDS_OF_WORD;
    const size_t shift = 2 * (from % PM_KINDS_OF_WORD);
    if (shift == 0)
        memcpy(to, first, words * sizeof *to);
    else
        for (size_t w = 0; w < words; w++)
            to[w] = first[w] >> shift | first[w + 1] << (PM_WORD_BITS - shift);
}

/* Copies n kinds from rank `from` on to rank `at` and up of a row, where zeros are. */
static inline void pmi_kinds_copy(const uint64_t *row, size_t from, size_t n, uint64_t *to, size_t at) {
    const size_t shift = at % PM_KINDS_OF_WORD, room = PM_KINDS_OF_WORD - shift, first = room < n ? room : n;
    if (n == 0)
        return;
    to += at / PM_KINDS_OF_WORD;
    *to++ |= pmi_kinds_get(row, from, first) << 2 * shift;
    const size_t words = (n - first) / PM_KINDS_OF_WORD;
    pmi_kinds_copy_words(row, from + first, words, to);
    const size_t copied = first + words * PM_KINDS_OF_WORD;
    if (copied < n)
        to[words] |= pmi_kinds_get(row, from + copied, n - copied);
}

/* Packs kinds of a byte each. */
static inline void pmi_kinds_pack(const uint8_t *kinds, size_t count, uint64_t *row) {
    for (size_t i = 0; i < count; i += PM_KINDS_OF_WORD) {
        const size_t here = count - i < PM_KINDS_OF_WORD ? count - i : PM_KINDS_OF_WORD;
        uint64_t word = 0;
        for (size_t k = 0; k < here; k++)
            word |= (uint64_t)kinds[i + k] << 2 * k;
        row[i / PM_KINDS_OF_WORD] = word;
    }
}

#endif
